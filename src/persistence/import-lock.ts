/**
 * Import lock: keeps imports of the same rows in different orders from deadlocking again and again.
 *
 * SQL, since Prisma can't take an advisory lock.
 */
import { advisoryLock } from './database/schema.ts'
import type { Transaction } from './database/transaction.ts'

/** The advisory lock of the batches of imports. The number is arbitrary but must not change. */
const IMPORT_LOCK = advisoryLock(7_262_004)

/**
 * Lets a batch run beside those of other imports, or with `alone` beside none, until its transaction ends. Call it
 * before any row is locked. It waits for locks as long as a statement may take, since batches take longer than writes.
 * One statement.
 */
export async function lockImports(tx: Transaction, alone: boolean): Promise<void> {
  const patiently = "SELECT set_config('lock_timeout', '0', true), pg_advisory_xact_lock"
  await tx.$executeRawUnsafe(`${patiently}${alone ? '' : '_shared'}(${IMPORT_LOCK})`)
}
