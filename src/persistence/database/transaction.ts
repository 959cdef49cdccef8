import type { Prisma } from '../../generated/prisma/client.ts'
import type { Database } from './database.ts'
import { isTransient, isUniqueViolation, translateFailure, WriteConflict } from './failures.ts'

export type Transaction = Prisma.TransactionClient

/** How long a transaction may wait for a connection before the answer is 503, and how long it may run. */
export const TRANSACTION_WAIT_MS = 5_000
export const TRANSACTION_LIMIT_MS = 30_000
const ATTEMPTS = 4

/**
 * Runs `work` in one READ COMMITTED transaction. Serialization failures and deadlocks are tried again from the start;
 * unique violations become conflicts, an unreachable database becomes `Unavailable` (failures.ts).
 */
export async function inTransaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
  limits: { wait?: number; limit?: number } = {},
): Promise<T> {
  const options = { maxWait: limits.wait ?? TRANSACTION_WAIT_MS, timeout: limits.limit ?? TRANSACTION_LIMIT_MS }
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.prisma.$transaction(work, options)
    } catch (error) {
      if (isTransient(error) && attempt < ATTEMPTS) continue
      throw translateFailure(error)
    }
  }
}

/**
 * Runs writes that were planned on what the transaction has read so far. When a unique guard refuses them, someone else has committed
 * since: `inTransaction` then reads and plans again. The last attempt's failure is the guard's conflict.
 */
export async function retryOnConflict(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw isUniqueViolation(error) ? new WriteConflict('a unique guard was met', { cause: error }) : error
  }
}
