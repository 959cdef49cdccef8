/**
 * Webhook attempts: which queued events a server sends now, and what became of them.
 *
 * A server claims an event by moving its due instant past the end of the attempt. No other server sends it meanwhile,
 * and any server does when that instant has passed without a result. SQL, since Prisma can't claim with SKIP LOCKED.
 */
import type { HistoryEntry } from '../../domain/changes/history.ts'
import type { Webhook } from '../../domain/changes/webhook.ts'
import { epochMs } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import { type EntryRow, entryColumns, toEntry } from './history.ts'

/** An event that this server is to send now. */
export interface ClaimedEvent {
  readonly entry: HistoryEntry
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /**
   * Where the event goes and what signs it, as stored when it was claimed. So it has every change of the webhook that
   * came before the event.
   */
  readonly target: Pick<Webhook, 'url' | 'secret' | 'previousSecret' | 'previousSecretUntil'>
}

// An event waits for all earlier events of its record that are not dead letters (webhook.order-per-record). If its
// entry was pruned while it was queued, since its webhook was paused longer than history is kept, it is removed: it
// could never be sent.
const claimDue = `
  WITH due AS (
    SELECT e.change_id, EXISTS (SELECT FROM change WHERE id = e.change_id) AS is_kept FROM webhook_event e
    WHERE e.webhook_id = $1 AND e.due_at <= $2 AND (SELECT enabled FROM webhook WHERE id = $1) AND NOT EXISTS (
      SELECT FROM webhook_event earlier WHERE earlier.webhook_id = e.webhook_id AND earlier.record_id = e.record_id
        AND earlier.change_id < e.change_id AND earlier.due_at IS NOT NULL)
    ORDER BY e.due_at, e.change_id LIMIT $4 FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_event e SET attempts = attempts + 1, due_at = $3 FROM due
    WHERE e.webhook_id = $1 AND e.change_id = due.change_id AND is_kept RETURNING e.change_id, e.attempts
  ), gone AS (
    DELETE FROM webhook_event e USING due WHERE e.webhook_id = $1 AND e.change_id = due.change_id AND NOT is_kept)
  SELECT ${entryColumns}, claimed.attempts AS attempt, json_build_object('url', w.url, 'secret', w.secret,
    'previousSecret', w.previous_secret, 'previousSecretUntil', ${epochMs('w.previous_secret_until')}) AS target
  FROM claimed JOIN change i ON i.id = claimed.change_id JOIN webhook w ON w.id = $1 ORDER BY i.id`

/**
 * Claims up to `limit` due events of an enabled webhook until the instant `until`, in epoch milliseconds. One
 * statement.
 */
export async function claimEvents(
  database: Database,
  hookId: string,
  now: number,
  until: number,
  limit: number,
): Promise<ClaimedEvent[]> {
  const values = [hookId, new Date(now), new Date(until), limit]
  const rows = await database.query<EntryRow & Omit<ClaimedEvent, 'entry'>>('webhook-claim', claimDue, values)
  return rows.map(({ attempt, target, ...row }) => ({ entry: toEntry(row), attempt, target }))
}

/** An attempt: of which event, for which webhook, and its number. */
export interface Attempt {
  readonly hookId: string
  readonly entryId: number
  readonly attempt: number
}

// The number of the attempt keeps a late result from counting for a later attempt.
const ofAttempt = 'WHERE webhook_id = $1 AND change_id = $2 AND attempts = $3'

/** Removes an event that was acknowledged. One statement. */
export async function removeDelivered(database: Database, { hookId, entryId, attempt }: Attempt): Promise<void> {
  await database.query('webhook-delivered', `DELETE FROM webhook_event ${ofAttempt}`, [hookId, entryId, attempt])
}

/**
 * A failed attempt: why it failed, where it went, and when the next attempt is due there and at another URL; null for
 * no next one.
 */
export interface Failure {
  readonly failure: string
  readonly url: string
  /** Epoch milliseconds. */
  readonly dueAt: number | null
  readonly dueElsewhereAt: number | null
}

// The lock waits for an update of the webhook. That update would not find this event among those that another URL makes
// due (makeWaitingDue).
const storeFailed = `
  WITH hook AS MATERIALIZED (SELECT url FROM webhook WHERE id = $1 FOR SHARE
  ), failed AS (
    UPDATE webhook_event SET due_at = CASE WHEN hook.url = $4 THEN $5::timestamptz ELSE $6::timestamptz END, failure = $7, failed_at = $8
    FROM hook ${ofAttempt} RETURNING webhook_id, record_id, change_id, due_at
  ), held_back AS (
    UPDATE webhook_event later SET due_at = failed.due_at FROM failed
    WHERE later.webhook_id = failed.webhook_id AND later.record_id = failed.record_id AND later.change_id > failed.change_id
      AND later.due_at < failed.due_at)
  SELECT due_at IS NULL AS "isDead" FROM failed`

/**
 * Stores that an attempt failed at `now`, epoch milliseconds. Returns whether the event is a dead letter now. One
 * statement.
 */
export async function storeFailure(
  database: Database,
  { hookId, entryId, attempt }: Attempt,
  { failure, url, dueAt, dueElsewhereAt }: Failure,
  now: number,
): Promise<boolean> {
  const [due, dueElsewhere] = [dueAt, dueElsewhereAt].map((at) => (at === null ? null : new Date(at)))
  const values = [hookId, entryId, attempt, url, due, dueElsewhere, failure, new Date(now)]
  const [stored] = await database.query<{ isDead: boolean }>('webhook-failed', storeFailed, values)
  return stored?.isDead ?? false
}

/** Gives back an event whose attempt a stopping server broke off. One statement. */
export async function releaseEvent(
  database: Database,
  { hookId, entryId, attempt }: Attempt,
  now: number,
): Promise<void> {
  const text = `UPDATE webhook_event SET due_at = $4, attempts = attempts - 1 ${ofAttempt}`
  await database.query('webhook-release', text, [hookId, entryId, attempt, new Date(now)])
}
