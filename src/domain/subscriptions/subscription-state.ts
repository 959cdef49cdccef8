/** Subscription lifecycle: which actions are allowed and what they change, and the status at an instant. */
import { conflict, type Violation, type ViolationCode } from '../input/errors.ts'
import { type ReadResult, readInput } from '../input/input-reader.ts'
import { nextUpdatedAt } from '../input/patch.ts'
import { readRecordType } from '../input/record.ts'
import { type BillingTerms, endInstant, nextBilling } from './billing.ts'

/** The actions that change the state of a subscription. */
export const stateActions = ['cancel', 'pause', 'resume'] as const
/** An action on a subscription. */
export type StateAction = (typeof stateActions)[number]

/** The terms of a subscription's plan copy that its lifecycle depends on (subscription.keeps-its-copies). */
export interface LifecycleTerms extends BillingTerms {
  readonly canPause: boolean
  readonly canResume: boolean
  readonly canCancel: boolean
}

/** The part of a subscription that actions change. Instants are epoch milliseconds. */
export interface Lifecycle {
  readonly paused: boolean
  readonly canceled: boolean
  /** When each action last happened; null for never. A later resume does not clear them. */
  readonly pausedAt: number | null
  readonly canceledAt: number | null
  readonly resumedAt: number | null
  /** The instant of the earliest pause or cancel that no resume has ended; null for none. */
  readonly inactivationRequestedAt: number | null
  /** The start of the subscription. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly plan: LifecycleTerms
}

/** The status of a subscription at an instant: the computed part of its meta. */
export interface LifecycleStatus {
  readonly status: 'active' | 'inactive'
  readonly canceled: boolean
  readonly paused: boolean
  readonly closed: boolean
  readonly suspended: boolean
  /** The first billing instant after the instant of the status. */
  readonly invoiceAfter: number
  /** The instant at which it closes; null when the plan rolls on. */
  readonly endDate: number | null
}

/**
 * The status at `now` (subscription.inactive-from-next-billing, subscription.billing-instants). Bounds belong to the later status: at
 * `endDate` the subscription is closed, and at the billing instant after a pause or cancel it is inactive.
 */
export function statusAt(life: Lifecycle, now: number): LifecycleStatus {
  const { canceled, paused, plan, createdAt } = life
  const endDate = endInstant(plan, createdAt)
  const closed = endDate !== null && now >= endDate
  const inactive = inactiveFrom(life)
  const status = inactive !== null && now >= inactive ? 'inactive' : 'active'
  return { status, canceled, paused, closed, suspended: false, invoiceAfter: nextBilling(plan, createdAt, now), endDate }
}

/** The instant from which on it is inactive, as long as no further action changes that; null for none. */
export function inactiveFrom({ inactivationRequestedAt, plan, createdAt }: Lifecycle): number | null {
  const endDate = endInstant(plan, createdAt)
  if (inactivationRequestedAt === null) return endDate
  return Math.min(nextBilling(plan, createdAt, inactivationRequestedAt), endDate ?? Number.POSITIVE_INFINITY)
}

/** Reads `data` of a state: `{ type: 'subscription_state', attributes: { action } }` (http.paths-and-aliases). */
export function readStateAction(data: unknown): ReadResult<StateAction> {
  return readInput(data, (reader) => {
    readRecordType(reader, 'subscription_state')
    return reader.object('attributes', { required: true })?.oneOf('action', stateActions, { required: true }) ?? undefined
  })
}

/** One violation of an action that the plan forbids, else none (subscription.allowed-actions). */
export function actionViolations(plan: LifecycleTerms, action: StateAction): Violation[] {
  const allowed = { pause: plan.canPause, resume: plan.canResume, cancel: plan.canCancel }[action]
  return allowed ? [] : [{ code, path: actionPath, message: `the plan does not allow to ${action}` }]
}

/** The actions that would succeed at `now`, by plan and state (subscription.allowed-actions). */
export function allowedActions(subscription: Lifecycle, now: number): StateAction[] {
  return stateActions.filter(
    (action) => actionViolations(subscription.plan, action).length === 0 && refusalReason(subscription, action, now) === null,
  )
}

/**
 * The subscription after `action`. Throws `conflict` when its state at `now` does not allow the action (subscription.allowed-actions).
 */
export function applyAction<S extends Lifecycle>(subscription: S, action: StateAction, now: number): S {
  const reason = refusalReason(subscription, action, now)
  if (reason !== null) throw conflict(code, actionPath, reason)
  return { ...subscription, ...changes(subscription, action, now), updatedAt: nextUpdatedAt(now, subscription.updatedAt) }
}

const code: ViolationCode = 'ACTION_REFUSED'
const actionPath = ['attributes', 'action'] as const

function refusalReason(life: Lifecycle, action: StateAction, now: number): string | null {
  const { closed, canceled, paused } = statusAt(life, now)
  if (closed) return 'the subscription is closed'
  if (action === 'resume') return paused || canceled ? null : 'the subscription is neither paused nor canceled'
  if (canceled) return 'the subscription is canceled'
  return paused && action === 'pause' ? 'the subscription is paused' : null
}

function changes(life: Lifecycle, action: StateAction, now: number): Partial<Lifecycle> {
  switch (action) {
    case 'pause':
      return { paused: true, pausedAt: now, inactivationRequestedAt: now }
    case 'cancel':
      return { canceled: true, canceledAt: now, inactivationRequestedAt: life.inactivationRequestedAt ?? now }
    case 'resume':
      return { paused: false, canceled: false, resumedAt: now, inactivationRequestedAt: null }
  }
}
