/**
 * Change log, read: where it ends, what follows a cursor, and its pruning. persistence/database/change-log.ts writes
 * it. SQL, since cursors are PostgreSQL's snapshots.
 */
import {
  type ChangeCursor,
  type ChangeLogEntry,
  isAfter,
  type Subject,
  type Topic,
  type VisibleEntry,
} from '../../domain/changes/change.ts'
import { isVisible, parseSnapshot } from '../../domain/changes/transaction-snapshot.ts'
import type { Database } from '../database/database.ts'

/** Entries that one statement reads at most. */
export const LOG_PAGE = 500
/** Entries that one statement prunes at most. */
const PRUNED_AT_ONCE = 10_000

/** The end of the log as one statement sees it. */
export interface LogEnd {
  /** As PostgreSQL writes it. */
  readonly snapshot: string
  /** The highest visible id; 0 without an entry. */
  readonly id: number
}

/** The current end of the log. One statement. */
export async function logEnd(database: Database): Promise<LogEnd> {
  const text = 'SELECT pg_current_snapshot()::text AS snapshot, coalesce((SELECT max(id) FROM change), 0) AS id'
  const [end] = await database.query<LogEnd>('change-log-end', text)
  return end ?? { snapshot: '', id: 0 }
}

/** The cursor after all entries that are visible at an end. */
export function cursorAtEnd({ snapshot, id }: LogEnd): ChangeCursor {
  return { from: snapshot, fromId: id, to: snapshot, id }
}

const columns = `id, xid, topic, scope, record_id AS "recordId",
  CASE WHEN before IS NULL THEN 'created' WHEN after IS NULL THEN 'deleted' ELSE 'updated' END AS kind`

/**
 * The ids up to $2 that the snapshot of a cursor does not show. A transaction that was running then may have drawn its
 * ids before.
 */
const drawnBefore = `
  SELECT id FROM change WHERE xid >= $3 AND id <= $2 UNION ALL SELECT id FROM change WHERE xid = ANY ($4::bigint[]) AND id <= $2`

/**
 * The entries after a cursor that `end` shows, of some topics or of one subject, by rising id, page by page. Reading a
 * page costs only that page.
 */
export async function* entriesAfter(
  database: Database,
  after: ChangeCursor,
  end: LogEnd,
  of: Subject | readonly Topic[],
): AsyncGenerator<VisibleEntry[], void> {
  const [seen, until] = [parseSnapshot(after.to), parseSnapshot(end.snapshot)]
  if (!seen || !until || (after.from === end.snapshot && after.fromId === end.id)) return
  const pages = async function* (name: string, from: string, first: number, last: number, values: readonly unknown[]) {
    const at = values.length + 3
    const [kind, condition, wanted] =
      'scope' in of
        ? ['subject', `topic = $${at} AND scope = $${at + 1}`, [of.topic, of.scope]]
        : ['topics', `topic = ANY ($${at})`, [of]]
    const text = `${from} WHERE id > $1 AND id <= $2 AND ${condition} ORDER BY id LIMIT ${LOG_PAGE}`
    for (let id = first; id < last; ) {
      const entries = await database.query<ChangeLogEntry>(`change-log-${name}-${kind}`, text, [
        id,
        last,
        ...values,
        ...wanted,
      ])
      const found = entries.filter((entry) => isVisible(until, entry.xid) && isAfter(after, entry))
      if (found.length > 0)
        yield found.map((entry) => ({ ...entry, from: after.from, fromId: after.fromId, to: end.snapshot }))
      id = entries.length < LOG_PAGE ? last : (entries.at(-1)?.id ?? last)
    }
  }
  const missed = `WITH missed AS MATERIALIZED (${drawnBefore}) SELECT ${columns} FROM missed JOIN change USING (id)`
  yield* pages('missed', missed, 0, after.id, [seen.xmax, seen.running])
  yield* pages('later', `SELECT ${columns} FROM change`, after.id, end.id, [])
}

/** Whether the subject's entry is still stored. Then no later entry has been pruned either. One statement. */
export async function hasLogEntry(database: Database, { topic, scope }: Subject, id: number): Promise<boolean> {
  const text = 'SELECT 1 FROM change WHERE id = $1 AND topic = $2 AND scope = $3'
  return (await database.query<object>('change-log-has', text, [id, topic, scope])).length > 0
}

/**
 * Marks the entries of a restored dump as visible. A new server counts its transactions anew, and would take theirs for
 * transactions that have not begun yet. One statement.
 */
export async function settleRestoredEntries(database: Database): Promise<void> {
  const text = 'UPDATE change SET xid = 1 WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint'
  await database.query('change-log-settle', text)
}

/**
 * Deletes dead letters and entries older than `keptFrom`, epoch milliseconds (history.kept-for-days). It keeps entries
 * that a webhook has yet to get, and the last entry of each topic and scope: a client that resumes after that one has
 * missed nothing. A statement for every PRUNED_AT_ONCE old entries, and two more.
 */
export async function pruneChangeLog(database: Database, keptFrom: number): Promise<void> {
  const expired = 'DELETE FROM webhook_event WHERE due_at IS NULL AND failed_at < $1'
  await database.query('webhook-prune', expired, [new Date(keptFrom)])
  let after: OldEntry | undefined = { at: new Date(0), id: 0 }
  while (after)
    [after] = await database.query<OldEntry>('change-log-prune', prune, [new Date(keptFrom), after.at, after.id])
}

interface OldEntry {
  readonly at: Date
  readonly id: number
}

// The last entry of each kind is found once for a page. Comparing every entry with all later ones would take the square
// of their number.
const prune = `
  WITH old AS MATERIALIZED (
    SELECT id, topic, scope, created_at FROM change
    WHERE created_at < $1 AND (created_at, id) > ($2, $3) ORDER BY created_at, id LIMIT ${PRUNED_AT_ONCE}
  ), last AS MATERIALIZED (
    SELECT kind.topic, kind.scope, newest.id FROM (SELECT DISTINCT topic, scope FROM old) kind CROSS JOIN LATERAL (
      SELECT id FROM change WHERE scope = kind.scope AND topic = kind.topic ORDER BY id DESC LIMIT 1) newest
  ), deleted AS (
    DELETE FROM change USING old JOIN last USING (topic, scope)
    WHERE change.id = old.id AND old.id < last.id AND NOT EXISTS (SELECT FROM webhook_event queued WHERE queued.change_id = old.id))
  SELECT created_at AS at, id FROM old ORDER BY created_at DESC, id DESC LIMIT 1`
