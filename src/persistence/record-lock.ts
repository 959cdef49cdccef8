import { selectItem } from './keyset.ts'
import type { RecordList } from './record-list.ts'
import type { Transaction } from './transaction.ts'

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
