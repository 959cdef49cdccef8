/** Price spans: the price of one unit of a product, outside of bundles, over time: one span for as long as it stays as it is. */
import { RunningSum } from './bundle-sum.ts'
import { type OptionQuery, optionQueries, type PriceQuery, pricedCurrencies, resolvePrice } from './price.ts'
import type { PriceableProduct } from './priceable-product.ts'
import { hasRecord } from './record-price.ts'
import type { Price } from './resolution.ts'

/** The spans in one currency, as arrays of equal length. Of two neighbours the amount differs, or whether a sale supplies it. */
export interface PriceSpans {
  /** Epoch milliseconds at which each begins, rising; the first is -Infinity. A span ends where the next begins, the last never. */
  readonly starts: readonly number[]
  /** Minor units; null without a price. */
  readonly amounts: readonly (number | null)[]
  /** Whether a sale supplies the amount (sale.reported-when-it-supplies). */
  readonly onSale: readonly boolean[]
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
  const onSale: boolean[] = []
  for (const { at, price } of priceChanges(product, { now: Number.NEGATIVE_INFINITY, currency, quantity: 1 })) {
    const amount = price?.amount ?? null
    const bySale = price !== null && price.sale !== null
    if (starts.length > 0 && amount === amounts.at(-1) && bySale === onSale.at(-1)) continue
    starts.push(at)
    amounts.push(amount)
    onSale.push(bySale)
  }
  return { starts, amounts, onSale }
}

/** The price from an instant on. */
interface PriceChange {
  /** Epoch milliseconds. */
  readonly at: number
  readonly price: Pick<Price, 'amount' | 'includesTax' | 'list' | 'sale'> | null
}

/** The price at the instant of the query and each of its changes after it. `query.currency` is one of `pricedCurrencies`. */
function priceChanges(product: PriceableProduct, query: PriceQuery): PriceChange[] {
  if (!hasRecord(product) && product.bundle !== null) return sumChanges(optionQueries(product, product.bundle, query))
  const changes: PriceChange[] = []
  for (let at: number | null = query.now; at !== null; ) {
    const { price, changesAt } = resolvePrice(product, { ...query, now: at })
    changes.push({ at, price })
    at = changesAt
  }
  return changes
}

/**
 * The changes of a sum. Each change of an option replaces one price in the running sum: 500 options of 200 sales change 200,000 times, too
 * often to add up all options each time.
 */
function sumChanges(options: readonly OptionQuery[]): PriceChange[] {
  const replacements = options.flatMap(({ option, quantity, query }) => {
    const selected = priceChanges(option, query).map(({ at, price }) => ({ at, price: price && { price, list: price.list, quantity } }))
    return selected.map(({ at, price }, index) => ({ at, before: selected[index - 1]?.price ?? null, after: price }))
  })
  // Every option begins at the same infinite instant, whose difference from itself is not a number: `sort` takes that for equal.
  replacements.sort((one, other) => one.at - other.at)
  const sum = new RunningSum()
  const changes: PriceChange[] = []
  for (const { at, before, after } of replacements) {
    if (before !== null) sum.subtract(before)
    if (after !== null) sum.add(after)
    const current = sum.count === options.length ? sum.current : null
    // Of options that change at one instant, the last one completes the sum.
    if (changes.at(-1)?.at === at) changes.pop()
    changes.push({ at, price: current && { ...current, sale: null } })
  }
  return changes
}
