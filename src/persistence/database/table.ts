/**
 * Entity tables: insert, update, delete, look-ups, row lock and pages that all tables share, described by the module of
 * each record.
 *
 * They use Prisma's model API except for the lock. Each function sends one statement unless it says otherwise, and one
 * or a few more for each list of the record that is stored in a table of its own (record-lists.ts).
 */
import type { KeysetWindow } from '../../domain/input/page.ts'
import type { RecordClause } from '../../domain/input/record-filter.ts'
import type { RecordOrder } from '../../domain/input/record-order.ts'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import { type LoggedTable, logChange } from './change-log.ts'
import { type Model, membersOf } from './columns.ts'
import { assertFewValues, prismaCondition } from './record-conditions.ts'
import { type RecordLists, withLists, writeLists } from './record-lists.ts'
import { type LockStrength, lockRows, withIds } from './row-lock.ts'
import type { Transaction } from './transaction.ts'

/** A table, or a part of its rows, that entities are read from. */
export interface RecordSource<Row, Item> {
  readonly model: Model
  /** The members that are read of a row; absent: all except the versions. */
  readonly members?: readonly (keyof Row & string)[]
  readonly fromRow: (row: Row) => Item
  /** The rows that lists contain; absent: all. */
  readonly where?: object
  /** Members that hold several values; a clause matches when one of them does. */
  readonly arrays?: readonly string[]
  /** None: pages and loaders read rows alone. */
  readonly lists?: undefined
}

/** A table that entities are written to. */
export interface WrittenTable<Item> extends LoggedTable<Item> {
  /** All columns except the versions. */
  readonly toRow: (item: Item) => { readonly id: string }
  readonly lists?: RecordLists | undefined
}

/** A table that entities are read from and written to. */
export interface Table<Row, Item> extends RecordSource<Row, Item>, WrittenTable<Item> {
  readonly lists?: undefined
}

/** A table whose entities have lists in tables of their own. */
export interface ListedTable<Row, Item, Names extends string = string> extends Omit<Table<Row, Item>, 'lists'> {
  readonly lists: RecordLists<Names>
}

/** A source of whole entities, with their lists. */
export type WholeSource<Row, Item> = RecordSource<Row, Item> | ListedTable<Row, Item>

/**
 * The methods used of a model. Models have different types in Prisma's client, so the generic functions use this one.
 */
interface Delegate<Row> {
  createMany(args: { data: object[] }): Promise<unknown>
  update(args: { where: { id: string }; data: object }): Promise<unknown>
  delete(args: { where: { id: string } }): Promise<unknown>
  findMany(args: { where: object; select: object; orderBy?: object; take?: number }): Promise<Row[]>
  count(args: { where: object }): Promise<number>
}

type Client = Transaction | PrismaClient

function delegate<Row>(client: Client, { model }: { readonly model: Model }): Delegate<Row> {
  return client[model] as unknown as Delegate<Row>
}

interface Identified {
  readonly id: string
}

/** Inserts a new record; throws the database's unique violation (failures.ts). */
export function insertRecord<Item extends Identified>(
  tx: Transaction,
  table: WrittenTable<Item>,
  item: Item,
): Promise<void> {
  return insertRecords(tx, table, [item])
}

/** Inserts new records in their order. If one fails, all fail. No statement without records. */
export async function insertRecords<Item extends Identified>(
  tx: Transaction,
  table: WrittenTable<Item>,
  items: readonly Item[],
): Promise<void> {
  if (items.length > 0) await delegate(tx, table).createMany({ data: items.map(table.toRow) })
  for (const item of items) {
    if (table.lists) await writeLists(tx, table.lists, null, item)
    logChange(tx, table, null, item)
  }
}

/** Writes all columns of a record, which is stored as `stored`, and those of its lists that differ. */
export async function updateRecord<Item extends Identified>(
  tx: Transaction,
  table: WrittenTable<Item>,
  stored: Item,
  item: Item,
): Promise<void> {
  const data = table.toRow(item)
  await delegate(tx, table).update({ where: { id: data.id }, data })
  if (table.lists) await writeLists(tx, table.lists, stored, item)
  logChange(tx, table, stored, item)
}

/** Deletes a stored record and its parts: a price's sales, the lists of a catalog or an offering. */
export async function deleteRecord<Item extends Identified>(
  tx: Transaction,
  table: LoggedTable<Item>,
  stored: Item,
): Promise<void> {
  await delegate(tx, table).delete({ where: { id: stored.id } })
  logChange(tx, table, stored, null)
}

/** The number of records that meet a condition, and at most 3 of their names, the first in order. */
export interface CountWithSamples {
  readonly count: number
  readonly names: readonly string[]
}

/**
 * Counts the records that meet a condition and reads some of their names: two statements, one for records without
 * names.
 */
export async function countWithSamples(
  tx: Transaction,
  model: Model,
  where: object,
  isNamed: boolean,
): Promise<CountWithSamples> {
  const records = delegate<{ name: string }>(tx, { model })
  const first = isNamed
    ? await records.findMany({ where, select: { name: true }, orderBy: { name: 'asc' }, take: 3 })
    : []
  return { count: await records.count({ where }), names: first.map(({ name }) => name) }
}

/** The records with one of `ids`, in any order. */
export async function findRecords<Row, Item>(
  client: Client,
  source: WholeSource<Row, Item>,
  ids: readonly string[],
): Promise<Item[]> {
  const rows = await delegate<Row>(client, source).findMany({ where: { id: { in: ids } }, select: selectOf(source) })
  return (await withLists(client, source.lists, rows)).map(source.fromRow)
}

/** The members of the first two records that meet a condition: enough to see that it is ambiguous. */
export function findAtMostTwo<Row>(
  tx: Transaction,
  model: Model,
  where: object,
  members: readonly (keyof Row & string)[],
): Promise<Row[]> {
  return delegate<Row>(tx, { model }).findMany({ where, select: selectOf({ model, members }), take: 2 })
}

/** Locks a record and reads it under the lock; null when there is none. */
export async function lockRecord<Row, Item>(
  tx: Transaction,
  source: WholeSource<Row, Item>,
  id: string,
  strength: LockStrength = 'UPDATE',
): Promise<Item | null> {
  const { model, members = membersOf(model), fromRow, lists } = source
  const [row] = await withLists(tx, lists, await lockRows<Row>(tx, model, withIds([id]), strength, members))
  return row === undefined ? null : fromRow(row)
}

/** The filter and the order of a list. */
export interface RecordQuery {
  /** All of them must hold; their fields are members of the records. */
  readonly clauses: readonly RecordClause[]
  readonly order: RecordOrder
}

/** A window of the records that meet all clauses; records that are equal in the order are ordered by id. */
export async function recordPage<Row, Item>(
  client: Client,
  source: RecordSource<Row, Item>,
  { clauses, order, after, before, limit, reverse }: RecordQuery & KeysetWindow,
): Promise<Item[]> {
  const direction = order.descending === reverse ? 'asc' : 'desc'
  const rows = await delegate<Row>(client, source).findMany({
    select: selectOf(source),
    where: { AND: [whereOf(source, clauses), beyond(order, after, false), beyond(order, before, true)] },
    orderBy: [{ [order.field]: direction }, { id: direction }],
    take: limit,
  })
  return rows.map(source.fromRow)
}

/** The number of records that meet all clauses. */
export function recordTotal<Row, Item>(
  client: Client,
  source: RecordSource<Row, Item>,
  { clauses }: Pick<RecordQuery, 'clauses'>,
): Promise<number> {
  return delegate(client, source).count({ where: whereOf(source, clauses) })
}

function selectOf({ model, members }: { readonly model: Model; readonly members?: readonly string[] }): object {
  return Object.fromEntries((members ?? membersOf(model)).map((member) => [member, true]))
}

/** Prisma's condition for clauses. */
function whereOf(
  { where = {}, arrays = [] }: Pick<RecordSource<never, never>, 'where' | 'arrays'>,
  clauses: readonly RecordClause[],
): object {
  assertFewValues(clauses)
  return { AND: [where, ...clauses.map((clause) => prismaCondition(clause, arrays))] }
}

/**
 * The records after a key, or before it. The first condition uses the index; with the OR alone PostgreSQL would read
 * the list from its start.
 */
function beyond({ field, descending }: RecordOrder, key: KeysetWindow['after'], isBefore: boolean): object {
  if (!key) return {}
  const value = field === 'name' ? key[0] : new Date(Number(key[0]))
  const than = descending === isBefore ? 'gt' : 'lt'
  return { [field]: { [`${than}e`]: value }, OR: [{ [field]: { [than]: value } }, { id: { [than]: key[1] } }] }
}
