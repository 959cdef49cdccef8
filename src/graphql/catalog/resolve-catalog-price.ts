/** Resolution of catalog prices: the prices that price fields select. */
import { totalResolutionCost } from '../../domain/pricing/compile-product.ts'
import { pricedCurrencies, resolvePrice } from '../../domain/pricing/price.ts'
import type { Resolution } from '../../domain/pricing/resolution.ts'
import type { PriceSubject } from '../../operations/catalog/price-change.ts'
import type { Context } from '../../request/context.ts'
import { PRICE_POINTS } from '../../request/request-work.ts'
import { displayCurrency } from '../pricing/price.ts'
import { CatalogPrice } from './catalog-price.ts'
import { type PriceArguments, readPriceArguments } from './price-arguments.ts'

type MaybePromise<T> = T | Promise<T>

/**
 * The price in one currency; null when there is none in it, never one in another. A promise when the request has to yield first. Throws
 * DomainError for invalid arguments (badRequest, forbidden) and WorkLimit.
 */
export function resolveCatalogPrice(subject: PriceSubject, args: PriceArguments, ctx: Context): MaybePromise<CatalogPrice | null> {
  const { now, quantity } = readPriceArguments(args, ctx)
  const currency = displayCurrency(args, ctx)
  return afterYield(ctx, () => cachedPrice(subject, now, quantity, currency, ctx))
}

/** The prices in all currencies, in the order of the code; otherwise like resolveCatalogPrice. */
export function resolveAllPrices(subject: PriceSubject, args: PriceArguments, ctx: Context): MaybePromise<CatalogPrice[]> {
  const { now, quantity } = readPriceArguments(args, ctx)
  return afterYield(ctx, () => {
    const currencies = pricedCurrencies(subject.priceable, subject.selection)
    return currencies.map((currency) => cachedPrice(subject, now, quantity, currency, ctx)).filter((price) => price !== null)
  })
}

/**
 * Time slicing: a heavy request lets others run between its prices. A light one does not: the promises would cost it more than the prices.
 */
export function afterYield<T>({ work }: Context, compute: () => T): MaybePromise<T> {
  const wait = work.isHeavy ? work.yieldPoint() : undefined
  return wait ? wait.then(compute) : compute()
}

/**
 * The price. That of a bundle is resolved once per request and arguments, except with a shopper's own selection; any other takes less to
 * resolve than to look up. Releases, also of several catalogs, share the products that they have alike, while a price knows its own
 * release.
 */
function cachedPrice(subject: PriceSubject, now: number, quantity: number, currency: string, ctx: Context): CatalogPrice | null {
  const { release, priceable, bundleId, selection } = subject
  if (priceable.bundle === null || selection !== null) return resolve(subject, now, quantity, currency, ctx)
  const prices = (ctx.memo.get(priceable) as Map<string, CatalogPrice | null> | undefined) ?? new Map<string, CatalogPrice | null>()
  ctx.memo.set(priceable, prices)
  const key = `${currency} ${quantity} ${now} ${bundleId} ${release.id} ${release.isLatest}`
  const found = prices.get(key)
  if (found !== undefined) return found
  const price = resolve(subject, now, quantity, currency, ctx)
  prices.set(key, price)
  return price
}

/** Resolves a price and reports its next change, also where there is no price yet (bundle.price-may-come-and-go). */
function resolve(subject: PriceSubject, now: number, quantity: number, currency: string, ctx: Context): CatalogPrice | null {
  const { work, cachePolicy } = ctx
  const { priceable, bundleId, selection } = subject
  work.spend(
    (selection && priceable.bundle ? totalResolutionCost(priceable.bundle.options.values()) : priceable.resolutionCost) * PRICE_POINTS,
  )
  const resolution = resolvePrice(priceable, { now, currency, quantity, bundleId, selection })
  cachePolicy.expireAt(resolution.changesAt)
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
