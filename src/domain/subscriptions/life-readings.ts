/**
 * What holds at an instant of a subscription's life, its timeline and its invoices (subscription.agreement-decides).
 */
import { DAY_MS } from '../input/instant.ts'
import { PLAN_DAYS_MAX } from '../input/limits.ts'
import type { Agreement } from './agreement.ts'
import { indexAt, startOf } from './cadence.ts'
import { chargeFrom, type InvoiceLine, sumOf } from './cover.ts'
import { endOfTime, firstIndex, isActive, lifeOf } from './life.ts'
import { coverOf } from './life-state.ts'
import type { Happening, Life, Outcome, Phase, Stretch } from './life-types.ts'

/** A billing period that is charged. */
export interface Period {
  readonly type: 'period'
  readonly at: number
  /** Its end, which is not in it. */
  readonly end: number
}

/** What is due at an instant (subscription.one-invoice-an-instant). */
export interface Invoice {
  readonly type: 'invoice'
  readonly at: number
  /** The period that it charges; null for prorations alone. */
  readonly period: Period | null
  readonly lines: readonly InvoiceLine[]
  /** The sum of the lines; null when one has no price. */
  readonly amount: number | null
}

/** An entry of a timeline. */
export type TimelineEntry = Happening | Period | Invoice

/** What a subscription is at an instant. */
export interface LifeStatus {
  readonly phase: Phase
  /** When the phase ends; null for never. */
  readonly phaseUntil: number | null
  readonly status: 'active' | 'inactive'
  readonly canceled: boolean
  readonly paused: boolean
  readonly closed: boolean
  /** When it was last paused, canceled and resumed; null for never. A later resume does not clear them. */
  readonly pausedAt: number | null
  readonly canceledAt: number | null
  readonly resumedAt: number | null
  /** The next start of a period, in every phase. */
  readonly invoiceAfter: number
  /** When it closes, scheduled changes counted in; null when it rolls on. A cancel does not change it. */
  readonly endDate: number | null
}

/** What it is at an instant. Bounds belong to what begins at them. */
export function lifeStatusAt(agreement: Agreement, now: number): LifeStatus {
  const life = lifeOf(agreement)
  const { phase } = stretchAt(life, now)
  const until = life.stretches.find(({ from, phase: later }) => from > now && later !== phase)
  return {
    phase,
    phaseUntil: until?.from ?? null,
    status: isActive(phase) ? 'active' : 'inactive',
    canceled: isFlagged(life, 'cancel', now),
    paused: isFlagged(life, 'pause', now),
    closed: phase === 'closed',
    pausedAt: lastTurn(life, 'pause', now),
    canceledAt: lastTurn(life, 'cancel', now),
    resumedAt: lastTurn(life, 'resume', now),
    invoiceAfter: nextStart(life, now),
    endDate: (life.stretches.at(-1) as Stretch).end,
  }
}

/** The stretch of time that an instant is in: the terms in force, and the phase. */
export function stretchAt({ stretches }: Life, instant: number): Stretch {
  return stretches.findLast(({ from }) => from <= instant) as Stretch
}

/** The first start of a period after an instant, in every phase (subscription.billing-instants). */
export function nextStart(life: Life, instant: number): number {
  for (const stretch of life.stretches) {
    if (stretch.to <= instant) continue
    const start = startOf(stretch.cadence, firstIndex(stretch, instant))
    if (start < stretch.to) return start
  }
  throw new Error('The last stretch has no end, so that a period starts in it')
}

/** The amount of the invoice that is due at the next start of a period (subscription.next-amount). */
export function nextAmount(agreement: Agreement, now: number): number | null {
  const life = lifeOf(agreement)
  const invoice = invoiceAt(life, nextStart(life, now))
  return invoice?.period ? invoice.amount : null
}

/**
 * The first `limit` invoices that are due after an instant, in years whose periods end in the year 9999 at the latest.
 */
export function invoicesAfter(agreement: Agreement, instant: number, limit: number): Invoice[] {
  const found: Invoice[] = []
  for (const entry of timeline(agreement, instant + 1, endOfTime - PLAN_DAYS_MAX * DAY_MS)) {
    if (found.length === limit) break
    if (entry.type === 'invoice') found.push(entry)
  }
  return found
}

/** The entries from one instant to another one, which is not in it, in their order (subscription.timeline-entries). */
export function* timeline(agreement: Agreement, from: number, to: number): Generator<TimelineEntry> {
  const life = lifeOf(agreement)
  for (const stretch of life.stretches) {
    if (stretch.to <= from) continue
    if (stretch.from >= to) return
    if (stretch.from >= from) {
      yield* stretch.happenings
      // The first period of a stretch may start later.
      yield* billed(life, stretch, stretch.from)
    }
    if (stretch.phase !== 'active') continue
    const until = Math.min(stretch.to, to)
    for (let k = firstIndex(stretch, Math.max(stretch.from, from - 1)); ; k++) {
      const at = startOf(stretch.cadence, k)
      if (at >= until) break
      // Of two starts at one instant the last one begins the period.
      if (startOf(stretch.cadence, k + 1) > at) yield* billed(life, stretch, at)
    }
  }
}

/** The invoice that is due at an instant; null for none, and for one of another system. */
export function invoiceAt(life: Life, at: number): Invoice | null {
  const [, invoice] = billingAt(life, stretchAt(life, at), at)
  return invoice
}

/** The status of a change that was agreed: null when it was undone. */
export function outcomeOf(agreement: Agreement, id: string): Outcome | null {
  return lifeOf(agreement).outcomes.get(id) ?? null
}

function* billed(life: Life, stretch: Stretch, at: number): Generator<TimelineEntry> {
  for (const entry of billingAt(life, stretch, at)) if (entry) yield entry
}

function billingAt({ agreement }: Life, stretch: Stretch, at: number): [Period | null, Invoice | null] {
  const { phase, cadence, items, from, prorations } = stretch
  const k = phase === 'active' ? indexAt(cadence, at) : -1
  const period =
    k >= 0 && startOf(cadence, k) === at ? ({ type: 'period', at, end: startOf(cadence, k + 1) } as const) : null
  const lines = [
    ...(from === at ? prorations : []),
    ...(period ? items.map((item) => chargeFrom(coverOf(cadence, k, item), at, 'period')) : []),
  ]
  // subscription.invoices-from
  const isShown = lines.length > 0 && (agreement.invoicesFrom === null || at >= agreement.invoicesFrom)
  return [period, isShown ? { type: 'invoice', at, period, lines, amount: sumOf(lines) } : null]
}

/**
 * Whether a pause or a cancel stands at an instant: its flag has turned, and no resume has ended it
 * (subscription.flags-turn).
 */
export function isFlagged(life: Life, type: 'pause' | 'cancel', now: number): boolean {
  return turnsOf(life, type).some(({ at, endedAt }) => at <= now && (endedAt === null || endedAt > now))
}

function lastTurn(life: Life, type: 'pause' | 'cancel' | 'resume', now: number): number | null {
  const turns = turnsOf(life, type).filter(({ at }) => at <= now)
  return turns.length === 0 ? null : Math.max(...turns.map(({ at }) => at))
}

/**
 * When changes of a kind turn their flag: at the request when it was for the end of a period, else when they take
 * effect.
 */
export function turnsOf({ agreement, outcomes }: Life, type: 'pause' | 'cancel' | 'resume') {
  return agreement.changes.flatMap((change) => {
    const outcome = outcomes.get(change.id)
    if (change.type !== type || !outcome) return []
    const at = change.type !== 'resume' && change.atPeriodEnd ? change.askedAt : outcome.effectiveAt
    return at === null ? [] : [{ at, endedAt: outcome.endedAt }]
  })
}
