import { Prisma } from '../../generated/prisma/client.ts'
import { columnOf, type Model, selectItem } from './columns.ts'
import type { Transaction } from './transaction.ts'

/**
 * KEY SHARE keeps a row from being deleted, SHARE also from being changed. NO KEY UPDATE keeps out whoever takes the same lock, or changes
 * the row; UPDATE also those who refer to it.
 */
export type LockStrength = 'UPDATE' | 'NO KEY UPDATE' | 'SHARE' | 'KEY SHARE'

/**
 * The one statement that locks rows until the transaction ends, and reads `members` of them as they are under the lock. `where`
 * calls the table `i`. Rows are locked in the order of their ids, so that two transactions don't wait for each other.
 */
export function rowLock(
  model: Model,
  where: Prisma.Sql,
  strength: LockStrength = 'UPDATE',
  members: readonly string[] = ['id'],
): Prisma.Sql {
  const [columns, table] = [selectItem(...members), columnOf(model)].map((text) => Prisma.raw(text))
  return Prisma.sql`SELECT ${columns} FROM ${table} i WHERE ${where} ORDER BY i.id FOR ${Prisma.raw(strength)}`
}

/** Locks the rows of a condition (see rowLock) and returns them. One statement. */
export function lockRows<Row>(tx: Transaction, ...lock: Parameters<typeof rowLock>): Promise<Row[]> {
  return tx.$queryRaw<Row[]>(rowLock(...lock))
}

/** The rows with one of `ids`. */
export function withIds(ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`i.id = ANY (${ids}::uuid[])`
}
