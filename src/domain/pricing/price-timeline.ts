/**
 * Price timeline: the prices of one product over a period, with their reasons. A span lasts as long as the price stays
 * the same.
 */
import { isDeepStrictEqual } from 'node:util'
import { type PriceQuery, resolvePrice } from './price.ts'
import type { PriceableProduct } from './priceable-product.ts'
import type { Price } from './resolution.ts'

/** A period in epoch milliseconds; `to` is exclusive. */
export interface Period {
  readonly from: number
  readonly to: number
}

/** A part of a timeline in which the price, or its absence, is the same. */
export interface TimelineSpan extends Period {
  readonly price: Price | null
  /** The instant at which the price changes, which may be after the period; null for never. */
  readonly changesAt: number | null
}

/**
 * The spans of `period` in order, without gaps (price.timeline-has-every-change). Neighbours have different prices.
 * `onResolve` is called before each price that is resolved.
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
    // Changes of a bundle's options can cancel each other out.
    const goesOn: boolean = open !== null && isDeepStrictEqual(open.price, price)
    if (open !== null && !goesOn) yield open
    open = { from: open !== null && goesOn ? open.from : now, to, price, changesAt }
    now = to
  }
  if (open !== null) yield open
}
