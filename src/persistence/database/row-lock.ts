/** Row locks: the one statement that locks rows until a transaction ends. */
import { Prisma } from '../../generated/prisma/client.ts'
import { columnOf, type Model, selectItem } from './columns.ts'
import type { Transaction } from './transaction.ts'

/**
 * PostgreSQL's lock strengths. KEY SHARE prevents the deletion of a row; SHARE prevents its update too. NO KEY UPDATE
 * excludes other writers of the row; UPDATE also excludes transactions that insert references to it.
 */
export type LockStrength = 'UPDATE' | 'NO KEY UPDATE' | 'SHARE' | 'KEY SHARE'

/**
 * The statement that locks rows until the transaction ends and reads their `members` under the lock. `where` names the
 * table `i`. Rows are locked in the order of their ids, so that two transactions don't deadlock.
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

/** Locks the rows that meet a condition (see `rowLock`) and returns them. One statement. */
export function lockRows<Row>(tx: Transaction, ...lock: Parameters<typeof rowLock>): Promise<Row[]> {
  return tx.$queryRaw<Row[]>(rowLock(...lock))
}

/** The condition that a row has one of `ids`. */
export function withIds(ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`i.id = ANY (${ids}::uuid[])`
}
