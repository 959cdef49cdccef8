/**
 * Record lists: lists of a record in tables of their own, such as the products of an offering. A row has the id of the
 * record, its position, and the columns of one entry.
 */
import { isDeepStrictEqual } from 'node:util'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import { groupBy } from '../../lib/group-by.ts'
import { stablePositions } from '../../lib/stable-positions.ts'
import { columnOf, type Model, type ScalarsOf } from './columns.ts'
import type { Transaction } from './transaction.ts'

type Row = Readonly<Record<string, unknown>>

interface Identified {
  readonly id: string
}

/** How a list is stored. */
export interface RecordList {
  readonly model: Model
  /** The column with the id of the record. */
  readonly owner: string
  /** The columns of an entry. The first has the id of another record, which a list has at most once. */
  readonly columns: readonly string[]
  readonly toRow: (entry: never) => Row
  readonly fromRow: (row: Row) => unknown
}

/** Lists by the member of the record that has their entries. */
export type RecordLists<Names extends string = string> = Readonly<Record<Names, RecordList>>

/** A list of ids of other records. */
export function idList<M extends Model>(
  model: M,
  owner: keyof ScalarsOf<M> & string,
  column: keyof ScalarsOf<M> & string,
): RecordList {
  return { model, owner, columns: [column], toRow: (id: string) => ({ [column]: id }), fromRow: (row) => row[column] }
}

/** The methods used of a list's model. */
interface Delegate {
  createMany(args: { data: object[] }): Promise<unknown>
  deleteMany(args: { where: object }): Promise<unknown>
  findMany(args: { where: object; orderBy: object }): Promise<Row[]>
}

function delegate(client: Transaction | PrismaClient, { model }: RecordList): Delegate {
  return client[model] as unknown as Delegate
}

/** The rows of records with the entries of their lists, as members of them. One statement for each list. */
export async function withLists<R>(
  client: Transaction | PrismaClient,
  lists: RecordLists | undefined,
  rows: R[],
): Promise<R[]> {
  if (!lists || rows.length === 0) return rows
  const idOf = (row: R): string => (row as Identified).id
  let whole = rows
  for (const [member, list] of Object.entries(lists)) {
    const where = { [list.owner]: { in: rows.map(idOf) } }
    const found = await delegate(client, list).findMany({ where, orderBy: { position: 'asc' } })
    const byRecord = groupBy(found, (row) => row[list.owner])
    whole = whole.map((row) => ({ ...row, [member]: (byRecord.get(idOf(row)) ?? []).map(list.fromRow) }))
  }
  return whole
}

/**
 * Writes the lists of a record that differ from those of `stored`, which is null for a new record; entries that stay
 * keep their positions where possible.
 */
export async function writeLists(
  tx: Transaction,
  lists: RecordLists,
  stored: Identified | null,
  item: Identified,
): Promise<void> {
  for (const [member, list] of Object.entries(lists)) {
    const entries = entriesOf(item, member)
    if (isDeepStrictEqual(entries, entriesOf(stored ?? {}, member))) continue
    const { owner, columns, toRow } = list
    const keyOf = (row: Row): string => row[columns[0] as string] as string
    const before = new Map<string, number>()
    if (stored) {
      const where = { [owner]: item.id }
      const rows = await delegate(tx, list).findMany({ where, orderBy: { position: 'asc' } })
      for (const row of rows) before.set(keyOf(row), row.position as number)
      await delegate(tx, list).deleteMany({ where })
    }
    const rows = entries.map(toRow)
    const positions = stablePositions(before, rows.map(keyOf))
    const data = rows.map((row, index) => ({ [owner]: item.id, ...row, position: positions[index] as number }))
    if (data.length > 0) await delegate(tx, list).createMany({ data })
  }
}

/** A select list of lists as JSON, for a statement that names the table of the records `i`. */
export function listColumns(lists: RecordLists): string[] {
  return Object.entries(lists).map(([member, { model, owner, columns }]) => {
    const entry = columns.map((name) => `'${name}', l.${columnOf(name)}`).join(', ')
    return `(SELECT coalesce(json_agg(json_build_object(${entry}) ORDER BY l.position), '[]')
      FROM ${columnOf(model)} l WHERE l.${columnOf(owner)} = i.id) AS "${member}"`
  })
}

/** A row that was read with `listColumns`, with entries in place of that JSON. */
export function fromListColumns<R extends object>(lists: RecordLists, row: R): R {
  const read = row as Readonly<Record<string, readonly Row[]>>
  const entries = Object.entries(lists).map(([member, { fromRow }]) => [member, (read[member] ?? []).map(fromRow)])
  return { ...row, ...Object.fromEntries(entries) }
}

function entriesOf(item: object, member: string): readonly never[] {
  return (item as Readonly<Record<string, readonly never[]>>)[member] ?? []
}
