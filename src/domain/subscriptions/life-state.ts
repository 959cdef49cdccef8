/** What a subscription's life has come to while it is computed (life.ts). */
import { DAY_MS } from '../input/instant.ts'
import type { Agreement, Hold, Item } from './agreement.ts'
import { type Cadence, cadenceFrom, type IntervalTerms, indexAt, startOf, timeOfDay, wholeStartOf } from './cadence.ts'
import type { Cover } from './cover.ts'
import type { Phase, Placed, Stretch } from './life-types.ts'
import { toInstant, toLocal } from './local-time.ts'
import type { Plan } from './plan.ts'

/** The state after the happenings of the instant `at`. */
export interface LifeState {
  at: number
  readonly agreement: Agreement
  readonly startsAt: number
  readonly trialEndsAt: number
  plan: Plan
  items: readonly Item[]
  cadence: Cadence
  /** The number of the period that `plan_length` is counted from. */
  countedFrom: number
  end: number | null
  closed: boolean
  /** The cancel and the pauses in effect. */
  canceled: Placed<Hold> | null
  paused: readonly Placed<Hold>[]
  covers: Map<string, Cover>
  /** Whether a resume of the instant settles once all is done. */
  settles: boolean
  /** When changes took effect, and when resumes ended them, by id. */
  readonly effective: Map<string, number>
  readonly ended: Map<string, number>
}

/** The state before anything happens. */
export function stateAtStart(agreement: Agreement): LifeState {
  const { startsAt, plan, items } = agreement
  const state = {
    at: Number.NEGATIVE_INFINITY,
    agreement,
    startsAt,
    trialEndsAt: trialEndOf(agreement).first,
    plan,
    items,
    cadence: cadenceFromTrial(agreement, plan),
    countedFrom: 0,
    end: null,
    closed: false,
    canceled: null,
    paused: [],
    covers: new Map<string, Cover>(),
    settles: false,
    effective: new Map<string, number>(),
    ended: new Map<string, number>(),
  }
  return { ...state, end: endOf(state) }
}

/** The phase of a state (subscription.last-phase-counts). */
export function phaseOf({ at, startsAt, trialEndsAt, closed, canceled, paused }: LifeState): Phase {
  if (closed) return 'closed'
  if (canceled !== null) return 'canceled'
  if (paused.length > 0) return 'paused'
  if (at < startsAt) return 'pending'
  return at < trialEndsAt ? 'trial' : 'active'
}

/** When the plan of a state ends; null when it rolls on (subscription.closes-at-its-end). */
export function endOf({ plan, cadence, countedFrom }: Pick<LifeState, 'plan' | 'cadence' | 'countedFrom'>) {
  return plan.endBehavior === 'close' ? startOf(cadence, countedFrom + plan.planLength) : null
}

/** The cadence of a plan whose first period starts at the end of the trial. */
export function cadenceFromTrial(agreement: Agreement, plan: IntervalTerms): Cadence {
  const start = trialEndOf(agreement)
  return cadenceFrom(plan, agreement, { ...start, time: timeOfDay(start.local) })
}

/** The cadence of a plan whose first period starts at a change; with a billing day at the local time of the start. */
export function cadenceFromChange(agreement: Agreement, plan: IntervalTerms, at: number): Cadence {
  const local = toLocal(agreement.timeZone, at)
  return cadenceFrom(plan, agreement, { first: at, local, time: timeOfDay(trialEndOf(agreement).local) })
}

/**
 * The instant at which the trial ends (subscription.trial-before-periods), and the local time that it is meant to end
 * at. Without a trial: the start.
 */
function trialEndOf({ startsAt, plan, timeZone, changes }: Agreement) {
  const moved = changes.findLast((change) => change.type === 'trial' && change.undoneAt === null)
  if (moved) return { first: moved.at, local: toLocal(timeZone, moved.at) }
  const local = toLocal(timeZone, startsAt) + plan.trialPeriod * DAY_MS
  return { first: plan.trialPeriod === 0 ? startsAt : toInstant(timeZone, local), local }
}

/**
 * The covers at the end of a stretch, which is the instant of the state: what the last charged period in it paid for,
 * and what was left before and is not over.
 */
export function chargedCovers({ at, covers }: LifeState, { from, phase, cadence, items }: Stretch): Map<string, Cover> {
  const left = new Map([...covers].filter(([, { to }]) => to > at))
  if (phase !== 'active') return left
  let k = indexAt(cadence, at)
  while (k >= 0 && startOf(cadence, k) === at) k--
  if (k < 0 || startOf(cadence, k) < from) return left
  for (const item of items) {
    const cover = coverOf(cadence, k, item)
    // A charge replaces the cover of its item, also one that lasts longer.
    left.delete(item.productId)
    if (cover.to > at) left.set(item.productId, cover)
  }
  return left
}

/** The cover of an item for period `k`. */
export function coverOf(cadence: Cadence, k: number, item: Item): Cover {
  return { item, from: wholeStartOf(cadence, k), to: startOf(cadence, k + 1) }
}

/** Whether a period starts at an instant. */
export function startsPeriod(cadence: Cadence, at: number): boolean {
  const k = indexAt(cadence, at)
  return k >= 0 && startOf(cadence, k) === at
}
