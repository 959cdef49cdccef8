/** Resolution of catalog prices: the prices that price fields select. */
import { pricedCurrencies, resolvePrice } from '../../domain/pricing/price.ts'
import type { Resolution } from '../../domain/pricing/resolution.ts'
import { type PriceSubject, shownPrice } from '../../operations/catalog/price.ts'
import type { Context } from '../../request/context.ts'
import { displayCurrency } from '../pricing/price.ts'
import { CatalogPrice } from './catalog-price.ts'
import { type PriceArguments, readPriceArguments } from './price-arguments.ts'

/**
 * The price in one currency; null when there is none, never a price in another currency. Throws DomainError for invalid
 * arguments (badRequest, forbidden) and WorkLimit.
 */
export function resolveCatalogPrice(subject: PriceSubject, args: PriceArguments, ctx: Context): CatalogPrice | null {
  const { now, quantity } = readPriceArguments(args, ctx)
  return cachedPrice(subject, now, quantity, displayCurrency(args, ctx), ctx)
}

/** The prices in all currencies, in the order of the code; otherwise like resolveCatalogPrice. */
export function resolveAllPrices(subject: PriceSubject, args: PriceArguments, ctx: Context): CatalogPrice[] {
  const { now, quantity } = readPriceArguments(args, ctx)
  return pricedCurrencies(subject.priceable, subject.selection)
    .map((currency) => cachedPrice(subject, now, quantity, currency, ctx))
    .filter((price) => price !== null)
}

/**
 * The price. A bundle's price is resolved once per request and arguments, except with a shopper's own selection. Any
 * other price takes less to resolve than to look up. The key names the release: releases, even of several catalogs,
 * share equal products, but a price knows its own release.
 */
function cachedPrice(
  subject: PriceSubject,
  now: number,
  quantity: number,
  currency: string,
  ctx: Context,
): CatalogPrice | null {
  const { release, isLatest, priceable, bundleId, selection } = subject
  if (priceable.bundle === null || selection !== null) return resolve(subject, now, quantity, currency, ctx)
  const prices =
    (ctx.memo.get(priceable) as Map<string, CatalogPrice | null> | undefined) ?? new Map<string, CatalogPrice | null>()
  ctx.memo.set(priceable, prices)
  const key = `${currency} ${quantity} ${now} ${bundleId} ${release.id} ${isLatest}`
  const found = prices.get(key)
  if (found !== undefined) return found
  const price = resolve(subject, now, quantity, currency, ctx)
  prices.set(key, price)
  return price
}

function resolve(
  subject: PriceSubject,
  now: number,
  quantity: number,
  currency: string,
  ctx: Context,
): CatalogPrice | null {
  const resolution = shownPrice(ctx, subject, { now, currency, quantity }, resolvePrice)
  return toCatalogPrice(subject, now, quantity, resolution)
}

/** The price as resolved for `now`. */
export function toCatalogPrice(
  subject: PriceSubject,
  now: number,
  quantity: number,
  { price, changesAt }: Resolution,
): CatalogPrice | null {
  return price && new CatalogPrice(subject, now, quantity, price, changesAt)
}
