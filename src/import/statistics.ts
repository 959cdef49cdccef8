import type { Database } from '../persistence/database.ts'
import { importTypes } from './types.ts'

/** What an import writes. */
const tables = new Set([...Object.values(importTypes).map(({ name }) => name), 'product_price', 'sale', 'node_product'])

/**
 * Has the database look at its tables anew: the embedded one does not by itself, and a server a minute later at best. What was imported
 * would otherwise be taken for a few rows: a page of a price book would sort the whole book, and a publish take more than twice its time.
 * About how many rows and values there are is all that the plans need, so a few rows are looked at.
 */
export async function refreshStatistics({ pool }: Database): Promise<void> {
  await pool.query(`SET LOCAL default_statistics_target = 10; ANALYZE ${[...tables].join(', ')}`)
}
