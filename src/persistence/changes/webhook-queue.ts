/**
 * Webhook queue: the events that webhooks have yet to acknowledge.
 *
 * The statement that moves a webhook's position in the change log also queues the entries that it passes. So a server
 * that is killed at any moment loses none (webhook.at-least-once), and of several servers one moves the position.
 * webhook-attempts.ts says what becomes of the events. SQL, since Prisma can't move and queue in one statement.
 */
import { type ChangeCursor, cursorAfter, type VisibleEntry } from '../../domain/changes/change.ts'
import type { Webhook } from '../../domain/changes/webhook.ts'
import type { Webhook as Row } from '../../generated/prisma/client.ts'
import { columnsOf } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import type { Transaction } from '../database/transaction.ts'
import { cursorAtEnd, entriesAfter, type LogEnd, logEnd } from './change.ts'
import { webhookTable } from './webhook.ts'

/** An enabled webhook, and the position up to which the change log has been read for it. */
export interface ActiveWebhook {
  readonly hook: Webhook
  readonly position: ChangeCursor
  /** When it was moved, epoch milliseconds. */
  readonly readAt: number
}

/**
 * Milliseconds for which a claimed event belongs to its server: those of an attempt, and as many again for a late
 * result and for differences between clocks. After them the event of a killed server is sent again
 * (webhook.one-server-at-a-time).
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
    return {
      hook: webhookTable.fromRow(row),
      position: { from: seen, fromId: seenEntry, to: until, id: entry },
      readAt: readAt.getTime(),
    }
  })
}

/**
 * Queues the entries that came since the last read, for the webhooks that name their kinds (webhook.named-kinds-only).
 * `now` is in epoch milliseconds. Returns whether there was anything.
 */
export async function queueNewEvents(
  database: Database,
  active: readonly ActiveWebhook[],
  now: number,
): Promise<boolean> {
  if (active.length === 0) return false
  const end = await logEnd(database)
  let queued = false
  for (const one of active) queued = (await queueFor(database, one, end, now)) || queued
  return queued
}

async function queueFor(
  database: Database,
  { hook, position, readAt }: ActiveWebhook,
  end: LogEnd,
  now: number,
): Promise<boolean> {
  let at = position
  let queued = false
  for await (const page of entriesAfter(database, position, end, hook.topics)) {
    const last = page.at(-1) as VisibleEntry
    const next = cursorAfter(last)
    // Another server moved the position meanwhile, or the webhook was updated.
    if (!(await move(database, hook, at, next, page, now))) return queued
    at = next
    queued = true
  }
  if (queued || position.id !== end.id || now - readAt >= MOVE_EVERY_MS)
    await move(database, hook, at, cursorAtEnd(end), [], now)
  return queued
}

// Moves on only while the webhook is as it was read: if topics were added since, their entries would be passed for
// good. The lock waits for an update of the URL, which makes due what this statement sees waiting (makeWaitingDue).
// Events that wait for a failed one are due at its instant, so that they are not looked at before. An instant that may
// be the end of a claim does not count, since its attempt may succeed at any moment.
const moveOn = `
  WITH hook AS MATERIALIZED (SELECT id FROM webhook WHERE id = $1 AND updated_at = $13 FOR SHARE
  ), moved AS (
    UPDATE webhook_position SET seen = $5, seen_entry = $11, until = $6, entry = $7, read_at = $8 FROM hook
    WHERE webhook_id = hook.id AND seen = $2 AND until = $3 AND entry = $4 RETURNING webhook_id
  ), queued AS (
    INSERT INTO webhook_event (webhook_id, change_id, record_id, attempts, due_at)
    SELECT moved.webhook_id, found.change_id, found.record_id, 0, greatest($8, (
      SELECT max(earlier.due_at) FROM webhook_event earlier
      WHERE earlier.webhook_id = moved.webhook_id AND earlier.record_id = found.record_id AND earlier.failure IS NOT NULL
        AND earlier.due_at > $12))
    FROM moved, unnest($9::bigint[], $10::uuid[]) AS found (change_id, record_id)
    ON CONFLICT DO NOTHING)
  SELECT webhook_id FROM moved`

/**
 * Moves a webhook's position and queues the entries between. False when the position is no longer `at`, or the webhook
 * was updated.
 */
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
  const values = [
    hook.id,
    ...positions,
    new Date(now),
    ids,
    recordIds,
    next.fromId,
    new Date(now + CLAIM_MS),
    new Date(hook.updatedAt),
  ]
  return (await database.query<object>('webhook-move', moveOn, values)).length > 0
}

/**
 * Makes events due that wait for another attempt, in the caller's transaction. It leaves those whose instant may be the
 * end of a claim, even of one that began after `now` or on a server whose clock is ahead. One statement.
 */
export async function makeWaitingDue(tx: Transaction, hookId: string, now: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE webhook_event SET due_at = ${new Date(now)} WHERE webhook_id = ${hookId}::uuid AND due_at > ${new Date(now + 2 * CLAIM_MS)}`
}
