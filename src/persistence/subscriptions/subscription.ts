/** Subscriptions in the database, with the copies of offering and plan, and the states that actions lead to. */
import type { Plan } from '../../domain/subscriptions/plan.ts'
import type { OfferingCopy, PaymentAuthority, Subscription, SubscriptionState } from '../../domain/subscriptions/subscription.ts'
import { inactiveFrom, type StateAction } from '../../domain/subscriptions/subscription-state.ts'
import type { Prisma, Subscription as Row, SubscriptionState as StateRow } from '../../generated/prisma/client.ts'
import { logChange } from '../database/change-log.ts'
import { json, jsonOrNull } from '../database/json.ts'
import type { Table } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

/** The subscription of a row. */
export function subscriptionFromRow({ inactiveFrom: _, ...row }: Omit<Row, 'version'>): Subscription {
  return {
    ...row,
    paymentAuthority: row.paymentAuthority as unknown as PaymentAuthority,
    offering: row.offering as unknown as OfferingCopy,
    plan: row.plan as unknown as Plan,
    pausedAt: row.pausedAt?.getTime() ?? null,
    canceledAt: row.canceledAt?.getTime() ?? null,
    resumedAt: row.resumedAt?.getTime() ?? null,
    inactivationRequestedAt: row.inactivationRequestedAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
    state: row.state as unknown as SubscriptionState | null,
  }
}

function toRow(subscription: Subscription): Prisma.SubscriptionUncheckedCreateInput {
  return {
    ...subscription,
    paymentAuthority: json(subscription.paymentAuthority),
    offering: json(subscription.offering),
    plan: json(subscription.plan),
    ...lifecycleToRow(subscription),
    createdAt: new Date(subscription.createdAt),
  }
}

/** The state of a row. */
export function stateFromRow(row: Pick<StateRow, 'id' | 'action' | 'createdAt'>): SubscriptionState {
  return { id: row.id, action: row.action as StateAction, createdAt: row.createdAt.getTime() }
}

/** Writes the columns that an action changes, and inserts the new state, of which the subscription has a copy. Two statements. */
export async function saveAction(
  tx: Transaction,
  stored: Subscription,
  subscription: Subscription,
  state: SubscriptionState,
): Promise<void> {
  await tx.subscription.update({ where: { id: subscription.id }, data: lifecycleToRow(subscription) })
  await tx.subscriptionState.create({
    data: { id: state.id, action: state.action, createdAt: new Date(state.createdAt), subscriptionId: subscription.id },
  })
  logChange(tx, subscriptionTable, stored, subscription)
}

/** The columns that actions change. */
function lifecycleToRow(subscription: Subscription) {
  const { paused, canceled, pausedAt, canceledAt, resumedAt, inactivationRequestedAt, state, updatedAt } = subscription
  return {
    paused,
    canceled,
    pausedAt: instant(pausedAt),
    canceledAt: instant(canceledAt),
    resumedAt: instant(resumedAt),
    inactivationRequestedAt: instant(inactivationRequestedAt),
    inactiveFrom: instant(inactiveFrom(subscription)),
    state: jsonOrNull(state),
    updatedAt: new Date(updatedAt),
  }
}

function instant(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}

/** Without who subscribes and pays, and without the copies of offering and plan, which never change (subscription.keeps-its-copies). */
function toLog({ paymentAuthority: _, subscriberName, subscriberEmail, offering, plan, ...logged }: Subscription): object {
  return logged
}

/** The table of subscriptions. */
export const subscriptionTable: Table<Omit<Row, 'version'>, Subscription> = {
  model: 'subscription',
  fromRow: subscriptionFromRow,
  toRow,
  scopeOf: ({ accountId }) => accountId,
  toLog,
}
