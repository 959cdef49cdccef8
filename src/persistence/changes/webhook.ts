/**
 * Webhooks in the database, and their dead letters as the graph reads them.
 *
 * SQL, since Prisma can't read the end of the log while it inserts, nor lock a table.
 */
import type { Topic } from '../../domain/changes/change.ts'
import type { HistoryEntry } from '../../domain/changes/history.ts'
import type { Webhook, WebhookTopic } from '../../domain/changes/webhook.ts'
import type { Prisma, Webhook as Row } from '../../generated/prisma/client.ts'
import type { Table } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'
import { type KeysetList, keysetList, keysetTotals } from '../loading/keyset.ts'
import { recordsById } from '../loading/loader.ts'
import { entryColumns } from './history.ts'

/** The table of webhooks. The change log has them without their secrets. */
export const webhookTable: Table<Row, Webhook> = {
  model: 'webhook',
  fromRow: (row) => ({
    ...row,
    topics: row.topics as WebhookTopic[],
    previousSecretUntil: row.previousSecretUntil?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }),
  toRow: ({ topics, previousSecretUntil, createdAt, updatedAt, ...hook }): Prisma.WebhookUncheckedCreateInput => ({
    ...hook,
    topics: [...topics],
    previousSecretUntil: previousSecretUntil === null ? null : new Date(previousSecretUntil),
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
  }),
  toLog: ({ secret: _, previousSecret: __, ...logged }) => logged,
}

/** A dead letter: an event that no attempt delivered, and its entry of the change log. */
export interface DeadLetter extends Omit<HistoryEntry, 'topic'> {
  readonly topic: Topic
  readonly attempts: number
  readonly failure: string | null
  /** The instant of the last attempt, epoch milliseconds. */
  readonly failedAt: number | null
}

type DeadLetterRow = Omit<DeadLetter, 'at' | 'failedAt'> & { readonly at: Date; readonly failedAt: Date | null }

const deadLetters: KeysetList<DeadLetterRow> = {
  order: [{ column: 'e.change_id', type: 'int8' }],
  from: 'webhook_event e JOIN change i ON i.id = e.change_id AND e.due_at IS NULL',
  parent: 'e.webhook_id',
  columns: `${entryColumns}, e.attempts, e.failure, e.failed_at AS "failedAt"`,
}

const waiting: KeysetList<object> = {
  ...deadLetters,
  from: 'webhook_event e',
  where: { sql: (now) => `e.due_at > ${now}`, value: '-infinity' },
  columns: '1',
}

/** The factories of a request's loaders. */
export const webhookLoaders = {
  webhookById: recordsById('webhooks', webhookTable),
  deadLetterListByWebhookId: keysetList(deadLetters, ({ at, failedAt, ...row }: DeadLetterRow): DeadLetter => {
    return { ...row, at: at.getTime(), failedAt: failedAt?.getTime() ?? null }
  }),
  waitingEventTotalByWebhookId: keysetTotals(waiting),
}

/** Makes a new webhook begin at the current end of the change log. One statement. */
export async function startAtLogEnd(tx: Transaction, webhookId: string, now: number): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO webhook_position (webhook_id, seen, seen_entry, until, entry, read_at)
    SELECT ${webhookId}::uuid, snapshot, id, snapshot, id, ${new Date(now)}
    FROM (SELECT pg_current_snapshot()::text AS snapshot, coalesce((SELECT max(id) FROM change), 0) AS id) log_end`
}

/** The number of webhooks, under a lock that makes creates run one after another. Two statements. */
export async function lockWebhookCount(tx: Transaction): Promise<number> {
  await tx.$executeRaw`LOCK TABLE webhook IN SHARE ROW EXCLUSIVE MODE`
  return tx.webhook.count()
}

/**
 * Makes dead letters due again, with all their attempts: those with the ids, or all for null. Returns their number. One
 * statement.
 */
export async function requeueDeadLetters(
  tx: Transaction,
  webhookId: string,
  ids: readonly number[] | null,
  now: number,
): Promise<number> {
  const given = ids === null ? null : [...ids]
  return tx.$executeRaw`
    UPDATE webhook_event SET due_at = ${new Date(now)}, attempts = 0
    WHERE webhook_id = ${webhookId}::uuid AND due_at IS NULL AND (${given}::bigint[] IS NULL OR change_id = ANY (${given}::bigint[]))`
}
