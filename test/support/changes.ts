/** Entries of the change log as writers leave them, of records that need not exist. */
import type { Subject } from '../../src/domain/changes/change.ts'
import type { Queryable } from '../../src/persistence/database/query.ts'
import { CHANGE_CHANNEL } from '../../src/persistence/database/schema.ts'

/** Notes that records were created, or deleted, in the transaction of a connection. One statement. */
export async function noteChanges(
  on: Queryable,
  { topic, scope }: Subject,
  ids: readonly string[],
  kind = 'created',
): Promise<void> {
  const [before, after] = kind === 'created' ? [null, '{}'] : ['{}', null]
  await on.query(
    `WITH noted AS (
       INSERT INTO change (xid, topic, scope, record_id, before, after, operation, subject, role, created_at)
       SELECT (SELECT pg_current_xact_id()::text::bigint), $1, $2, r.id, $3, $4, 'test', 'test', 'admin', clock_timestamp()
       FROM unnest($5::uuid[]) AS r (id))
     SELECT pg_notify(${CHANGE_CHANNEL}, '')`,
    [topic, scope, before, after, ids],
  )
}
