/**
 * Import checkpoints: the stored progress of imports that have not ended. SQL, since the instant is by the database's
 * clock.
 */
import { DAY_MS } from '../domain/input/instant.ts'
import type { Database } from './database/database.ts'
import type { Transaction } from './database/transaction.ts'

/** Milliseconds after which the progress of an abandoned import is removed. */
const RETENTION_MS = 90 * DAY_MS

/** The state of the import with an id; null when none is stored. */
export async function readCheckpoint({ prisma }: Database, id: string): Promise<unknown> {
  return (await prisma.importCheckpoint.findUnique({ where: { id }, select: { state: true } }))?.state ?? null
}

/** Stores the state in the transaction that writes what it counts. One statement. */
export async function saveCheckpoint(tx: Transaction, id: string, state: object): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO import_checkpoint (id, state, updated_at) VALUES (${id}, ${JSON.stringify(state)}::jsonb, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at`
}

/** Removes the state of an import that has ended or begins anew, and those of abandoned imports. */
export async function removeCheckpoint({ prisma }: Database, id: string): Promise<void> {
  const old = { updatedAt: { lt: new Date(Date.now() - RETENTION_MS) } }
  await prisma.importCheckpoint.deleteMany({ where: { OR: [{ id }, old] } })
}
