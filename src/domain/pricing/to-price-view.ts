/** Computation of price views: the price keys of a product and of each component product of a bundle. */
import { isDeepStrictEqual } from 'node:util'
import { formatInstant } from '../input/instant.ts'
import { modifierEffect } from './modifier.ts'
import { earliest, type PriceQuery, pricedCurrencies, resolvePrice } from './price.ts'
import type { AmountView, CurrencyPriceView, PriceView, ResolvedPriceView } from './price-view.ts'
import type { PriceableProduct } from './priceable-product.ts'
import {
  hasRecord,
  nextRecordChange,
  type ProductWithRecord,
  resolveRecordPrice,
  winningSaleAt,
} from './record-price.ts'
import { type CompiledSale, findWinningSale, nextSaleChange } from './sale.ts'
import { type TierViews, toTierViews } from './tier-view.ts'

/** The instant, quantity, context and selection (PriceQuery) for which a product is viewed. */
type PriceViewQuery = Omit<PriceQuery, 'currency'>

/**
 * The price view of `product` in every currency, with the winning sale found once. A component product, priced at its
 * own quantity inside a bundle, has no tiers.
 *
 * The most frequent view, at quantity 1 outside bundles with the default selection, is cached on the product until it
 * changes.
 */
export function toPriceView(product: PriceableProduct, query: PriceViewQuery): ResolvedPriceView {
  const { now, quantity, bundleId, selection } = query
  if (quantity !== 1 || bundleId != null || selection != null) return compute(product, query)
  const { cached } = product
  if (cached !== null && cached.from <= now && now < cached.until) return cached.resolved
  const resolved = compute(product, query)
  product.cached = { from: now, until: resolved.changesAt ?? Number.POSITIVE_INFINITY, resolved }
  return resolved
}

function compute(product: PriceableProduct, query: PriceViewQuery): ResolvedPriceView {
  return hasRecord(product) ? recordView(product, query) : sumView(product, query)
}

/** Members are written out, because spreads cost several times as much. */
function recordView(product: ProductWithRecord, query: PriceViewQuery): ResolvedPriceView {
  const { list, book } = product.record
  const sale = winningSaleAt(product, query)
  const price: Record<string, CurrencyPriceView> = {}
  const original: Record<string, AmountView> = {}
  let changesAt: number | null = null
  let onSale = false
  for (const currency of Object.keys(list)) {
    const resolved = resolveRecordPrice(product, currency, query.quantity, sale)
    changesAt = earliest(changesAt, nextRecordChange(product, query, currency, sale, resolved))
    if (resolved === null) continue
    const tiers = query.bundleId == null ? tiersOf(product, currency, sale) : null
    if (tiers !== null) changesAt = earliest(changesAt, nextTierChange(product, query, currency, sale))
    const { amount, includesTax: includes_tax } = resolved
    price[currency] = tiers === null ? { amount, includes_tax } : { amount, includes_tax, tiers }
    original[currency] = { amount: resolved.listAmount, includes_tax: resolved.listIncludesTax }
    onSale ||= resolved.sale !== null
  }
  if (sale === null || !onSale) return { view: viewWithoutSale(price, book), changesAt }
  const { name, validTo } = sale.summary
  const expires = validTo === null ? null : formatInstant(validTo)
  return {
    view: { price, pricebook_id: book, sale_id: name, sale_expires: expires, original_price: original },
    changesAt,
  }
}

function tiersOf(product: ProductWithRecord, currency: string, sale: CompiledSale | null): TierViews | null {
  const list = product.record.list[currency]
  // A price_equals leaves none of the parent's tiers (modifier.equals-replaces-base).
  if (list === undefined || modifierEffect(product.modifiers, currency, 1).equals !== null) return null
  return toTierViews(list, sale?.prices[currency])
}

/**
 * The first instant after `query.now` at which other tiers are shown; null for never. While a list tier from quantity 1
 * supplies the price of one unit, another winning sale changes only the tiers; otherwise it also changes the price.
 */
function nextTierChange(
  product: ProductWithRecord,
  query: PriceViewQuery,
  currency: string,
  sale: CompiledSale | null,
): number | null {
  const [lowest] = product.record.list[currency]?.tiers ?? []
  if (lowest === undefined || lowest.minimum > 1) return null
  const { sales } = product.record
  const shown = tiersOf(product, currency, sale)
  let winner = sale
  let at = nextSaleChange(sales, winner, query.now, null)
  while (at !== null) {
    winner = findWinningSale(sales, at, null)
    if (!isDeepStrictEqual(shown, tiersOf(product, currency, winner))) return at
    at = nextSaleChange(sales, winner, at, null)
  }
  return null
}

/**
 * The view of a summed bundle, which has no book, sale, original price or tiers of its own (bundle.sum-has-no-sale).
 */
function sumView(product: PriceableProduct, query: PriceViewQuery): ResolvedPriceView {
  const prices: Record<string, CurrencyPriceView> = {}
  let changesAt: number | null = null
  for (const currency of pricedCurrencies(product, query.selection)) {
    const resolution = resolvePrice(product, { ...query, currency })
    changesAt = earliest(changesAt, resolution.changesAt)
    const { price } = resolution
    if (price !== null) prices[currency] = { amount: price.amount, includes_tax: price.includesTax }
  }
  return { view: viewWithoutSale(prices, null), changesAt }
}

/** `price` is left out when no currency has one (price.missing-currency-left-out). */
function viewWithoutSale(price: Readonly<Record<string, CurrencyPriceView>>, book: string | null): PriceView {
  return Object.keys(price).length === 0 ? { pricebook_id: book } : { price, pricebook_id: book }
}

/**
 * The amounts (minor units) that the display prices show in `currency`: of the price and of the original price
 * (price.display-follows-price); null without one.
 */
export function displayAmounts(
  view: PriceView,
  currency: string,
): { readonly price: number | null; readonly original: number | null } {
  return { price: view.price?.[currency]?.amount ?? null, original: view.original_price?.[currency]?.amount ?? null }
}
