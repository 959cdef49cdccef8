/** The price keys that contract 2.5 gives a product and each of a bundle's component products (pricing.md B5, C10 to C12, D5, H4). */
import { formatInstant } from './instant.ts'
import { type ListedTiers, listTiers } from './listed-tier.ts'
import { earliest, type PriceQuery, pricedCurrencies, resolvePrice } from './price.ts'
import type { PricedUnit, Selection } from './priced-unit.ts'
import { nextRowChange, priceOfRow, type RowPrice, type RowQuestion, type RowUnit, saleAt } from './row-price.ts'

/** Amounts are minor units. */
export interface ListedAmount {
  readonly amount: number
  readonly includes_tax: boolean
}

export interface ListedPrice extends ListedAmount {
  readonly tiers?: ListedTiers
}

/** A key that does not apply is absent (B5, C10). */
export interface ListedPrices {
  /** By currency code. */
  readonly price?: Readonly<Record<string, ListedPrice>>
  readonly sale_id?: string
  /** UTC with milliseconds; null when the sale has no end (C12). With `sale_id` only. */
  readonly sale_expires?: string | null
  /** Every currency of `price`, at its list amount (C11). With `sale_id` only. */
  readonly original_price?: Readonly<Record<string, ListedAmount>>
  /** Also when no currency is usable (H4); null without a row and for a summed bundle (F11). */
  readonly pricebook_id: string | null
}

/** What is listed, and the next instant (epoch milliseconds) at which it changes in any currency. */
export interface Listed {
  readonly prices: ListedPrices
  readonly changesAt: number | null
}

interface Held {
  /** Epoch milliseconds; `until` is exclusive. */
  readonly from: number
  readonly until: number
  readonly listed: Listed
}

/** A unit never changes, so what is asked most, one of it standing alone, is worked out once for as long as it is true. */
const held = new WeakMap<PricedUnit, Held>()

/**
 * The prices of one unit in every currency, sale picked once. Tiers are told for a price that stands alone; a component product has one
 * at its own quantity. `selection` is of a summed bundle.
 */
export function listPrices(unit: PricedUnit, question: RowQuestion, selection?: Selection | null): Listed {
  const { now, quantity, bundleId } = question
  if (quantity !== 1 || bundleId !== null || selection != null) return workOut(unit, question, selection)
  const known = held.get(unit)
  if (known !== undefined && known.from <= now && now < known.until) return known.listed
  const listed = workOut(unit, question, selection)
  held.set(unit, { from: now, until: listed.changesAt ?? Number.POSITIVE_INFINITY, listed })
  return listed
}

function workOut(unit: PricedUnit, question: RowQuestion, selection: Selection | null | undefined): Listed {
  return unit.row === null ? listSum(unit, { ...question, selection }) : listRow({ ...unit, row: unit.row }, question)
}

function listRow(unit: RowUnit, question: RowQuestion): Listed {
  const { list, book } = unit.row
  const winner = saleAt(unit, question)
  const prices = new Map<string, RowPrice | null>()
  for (const currency of Object.keys(list)) prices.set(currency, priceOfRow(unit, currency, question.quantity, winner))
  const price: Record<string, ListedPrice> = {}
  const original: Record<string, ListedAmount> = {}
  let onSale = false
  for (const [currency, found] of prices) {
    if (found === null) continue
    const tiers = question.bundleId === null ? tiersOf(unit, currency, found) : null
    const amount = { amount: found.amount, includes_tax: found.includesTax }
    price[currency] = tiers === null ? amount : { ...amount, tiers }
    original[currency] = { amount: found.listAmount, includes_tax: found.listIncludesTax }
    onSale ||= found.sale !== null
  }
  const told = { ...present(price), pricebook_id: book }
  const changesAt = nextRowChange(unit, question, prices)
  if (winner === null || !onSale) return { prices: told, changesAt }
  const expires = Number.isFinite(winner.to) ? formatInstant(winner.to) : null
  return { prices: { ...told, sale_id: winner.name, sale_expires: expires, original_price: original }, changesAt }
}

function tiersOf(unit: RowUnit, currency: string, price: RowPrice): ListedTiers | null {
  const list = unit.row.list[currency]
  // A price_equals leaves none of the base's tiers (E2); it comes first among the applied.
  if (list === undefined || price.modifiers[0]?.type === 'price_equals') return null
  return listTiers(list, price.sale, currency)
}

/** F11: a sum has no book, sale, original price or tiers of its own. */
function listSum(unit: PricedUnit, query: Omit<PriceQuery, 'currency'>): Listed {
  const prices: Record<string, ListedPrice> = {}
  let changesAt: number | null = null
  for (const currency of pricedCurrencies(unit, query.selection)) {
    const answer = resolvePrice(unit, { ...query, currency })
    changesAt = earliest(changesAt, answer.changesAt)
    if (answer.price !== null) prices[currency] = { amount: answer.price.amount, includes_tax: answer.price.includesTax }
  }
  return { prices: { ...present(prices), pricebook_id: null }, changesAt }
}

/** `price` is left out when no currency has one (B5). */
function present(price: Readonly<Record<string, ListedPrice>>): Pick<ListedPrices, 'price'> {
  return Object.keys(price).length === 0 ? {} : { price }
}

/** The amounts of the display prices in `currency` (H2, H3): of the price and of the original price; null when there is none. */
export function displayAmounts(
  listed: ListedPrices,
  currency: string,
): { readonly price: number | null; readonly original: number | null } {
  return { price: listed.price?.[currency]?.amount ?? null, original: listed.original_price?.[currency]?.amount ?? null }
}
