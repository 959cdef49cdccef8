/**
 * What is known of the whole store: the demo's marks (demo.only-into-untouched-store), and the planner's statistics. SQL, since the models
 * are of single tables.
 */
import type { Database } from './database/database.ts'
import type { Transaction } from './database/transaction.ts'

const records = [
  ...['subscription_product', 'plan', 'offering', 'subscription', 'price_book', 'product_price', 'price_modifier', 'product'],
  ...['catalog_node', 'catalog', 'catalog_rule'],
]
const parts = ['sale', 'node_product', 'catalog_hierarchy', 'catalog_price_book', 'offering_product', 'offering_plan']

/** Servers that start together take turns (any number will do, as long as it stays). */
const DEMO_LOCK = 7_262_002
/** The mark in store_fact. */
const TO_PUBLISH = 'demo_to_publish'

export interface DemoState {
  /** Only the demo's publishing is left to do. */
  readonly unpublished: boolean
  /** The store never held a record. */
  readonly untouched: boolean
}

const STATE = `
  SELECT EXISTS (SELECT FROM store_fact WHERE name = '${TO_PUBLISH}') AS unpublished,
    NOT (EXISTS (SELECT FROM store_fact WHERE name = 'deleted_once') OR ${records.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ')}) AS untouched`

/** One statement. */
export async function demoState(database: Database): Promise<DemoState | undefined> {
  return (await database.query<DemoState>('demo_state', STATE))[0]
}

/** Whether the store never held a record; until the transaction ends no other server loads the demo. */
export async function lockUntouched(tx: Transaction): Promise<boolean> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${DEMO_LOCK})`
  const [state] = await tx.$queryRawUnsafe<DemoState[]>(STATE)
  return state?.untouched === true
}

export async function markUnpublished(tx: Transaction): Promise<void> {
  await tx.storeFact.create({ data: { name: TO_PUBLISH } })
}

export async function markPublished({ prisma }: Database): Promise<void> {
  await prisma.storeFact.deleteMany({ where: { name: TO_PUBLISH } })
}

/** A server looks by itself once a tenth of a table has changed; fewer objects than this are not worth being faster. */
const MANY = 1_000

/**
 * Has the database look at its tables anew after an import: the embedded one does not by itself, and a server a minute later at best. What
 * was imported would otherwise be taken for a few rows: a page of a price book would sort the whole book, and a publish take more than twice
 * its time. On a server few rows are looked at, since about how many rows and values there are is all that the plans need, and no table that
 * somebody holds. Nothing that was written depends on it, so a failure is none of the import's.
 */
export async function refreshStatistics({ kind, pool }: Database, written = Number.POSITIVE_INFINITY): Promise<void> {
  if (kind === 'server' && written < MANY) return
  const tables = [...records, ...parts].join(', ')
  const text = kind === 'embedded' ? 'ANALYZE' : `SET LOCAL default_statistics_target = 10; ANALYZE (SKIP_LOCKED) ${tables}`
  await pool.query(text).catch(() => {})
}
