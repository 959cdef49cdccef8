/**
 * The life of a subscription: everything that its agreement decides, as a list of stretches of time in which the terms
 * and the phase stay the same (subscription.agreement-decides). It is computed once for an agreement; life-readings.ts
 * reads from it what holds at an instant.
 */
import type { AgreedChange, Agreement } from './agreement.ts'
import { indexAt, startOf } from './cadence.ts'
import { type Covers, type InvoiceLine, settlingLines } from './cover.ts'
import { applyCancelOrPause, applyChange, applyResume, settleResumed } from './life-changes.ts'
import { chargedCovers, type LifeState, phaseOf, stateAtStart } from './life-state.ts'
import type { Happening, Life, Phase, Placed, Stretch } from './life-types.ts'

/** The first and the last instant that the database has here: of the years 1 and 9999. */
export const beginningOfTime = -62_135_596_800_000
export const endOfTime = 253_402_300_799_999

const lives = new WeakMap<Agreement, Life>()

/** The life of an agreement. */
export function lifeOf(agreement: Agreement): Life {
  const known = lives.get(agreement)
  if (known) return known
  const life = live(agreement)
  lives.set(agreement, life)
  return life
}

function live(agreement: Agreement): Life {
  const state = stateAtStart(agreement)
  const changes = agreement.changes
    .map((change, index) => ({ change, index }))
    // A change of the trial's end does nothing of its own.
    .filter(({ change }) => change.undoneAt === null && change.type !== 'trial')
    .sort((a, b) => a.change.at - b.change.at || a.index - b.index)
  const stretches: Stretch[] = [stretchOf(state, Number.NEGATIVE_INFINITY, [], [])]
  for (let at = nextInstant(state, changes, null); at !== null; at = nextInstant(state, changes, at)) {
    const now = inOrder(
      changes.filter(({ change }) => change.at === at),
      state,
    )
    const last = stretches.at(-1) as Stretch
    stretches[stretches.length - 1] = { ...last, to: at }
    stretches.push(stepTo(state, at, now, last))
  }
  const outcomes = new Map(
    changes.map(({ change: { id } }) => [
      id,
      { effectiveAt: state.effective.get(id) ?? null, endedAt: state.ended.get(id) ?? null },
    ]),
  )
  return { agreement, trialEndsAt: state.trialEndsAt, stretches, outcomes }
}

const ranks = { trial: 0, change: 0, cancel: 1, pause: 2, resume: 3 } as const

/**
 * The changes of an instant, which are in the order of asking, in that in which they take effect: what was asked for
 * after a resume comes after it, a change only when there is a cancel for it to end.
 */
function inOrder(now: readonly Placed[], { canceled }: LifeState): Placed[] {
  const resumesBefore = ({ change, index }: Placed) =>
    change.type === 'change' && canceled === null
      ? 0
      : now.filter((other) => other.change.type === 'resume' && other.index < index).length
  return now
    .map((one) => ({ one, key: resumesBefore(one) * 4 + ranks[one.change.type] }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one)
}

/** The next instant at which something happens, later than the last one. */
function nextInstant(state: LifeState, changes: readonly Placed[], after: number | null): number | null {
  const { startsAt, trialEndsAt, end, closed } = state
  const instants = [
    startsAt,
    trialEndsAt,
    ...(end === null || closed ? [] : [end]),
    ...changes.map(({ change }) => change.at),
  ]
  const later = instants.filter((instant) => after === null || instant > after)
  return later.length === 0 ? null : Math.min(...later)
}

/**
 * The stretch that begins at an instant, after all that happens at it in its order (subscription.order-at-an-instant).
 */
function stepTo(state: LifeState, at: number, now: readonly Placed[], last: Stretch): Stretch {
  state.at = at
  state.covers = chargedCovers(state, last)
  const before: Covers = new Map(state.covers)
  const wasActive = isActive(last.phase)
  const happenings: Happening[] = []
  const tell = (type: Happening['type'], change: AgreedChange | null = null) => {
    if (isQuiet) return
    happenings.push({ type, at, change })
  }
  // After a cancel that holds nothing more is told.
  let isQuiet = state.canceled !== null
  if (at === state.startsAt) {
    tell('begins')
    if (state.trialEndsAt > at) tell('trial_begins')
  }
  if (at === state.trialEndsAt && at > state.startsAt) tell('trial_ends')
  const close = () => {
    if (state.end === null || at < state.end || state.closed) return
    state.closed = true
    tell('closes')
  }
  const lastChange = now.findLastIndex(({ change }) => change.type === 'change')
  if (lastChange < 0) close()
  for (const [place, { change, index }] of now.entries()) {
    switch (change.type) {
      case 'change':
        if (applyChange(state, change)) tell('changes', change)
        if (place === lastChange) close()
        break
      case 'cancel':
      case 'pause':
        if (!applyCancelOrPause(state, { change, index })) break
        tell(change.type === 'cancel' ? 'cancels' : 'pauses', change)
        if (change.type === 'cancel') isQuiet = true
        break
      case 'resume': {
        if (!applyResume(state, { change, index })) break
        isQuiet = false
        tell('resumes', change)
      }
    }
  }
  settleResumed(state)
  const phase = phaseOf(state)
  const resumed = happenings.findLastIndex(({ type }) => type === 'resumes')
  const turning = happenings.findIndex(
    ({ type }, place) => place > resumed && (type === 'closes' || type === 'cancels' || type === 'pauses'),
  )
  if (wasActive && !isActive(phase) && turning >= 0)
    happenings.splice(turning + 1, 0, { type: 'becomes_inactive', at, change: null })
  const partsAt = now.reduce<number>(
    (parts, { change }) => ('prorateAt' in change ? (change.prorateAt ?? parts) : parts),
    at,
  )
  return stretchOf(state, at, happenings, settlingLines(before, state.covers, partsAt))
}

function stretchOf(
  state: LifeState,
  from: number,
  happenings: readonly Happening[],
  prorations: readonly InvoiceLine[],
): Stretch {
  const { plan, items, cadence, end } = state
  const to = Number.POSITIVE_INFINITY
  return { from, to, phase: phaseOf(state), plan, items, cadence, end, happenings, prorations }
}

/** Whether a subscription in the phase is served: its status is active. */
export function isActive(phase: Phase): boolean {
  return phase === 'trial' || phase === 'active'
}

/** The number of the first start of a period in a stretch, or of the first one after an instant in it. */
export function firstIndex({ cadence, from }: Stretch, after = Number.NEGATIVE_INFINITY): number {
  const k = Math.max(0, indexAt(cadence, Math.max(from, after)))
  const start = startOf(cadence, k)
  return start >= from && start > after ? k : k + 1
}

/** Whether a subscription in the phase has ended: it is canceled or closed. */
export function isEnded(phase: Phase): boolean {
  return phase === 'canceled' || phase === 'closed'
}
