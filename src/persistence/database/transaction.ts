/** Transactions: their author, retries of transient failures, and translation of the others. */
import type { Prisma } from '../../generated/prisma/client.ts'
import { type Author, openChangeLog, writeChangeLog } from './change-log.ts'
import type { Database } from './database.ts'
import { isTransient, isUniqueViolation, translateFailure, WriteConflict } from './failures.ts'
import { BE_PATIENT } from './session-limits.ts'

/** Prisma's client inside a transaction. */
export type Transaction = Prisma.TransactionClient

/** Milliseconds that a transaction may wait for a connection before it fails (503). */
const TRANSACTION_WAIT_MS = 5_000
/** Milliseconds that a transaction may run. */
const TRANSACTION_LIMIT_MS = 30_000
/** Attempts of a transaction that fails for transient reasons. */
const ATTEMPTS = 4

/**
 * Runs `work` in one READ COMMITTED transaction, whose changes the log ascribes to `author`; `limits` are milliseconds.
 * Transient failures are retried from the start, 3 times at most, and then become Unavailable, as an unreachable
 * database does; a unique violation becomes a conflict (failures.ts).
 */
export async function inTransaction<T>(
  database: Database,
  author: Author,
  work: (tx: Transaction) => Promise<T>,
  limits: { wait?: number; limit?: number } = {},
): Promise<T> {
  const options = { maxWait: limits.wait ?? TRANSACTION_WAIT_MS, timeout: limits.limit ?? TRANSACTION_LIMIT_MS }
  return withRetry(() => database.prisma.$transaction((tx) => logged(tx, author, work), options))
}

/**
 * As `inTransaction`, but what `work` wrote is undone when it has resolved, without an entry in the change log.
 */
export async function inUndoneTransaction<T>(
  database: Database,
  author: Author,
  work: (tx: Transaction) => Promise<T>,
  limits: { wait?: number; limit?: number } = {},
): Promise<T> {
  const options = { maxWait: limits.wait ?? TRANSACTION_WAIT_MS, timeout: limits.limit ?? TRANSACTION_LIMIT_MS }
  return withRetry(async () => {
    let undone: { readonly result: T } | undefined
    try {
      return await database.prisma.$transaction(async (tx): Promise<T> => {
        openChangeLog(tx, author)
        undone = { result: await work(tx) }
        throw new Error('rolled back')
      }, options)
    } catch (error) {
      if (undone) return undone.result
      throw error
    }
  })
}

/** Milliseconds that the transaction of `inOneTransaction` may run: a day. */
const WHOLE_LIMIT_MS = 86_400_000

/**
 * Runs `work` in one READ COMMITTED transaction. It commits when `isKept` is true for the result, and is rolled back
 * otherwise. It is not retried: `work` writes by `inSavepoint`, which retries each part. It may wait for its input for
 * PIPE_WAIT_MS. An unreachable database becomes Unavailable.
 */
export async function inOneTransaction<T>(
  database: Database,
  work: (tx: Transaction) => Promise<T>,
  isKept: (result: T) => boolean,
): Promise<T> {
  let undone: { readonly result: T } | undefined
  const options = { maxWait: TRANSACTION_WAIT_MS, timeout: WHOLE_LIMIT_MS }
  try {
    return await database.prisma.$transaction(async (tx) => {
      if (database.kind === 'server') await tx.$queryRawUnsafe(BE_PATIENT)
      const result = await work(tx)
      if (isKept(result)) return result
      undone = { result }
      throw new Error('rolled back')
    }, options)
  } catch (error) {
    if (undone) return undone.result
    throw translateFailure(error)
  }
}

/**
 * As `inTransaction`, inside an open transaction: what a failed `work` wrote is undone, and what came before it stays.
 * Two statements more.
 */
export async function inSavepoint<T>(
  tx: Transaction,
  author: Author,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return withRetry(async () => {
    await tx.$executeRawUnsafe('SAVEPOINT part')
    try {
      const result = await logged(tx, author, work)
      await tx.$executeRawUnsafe('RELEASE SAVEPOINT part')
      return result
    } catch (error) {
      await tx.$executeRawUnsafe('ROLLBACK TO SAVEPOINT part')
      throw error
    }
  })
}

async function logged<T>(tx: Transaction, author: Author, work: (tx: Transaction) => Promise<T>): Promise<T> {
  openChangeLog(tx, author)
  const result = await work(tx)
  await writeChangeLog(tx)
  return result
}

async function withRetry<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      if (isTransient(error) && attempt < ATTEMPTS) continue
      throw translateFailure(error)
    }
  }
}

/**
 * Runs writes that were planned from what the transaction has read. A unique violation means that another transaction
 * has committed since, so `inTransaction` retries: it reads and plans again. The failure of the last attempt is the
 * constraint's conflict.
 */
export async function retryOnConflict(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw isUniqueViolation(error)
      ? new WriteConflict('a unique constraint refused the write', { cause: error })
      : error
  }
}
