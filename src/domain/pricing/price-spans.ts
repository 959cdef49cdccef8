/** Price spans: the price of one unit of a product, outside of bundles, over time: one span for as long as it stays as it is. */
import { pricedCurrencies, resolveBundlePrice, resolvePrice } from './price.ts'
import type { PriceableProduct } from './priceable-product.ts'
import { hasRecord } from './record-price.ts'
import type { Resolution } from './resolution.ts'

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
  const resolveAt = resolver(product, currency)
  let from: number | null = Number.NEGATIVE_INFINITY
  while (from !== null) {
    const { price, changesAt } = resolveAt(from)
    const amount = price?.amount ?? null
    const bySale = price !== null && price.sale !== null
    if (starts.length === 0 || amount !== amounts.at(-1) || bySale !== onSale.at(-1)) {
      starts.push(from)
      amounts.push(amount)
      onSale.push(bySale)
    }
    from = changesAt
  }
  return { starts, amounts, onSale }
}

/**
 * Resolves the price at instants that rise. A sum resolves only the options that changed: 500 options of 200 sales change 200,000 times.
 */
function resolver(product: PriceableProduct, currency: string): (now: number) => Resolution {
  const { bundle } = product
  if (hasRecord(product) || bundle === null) return (now) => resolvePrice(product, { now, currency, quantity: 1 })
  const last = new Map<PriceableProduct, Resolution>()
  const resolveOption: typeof resolvePrice = (option, query) => {
    const known = last.get(option)
    if (known !== undefined && (known.changesAt === null || query.now < known.changesAt)) return known
    const resolution = resolvePrice(option, query)
    last.set(option, resolution)
    return resolution
  }
  return (now) => resolveBundlePrice(product, bundle, { now, currency, quantity: 1 }, resolveOption)
}
