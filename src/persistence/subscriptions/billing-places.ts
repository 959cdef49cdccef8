/**
 * Billing places in the database: an index of what is due when (subscription.due-in-a-window).
 *
 * SQL, since Prisma has no lateral joins.
 */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import type { SlotRange } from '../../domain/subscriptions/billing-window.ts'
import { columnOf } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import { parametersOf } from '../database/query.ts'
import { assertFewValues, sqlCondition } from '../database/record-conditions.ts'
import { queryText } from '../database/statement-name.ts'

/** A place in the order of what is due: epoch milliseconds and a raw id. */
export interface DuePlace {
  readonly due: number
  readonly subscriptionId: string
}

/** The names of all cadences in use. One statement, which looks into the index once for each. */
export async function cadencesInUse(database: Database): Promise<string[]> {
  const text = `
WITH RECURSIVE one AS (
  (SELECT cadence FROM subscription_billing ORDER BY cadence LIMIT 1)
  UNION ALL
  SELECT (SELECT b.cadence FROM subscription_billing b WHERE b.cadence > one.cadence ORDER BY b.cadence LIMIT 1)
  FROM one WHERE one.cadence IS NOT NULL)
SELECT cadence FROM one WHERE cadence IS NOT NULL`
  const rows = await database.query<{ cadence: string }>('billing_cadences', text)
  return rows.map(({ cadence }) => cadence)
}

/**
 * The first places in ranges after a place, at most `limit`, of subscriptions that meet all clauses. One statement,
 * which reads at most `limit` entries of the index for each range.
 */
export async function placesInRanges(
  database: Database,
  ranges: readonly SlotRange[],
  {
    after,
    limit,
    clauses,
  }: { readonly after: DuePlace; readonly limit: number; readonly clauses: readonly RecordClause[] },
): Promise<DuePlace[]> {
  assertFewValues(clauses)
  const { values, add } = parametersOf(
    ranges.map(({ cadence }) => cadence),
    ranges.map(({ from }) => from),
    ranges.map(({ until }) => until),
    ranges.map(({ shift }) => shift),
    after.due,
    after.subscriptionId,
    limit,
  )
  const conditions = clauses.map((clause) => sqlCondition(`i.${columnOf(clause.field)}`, clause, add))
  const filter =
    conditions.length > 0
      ? `AND EXISTS (SELECT FROM subscription i WHERE i.id = b.subscription_id AND ${conditions.join(' AND ')})`
      : ''
  const text = `
SELECT DISTINCT due, subscription_id AS "subscriptionId"
FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS r (cadence, slot_from, slot_until, shift)
CROSS JOIN LATERAL (
  SELECT b.slot + r.shift AS due, b.subscription_id FROM subscription_billing b
  WHERE b.cadence = r.cadence AND b.slot >= r.slot_from AND b.slot < r.slot_until
    AND (b.slot, b.subscription_id) > ($5::bigint - r.shift, $6::uuid)
    AND b.from_ms <= b.slot + r.shift AND b.until_ms > b.slot + r.shift ${filter}
  ORDER BY b.slot, b.subscription_id LIMIT $7) one
ORDER BY due, subscription_id LIMIT $7`
  return queryText<DuePlace>(database, text, values)
}
