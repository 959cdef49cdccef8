/**
 * Pauses, cancels and resumes of a subscription: which are allowed at an instant, and what they add to the agreement.
 */
import { conflict, DomainError, type Violation, type ViolationCode } from '../input/errors.ts'
import { formatInstant } from '../input/instant.ts'
import { nextUpdatedAt } from '../input/patch.ts'
import type { AgreedChange, Agreement, Proration } from './agreement.ts'
import { type AskedAction, defaultsOf, plainAction, type StateAction, stateActions } from './asked-action.ts'
import { type Asking, askedBy, instantOf, keptPreview, presentIn } from './asked-time.ts'
import { aheadOf } from './change-status.ts'
import { assertRoom } from './changes-limit.ts'
import { lifeOf } from './life.ts'
import { lifeStatusAt, stretchAt } from './life-readings.ts'
import { MONEY_BACK, paysBack } from './pay-back.ts'
import type { Plan } from './plan.ts'

/** The part of a subscription that actions change. */
export interface Agreed {
  readonly agreement: Agreement
  /** Epoch milliseconds. */
  readonly updatedAt: number
  /** When its subscriber was erased; absent or null when not. */
  readonly erasedAt?: number | null
}

/** One violation of an action that the plan in force forbids, else none (subscription.allowed-actions). */
export function actionViolations({ agreement }: Agreed, action: StateAction, now: number): Violation[] {
  const plan: Plan = stretchAt(lifeOf(agreement), now).plan
  const allowed = { pause: plan.canPause, resume: plan.canResume, cancel: plan.canCancel }[action]
  return allowed ? [] : [{ code: 'ACTION_REFUSED', path: actionPath, message: `the plan does not allow to ${action}` }]
}

/** The actions that would succeed at `now` as they are by default (subscription.allowed-actions). */
export function allowedActions(subscription: Agreed, now: number): StateAction[] {
  return stateActions.filter(
    (action) =>
      actionViolations(subscription, action, now).length === 0 &&
      refusal(subscription, plainAction(action), now) === null,
  )
}

/** The subscription after an action as it is by default: see `applyAsked`. */
export function applyAction<S extends Agreed>(subscription: S, action: StateAction, id: string, now: number): S {
  return applyAsked(subscription, plainAction(action), { now, byShopper: false, newId: () => id })
}

/**
 * The subscription after an action (subscription.pauses-and-cancels). By default a pause or a cancel takes effect at
 * the next start of a period, worked out now (subscription.inactive-from-next-billing), a resume now. Throws `conflict`
 * when its state does not allow the action (subscription.allowed-actions), or another one of its kind is ahead
 * (subscription.one-ahead).
 */
export function applyAsked<S extends Agreed>(subscription: S, asked: AskedAction, asking: Asking): S {
  const after = act(subscription, asked, 'by_time', asking)
  const pays = (one: S) =>
    asking.byShopper && paysBack(subscription.agreement, one.agreement, presentIn(subscription.agreement, asking.now))
  if (!pays(after)) return after
  // subscription.shoppers-get-nothing-back
  const unsettled = act(subscription, { ...asked, proration: 'none' }, 'none', asking)
  if (pays(unsettled)) throw conflict('ACTION_REFUSED', actionPath, MONEY_BACK)
  return unsettled
}

/** `resumes` is the proration of the resume of a `resumeAt`. */
function act<S extends Agreed>(subscription: S, asked: AskedAction, resumes: Proration, asking: Asking): S {
  const { agreement, updatedAt } = subscription
  const { action } = asked
  const now = presentIn(agreement, asking.now)
  const refused = refusal(subscription, asked, now)
  if (refused) throw conflict(refused.code, actionPath, refused.message)
  const { time, proration } = defaultsOf(asked)
  const at = instantOf(time, agreement, now)
  const prorateAt = keptPreview(asked.prorateAt, agreement, at, now)
  const common = { ...askedBy(asking, now, at), proration, ...(prorateAt !== undefined && { prorateAt }) }
  const added: AgreedChange[] =
    action === 'resume'
      ? [{ ...common, type: action, pauseId: null }]
      : [{ ...common, type: action, atPeriodEnd: time === 'period_end', reason: asked.reason }]
  if (asked.resumeAt !== null) {
    if (asked.resumeAt <= at) {
      const message = `must be after the pause, ${formatInstant(at)}`
      throw new DomainError('validation', [{ code: 'OUT_OF_RANGE', path: ['attributes', 'resume_at'], message }])
    }
    added.push({ ...askedBy(asking, now, asked.resumeAt), type: 'resume', proration: resumes, pauseId: common.id })
  }
  assertRoom(agreement, added)
  const after = { ...agreement, changes: [...agreement.changes, ...added] }
  return {
    ...subscription,
    agreement: action === 'resume' && at === now ? withoutVainResumes(after, now) : after,
    updatedAt: nextUpdatedAt(now, updatedAt),
  }
}

/** Takes back what resumes are ahead and have nothing to end, now that one of now has ended it. */
function withoutVainResumes(agreement: Agreement, now: number): Agreement {
  const { outcomes } = lifeOf(agreement)
  const isVain = ({ type, undoneAt, at, id }: AgreedChange) =>
    type === 'resume' && undoneAt === null && at > now && outcomes.get(id)?.effectiveAt == null
  return {
    ...agreement,
    changes: agreement.changes.map((change) => (isVain(change) ? { ...change, undoneAt: now } : change)),
  }
}

/** Why an erased subscription is refused what others are not (subscription.erased-stays-ended). */
export const ERASED = 'the subscription is erased'

const actionPath = ['attributes', 'action'] as const

interface Refusal {
  readonly code: ViolationCode
  readonly message: string
}

/** Why the state of a subscription does not allow an action; null when it does. */
function refusal({ agreement, erasedAt }: Agreed, asked: AskedAction, now: number): Refusal | null {
  const message = erasedAt == null ? refusalReason(agreement, asked, now) : ERASED
  if (message !== null) return { code: 'ACTION_REFUSED', message }
  const at = instantOf(defaultsOf(asked).time, agreement, now)
  return (
    (at > now ? scheduled(agreement, asked.action, now) : null) ??
    (asked.resumeAt === null ? null : scheduled(agreement, 'resume', now))
  )
}

function refusalReason(agreement: Agreement, asked: AskedAction, now: number): string | null {
  const { action } = asked
  const { closed, canceled, paused } = lifeStatusAt(agreement, now)
  if (closed) return 'the subscription is closed'
  if (action === 'resume') {
    // What is ahead can be ended ahead, too.
    const then = lifeStatusAt(agreement, instantOf(defaultsOf(asked).time, agreement, now))
    return paused || canceled || then.paused || then.canceled ? null : 'the subscription is neither paused nor canceled'
  }
  if (canceled) return 'the subscription is canceled'
  return paused && action === 'pause' ? 'the subscription is paused' : null
}

/** The refusal of what may be ahead once, naming the one that is (subscription.one-ahead). */
export function scheduled(agreement: Agreement, type: 'change' | StateAction, now: number): Refusal | null {
  const ahead = aheadOf(agreement, type, now)
  if (!ahead) return null
  const next = type === 'change' ? 'undo it first, or give replace: true' : 'undo it first'
  return {
    code: 'SCHEDULED_CHANGE',
    message: `the ${type} ${ahead.id} is ahead, at ${formatInstant(ahead.at)}: ${next}`,
  }
}
