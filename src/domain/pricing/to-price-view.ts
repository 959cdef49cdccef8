/** The price keys that a listing gives a product and each of a bundle's component products. */
import { formatInstant } from '../input/instant.ts'
import { earliest, type PriceQuery, pricedCurrencies, resolvePrice } from './price.ts'
import type { AmountView, CurrencyPriceView, PriceView, ResolvedPriceView } from './price-view.ts'
import type { PriceableProduct, Selection } from './priceable-product.ts'
import {
  hasRecord,
  nextRecordChange,
  type ProductWithRecord,
  type RecordPrice,
  type RecordPriceQuery,
  resolveRecordPrice,
  winningSaleAt,
} from './record-price.ts'
import { type TierViews, toTierViews } from './tier-view.ts'

/**
 * The prices of one unit in every currency, sale picked once. Tiers are told for a price that stands alone; a component product has one
 * at its own quantity. `selection` is of a summed bundle. What is asked most, one of a unit standing alone, is worked out once for as long
 * as it is true, since a unit never changes.
 */
export function toPriceView(unit: PriceableProduct, question: RecordPriceQuery, selection?: Selection | null): ResolvedPriceView {
  const { now, quantity, bundleId } = question
  if (quantity !== 1 || bundleId != null || selection != null) return compute(unit, question, selection)
  const { cached } = unit
  if (cached !== null && cached.from <= now && now < cached.until) return cached.resolved
  const listed = compute(unit, question, selection)
  unit.cached = { from: now, until: listed.changesAt ?? Number.POSITIVE_INFINITY, resolved: listed }
  return listed
}

function compute(unit: PriceableProduct, question: RecordPriceQuery, selection: Selection | null | undefined): ResolvedPriceView {
  return hasRecord(unit) ? listRow(unit, question) : listSum(unit, { ...question, selection })
}

/** Members are written out: spreads cost several times as much. */
function listRow(unit: ProductWithRecord, question: RecordPriceQuery): ResolvedPriceView {
  const { list, book } = unit.record
  const winner = winningSaleAt(unit, question)
  const price: Record<string, CurrencyPriceView> = {}
  const original: Record<string, AmountView> = {}
  let changesAt: number | null = null
  let onSale = false
  for (const currency of Object.keys(list)) {
    const found = resolveRecordPrice(unit, currency, question.quantity, winner)
    changesAt = earliest(changesAt, nextRecordChange(unit, question, currency, winner, found))
    if (found === null) continue
    const tiers = question.bundleId == null ? tiersOf(unit, currency, found) : null
    const { amount, includesTax: includes_tax } = found
    price[currency] = tiers === null ? { amount, includes_tax } : { amount, includes_tax, tiers }
    original[currency] = { amount: found.listAmount, includes_tax: found.listIncludesTax }
    onSale ||= found.sale !== null
  }
  if (winner === null || !onSale) return { view: told(price, book), changesAt }
  const { name, validTo } = winner.summary
  const expires = validTo === null ? null : formatInstant(validTo)
  return { view: { price, pricebook_id: book, sale_id: name, sale_expires: expires, original_price: original }, changesAt }
}

function tiersOf(unit: ProductWithRecord, currency: string, price: RecordPrice): TierViews | null {
  const list = unit.record.list[currency]
  // A price_equals leaves none of the base's tiers (modifier.equals-replaces-base); it comes first among the applied.
  if (list === undefined || price.modifiers[0]?.type === 'price_equals') return null
  return toTierViews(list, price.sale, currency)
}

/** bundle.sum-has-no-sale: a sum has no book, sale, original price or tiers of its own. */
function listSum(unit: PriceableProduct, query: Omit<PriceQuery, 'currency'>): ResolvedPriceView {
  const prices: Record<string, CurrencyPriceView> = {}
  let changesAt: number | null = null
  for (const currency of pricedCurrencies(unit, query.selection)) {
    const answer = resolvePrice(unit, { ...query, currency })
    changesAt = earliest(changesAt, answer.changesAt)
    if (answer.price !== null) prices[currency] = { amount: answer.price.amount, includes_tax: answer.price.includesTax }
  }
  return { view: told(prices, null), changesAt }
}

/** `price` is left out when no currency has one (price.missing-currency-left-out). */
function told(price: Readonly<Record<string, CurrencyPriceView>>, book: string | null): PriceView {
  return Object.keys(price).length === 0 ? { pricebook_id: book } : { price, pricebook_id: book }
}

/** The amounts of the display prices in `currency`: of the price and of the original price; null when there is none. */
export function displayAmounts(listed: PriceView, currency: string): { readonly price: number | null; readonly original: number | null } {
  return { price: listed.price?.[currency]?.amount ?? null, original: listed.original_price?.[currency]?.amount ?? null }
}
