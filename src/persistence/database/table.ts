/**
 * Tables: what the module of a record says of its table, and the insert, update, delete, look-ups, lock and pages that all tables share, by
 * Prisma's model API save the lock. Each is one statement. Parts of a record in tables of their own are its module's to write.
 */
import { DomainError } from '../../domain/input/errors.ts'
import type { FilterClause } from '../../domain/input/filter.ts'
import type { KeysetWindow } from '../../domain/input/page.ts'
import type { RecordOrder } from '../../domain/input/record-order.ts'
import { isStorable } from '../../domain/input/text.ts'
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import { type Model, membersOf } from './columns.ts'
import { type LockStrength, lockRows, withIds } from './row-lock.ts'
import type { Transaction } from './transaction.ts'

/** What is read of a table. */
export interface RecordSource<Row, Item> {
  readonly model: Model
  /** The members that are read of a row; absent: all, the version apart. */
  readonly members?: readonly (keyof Row & string)[]
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

/** With what belongs to it alone: a price's sales, what a catalog or an offering lists. */
export async function deleteRecord(tx: Transaction, model: Model, id: string): Promise<void> {
  await delegate(tx, { model }).delete({ where: { id } })
}

/** How many records there are, and the names of the first few. */
export interface CountWithSamples {
  readonly count: number
  readonly names: readonly string[]
}

/** Those of a condition. Two statements. */
export async function countWithSamples<M extends Model>(
  tx: Transaction,
  model: M,
  where: Prisma.Args<Transaction[M], 'findMany'>['where'] & object,
): Promise<CountWithSamples> {
  const records = delegate<{ name: string }>(tx, { model })
  const first = await records.findMany({ where, select: { name: true }, orderBy: { name: 'asc' }, take: 3 })
  return { count: await records.count({ where }), names: first.map(({ name }) => name) }
}

/** The records among `ids` that exist, in any order. */
export async function findRecords<Row, Item>(client: Client, source: RecordSource<Row, Item>, ids: readonly string[]): Promise<Item[]> {
  const rows = await delegate<Row>(client, source).findMany({ where: { id: { in: ids } }, select: selectOf(source) })
  return rows.map(source.fromRow)
}

/** Two of a condition's records at most, since more say no more. */
export function findAtMostTwo<Row>(tx: Transaction, model: Model, where: object, members: readonly (keyof Row & string)[]): Promise<Row[]> {
  return delegate<Row>(tx, { model }).findMany({ where, select: selectOf({ model, members }), take: 2 })
}

/** The record as it is under the lock; null when there is none. */
export async function lockRecord<Row, Item>(
  tx: Transaction,
  { model, members = membersOf(model) as (keyof Row & string)[], fromRow }: RecordSource<Row, Item>,
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

function selectOf({ model, members }: { readonly model: Model; readonly members?: readonly string[] }): object {
  return Object.fromEntries((members ?? membersOf(model)).map((member) => [member, true]))
}

/** Each value is a parameter of its own, of which a statement has at most 32,766. */
export const FILTER_VALUES_MAX = 30_000

/** A text that can't be stored equals none. */
function whereOf(
  { where = {}, arrays = [] }: Pick<RecordSource<never, never>, 'where' | 'arrays'>,
  clauses: readonly FilterClause[],
): object {
  if (clauses.reduce((count, { values }) => count + values.length, 0) > FILTER_VALUES_MAX)
    throw new DomainError('badRequest', [{ code: 'TOO_MANY', path: ['filter'], message: `must have at most ${FILTER_VALUES_MAX} values` }])
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
