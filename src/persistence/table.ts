/**
 * Tables whose records are one row each: what a record's module says of its table, and the insert, update, delete, look-ups, lock and pages
 * that they share, all by Prisma's model API save the lock. Each is one statement.
 */
import type { FilterClause } from '../domain/filter.ts'
import type { KeysetWindow } from '../domain/page.ts'
import { isStorable } from '../domain/read.ts'
import type { RecordOrder } from '../domain/record-order.ts'
import type { Prisma, PrismaClient } from '../generated/prisma/client.ts'
import { type LockStrength, lockRows, withIds } from './row-lock.ts'
import type { Transaction } from './transaction.ts'

type Model = Uncapitalize<Prisma.ModelName>

/** What is read of a table. */
export interface RecordSource<Row, Item> {
  /** Prisma's name; the table's is the same in snake case. */
  readonly model: Model
  /** The members that are read of a row. */
  readonly members: readonly (keyof Row & string)[]
  readonly fromRow: (row: Row) => Item
  /** Which rows a list has; absent: all. */
  readonly where?: object
  /** Members that hold several values, of which a clause wants one. */
  readonly arrays?: readonly string[]
}

export interface Table<Row, Item> extends RecordSource<Row, Item> {
  /** All columns, the version apart. */
  readonly toRow: (item: Item) => { readonly id: string }
}

/** What is used of a model. Each model has another type in Prisma's client, so the generic functions call them by this one. */
interface Delegate<Row> {
  create(args: { data: object }): Promise<unknown>
  update(args: { where: { id: string }; data: object }): Promise<unknown>
  delete(args: { where: { id: string } }): Promise<unknown>
  findMany(args: { where: object; select: object; orderBy?: object; take?: number }): Promise<Row[]>
  count(args: { where: object }): Promise<number>
}

type Client = Transaction | PrismaClient

function delegate<Row>(client: Client, { model }: { readonly model: Model }): Delegate<Row> {
  return client[model] as unknown as Delegate<Row>
}

export async function insertRecord<Row, Item>(tx: Transaction, table: Table<Row, Item>, item: Item): Promise<void> {
  await delegate(tx, table).create({ data: table.toRow(item) })
}

export async function updateRecord<Row, Item>(tx: Transaction, table: Table<Row, Item>, item: Item): Promise<void> {
  const data = table.toRow(item)
  await delegate(tx, table).update({ where: { id: data.id }, data })
}

export async function deleteRecord(tx: Transaction, table: { readonly model: Model }, id: string): Promise<void> {
  await delegate(tx, table).delete({ where: { id } })
}

/** The records among `ids` that exist, in any order. */
export async function findRecords<Row, Item>(client: Client, source: RecordSource<Row, Item>, ids: readonly string[]): Promise<Item[]> {
  const rows = await delegate<Row>(client, source).findMany({ where: { id: { in: ids } }, select: selectOf(source) })
  return rows.map(source.fromRow)
}

/** The record as it is under the lock; null when there is none. */
export async function lockRecord<Row, Item>(
  tx: Transaction,
  { model, members, fromRow }: RecordSource<Row, Item>,
  id: string,
  strength: LockStrength = 'UPDATE',
): Promise<Item | null> {
  const [row] = await lockRows<Row>(tx, model, withIds([id]), strength, members)
  return row === undefined ? null : fromRow(row)
}

export interface RecordQuery {
  /** All of them hold; their fields are members of the records. */
  readonly clauses: readonly FilterClause[]
  readonly order: RecordOrder
}

/** A window of the records that all clauses allow, equal places by their ids. */
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

export function recordTotal<Row, Item>(
  client: Client,
  source: RecordSource<Row, Item>,
  { clauses }: Pick<RecordQuery, 'clauses'>,
): Promise<number> {
  return delegate(client, source).count({ where: whereOf(source, clauses) })
}

function selectOf({ members }: { readonly members: readonly string[] }): object {
  return Object.fromEntries(members.map((member) => [member, true]))
}

/** A text that can't be stored equals none. */
function whereOf(
  { where = {}, arrays = [] }: Pick<RecordSource<never, never>, 'where' | 'arrays'>,
  clauses: readonly FilterClause[],
): object {
  const conditions = clauses.map(({ field, values }) => ({
    [field]: { [arrays.includes(field) ? 'hasSome' : 'in']: values.filter(isStorable) },
  }))
  return { AND: [where, ...conditions] }
}

/** Places after a key, or before it. The first condition is the index's: from an OR alone it would read the list from its start. */
function beyond({ field, descending }: RecordOrder, key: KeysetWindow['after'], isBefore: boolean): object {
  if (!key) return {}
  const value = field === 'name' ? key[0] : new Date(Number(key[0]))
  const than = descending === isBefore ? 'gt' : 'lt'
  return { [field]: { [`${than}e`]: value }, OR: [{ [field]: { [than]: value } }, { id: { [than]: key[1] } }] }
}
