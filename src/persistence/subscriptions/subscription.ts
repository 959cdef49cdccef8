/** Subscriptions in the database, with the copies of offering and plan, and the states that actions lead to. */
import type { Plan } from '../../domain/subscriptions/plan.ts'
import type { OfferingCopy, PaymentAuthority, Subscription, SubscriptionState } from '../../domain/subscriptions/subscription.ts'
import { inactiveFrom, type StateAction } from '../../domain/subscriptions/subscription-state.ts'
import type { Prisma, Subscription as Row, SubscriptionState as StateRow } from '../../generated/prisma/client.ts'
import { json, jsonOrNull } from '../database/json.ts'
import type { Table } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

/** The state of a row. */
export function stateFromRow(row: Pick<StateRow, 'id' | 'action' | 'createdAt'>): SubscriptionState {
  return { id: row.id, action: row.action as StateAction, createdAt: row.createdAt.getTime() }
}

/** Inserts a state of a subscription, which itself has a copy of the newest. */
export async function insertState(tx: Transaction, subscriptionId: string, { createdAt, ...state }: SubscriptionState): Promise<void> {
  await tx.subscriptionState.create({ data: { ...state, subscriptionId, createdAt: new Date(createdAt) } })
}

function instant(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms)
}

/** The table of subscriptions. */
export const subscriptionTable: Table<Omit<Row, 'version'>, Subscription> = {
  model: 'subscription',
  fromRow: ({ inactiveFrom: _, ...row }) => ({
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
  }),
  toRow: (subscription): Prisma.SubscriptionUncheckedCreateInput => ({
    ...subscription,
    paymentAuthority: json(subscription.paymentAuthority),
    offering: json(subscription.offering),
    plan: json(subscription.plan),
    pausedAt: instant(subscription.pausedAt),
    canceledAt: instant(subscription.canceledAt),
    resumedAt: instant(subscription.resumedAt),
    inactivationRequestedAt: instant(subscription.inactivationRequestedAt),
    inactiveFrom: instant(inactiveFrom(subscription)),
    state: jsonOrNull(subscription.state),
    createdAt: new Date(subscription.createdAt),
    updatedAt: new Date(subscription.updatedAt),
  }),
  scopeOf: ({ accountId }) => accountId,
  // Without who subscribes and pays, and without the copies of offering and plan, which never change (subscription.keeps-its-copies).
  toLog: ({ paymentAuthority: _, subscriberName, subscriberEmail, offering, plan, ...logged }) => logged,
}
