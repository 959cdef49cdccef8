/** Subscriptions: use cases. Shoppers reach those of their own account (right.shoppers-see-published-and-own). */
import type { Viewer } from '../../auth/viewer.ts'
import { assertValid, DomainError, notFound, type Violation } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { readInput } from '../../domain/input/input-reader.ts'
import type { ComposedOffering } from '../../domain/subscriptions/offering.ts'
import type { Plan } from '../../domain/subscriptions/plan.ts'
import {
  newSubscription,
  readSubscription,
  type Subscription,
  type SubscriptionDraft,
  subscriptionViolations,
} from '../../domain/subscriptions/subscription.ts'
import { actionViolations, applyAction, readStateAction, type StateAction } from '../../domain/subscriptions/subscription-state.ts'
import { newId } from '../../persistence/database/id.ts'
import { findRecords, insertRecord, lockRecord, updateRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { externalRefsOf, lockOffering } from '../../persistence/subscriptions/offering.ts'
import { planTable } from '../../persistence/subscriptions/plan.ts'
import { insertState, subscriptionTable } from '../../persistence/subscriptions/subscription.ts'
import { presentOf } from '../../request/context.ts'
import { command, query } from '../operation.ts'
import { recordReads } from '../record-reads.ts'

/**
 * A subscription by its raw id; null when there is none, or when its account is not the shopper's.
 */
export const subscription = query({
  name: 'subscription',
  right: 'anyone',
  run: async (ctx, { id }: { id: string }) => {
    const found = await ctx.loaders.subscriptionById.load(id)
    return found && ownsAccount(ctx.viewer, found.accountId) ? found : null
  },
})

/** All subscriptions, in pages, for admins; shoppers read theirs through their account. */
export const subscriptions = recordReads('subscriptions', 'admin', subscriptionTable)

/** A state by its raw id; null when there is none, or when the viewer may not see its subscription. */
export const subscriptionState = query({
  name: 'subscriptionState',
  right: 'anyone',
  run: async (ctx, { id }: { id: string }) => {
    const state = await ctx.loaders.stateById.load(id)
    return state && (await subscription(ctx, { id: state.subscriptionId })) ? state : null
  },
})

/** An account by its raw id; null when it has no subscription (subscription.account-from-outside), or is not the shopper's. */
export const account = query({
  name: 'account',
  right: 'anyone',
  run: async (ctx, { id }: { id: string }) => (ownsAccount(ctx.viewer, id) ? ctx.loaders.accountById.load(id.toLowerCase()) : null),
})

interface Read {
  readonly id: string | undefined
  readonly draft: Partial<SubscriptionDraft>
  readonly violations: readonly Violation[]
}

/**
 * Creates a subscription, for admins and the account's shoppers, with a copy of the offering and the plan (subscription.keeps-its-copies).
 * The offering's lists are read under a lock. Six statements. `id` is for the demo store, whose ids never change.
 */
export const createSubscription = command<{ id?: string; data: unknown }, Read, undefined, Subscription>({
  name: 'createSubscription',
  right: 'account',
  isAllowed: (viewer, { data }) => !namesOtherAccount(data, viewer),
  read: ({ id, data }) => {
    const { value, violations } = readSubscription(data)
    // Violations are thrown together with those of offering and plan, which `run` finds (subscription.plan-of-the-offering).
    return value ? { value: { id, draft: value, violations }, violations: [] } : { value, violations }
  },
  run: async (tx, { id, draft, violations }, _, ctx) => {
    const offering = draft.offeringId === undefined ? undefined : await lockOffering(tx, draft.offeringId, 'SHARE')
    const plan = draft.planId === undefined ? undefined : ((await findRecords(tx, planTable, [draft.planId]))[0] ?? null)
    assertValid(subscriptionViolations(violations, offering, plan))
    const copied = offering as ComposedOffering
    const copy = { ...copied, externalProductRefs: await externalRefsOf(tx, copied.productIds) }
    const created = newSubscription(draft as SubscriptionDraft, copy, plan as Plan, id ?? newId(ctx.now), ctx.now)
    await insertRecord(tx, subscriptionTable, created)
    return created
  },
})

/**
 * Pauses, resumes or cancels a subscription (subscription.allowed-actions), for admins and the account's shoppers. `data` is `{ type:
 * 'subscription_state', attributes: { action } }`. Throws `validation` for an action that the plan forbids, a conflict for one that the
 * state forbids.
 */
export const changeSubscriptionState = command<{ subscriptionId: string; data: unknown }, StateAction, Subscription, Subscription>({
  name: 'changeSubscriptionState',
  right: 'account',
  read: ({ data }) => readStateAction(data),
  load: (tx, { subscriptionId }, ctx) => lockSubscription(tx, subscriptionId, ctx.viewer),
  run: async (tx, action, stored, ctx) => {
    assertValid(actionViolations(stored.plan, action))
    // Not the instant of the request: while it waited for the lock, another action, a billing or the end may have come.
    const now = presentOf(ctx)
    const state = { id: newId(now), action, createdAt: now }
    const changed = { ...applyAction(stored, action, now), state }
    await updateRecord(tx, subscriptionTable, stored, changed)
    await insertState(tx, changed.id, state)
    return changed
  },
})

/** Whether the viewer may see an account: admins see all, shoppers their own. */
export function ownsAccount(viewer: Viewer, accountId: string): boolean {
  return viewer.role === 'admin' || viewer.accountId?.toLowerCase() === accountId.toLowerCase()
}

/** Throws forbidden unless the viewer may see an account. */
export function assertOwnsAccount(viewer: Viewer, accountId: string): void {
  if (!ownsAccount(viewer, accountId)) throw new DomainError('forbidden')
}

/** Whether `data` names an account that the viewer may not see; a malformed account id is a violation instead. */
function namesOtherAccount(data: unknown, viewer: Viewer): boolean {
  const accountId = readInput(data, (reader) => reader.raw('account_id')).value
  return typeof accountId === 'string' && isUuid(accountId) && !ownsAccount(viewer, accountId)
}

async function lockSubscription(tx: Transaction, id: string, viewer: Viewer): Promise<Subscription> {
  const subscription = await lockRecord(tx, subscriptionTable, id)
  if (!subscription || !ownsAccount(viewer, subscription.accountId)) throw notFound(['id'], 'No such subscription')
  return subscription
}
