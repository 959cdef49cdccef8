/** Changes of subscriptions: use cases, for admins and the shoppers of their account. */
import { assertValid, conflict } from '../../domain/input/errors.ts'
import { uuid } from '../../domain/input/formats.ts'
import { applyPatch } from '../../domain/input/patch.ts'
import { readInput } from '../../domain/input/read-input.ts'
import { newRecord } from '../../domain/input/record.ts'
import { type AskedAction, asksForProration, readStateAction } from '../../domain/subscriptions/asked-action.ts'
import { inexactSums } from '../../domain/subscriptions/first-terms.ts'
import { readSubscriberUpdate, type SubscriberPatch } from '../../domain/subscriptions/subscriber.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { actionViolations, applyAsked, ERASED } from '../../domain/subscriptions/subscription-state.ts'
import { undo } from '../../domain/subscriptions/undo.ts'
import { newId } from '../../persistence/database/id.ts'
import { lockRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { offeringTable } from '../../persistence/subscriptions/offering.ts'
import { hasUnended, insertState, updateSubscriptionRow } from '../../persistence/subscriptions/subscription.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { assertRight, command } from '../operation.ts'
import { askingOf, keptSubscription, lockSubscription } from './held-subscription.ts'
import { previewedAt, type SubscriptionPreview } from './preview.ts'

interface Input {
  readonly subscriptionId: string
  readonly data: unknown
}

const load = (tx: Transaction, { subscriptionId }: Input, { viewer }: Context) =>
  lockSubscription(tx, subscriptionId, viewer)

/**
 * Changes who subscribes and how it is paid (subscription.subscriber-updates). Only admins change the reference to
 * another system.
 */
export const updateSubscription = command<Input, SubscriberPatch, Subscription, Subscription>({
  name: 'updateSubscription',
  right: 'account',
  read: ({ data }, ctx, target) => {
    const read = readSubscriberUpdate(data, target)
    if (read.value?.externalRef !== undefined) assertRight('admin', ctx.viewer)
    return read
  },
  load,
  run: async (tx, patch, stored, ctx) => {
    if (stored.erasedAt !== null) throw conflict('ACTION_REFUSED', ['id'], ERASED)
    const changed = applyPatch(stored, patch, presentOf(ctx))
    if (changed !== stored) await updateSubscriptionRow(tx, stored, changed)
    return changed
  },
  kept: keptSubscription,
})

/** The subscription after an action, checked. Two statements more for a resume where only one may run. */
async function acted(tx: Transaction, asked: AskedAction, stored: Subscription, ctx: Context): Promise<Subscription> {
  // Not the instant of the request: while it waited for the lock, another action, a billing or the end may have come.
  const now = presentOf(ctx)
  assertValid(actionViolations(stored, asked.action, now))
  const changed = applyAsked(stored, asked, askingOf(ctx, now))
  assertValid(inexactSums(changed.agreement, ['attributes', 'action']))
  if (asked.action === 'resume') await assertOnlyOne(tx, stored, now)
  return changed
}

const readAction = ({ data }: Input, ctx: Context) => {
  const read = readStateAction(data, ctx.now)
  if (read.value && asksForProration(read.value)) assertRight('admin', ctx.viewer)
  return read
}

/**
 * Pauses, resumes or cancels a subscription (subscription.allowed-actions), for admins and the account's shoppers.
 * `data` is `{ type: 'subscription_state', attributes: { action } }`, in the graph also with instants and proration.
 * Throws `validation` for an action that the plan forbids, a conflict for one that the state forbids.
 */
export const changeSubscriptionState = command<Input, AskedAction, Subscription, Subscription>({
  name: 'changeSubscriptionState',
  right: 'account',
  read: readAction,
  load,
  run: async (tx, asked, stored, ctx) => {
    const changed = await acted(tx, asked, stored, ctx)
    const now = presentOf(ctx)
    const state = { id: newId(now), action: asked.action, createdAt: now }
    await updateSubscriptionRow(tx, stored, { ...changed, state })
    await insertState(tx, changed.id, state)
    return { ...changed, state }
  },
  kept: keptSubscription,
})

/** What an action would do; nothing is written (subscription.dry-run). */
export const previewSubscriptionState = command<Input, AskedAction, Subscription, SubscriptionPreview>({
  name: 'previewSubscriptionState',
  right: 'account',
  read: readAction,
  load,
  run: async (tx, asked, stored, ctx) => {
    const after = await acted(tx, asked, stored, ctx)
    return { at: previewedAt(stored, after), before: stored, after }
  },
})

/** Undoes what is ahead of a subscription (subscription.undone-until-its-instant). `data` is `{ change_key }`. */
export const undoScheduledChange = command<Input, string, Subscription, Subscription>({
  name: 'undoScheduledChange',
  right: 'account',
  read: ({ data }) =>
    readInput(data, (reader) => reader.text('change_key', { required: true, format: uuid })?.toLowerCase(), newRecord),
  load,
  run: async (tx, changeId, stored, ctx) => {
    const changed = undo(stored, changeId, askingOf(ctx, presentOf(ctx)))
    assertValid(inexactSums(changed.agreement, ['change_key']))
    await updateSubscriptionRow(tx, stored, changed)
    return changed
  },
  kept: keptSubscription,
})

/** Throws a conflict when only one may run for the account, and another one does (subscription.only-one-resumes). */
async function assertOnlyOne(tx: Transaction, { id, agreement, accountId, offeringId }: Subscription, now: number) {
  if (!agreement.onlyOne) return
  // Orders it among the calls that create the only one.
  await lockRecord(tx, offeringTable, offeringId, 'UPDATE')
  if (await hasUnended(tx, { accountId, offeringId, id: { not: id } }, now)) {
    const message = 'the account has another subscription to the offering that has not ended'
    throw conflict('ALREADY_SUBSCRIBED', ['attributes', 'action'], message)
  }
}
