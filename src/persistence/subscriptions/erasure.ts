/**
 * Erasure of subscribers: from their subscriptions, from the change log, and from results under idempotency keys
 * (subscription.erased-when-ended).
 *
 * SQL, since one statement writes all rows of the log, which may be too long to be read.
 */
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { logChange } from '../database/change-log.ts'
import { membersOf } from '../database/columns.ts'
import { lockRows } from '../database/row-lock.ts'
import type { Transaction } from '../database/transaction.ts'
import { subscriptionTable, updateSubscriptionRows } from './subscription.ts'

/** Locks all subscriptions of an account and reads them, in the order of their ids. One statement. */
export async function lockSubscriptionsOf(tx: Transaction, accountId: string): Promise<Subscription[]> {
  const { model, fromRow } = subscriptionTable
  const where = Prisma.sql`i.account_id = ${accountId}::uuid`
  const rows = await lockRows<Parameters<typeof fromRow>[0]>(tx, model, where, 'UPDATE', membersOf(model))
  return rows.map(fromRow)
}

/** A logged or stored subscription without reasons; null for none. */
const withoutReasons = (state: string) => `
  jsonb_set(${state}::jsonb, '{agreement,changes}', (
    SELECT coalesce(jsonb_agg(CASE WHEN c.change ? 'reason' THEN c.change || '{"reason": null}' ELSE c.change END ORDER BY c.n), '[]')
    FROM jsonb_array_elements(${state}::jsonb #> '{agreement,changes}') WITH ORDINALITY AS c (change, n)
  ), false)`

const erasedState = (state: string) => `(${withoutReasons(state)} || '{"externalRef": null}')::json`

// No entry holds the subscriber (history.no-secrets).
const updateLog = `
UPDATE change SET before = ${erasedState('before')}, after = ${erasedState('after')}
WHERE topic = 'subscription' AND record_id = ANY ($1::uuid[])`

// A repeat shows the subscriber of now (subscription.stored-once); results of older versions hold that of then.
const updateResults = `
UPDATE idempotency_key SET answer = ${withoutReasons('answer')} - '{externalRef,paymentAuthority,subscriberName,subscriberEmail}'::text[]
WHERE answer ->> 'id' = ANY ($1)`

/**
 * Writes erased subscriptions, which are stored as `stored`, and what was logged and stored of them before. The new
 * entry of the log has nothing that is erased in its state before either. Three statements.
 */
export async function writeErased(
  tx: Transaction,
  stored: readonly Subscription[],
  erased: readonly Subscription[],
): Promise<void> {
  const ids = erased.map(({ id }) => id)
  await updateSubscriptionRows(tx, erased)
  await tx.$executeRawUnsafe(updateLog, ids)
  await tx.$executeRawUnsafe(updateResults, ids)
  for (const [index, after] of erased.entries()) {
    const { erasedAt, updatedAt } = stored[index] as Subscription
    logChange(tx, subscriptionTable, { ...after, erasedAt, updatedAt }, after)
  }
}
