/** The table of changes (domain/changes/change.ts), which triggers write. */
import type { ChangeLogEntry, Subject } from '../../domain/changes/change.ts'
import type { Database } from '../database/database.ts'

/** How long notes are kept for clients that come back; the last note of each scope stays. */
export const CHANGE_RETENTION_MS = 24 * 60 * 60 * 1000

/** Notes of one statement. */
export const LOG_PAGE = 500

/** The snapshot of this moment. */
export async function currentSnapshot(database: Database): Promise<string> {
  const rows = await database.query<{ snapshot: string }>('change-snapshot', 'SELECT pg_current_snapshot()::text AS snapshot')
  return rows[0]?.snapshot ?? ''
}

export interface ChangeLogRead {
  readonly entries: readonly ChangeLogEntry[]
  /** What the statement could see; undefined when there is nothing new. */
  readonly snapshot: string | undefined
}

const COLUMNS = 'id, xid, topic, scope, record_ids AS "recordIds", pg_current_snapshot()::text AS snapshot'
// The first condition is the index's: long transactions hold xmin back, so the second tells.
const UNSEEN = 'xid >= pg_snapshot_xmin($1::pg_snapshot)::text::bigint AND NOT pg_visible_in_snapshot(xid::text::xid8, $1::pg_snapshot)'

/** What `seen` does not show, in the order of ids from beyond `afterId` on, at most LOG_PAGE; of one subject when it is given. */
export async function readChangeLog(database: Database, seen: string, afterId: number, subject?: Subject): Promise<ChangeLogRead> {
  const rows = subject
    ? await database.query<ChangeLogEntry & { snapshot: string }>(
        'change-log-of',
        `SELECT ${COLUMNS} FROM change WHERE topic = $3 AND scope = $4 AND ${UNSEEN} AND id > $2 ORDER BY id LIMIT ${LOG_PAGE}`,
        [seen, afterId, subject.topic, subject.scope],
      )
    : await database.query<ChangeLogEntry & { snapshot: string }>(
        'change-log',
        `SELECT ${COLUMNS} FROM change WHERE ${UNSEEN} AND id > $2 ORDER BY id LIMIT ${LOG_PAGE}`,
        [seen, afterId],
      )
  return { entries: rows, snapshot: rows[0]?.snapshot }
}

/** Whether the subject's note is still there: then none after it is gone. */
export async function hasLogEntry(database: Database, { topic, scope }: Subject, id: number): Promise<boolean> {
  const rows = await database.query<object>('change-log-has', 'SELECT 1 FROM change WHERE id = $1 AND topic = $2 AND scope = $3', [
    id,
    topic,
    scope,
  ])
  return rows.length > 0
}

/** Removes notes older than CHANGES_KEPT_MS, save the last of each scope, by which its clients know that they missed nothing. */
export async function pruneChangeLog(database: Database, now: number): Promise<void> {
  await database.query(
    'change-log-prune',
    `DELETE FROM change old WHERE created_at < $1
       AND EXISTS (SELECT FROM change newer WHERE newer.topic = old.topic AND newer.scope = old.scope AND newer.id > old.id)`,
    [new Date(now - CHANGE_RETENTION_MS)],
  )
}
