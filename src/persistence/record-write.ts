/**
 * Writes of one record of a list, by the list's members. Not through Prisma, which takes ten times as long and copies JSON member by member,
 * so that what a client called `__proto__` is lost.
 */
import { formatInstant } from '../domain/instant.ts'
import { columnOf, selectItem } from './keyset.ts'
import type { RecordList } from './record-list.ts'
import type { Transaction } from './transaction.ts'

interface Stamped {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** Inserts a new record. Fails with the unique violation that failures.ts knows. One statement. */
export async function insertRecord<Item extends Stamped>(
  tx: Transaction,
  { table, members }: RecordList<never, Item>,
  item: Item,
): Promise<void> {
  const columns = members.map(columnOf).join(', ')
  const text = `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`
  await tx.$executeRawUnsafe(text, jsonOf(members, item))
}

/** Writes a record anew that the caller has locked. Fails like `insertRecord`. One statement. */
export async function updateRecord<Item extends Stamped>(tx: Transaction, list: RecordList<never, Item>, item: Item): Promise<void> {
  await tx.$executeRawUnsafe(updateText(list), item.id, jsonOf(list.members, item))
}

/**
 * The record, locked until the transaction ends and read as it is under the lock; null when there is none. KEY SHARE only keeps it from
 * being deleted. One statement.
 */
export async function lockRecord<Row extends object, Item>(
  tx: Transaction,
  { table, members, itemOf }: RecordList<Row, Item>,
  id: string,
  strength: 'UPDATE' | 'KEY SHARE' = 'UPDATE',
): Promise<Item | null> {
  const text = `SELECT ${selectItem(...members)} FROM ${table} i WHERE i.id = $1::uuid FOR ${strength}`
  const [row] = await tx.$queryRawUnsafe<Row[]>(text, id)
  return row ? itemOf(row) : null
}

function updateText({ table, members }: RecordList<never, unknown>): string {
  const changed = members.filter((member) => member !== 'id' && member !== 'createdAt').map(columnOf)
  const set = changed.map((column) => `${column} = g.${column}`).join(', ')
  return `UPDATE ${table} i SET ${set} FROM jsonb_populate_record(NULL::${table}, $2::jsonb) g WHERE i.id = $1::uuid`
}

/** The members under the names of their columns; null is SQL's in every column. */
function jsonOf(members: readonly string[], item: Stamped): string {
  const values: Record<string, unknown> = { ...item, createdAt: formatInstant(item.createdAt), updatedAt: formatInstant(item.updatedAt) }
  return JSON.stringify(Object.fromEntries(members.map((member) => [columnOf(member), values[member]])))
}
