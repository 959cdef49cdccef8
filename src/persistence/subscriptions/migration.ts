/**
 * Migration of many subscriptions: those that are meant, locked, and their new terms, written together.
 *
 * SQL, since a subscription's plan of an instant is in its spans, and the products that it holds in its agreement.
 */
import type { AskedMigration } from '../../domain/subscriptions/migration.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { logChange } from '../database/change-log.ts'
import { membersOf } from '../database/columns.ts'
import { lockRows, withIds } from '../database/row-lock.ts'
import type { Transaction } from '../database/transaction.ts'
import { replaceAgreementRows } from './agreement-rows.ts'
import { subscriptionTable, updateSubscriptionRows } from './subscription.ts'

/**
 * Locks the first subscriptions by id that may be meant, one more than are asked for, and reads them: of a product also
 * those that held it at another time. Two statements.
 */
export async function lockToMigrate(
  tx: Transaction,
  { filter, first, after }: AskedMigration,
  now: number,
): Promise<Subscription[]> {
  const { planId, offeringId, productId, currency, createdBefore } = filter
  const at = new Date(now)
  const holds: Prisma.Sql[] = []
  if (after !== null) holds.push(Prisma.sql`s.id > ${after}::uuid`)
  if (offeringId !== null) holds.push(Prisma.sql`s.offering_id = ${offeringId}::uuid`)
  if (currency !== null) holds.push(Prisma.sql`s.currency = ${currency}`)
  if (createdBefore !== null) holds.push(Prisma.sql`s.created_at < ${new Date(createdBefore)}`)
  if (planId !== null)
    holds.push(Prisma.sql`EXISTS (SELECT FROM subscription_span p WHERE p.subscription_id = s.id
      AND p.plan_id = ${planId}::uuid AND p.from_at <= ${at} AND p.until_at > ${at})`)
  if (productId !== null) {
    const held = JSON.stringify([{ productId }])
    // Which terms are in force says the agreement as a whole: here are all that ever had the product.
    holds.push(Prisma.sql`(s.agreement -> 'items' @> ${held}::jsonb OR EXISTS (
      SELECT FROM jsonb_array_elements(s.agreement -> 'changes') c (change) WHERE c.change -> 'items' @> ${held}::jsonb))`)
  }
  const where = holds.length === 0 ? Prisma.sql`TRUE` : Prisma.join(holds, ' AND ')
  const ids = await tx.$queryRaw<{ id: string }[]>`
    SELECT s.id FROM subscription s WHERE ${where} ORDER BY s.id LIMIT ${first + 1}`
  const { model, fromRow } = subscriptionTable
  const wanted = withIds(ids.map(({ id }) => id))
  const rows = await lockRows<Parameters<typeof fromRow>[0]>(tx, model, wanted, 'UPDATE', membersOf(model))
  return rows.map(fromRow)
}

/** The ids of the plans of offerings, which can't change meanwhile. Two statements. */
export async function offeredPlans(tx: Transaction, ids: readonly string[]): Promise<Map<string, string[]>> {
  await lockRows(tx, 'offering', withIds(ids), 'SHARE')
  const rows = await tx.offeringPlan.findMany({ where: { offeringId: { in: [...ids] } } })
  const plans = new Map(ids.map((id) => [id, [] as string[]]))
  for (const { offeringId, planId } of rows) plans.get(offeringId)?.push(planId)
  return plans
}

/** Writes new agreements, with what lists read of them. Five statements. */
export async function writeMigrated(
  tx: Transaction,
  stored: readonly Subscription[],
  changed: readonly Subscription[],
): Promise<void> {
  await updateSubscriptionRows(tx, changed)
  await replaceAgreementRows(tx, changed)
  for (const [index, one] of changed.entries()) logChange(tx, subscriptionTable, stored[index] as Subscription, one)
}
