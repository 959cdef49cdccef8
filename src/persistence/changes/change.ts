/** Change log: reads and prunes the table of changes, which database triggers write (domain/changes/change.ts). */
import type { ChangeLogEntry, Subject } from '../../domain/changes/change.ts'
import type { Database } from '../database/database.ts'

/** Milliseconds for which entries are kept for clients that resume; the last entry of each scope is never pruned. */
export const CHANGE_RETENTION_MS = 24 * 60 * 60 * 1000

/** Entries that one statement reads at most. */
export const LOG_PAGE = 500

/** The current snapshot, as PostgreSQL writes it. */
export async function currentSnapshot(database: Database): Promise<string> {
  const rows = await database.query<{ snapshot: string }>('change-snapshot', 'SELECT pg_current_snapshot()::text AS snapshot')
  return rows[0]?.snapshot ?? ''
}

/** One page of the change log. */
export interface ChangeLogRead {
  readonly entries: readonly ChangeLogEntry[]
  /** The snapshot of the statement; undefined when it read no entry. */
  readonly snapshot: string | undefined
}

const COLUMNS = 'id, xid, topic, scope, record_ids AS "recordIds", pg_current_snapshot()::text AS snapshot'
// The first condition uses the index; long transactions hold xmin back, so only the second is exact.
const UNSEEN = 'xid >= pg_snapshot_xmin($1::pg_snapshot)::text::bigint AND NOT pg_visible_in_snapshot(xid::text::xid8, $1::pg_snapshot)'

/**
 * The entries that the snapshot `seen` does not show, with ids above `afterId` in their order, LOG_PAGE at most; of one subject if given.
 */
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

/** Whether the subject's entry is still stored; then no later entry has been pruned either. */
export async function hasLogEntry(database: Database, { topic, scope }: Subject, id: number): Promise<boolean> {
  const rows = await database.query<object>('change-log-has', 'SELECT 1 FROM change WHERE id = $1 AND topic = $2 AND scope = $3', [
    id,
    topic,
    scope,
  ])
  return rows.length > 0
}

/**
 * Deletes entries older than CHANGE_RETENTION_MS, except the last of each scope: a client that resumes from it has missed nothing.
 * `now` is epoch milliseconds.
 */
export async function pruneChangeLog(database: Database, now: number): Promise<void> {
  await database.query(
    'change-log-prune',
    `DELETE FROM change old WHERE created_at < $1
       AND EXISTS (SELECT FROM change newer WHERE newer.topic = old.topic AND newer.scope = old.scope AND newer.id > old.id)`,
    [new Date(now - CHANGE_RETENTION_MS)],
  )
}
