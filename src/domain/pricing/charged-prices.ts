/**
 * Charged prices: what one unit of a product cost in a catalog at each instant, outside of bundles, and which sale
 * supplied that (price.reduction-begins-in-catalog).
 */
import type { Period } from './price-timeline.ts'

/** What a product cost in a catalog, in one currency, until a publish changed that. */
export interface PastPrice {
  /** The instant from which it was in force, epoch milliseconds; null where that is not known. */
  readonly since: number | null
  /** The instant of that publish, epoch milliseconds. */
  readonly until: number
  /** As in PriceSpans; empty while the product was absent or had no price. */
  readonly starts: readonly number[]
  /** Minor units. */
  readonly amounts: readonly (number | null)[]
  /** As in PriceSpans; null when a version of the program stored it that did not record sales. */
  readonly sales: readonly (string | null)[] | null
}

/** The stored past prices of a product in one currency. */
export interface PriceHistory {
  /** By rising `until`. */
  readonly past: readonly PastPrice[]
  /** The instant of the catalog's first publish, before which there was no price. */
  readonly firstPublishedAt: number
  /** The instant at which the history began, if prices were in force before it; null if none were. */
  readonly begunAt: number | null
}

/** A price that was in force in a period. */
export interface ChargedPrice extends Period {
  /** Minor units; null while there was no price. */
  readonly amount: number | null
  /** The name of the sale that supplied the amount; null for none, undefined where the history does not tell. */
  readonly sale: string | null | undefined
}

/** The prices in force up to an instant, as far back as they are known. */
export interface ChargedPrices {
  /** In their order, without gaps. Neighbours may be equal. */
  readonly prices: readonly ChargedPrice[]
  /** The instant before which prices were in force that are not known; null when there were none. */
  readonly knownFrom: number | null
  /** The instant at which the past price ended that holds the last of them; that of the end for a present one. */
  readonly lastUntil: number
}

/** What charges a product from the last publish on that changed its price. */
export interface PresentPrices {
  /** The past prices that ended by this instant, epoch milliseconds, precede the present ones. */
  readonly since: number
  readonly pricesIn: (period: Period) => readonly ChargedPrice[]
}

/** The prices in force before `end`. */
export function chargedPrices(history: PriceHistory, present: PresentPrices, end: number): ChargedPrices {
  const knownFrom = knownSince(history)
  const prices: ChargedPrice[] = []
  let from = knownFrom
  for (const one of history.past) {
    if (one.until > present.since || from >= end) break
    if (one.until <= from) continue
    prices.push(...spansWithin(one, { from, to: Math.min(one.until, end) }))
    from = one.until
  }
  if (from < end) prices.push(...present.pricesIn({ from, to: end }))
  return {
    prices,
    knownFrom: knownFrom <= history.firstPublishedAt ? null : knownFrom,
    lastUntil: Math.max(from, end),
  }
}

/** The instant from which on the history has no gap. */
function knownSince({ past, firstPublishedAt, begunAt }: PriceHistory): number {
  const beginning = Math.max(firstPublishedAt, begunAt ?? firstPublishedAt)
  let known = past.at(-1)?.until ?? beginning
  for (const { since, until } of past.toReversed()) {
    if (until < known) break
    known = Math.min(known, since ?? until)
  }
  return Math.max(known, beginning)
}

/** The spans that lie in the period, at least for a part. */
export function spansWithin(
  { starts, amounts, sales }: Pick<PastPrice, 'starts' | 'amounts' | 'sales'>,
  { from, to }: Period,
): ChargedPrice[] {
  if (starts.length === 0) return [{ from, to, amount: null, sale: null }]
  return starts.flatMap((start, at) => {
    const span = { from: Math.max(start, from), to: Math.min(starts[at + 1] ?? to, to) }
    if (span.from >= span.to) return []
    const amount = amounts[at] ?? null
    return [{ ...span, amount, sale: amount === null ? null : sales?.[at] }]
  })
}
