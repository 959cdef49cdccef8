/**
 * Held transactions: interleavings of two writers that a test forces. They need PostgreSQL: the embedded database has
 * one connection.
 */
import type { Database } from '../../src/persistence/database/database.ts'
import { inTransaction, type Transaction } from '../../src/persistence/database/transaction.ts'
import { waitUntil } from './live.ts'

/**
 * Runs `work` in a transaction, which keeps its locks until the function that is returned commits it. Resolves when
 * `work` is done.
 */
export function hold(database: Database, work: (tx: Transaction) => Promise<unknown>): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    const transaction = inTransaction(database, { subject: 'other', role: 'admin', operation: 'held' }, async (tx) => {
      await work(tx)
      await new Promise<void>((commit) => {
        resolve(() => {
          commit()
          return transaction
        })
      })
    })
    transaction.catch(reject)
  })
}

/**
 * Resolves when a statement waits for a lock, or when `work` has ended without. pg_locks, since in pg_stat_activity a
 * statement still waits for a moment when it has its lock.
 */
export async function untilItWaits({ pool }: Database, work: Promise<unknown>): Promise<void> {
  const waiting = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND NOT granted`
  let hasEnded = false
  const end = (): void => {
    hasEnded = true
  }
  work.then(end, end)
  await waitUntil(async () => hasEnded || (await pool.query(waiting)).rowCount !== 0)
}
