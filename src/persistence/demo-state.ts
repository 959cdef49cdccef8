/**
 * Demo state: whether the store is untouched or the demo is loaded in part (demo.only-into-untouched-store).
 *
 * SQL, since these concern all tables at once.
 */
import type { Database } from './database/database.ts'
import { advisoryLock } from './database/schema.ts'
import type { Transaction } from './database/transaction.ts'
import { recordTables } from './planner-statistics.ts'

/**
 * The advisory lock by which servers that start together load the demo one after another. The number is arbitrary but
 * must not change.
 */
const DEMO_LOCK = advisoryLock(7_262_003)
/** The row of store_fact that says that the demo's releases are still to be published. */
const TO_PUBLISH = 'demo_to_publish'

/** The state of the store with regard to the demo. */
export interface DemoState {
  /** The demo's records are stored and its releases are still to be published. */
  readonly unpublished: boolean
  /** The store has never had a record. */
  readonly untouched: boolean
}

const everFilled = [
  "EXISTS (SELECT FROM store_fact WHERE name = 'deleted_once')",
  ...recordTables.map((table) => `EXISTS (SELECT FROM ${table})`),
]

const STATE = `
  SELECT EXISTS (SELECT FROM store_fact WHERE name = '${TO_PUBLISH}') AS unpublished,
    NOT (${everFilled.join(' OR ')}) AS untouched`

/** Reads the state. One statement. */
export async function demoState(database: Database): Promise<DemoState | undefined> {
  return (await database.query<DemoState>('demo_state', STATE))[0]
}

/**
 * Whether the store has never had a record; no other server loads the demo before the transaction ends. Two statements.
 */
export async function lockUntouched(tx: Transaction): Promise<boolean> {
  // The other server may take longer than a write waits for a lock.
  await tx.$executeRawUnsafe(`SELECT set_config('lock_timeout', '0', true), pg_advisory_xact_lock(${DEMO_LOCK})`)
  const [state] = await tx.$queryRawUnsafe<DemoState[]>(STATE)
  return state?.untouched === true
}

/** Records that the demo's releases are still to be published. One statement. */
export async function markUnpublished(tx: Transaction): Promise<void> {
  await tx.storeFact.create({ data: { name: TO_PUBLISH } })
}

/** Records that the demo's releases are published. One statement. */
export async function markPublished({ prisma }: Database): Promise<void> {
  await prisma.storeFact.deleteMany({ where: { name: TO_PUBLISH } })
}
