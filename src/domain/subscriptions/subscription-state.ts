/** The life of a subscription: what each action may do and does, and what is true of it at an instant. */

import { conflict, type Violation, type ViolationCode } from '../input/errors.ts'
import { readInput } from '../input/input-reader.ts'
import { nextUpdatedAt } from '../input/next-updated-at.ts'
import { type BillingTerms, endInstant, nextBilling } from './billing.ts'

export const stateActions = ['cancel', 'pause', 'resume'] as const
export type StateAction = (typeof stateActions)[number]

/** What a subscription's plan, as copied into it, says of its life (subscription.keeps-its-copies). */
export interface LifecycleTerms extends BillingTerms {
  readonly canPause: boolean
  readonly canResume: boolean
  readonly canCancel: boolean
}

/** The part of a subscription that actions change. Instants are epoch milliseconds. */
export interface Lifecycle {
  readonly paused: boolean
  readonly canceled: boolean
  /** When each action last happened; a later resume doesn't take them back. */
  readonly pausedAt: number | null
  readonly canceledAt: number | null
  readonly resumedAt: number | null
  /** The earliest pause or cancel still in force. */
  readonly inactivationRequestedAt: number | null
  /** The start of the subscription. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly plan: LifecycleTerms
}

/** What is true of a subscription at an instant: the derived part of a subscription's meta. */
export interface LifecycleStatus {
  readonly status: 'active' | 'inactive'
  readonly canceled: boolean
  readonly paused: boolean
  readonly closed: boolean
  readonly suspended: boolean
  /** The first billing instant after now. */
  readonly invoiceAfter: number
  /** Null when the plan rolls on. */
  readonly endDate: number | null
}

/**
 * subscription.billing-instants and the status of subscription.inactive-from-next-billing. Each bound belongs to what follows it: at
 * `endDate` it is closed, at a billing instant the hold begins.
 */
export function statusAt(life: Lifecycle, now: number): LifecycleStatus {
  const { canceled, paused, inactivationRequestedAt, plan, createdAt } = life
  const endDate = endInstant(plan, createdAt)
  const closed = endDate !== null && now >= endDate
  const held = inactivationRequestedAt !== null && now >= nextBilling(plan, createdAt, inactivationRequestedAt)
  const status = closed || held ? 'inactive' : 'active'
  return { status, canceled, paused, closed, suspended: false, invoiceAfter: nextBilling(plan, createdAt, now), endDate }
}

/** Reads `data` of a state: `{ type: 'subscription_state', attributes: { action } }` (http.paths-and-aliases). */
export function readStateAction(data: unknown): { value: StateAction | undefined; violations: Violation[] } {
  return readInput(data, (reader) => {
    reader.oneOf('type', ['subscription_state'], { required: true })
    return reader.object('attributes', { required: true })?.oneOf('action', stateActions, { required: true }) ?? undefined
  })
}

/** A plan that forbids the action (subscription.allowed-actions): nothing, or one violation of the action. */
export function actionViolations(plan: LifecycleTerms, action: StateAction): Violation[] {
  const allowed = { pause: plan.canPause, resume: plan.canResume, cancel: plan.canCancel }[action]
  return allowed ? [] : [{ code, path: actionPath, message: `the plan does not allow to ${action}` }]
}

/** The subscription after `action`; throws `conflict` when its state does not allow it (subscription.allowed-actions). */
export function applyAction<S extends Lifecycle>(subscription: S, action: StateAction, now: number): S {
  const reason = refusal(subscription, action, now)
  if (reason !== null) throw conflict(code, actionPath, reason)
  return { ...subscription, ...changes(subscription, action, now), updatedAt: nextUpdatedAt(now, subscription.updatedAt) }
}

const code: ViolationCode = 'ACTION_REFUSED'
const actionPath = ['attributes', 'action'] as const

function refusal(life: Lifecycle, action: StateAction, now: number): string | null {
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
