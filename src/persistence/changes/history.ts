/**
 * History: pages of the change log, of one record, of a sale or of all.
 *
 * SQL, since a sale's entries lie inside those of its price, and Prisma can't bound the log by a subquery.
 */
import { type Topic, topics } from '../../domain/changes/change.ts'
import type { HistoryEntry } from '../../domain/changes/history.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import type { KeysetWindow } from '../../domain/input/page.ts'
import type { Database } from '../database/database.ts'
import { type AddParameter, parametersOf } from '../database/query.ts'
import { queryText } from '../database/statement-name.ts'
import { type KeysetList, type KeysetOrder, keysetClauses, keysetList } from '../loading/keyset.ts'

/** A row with the columns of an entry. */
export type EntryRow = Omit<HistoryEntry, 'at'> & { readonly at: Date }

/** The columns of an entry of the change log `i`. */
export const entryColumns =
  'i.id, i.created_at AS at, i.topic, i.record_id AS "recordId", i.operation, i.subject, i.role, i.before, i.after'

/** The newest first. */
const newestFirst: KeysetOrder = { order: [{ column: 'i.id', type: 'int8' }], descending: true }

/** The entry of a row. */
export function toEntry({ at, ...row }: EntryRow): HistoryEntry {
  return { ...row, at: at.getTime() }
}

function listOf(topic: Topic): KeysetList<EntryRow> {
  return {
    ...newestFirst,
    from: `(SELECT * FROM change WHERE topic = '${topic}') i`,
    parent: 'i.record_id',
    columns: entryColumns,
  }
}

const saleIn = (state: string): string =>
  `(SELECT s.value FROM json_array_elements(c.${state} -> 'sales') s WHERE s.value ->> 'id' = sale.id::text)`

/** The history of a sale: what changed of it in the entries of its price. */
const ofSale: KeysetList<EntryRow> = {
  ...newestFirst,
  from: `(
    SELECT sale.id AS record_id, 'sale' AS topic, c.id, c.created_at, c.operation, c.subject, c.role,
      ${saleIn('before')} AS before, ${saleIn('after')} AS after
    FROM sale JOIN change c ON c.topic = 'product_price' AND c.record_id = sale.product_price_id
    WHERE ${saleIn('before')}::jsonb IS DISTINCT FROM ${saleIn('after')}::jsonb) i`,
  parent: 'i.record_id',
  columns: entryColumns,
}

type HistoryList = ReturnType<typeof keysetList<EntryRow, HistoryEntry>>

const historyOfTopic = Object.fromEntries(topics.map((topic) => [topic, keysetList(listOf(topic), toEntry)])) as Record<
  Topic,
  HistoryList
>

/** The factories of a request's loaders. Each batch is one statement for each distinct topic and window. */
export const historyLoaders = {
  /** A request makes the lists of the topics that it uses. */
  historyListByTopicAndRecordId: (database: Database) => {
    const made = new Map<Topic, ReturnType<HistoryList>>()
    return (topic: Topic) => {
      const list = made.get(topic) ?? historyOfTopic[topic](database)
      made.set(topic, list)
      return list
    }
  },
  historyListBySaleId: keysetList(ofSale, toEntry),
}

/** Which entries to list. All given conditions must hold. */
export interface HistoryFilter {
  readonly topic: Topic | null
  /** Raw id. */
  readonly recordId: string | null
  readonly subject: string | null
  readonly operation: string | null
  /** Epoch milliseconds: the first instant that is listed, and the first one after that which is not. */
  readonly from: number | null
  readonly to: number | null
}

/** The most time between drawing the number of an entry and writing the entry. */
const SLACK = "interval '1 minute'"

// Numbers rise with instants except within the slack, so instants bound the part of the log that is read by number.
const conditions: Readonly<Record<keyof HistoryFilter, (value: string) => string>> = {
  topic: (value) => `i.topic = ${value}`,
  recordId: (value) => `i.record_id = ${value}::uuid`,
  subject: (value) => `md5(i.subject) = md5(${value}) AND i.subject = ${value}`,
  operation: (value) => `i.operation = ${value}`,
  from: (value) => `i.created_at >= ${value}::timestamptz
    AND i.id >= (SELECT id FROM change WHERE created_at >= ${value}::timestamptz - ${SLACK} ORDER BY created_at, id LIMIT 1)`,
  to: (value) => `i.created_at < ${value}::timestamptz
    AND i.id <= (SELECT id FROM change WHERE created_at < ${value}::timestamptz + ${SLACK} ORDER BY created_at DESC, id DESC LIMIT 1)`,
}

function where(filter: HistoryFilter, add: AddParameter): string[] {
  const given = (Object.keys(conditions) as (keyof HistoryFilter)[]).filter((name) => filter[name] !== null)
  return given.map((name) => {
    const value = filter[name]
    return conditions[name](add(typeof value === 'number' ? formatInstant(value) : value))
  })
}

/** A window of the entries that a filter lists. One statement. */
export async function historyPage(
  database: Database,
  filter: HistoryFilter,
  window: KeysetWindow,
): Promise<HistoryEntry[]> {
  const { values, add } = parametersOf(window.limit)
  const { conditions: inWindow, sorted } = keysetClauses(newestFirst, window, add)
  const all = ['true', ...where(filter, add), ...inWindow].join(' AND ')
  const text = `SELECT ${entryColumns} FROM change i WHERE ${all} ${sorted} LIMIT $1`
  return (await queryText<EntryRow>(database, text, values)).map(toEntry)
}

/** The number of entries that a filter lists. One statement. */
export async function historyTotal(database: Database, filter: HistoryFilter): Promise<number> {
  const { values, add } = parametersOf()
  const text = `SELECT count(*) AS total FROM change i WHERE ${['true', ...where(filter, add)].join(' AND ')}`
  const [row] = await queryText<{ total: number }>(database, text, values)
  return row?.total ?? 0
}
