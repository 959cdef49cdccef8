/**
 * Lowest prior price: the lowest price that was in force in a catalog in the days before a sale began, as Article 6a of Directive 98/6/EC
 * wants it shown beside a reduced price (price.lowest-prior-in-force).
 */
import type { Period } from './price-timeline.ts'

/** What a product cost in a catalog, in one currency, until a publish changed that. */
export interface PastPrice {
  /** The instant of that publish, epoch milliseconds. */
  readonly until: number
  /** As in PriceSpans; empty while the product was absent or had no price. */
  readonly starts: readonly number[]
  /** Minor units. */
  readonly amounts: readonly (number | null)[]
}

/** The stored past prices of a product in one currency, and how far back they are complete. */
export interface PriceHistory {
  /** By rising `until`. */
  readonly past: readonly PastPrice[]
  /** The instant of the catalog's first publish, before which there was no price. */
  readonly firstPublishedAt: number
  /** From this instant on the history is complete. Before it, prices may have been removed. */
  readonly keptFrom: number
  /** The instant at which the history began, when prices were in force before; null when none were. */
  readonly begunAt: number | null
}

/** The lowest amount, null when there was no price or the history does not reach back, and until when it stays the same. */
export interface LowestPrior {
  readonly amount: number | null
  /** The instant, in epoch milliseconds, from which the history no longer reaches back, given `keepMs`; null for never. */
  readonly knownUntil: number | null
}

/**
 * The lowest amount in force in `period`. `presentAmounts` returns the amounts in force in a period after the last publish that changed
 * them. `keepMs` is how long past prices are stored.
 */
export function lowestPrior(
  { past, firstPublishedAt, keptFrom, begunAt }: PriceHistory,
  period: Period,
  presentAmounts: (period: Period) => readonly (number | null)[],
  keepMs: number,
): LowestPrior {
  // The newest price that may be the only one left of removed ones: after its end none is missing.
  const completeFrom = past.findLast(({ until }) => until <= keptFrom)?.until ?? Number.NEGATIVE_INFINITY
  if (period.from < completeFrom || (begunAt !== null && period.from < begunAt)) return { amount: null, knownUntil: null }
  const amounts: (number | null)[] = []
  let from = Math.max(period.from, firstPublishedAt)
  for (const one of past) {
    if (from < one.until && from < period.to) amounts.push(...amountsWithin(one, { from, to: Math.min(one.until, period.to) }))
    from = Math.max(from, one.until)
  }
  if (from < period.to) amounts.push(...presentAmounts({ from, to: period.to }))
  const inForce = amounts.filter((amount) => amount !== null)
  const next = past.find(({ until }) => until > Math.max(period.from, keptFrom))
  return {
    amount: inForce.length === 0 ? null : inForce.reduce((one, other) => Math.min(one, other)),
    knownUntil: next === undefined ? null : next.until + keepMs,
  }
}

/** The amounts of the spans that lie in the period, at least for a part. */
function amountsWithin({ starts, amounts }: PastPrice, { from, to }: Period): (number | null)[] {
  return amounts.filter((_, at) => (starts[at] ?? 0) < to && (starts[at + 1] ?? Number.POSITIVE_INFINITY) > from)
}
