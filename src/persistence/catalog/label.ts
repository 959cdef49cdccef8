/**
 * Labels in the database, many by one statement.
 *
 * SQL, since Prisma can't take an advisory lock, nor update many rows with different values.
 */
import { type Label, labelRecord } from '../../domain/catalog/label.ts'
import type { LabelPlan, LabelRow } from '../../domain/catalog/label-upsert.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { logChange } from '../database/change-log.ts'
import { recordTable } from '../database/record-table.ts'
import { lockRows } from '../database/row-lock.ts'
import { insertRecords } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

/** The table of labels. */
export const labelTable = recordTable('label', labelRecord)

/** All labels as a release holds them (ReleaseLabels), as an SQL expression; null without any. */
export const authoredLabels = `(SELECT jsonb_object_agg(kind, keys) FROM (
  SELECT kind, jsonb_object_agg(key, locales) AS keys FROM label WHERE locales IS NOT NULL GROUP BY kind) k)`

/**
 * Waits until no other transaction adds labels, and keeps others waiting until this one ends: their number is limited.
 * One statement.
 */
export async function lockNewLabels(tx: Transaction): Promise<void> {
  await tx.$queryRaw`SELECT count(pg_advisory_xact_lock(hashtextextended(current_schema() || ' label', 0)))`
}

/** Locks and reads the labels of names. One statement. */
export async function lockLabels(tx: Transaction, rows: readonly LabelRow[]): Promise<Label[]> {
  const [kinds, keys] = [rows.map(({ kind }) => kind), rows.map(({ key }) => key)]
  // By md5, as the index has them.
  const named = Prisma.sql`(i.kind, md5(i.key)) IN (SELECT kind, md5(key) FROM unnest(${kinds}::text[], ${keys}::text[]) n (kind, key))`
  const found = await lockRows<Parameters<typeof labelTable.fromRow>[0]>(tx, 'label', named, 'UPDATE', members)
  return found.map(labelTable.fromRow)
}

const members = ['id', ...Object.keys(labelRecord.members), 'createdAt', 'updatedAt']

/** The number of labels. One statement. */
export function labelCount(tx: Transaction): Promise<number> {
  return tx.label.count()
}

/** Writes what a call changes, whose labels are locked. Three statements at most. */
export async function writeLabels(tx: Transaction, { inserts, updates, deletes }: LabelPlan): Promise<void> {
  if (deletes.length > 0)
    await tx.$executeRaw`DELETE FROM label WHERE id = ANY (${deletes.map(({ id }) => id)}::uuid[])`
  for (const label of deletes) logChange(tx, labelTable, label, null)
  if (updates.length > 0) {
    const rows = updates.map(({ label: { id, locales, updatedAt } }) => ({ id, locales, at: updatedAt }))
    await tx.$executeRaw`
      UPDATE label l SET locales = g.locales, updated_at = to_timestamp(g.at / 1000.0)
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) g (id uuid, locales jsonb, at float8) WHERE l.id = g.id`
  }
  for (const { stored, label } of updates) logChange(tx, labelTable, stored, label)
  await insertRecords(tx, labelTable, inserts)
}
