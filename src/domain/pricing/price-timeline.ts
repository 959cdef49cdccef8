/** Price timeline: the prices of one product over a period, with their reasons, one span for as long as a price stays as it is. */
import { type PriceQuery, resolvePrice } from './price.ts'
import type { PriceableProduct } from './priceable-product.ts'
import type { Price } from './resolution.ts'

/** A period in epoch milliseconds; `to` is exclusive. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** A part of a timeline in which the price, maybe none, is the same. */
export interface TimelineSpan extends Period {
  readonly price: Price | null
  /** The instant at which the price changes, which may be after the period; null for never. */
  readonly changesAt: number | null
}

/**
 * The spans of `period` in order, without gaps (price.timeline-has-every-change); of two neighbours the prices differ. `onResolve` is
 * called before each price that is resolved.
 */
export function* priceTimeline(
  product: PriceableProduct,
  query: Omit<PriceQuery, 'now'>,
  period: Period,
  onResolve: () => void = () => undefined,
): Generator<TimelineSpan, void> {
  let open: TimelineSpan | null = null
  for (let now = period.from; now < period.to; ) {
    onResolve()
    const { price, changesAt } = resolvePrice(product, { ...query, now })
    const to = Math.min(changesAt ?? period.to, period.to)
    if (open !== null && !isSamePrice(open.price, price)) yield open
    const from: number = open !== null && isSamePrice(open.price, price) ? open.from : now
    open = { from, to, price, changesAt }
    now = to
  }
  if (open !== null) yield open
}

/** Whether two prices of one product and query are equal, reasons included. Changes of a bundle's options can cancel each other out. */
function isSamePrice(one: Price | null, other: Price | null): boolean {
  if (one === null || other === null) return one === other
  const parts = ({ amount, includesTax, list, sale, tier }: Price) => [
    amount,
    includesTax,
    list?.amount,
    list?.includesTax,
    sale?.name,
    tier,
  ]
  const others = parts(other)
  return parts(one).every((part, at) => part === others[at])
}
