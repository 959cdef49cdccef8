/**
 * Spans: the times in which phase, plan, flags and recurring amount of a subscription stay the same, which lists are
 * filtered by (subscription.listed-by-status), and metrics are counted by (subscription.metrics-at-an-instant).
 */
import { isDeepStrictEqual } from 'node:util'
import type { Agreement, Item } from './agreement.ts'
import { fullAmount, sumOf } from './cover.ts'
import { beginningOfTime, endOfTime, lifeOf } from './life.ts'
import { isFlagged, stretchAt, turnsOf } from './life-readings.ts'
import type { Phase } from './life-types.ts'

/** A span. Instants are epoch milliseconds. */
export interface Span {
  /** The beginning of time for the first one. */
  readonly from: number
  /** Its end, which is not in it; the end of time for the last one. */
  readonly until: number
  readonly phase: Phase
  readonly planId: string
  readonly paused: boolean
  readonly canceled: boolean
  /** What all items cost for a period, those without a price left out; null for a sum past 2^53-1. */
  readonly amount: number | null
  /** The length of a period in days; null when it is in months. */
  readonly periodDays: number | null
  readonly periodMonths: number | null
}

/** All spans of an agreement, in order. */
export function spansOf(agreement: Agreement): Span[] {
  const life = lifeOf(agreement)
  const turns = [...turnsOf(life, 'pause'), ...turnsOf(life, 'cancel')].flatMap(({ at, endedAt }) => [
    at,
    endedAt ?? at,
  ])
  const limits = [...new Set([...life.stretches.slice(1).map(({ from }) => from), ...turns])]
    .filter((at) => at < endOfTime)
    .sort((a, b) => a - b)
  const spans: Span[] = []
  for (const [index, from] of [beginningOfTime, ...limits].entries()) {
    const { phase, plan, items, cadence } = stretchAt(life, from)
    const flags = { paused: isFlagged(life, 'pause', from), canceled: isFlagged(life, 'cancel', from) }
    const { days, months } = cadence
    const period = { periodDays: days, periodMonths: days === null ? months : null }
    const until = limits[index] ?? endOfTime
    const span = { from, until, phase, planId: plan.id, ...flags, amount: recurringAmount(items), ...period }
    const last = spans.at(-1)
    if (last && isSame(last, span)) spans[spans.length - 1] = { ...last, until: span.until }
    else spans.push(span)
  }
  return spans
}

function isSame({ from: _, until: __, ...one }: Span, { from: ___, until: ____, ...other }: Span): boolean {
  return isDeepStrictEqual(one, other)
}

function recurringAmount(items: readonly Item[]): number | null {
  return sumOf(items.map((item) => ({ amount: item.unitAmount === null ? 0 : fullAmount(item) })))
}
