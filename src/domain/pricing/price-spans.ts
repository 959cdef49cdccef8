/**
 * Price spans: the price of one unit of a product over time, outside of bundles. A span lasts as long as the price
 * stays the same.
 */
import { sumChanges } from './bundle-changes.ts'
import { optionQueries, type PriceQuery, pricedCurrencies, resolvePrice } from './price.ts'
import type { PriceableProduct } from './priceable-product.ts'
import { hasRecord } from './record-price.ts'
import type { Price } from './resolution.ts'

/**
 * The spans in one currency, as arrays of equal length. Neighbours differ in the amount, or in the sale that
 * supplies it.
 */
export interface PriceSpans {
  /**
   * Epoch milliseconds at which each begins, rising; the first is -Infinity. A span ends where the next begins, the
   * last never.
   */
  readonly starts: readonly number[]
  /** Minor units; null without a price. */
  readonly amounts: readonly (number | null)[]
  /** The name of the sale that supplies the amount, null for none (sale.reported-when-it-supplies). */
  readonly sales: readonly (string | null)[]
}

/** The spans by currency, of the currencies in which there is a price at some instant (price.spans-equal-prices). */
export function priceSpans(product: PriceableProduct): ReadonlyMap<string, PriceSpans> {
  const spans = new Map<string, PriceSpans>()
  for (const currency of pricedCurrencies(product)) {
    const cut = cutPrice(product, currency)
    if (cut.amounts.some((amount) => amount !== null)) spans.set(currency, cut)
  }
  return spans
}

function cutPrice(product: PriceableProduct, currency: string): PriceSpans {
  const starts: number[] = []
  const amounts: (number | null)[] = []
  const sales: (string | null)[] = []
  for (const { at, price } of priceChanges(product, { now: Number.NEGATIVE_INFINITY, currency, quantity: 1 })) {
    const amount = price?.amount ?? null
    const sale = price?.sale?.name ?? null
    if (starts.length > 0 && amount === amounts.at(-1) && sale === sales.at(-1)) continue
    starts.push(at)
    amounts.push(amount)
    sales.push(sale)
  }
  return { starts, amounts, sales }
}

/** The price from an instant on. */
interface PriceChange {
  /** Epoch milliseconds. */
  readonly at: number
  readonly price: Pick<Price, 'amount' | 'includesTax' | 'list' | 'sale'> | null
}

/**
 * The price at the instant of the query and each of its changes after it. `query.currency` is one of
 * `pricedCurrencies`.
 */
function priceChanges(product: PriceableProduct, query: PriceQuery): PriceChange[] {
  if (!hasRecord(product) && product.bundle !== null) {
    const options = optionQueries(product, product.bundle, query).map(({ option, quantity, query: of }) => ({
      quantity,
      changes: priceChanges(option, of),
    }))
    return sumChanges(options).map(({ at, price }) => ({ at, price: price && { ...price, sale: null } }))
  }
  const changes: PriceChange[] = []
  for (let at: number | null = query.now; at !== null; ) {
    const { price, changesAt } = resolvePrice(product, { ...query, now: at })
    changes.push({ at, price })
    at = changesAt
  }
  return changes
}
