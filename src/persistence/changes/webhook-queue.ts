/** Webhook queue: the events that webhooks have yet to acknowledge.
 *
 *  Entries of the change log are queued for each webhook in the statement that moves its position on, so that a server that is killed at
 *  any moment loses none (webhook.at-least-once), and of several servers one moves it. A server claims an event by moving its due instant
 *  past the end of the attempt: no other one sends it meanwhile, and any one does when that has passed without a result.
 *
 *  SQL, since Prisma can't move and queue, or claim with SKIP LOCKED, in one statement. */
import { type ChangeCursor, cursorAfter, type VisibleEntry } from '../../domain/changes/change.ts'
import type { HistoryEntry } from '../../domain/changes/history.ts'
import type { Webhook } from '../../domain/changes/webhook.ts'
import type { Webhook as Row } from '../../generated/prisma/client.ts'
import { columnsOf, epochMs } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import type { Transaction } from '../database/transaction.ts'
import { cursorAtEnd, entriesAfter, type LogEnd, logEnd } from './change.ts'
import { type EntryRow, entryColumns, toEntry } from './history.ts'
import { webhookTable } from './webhook.ts'

/** A webhook that is enabled, and up to where the change log has been read for it. */
export interface ActiveWebhook {
  readonly hook: Webhook
  readonly position: ChangeCursor
  /** When it was moved, epoch milliseconds. */
  readonly readAt: number
}

/**
 * Milliseconds for which a claimed event is its server's: an attempt, and as long again for what delays its result and for servers whose
 * clocks differ. An event whose server was killed is sent again after them (webhook.one-server-at-a-time).
 */
export const CLAIM_MS = 20_000
/** Milliseconds after which a position is moved although nothing was found. */
const MOVE_EVERY_MS = 60_000

type ActiveRow = Row & {
  readonly seen: string
  readonly seenEntry: number
  readonly until: string
  readonly entry: number
  readonly readAt: Date
}

/** The enabled webhooks. One statement. */
export async function activeWebhooks(database: Database): Promise<ActiveWebhook[]> {
  const text = `
    SELECT ${columnsOf('webhook')}, p.seen, p.seen_entry AS "seenEntry", p.until, p.entry, p.read_at AS "readAt"
    FROM webhook i JOIN webhook_position p ON p.webhook_id = i.id WHERE i.enabled ORDER BY i.id`
  const rows = await database.query<ActiveRow>('webhooks-active', text)
  return rows.map(({ seen, seenEntry, until, entry, readAt, ...row }) => {
    return { hook: webhookTable.fromRow(row), position: { from: seen, fromId: seenEntry, to: until, id: entry }, readAt: readAt.getTime() }
  })
}

/**
 * Queues the entries of the log for the webhooks that name their kinds, since they were read last (webhook.named-kinds-only); `now` is
 * epoch milliseconds. Returns whether there was anything.
 */
export async function queueNewEvents(database: Database, active: readonly ActiveWebhook[], now: number): Promise<boolean> {
  if (active.length === 0) return false
  const end = await logEnd(database)
  let queued = false
  for (const one of active) queued = (await queueFor(database, one, end, now)) || queued
  return queued
}

async function queueFor(database: Database, { hook, position, readAt }: ActiveWebhook, end: LogEnd, now: number): Promise<boolean> {
  let at = position
  let queued = false
  for await (const page of entriesAfter(database, position, end, hook.topics)) {
    const last = page.at(-1) as VisibleEntry
    const next = cursorAfter(last)
    // Another server moved it on meanwhile, or it was updated.
    if (!(await move(database, hook, at, next, page, now))) return queued
    at = next
    queued = true
  }
  if (queued || position.id !== end.id || now - readAt >= MOVE_EVERY_MS) await move(database, hook, at, cursorAtEnd(end), [], now)
  return queued
}

// Only while the webhook has the topics that the entries were found by: with others it would pass, for good, entries that they name.
// Events that wait for a failed one are due at its instant, so that they are not looked at before; but not at one that may be the end of a
// claim, since its attempt may succeed any moment.
const moveOn = `
  WITH moved AS (
    UPDATE webhook_position SET seen = $5, seen_entry = $11, until = $6, entry = $7, read_at = $8
    WHERE webhook_id = $1 AND seen = $2 AND until = $3 AND entry = $4
      AND EXISTS (SELECT FROM webhook WHERE id = $1 AND topics = $13) RETURNING webhook_id
  ), queued AS (
    INSERT INTO webhook_event (webhook_id, change_id, record_id, attempts, due_at)
    SELECT moved.webhook_id, found.change_id, found.record_id, 0, greatest($8, (
      SELECT max(earlier.due_at) FROM webhook_event earlier
      WHERE earlier.webhook_id = moved.webhook_id AND earlier.record_id = found.record_id AND earlier.failure IS NOT NULL
        AND earlier.due_at > $12))
    FROM moved, unnest($9::bigint[], $10::uuid[]) AS found (change_id, record_id)
    ON CONFLICT DO NOTHING)
  SELECT webhook_id FROM moved`

/** Moves a webhook's position and queues the entries between; false when it is no longer at `at`, or has other topics by now. */
async function move(
  database: Database,
  hook: Webhook,
  at: ChangeCursor,
  next: ChangeCursor,
  entries: readonly VisibleEntry[],
  now: number,
): Promise<boolean> {
  const [ids, recordIds] = [entries.map(({ id }) => id), entries.map(({ recordId }) => recordId)]
  const positions = [at.from, at.to, at.id, next.from, next.to, next.id]
  const values = [hook.id, ...positions, new Date(now), ids, recordIds, next.fromId, new Date(now + CLAIM_MS), hook.topics]
  return (await database.query<object>('webhook-move', moveOn, values)).length > 0
}

/** An event that this server is to send now. */
export interface ClaimedEvent {
  readonly entry: HistoryEntry
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /** Where it goes and what signs it, as stored when it was claimed: later than any change of the webhook that the event follows. */
  readonly target: Pick<Webhook, 'url' | 'secret' | 'previousSecret' | 'previousSecretUntil'>
}

// An event waits for all earlier ones of its record that are not dead letters (webhook.order-per-record).
const claimDue = `
  WITH due AS (
    SELECT e.change_id FROM webhook_event e
    WHERE e.webhook_id = $1 AND e.due_at <= $2 AND (SELECT enabled FROM webhook WHERE id = $1) AND NOT EXISTS (
      SELECT FROM webhook_event earlier WHERE earlier.webhook_id = e.webhook_id AND earlier.record_id = e.record_id
        AND earlier.change_id < e.change_id AND earlier.due_at IS NOT NULL)
    ORDER BY e.due_at, e.change_id LIMIT $4 FOR UPDATE SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_event e SET attempts = attempts + 1, due_at = $3 FROM due
    WHERE e.webhook_id = $1 AND e.change_id = due.change_id RETURNING e.change_id, e.attempts)
  SELECT ${entryColumns}, claimed.attempts AS attempt, json_build_object('url', w.url, 'secret', w.secret,
    'previousSecret', w.previous_secret, 'previousSecretUntil', ${epochMs('w.previous_secret_until')}) AS target
  FROM claimed JOIN change i ON i.id = claimed.change_id JOIN webhook w ON w.id = $1 ORDER BY i.id`

/** Claims up to `limit` events of an enabled webhook that are due, until the instant `until`; epoch milliseconds. One statement. */
export async function claimEvents(database: Database, hookId: string, now: number, until: number, limit: number): Promise<ClaimedEvent[]> {
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

// The number of the attempt keeps a late result away from a later attempt.
const ofAttempt = 'WHERE webhook_id = $1 AND change_id = $2 AND attempts = $3'

/** Removes an event that was acknowledged. One statement. */
export async function removeDelivered(database: Database, { hookId, entryId, attempt }: Attempt): Promise<void> {
  await database.query('webhook-delivered', `DELETE FROM webhook_event ${ofAttempt}`, [hookId, entryId, attempt])
}

/** Stores that an attempt failed: the next one is due at `dueAt`; null makes it a dead letter. Epoch milliseconds. One statement. */
export async function storeFailure(
  database: Database,
  { hookId, entryId, attempt }: Attempt,
  failure: string,
  now: number,
  dueAt: number | null,
): Promise<void> {
  const text = `
    WITH failed AS (
      UPDATE webhook_event SET due_at = $4, failure = $5, failed_at = $6 ${ofAttempt} RETURNING webhook_id, record_id, change_id, due_at)
    UPDATE webhook_event later SET due_at = failed.due_at FROM failed
    WHERE later.webhook_id = failed.webhook_id AND later.record_id = failed.record_id AND later.change_id > failed.change_id
      AND later.due_at < failed.due_at`
  const due = dueAt === null ? null : new Date(dueAt)
  await database.query('webhook-failed', text, [hookId, entryId, attempt, due, failure, new Date(now)])
}

/**
 * Makes the events due that wait for another attempt, in the caller's transaction; but none whose instant may be the end of a claim, also
 * of one that began after `now` or on a server whose clock is ahead. One statement.
 */
export async function makeWaitingDue(tx: Transaction, hookId: string, now: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_event SET due_at = ${new Date(now)} WHERE webhook_id = ${hookId}::uuid AND due_at > ${new Date(now + 2 * CLAIM_MS)}`
}

/** Gives an event back whose attempt a stopping server broke off. One statement. */
export async function releaseEvent(database: Database, { hookId, entryId, attempt }: Attempt, now: number): Promise<void> {
  const text = `UPDATE webhook_event SET due_at = $4, attempts = attempts - 1 ${ofAttempt}`
  await database.query('webhook-release', text, [hookId, entryId, attempt, new Date(now)])
}
