/**
 * What each agreed change does to a life when its instant comes (subscription.terms-from-an-instant,
 * subscription.pauses-and-cancels). Each tells
 * whether it took effect; what is overtaken does not.
 */
import type { Hold, Resume, TermsChange } from './agreement.ts'
import { indexAt } from './cadence.ts'
import { isSameItem } from './cover.ts'
import {
  cadenceFromChange,
  cadenceFromTrial,
  coverOf,
  endOf,
  type LifeState,
  phaseOf,
  startsPeriod,
} from './life-state.ts'
import type { Placed } from './life-types.ts'

/** Replaces the terms. */
export function applyChange(state: LifeState, change: TermsChange): boolean {
  if (isOver(state)) return false
  const { at, agreement, plan: old, items: held } = state
  const settles = change.proration === 'by_time' && phaseOf(state) === 'active'
  const plan = change.plan ?? old
  const isOtherInterval =
    plan.billingIntervalType !== old.billingIntervalType || plan.billingFrequency !== old.billingFrequency
  state.plan = plan
  state.items = change.items
  if (at < state.trialEndsAt) {
    state.cadence = cadenceFromTrial(agreement, plan)
  } else if (isOtherInterval) {
    state.cadence = cadenceFromChange(agreement, plan, at)
  }
  if (change.plan !== null) state.countedFrom = Math.max(0, indexAt(state.cadence, at))
  state.end = endOf(state)
  if (settles) {
    const altered = new Set<string>()
    const before = new Map(held.map((item) => [item.productId, item]))
    for (const item of change.items) {
      const was = before.get(item.productId)
      if (isOtherInterval || !was || !isSameItem(was, item)) altered.add(item.productId)
      before.delete(item.productId)
    }
    settle(state, [...altered, ...before.keys()])
  }
  state.effective.set(change.id, at)
  return true
}

/** Begins a cancel or a pause. */
export function applyCancelOrPause(state: LifeState, hold: Placed<Hold>): boolean {
  const { change } = hold
  if (isOver(state) || state.ended.has(change.id)) return false
  if (change.type === 'cancel') state.canceled = hold
  else state.paused = [...state.paused, hold]
  if (change.proration === 'by_time') state.covers = new Map()
  state.effective.set(change.id, state.at)
  return true
}

/**
 * Ends the cancel and the pauses that were asked for before the resume, and takes back those of them that wait for the
 * end of a period.
 */
export function applyResume(state: LifeState, resume: Placed<Resume>): boolean {
  const { at, canceled, paused, agreement } = state
  if (state.closed || (canceled && canceled.index > resume.index)) return false
  const ended = [...paused, ...(canceled ? [canceled] : [])].filter(({ index }) => index < resume.index)
  const takenBack = agreement.changes
    .slice(0, resume.index)
    .filter(
      (change): change is Hold =>
        (change.type === 'pause' || change.type === 'cancel') &&
        change.undoneAt === null &&
        !state.ended.has(change.id) &&
        !ended.some(({ change: { id } }) => id === change.id) &&
        change.atPeriodEnd,
    )
  if (ended.length === 0 && takenBack.length === 0) return false
  for (const { change } of ended) state.ended.set(change.id, at)
  for (const { id } of takenBack) state.ended.set(id, at)
  state.canceled = null
  state.paused = paused.filter(({ index }) => index > resume.index)
  state.effective.set(resume.change.id, at)
  if (ended.length > 0 && resume.change.proration === 'by_time') state.settles = true
  return true
}

/** Settles what resumes of the instant ended, unless something that was asked for later ends the subscription again. */
export function settleResumed(state: LifeState): void {
  if (state.settles && phaseOf(state) === 'active')
    settle(state, [...state.covers.keys(), ...state.items.map(({ productId }) => productId)])
  state.settles = false
}

/**
 * Gives products the covers that the terms ask for at the instant (subscription.settles-what-differs); a period that
 * starts at it charges by itself.
 */
function settle(state: LifeState, productIds: readonly string[]): void {
  const { at, cadence, covers, items } = state
  const charges = !startsPeriod(cadence, at)
  const k = indexAt(cadence, at)
  const byId = new Map(items.map((item) => [item.productId, item]))
  for (const id of productIds) {
    const item = byId.get(id)
    if (item && charges) covers.set(id, coverOf(cadence, k, item))
    else covers.delete(id)
  }
}

function isOver({ closed, canceled }: LifeState): boolean {
  return closed || canceled !== null
}
