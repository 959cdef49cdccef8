import type { Database } from '../persistence/database.ts'
import { importTypes } from './types.ts'

/** What an import writes, releases apart. */
const tables = [
  ...new Set(Object.values(importTypes).map(({ name }) => name)),
  ...['product_price', 'sale', 'node_product', 'catalog_hierarchy', 'catalog_price_book', 'offering_product', 'offering_plan'],
].join(', ')
/** A server looks by itself once a tenth of a table has changed; fewer objects than this are not worth being faster. */
const MANY = 1_000

/**
 * Has the database look at its tables anew: the embedded one does not by itself, and a server a minute later at best. What was imported
 * would otherwise be taken for a few rows: a page of a price book would sort the whole book, and a publish take more than twice its time.
 * On a server few rows are looked at, since about how many rows and values there are is all that the plans need, and no table that somebody
 * holds. Nothing that was written depends on it, so a failure is none of the import's.
 */
export async function refreshStatistics({ kind, pool }: Database, written = Number.POSITIVE_INFINITY): Promise<void> {
  if (kind === 'server' && written < MANY) return
  const text = kind === 'embedded' ? 'ANALYZE' : `SET LOCAL default_statistics_target = 10; ANALYZE (SKIP_LOCKED) ${tables}`
  await pool.query(text).catch(() => {})
}
