/**
 * Subscriptions in the database, with their agreement, the copy of the offering, and the states that actions lead to.
 */
import type { Agreement } from '../../domain/subscriptions/agreement.ts'
import type { StateAction } from '../../domain/subscriptions/asked-action.ts'
import { isEnded } from '../../domain/subscriptions/life.ts'
import { lifeStatusAt } from '../../domain/subscriptions/life-readings.ts'
import { phaseWords } from '../../domain/subscriptions/life-types.ts'
import type {
  OfferingCopy,
  PaymentAuthority,
  Subscription,
  SubscriptionState,
} from '../../domain/subscriptions/subscription.ts'
import type { Prisma, Subscription as Row, SubscriptionState as StateRow } from '../../generated/prisma/client.ts'
import { json, jsonOrNull } from '../database/json.ts'
import { insertRecord, type Table, updateRecord } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'
import { insertAgreementRows, replaceAgreementRows } from './agreement-rows.ts'

/** The state of a row. */
export function stateFromRow(row: Pick<StateRow, 'id' | 'action' | 'createdAt'>): SubscriptionState {
  return { id: row.id, action: row.action as StateAction, createdAt: row.createdAt.getTime() }
}

/** Inserts a state of a subscription. The subscription itself has a copy of its newest state. */
export async function insertState(
  tx: Transaction,
  subscriptionId: string,
  { createdAt, ...state }: SubscriptionState,
): Promise<void> {
  await tx.subscriptionState.create({ data: { ...state, subscriptionId, createdAt: new Date(createdAt) } })
}

/** Inserts states of a subscription, the first one first. No statement without states. */
export async function insertStates(
  tx: Transaction,
  subscriptionId: string,
  states: readonly SubscriptionState[],
): Promise<void> {
  const data = states.map((state) => ({ ...state, subscriptionId, createdAt: new Date(state.createdAt) }))
  if (data.length > 0) await tx.subscriptionState.createMany({ data })
}

/** All states of a subscription, the first one first. One statement. */
export async function statesOf(tx: Transaction, subscriptionId: string): Promise<SubscriptionState[]> {
  const rows = await tx.subscriptionState.findMany({ where: { subscriptionId }, orderBy: { version: 'asc' } })
  return rows.map(stateFromRow)
}

/** The table of subscriptions; their spans are written with them. */
export const subscriptionTable: Table<Omit<Row, 'version'>, Subscription> = {
  model: 'subscription',
  fromRow: (row) => ({
    ...row,
    paymentAuthority: row.paymentAuthority as unknown as PaymentAuthority,
    offering: row.offering as unknown as OfferingCopy,
    agreement: row.agreement as unknown as Agreement,
    erasedAt: row.erasedAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
    state: row.state as unknown as SubscriptionState | null,
  }),
  toRow: (subscription): Prisma.SubscriptionUncheckedCreateInput => ({
    ...subscription,
    paymentAuthority: json(subscription.paymentAuthority),
    offering: json(subscription.offering),
    agreement: json(subscription.agreement),
    state: jsonOrNull(subscription.state),
    erasedAt: subscription.erasedAt === null ? null : new Date(subscription.erasedAt),
    createdAt: new Date(subscription.createdAt),
    updatedAt: new Date(subscription.updatedAt),
  }),
  scopeOf: ({ accountId }) => accountId,
  // Without who subscribes and pays, and without the copies of offering and plans (subscription.keeps-its-copies).
  toLog: ({ paymentAuthority: _, subscriberName, subscriberEmail, offering, agreement, ...logged }) => ({
    ...logged,
    ...flagsOf(agreement, logged.updatedAt),
    agreement: loggedAgreement(agreement),
  }),
}

/** Inserts a new subscription with its spans and billing places. Three statements. */
export async function insertSubscription(tx: Transaction, subscription: Subscription): Promise<void> {
  await insertRecord(tx, subscriptionTable, subscription)
  await insertAgreementRows(tx, [subscription])
}

/** Writes a subscription, and what lists read of its agreement when that has changed. One statement, or five. */
export async function updateSubscriptionRow(
  tx: Transaction,
  stored: Subscription,
  changed: Subscription,
): Promise<void> {
  await updateRecord(tx, subscriptionTable, stored, changed)
  if (stored.agreement === changed.agreement) return
  await replaceAgreementRows(tx, [changed])
}

const updateAll = `
UPDATE subscription s SET external_ref = e."externalRef", payment_authority = e."paymentAuthority", subscriber_name = e."subscriberName",
  subscriber_email = e."subscriberEmail", agreement = e.agreement, erased_at = e."erasedAt", updated_at = e."updatedAt"
FROM jsonb_to_recordset($1::jsonb) AS e (id uuid, "externalRef" text, "paymentAuthority" jsonb, "subscriberName" text, "subscriberEmail" text,
  agreement jsonb, "erasedAt" timestamptz, "updatedAt" timestamptz)
WHERE s.id = e.id`

/**
 * Writes subscribers and agreements of many subscriptions. The caller logs the changes, and replaces what lists read of
 * agreements that are other ones. One statement.
 */
export async function updateSubscriptionRows(tx: Transaction, changed: readonly Subscription[]): Promise<void> {
  await tx.$executeRawUnsafe(updateAll, JSON.stringify(changed.map(subscriptionTable.toRow)))
}

/** Whether an account has a subscription to an offering that has not ended at an instant. */
export async function hasUnended(
  tx: Transaction,
  of: { readonly accountId: string; readonly offeringId: string; readonly id?: { readonly not: string } },
  now: number,
): Promise<boolean> {
  const at = new Date(now)
  const lasting = { fromAt: { lte: at }, untilAt: { gt: at }, phase: { in: phaseWords.filter((one) => !isEnded(one)) } }
  return (
    (await tx.subscription.findFirst({ where: { ...of, spans: { some: lasting } }, select: { id: true } })) !== null
  )
}

/** The flags at the instant of a write, as the log has them. */
function flagsOf(agreement: Agreement, now: number) {
  const { paused, canceled, pausedAt, canceledAt, resumedAt } = lifeStatusAt(agreement, now)
  return { paused, canceled, pausedAt, canceledAt, resumedAt }
}

/** An agreement with the ids of plans in place of their copies. */
function loggedAgreement({ plan, changes, ...agreement }: Agreement): object {
  return {
    ...agreement,
    planId: plan.id,
    changes: changes.map((change) => {
      if (change.type !== 'change') return change
      const { plan: changed, ...terms } = change
      return { ...terms, planId: changed?.id ?? null }
    }),
  }
}
