/**
 * Change log, written: an entry for each record that a transaction changes, with its author
 * (history.entry-for-every-write).
 *
 * The functions that write records report what they change. A transaction writes its entries by its last statement,
 * while it holds the locks of the records, so that ids rise in the order of the changes of each record
 * (history.order-of-writing). Reading is in persistence/changes.
 */
import { NO_SCOPE } from '../../domain/changes/change.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { columnOf, type Model } from './columns.ts'
import type { Queryable } from './query.ts'
import { CHANGE_CHANNEL } from './schema.ts'

/** Who writes, and by which operation: the name of the mutation or of REST's command, or `import`. */
export interface Author {
  /** The subject of the token. */
  readonly subject: string
  readonly role: 'admin' | 'shopper'
  readonly operation: string
}

/** The records of a table, as the log has them. */
export interface LoggedTable<Item> {
  readonly model: Model
  /** The id of the record to whose subscribers a change is sent; absent for none. */
  readonly scopeOf?: (item: Item) => string
  /**
   * The record without secrets (history.no-secrets), and without large members that never change; absent for the whole
   * record.
   */
  readonly toLog?: (item: Item) => object
}

interface LogEntry {
  readonly topic: string
  readonly scope: string
  readonly id: string
  readonly before: object | undefined
  readonly after: object | undefined
}

/** The entries that a transaction has yet to write, and details for entries to come. */
interface PendingLog {
  readonly author: Author
  readonly entries: LogEntry[]
  /** Details of records by id, for entries that are not reported yet. */
  readonly details: Map<string, object>
}

/** By the client of each open transaction. */
const pendingLogs = new WeakMap<object, PendingLog>()

/** Opens the log of a transaction. */
export function openChangeLog(tx: object, author: Author): void {
  pendingLogs.set(tx, { author, entries: [], details: new Map() })
}

/** Reports a change of a record: `before` is null for a new one, `after` for a deleted one. Sends no statement. */
export function logChange<Item extends { readonly id: string }>(
  tx: object,
  table: LoggedTable<Item>,
  before: Item | null,
  after: Item | null,
): void {
  const { entries, details } = pendingOf(tx)
  const entry = entryOf(table, before, after)
  entries.push(withDetails(entry, details.get(entry.id)))
  details.delete(entry.id)
}

/**
 * Adds members to the `after` of a record's change: to its creation when that was reported last, otherwise to its next
 * change. Sends no statement.
 */
export function logDetails(tx: object, recordId: string, given: object): void {
  const { entries, details } = pendingOf(tx)
  const last = entries.at(-1)
  if (last?.id === recordId && last.before === undefined) entries[entries.length - 1] = withDetails(last, given)
  else details.set(recordId, { ...details.get(recordId), ...given })
}

/** The changes of records, which the log has whole, that the transaction has reported since its log was opened. */
export function changesOf<Item extends { readonly id: string }>(
  tx: object,
  { model }: LoggedTable<Item>,
): { readonly before: Item | null; readonly after: Item | null }[] {
  const entries = pendingOf(tx).entries.filter(({ topic }) => topic === columnOf(model))
  return entries.map(({ before, after }) => ({
    before: (before ?? null) as Item | null,
    after: (after ?? null) as Item | null,
  }))
}

/**
 * Writes the entries of a transaction: one statement, or none when nothing changed (history.nothing-without-a-write).
 */
export async function writeChangeLog(tx: Prisma.TransactionClient): Promise<void> {
  const { author, entries } = pendingOf(tx)
  if (entries.length > 0) await tx.$executeRawUnsafe(insertEntries, ...authorValues(author), ...linesOf(entries))
}

/** Writes an entry in the transaction of a connection of the pool. One statement. */
export async function logChangeOn<Item extends { readonly id: string }>(
  on: Queryable,
  author: Author,
  table: LoggedTable<Item>,
  before: Item | null,
  after: Item | null,
): Promise<void> {
  await on.query(insertEntries, [...authorValues(author), ...linesOf([entryOf(table, before, after)])])
}

/**
 * Writes entries that a query finds, such as those of records that a deletion takes along
 * (history.cascades-are-entries). One statement.
 */
export async function logFound(
  tx: Prisma.TransactionClient,
  found: string,
  ...values: readonly unknown[]
): Promise<void> {
  await tx.$executeRawUnsafe(insertFound(found), ...authorValues(pendingOf(tx).author), ...values)
}

/**
 * The statement that inserts the entries of `found`: a query for `topic`, `scope`, `record_id`, `before` and `after`,
 * with parameters from $4 on.
 */
function insertFound(found: string): string {
  return `
    WITH logged AS (
      INSERT INTO change (xid, subject, role, operation, topic, scope, record_id, before, after, created_at)
      SELECT (SELECT pg_current_xact_id()::text::bigint), $1, $2, $3, topic, scope, record_id, before, after, clock_timestamp()
      FROM (${found}) found
    )
    SELECT pg_notify(${CHANGE_CHANNEL}, '')`
}

// Each member of the entries is one parameter with a line for each entry, since no JSON text has a line break.
// PostgreSQL splits lines in a quarter of the time that it takes to find the members in one JSON text.
const lines = [4, 5, 6, 7, 8].map((parameter) => `string_to_table($${parameter}, chr(10))`)
const insertEntries = insertFound(`
  SELECT e.topic, e.scope::uuid AS scope, e.id::uuid AS record_id, nullif(e.before, '')::json AS before, nullif(e.after, '')::json AS after
  FROM ROWS FROM (${lines.join(', ')}) AS e (topic, scope, id, before, after)`)

/** The parameters of `insertEntries` from $4 on. */
function linesOf(entries: readonly LogEntry[]): string[] {
  const linesWith = (text: (entry: LogEntry) => string): string => entries.map(text).join('\n')
  const json = (record: object | undefined): string => (record ? JSON.stringify(record) : '')
  return [
    linesWith(({ topic }) => topic),
    linesWith(({ scope }) => scope),
    linesWith(({ id }) => id),
    linesWith(({ before }) => json(before)),
    linesWith(({ after }) => json(after)),
  ]
}

function entryOf<Item extends { readonly id: string }>(
  table: LoggedTable<Item>,
  before: Item | null,
  after: Item | null,
): LogEntry {
  const { model, scopeOf, toLog = (item) => item } = table
  const item = (after ?? before) as Item
  return {
    topic: columnOf(model),
    scope: scopeOf?.(item) ?? NO_SCOPE,
    id: item.id,
    before: before === null ? undefined : toLog(before),
    after: after === null ? undefined : toLog(after),
  }
}

function withDetails(entry: LogEntry, details: object | undefined): LogEntry {
  return details && entry.after ? { ...entry, after: { ...entry.after, ...details } } : entry
}

function authorValues({ subject, role, operation }: Author): string[] {
  return [subject, role, operation]
}

function pendingOf(tx: object): PendingLog {
  const pending = pendingLogs.get(tx)
  if (!pending) throw new Error('records are written inside of inTransaction')
  return pending
}
