import type { Database } from '../persistence/database.ts'

/**
 * Has the embedded database look at its tables anew, which nothing else does; a server does it by itself. What was imported would
 * otherwise be taken for a few rows: a page of a price book would sort the whole book, and a publish take more than twice its time.
 */
export async function refreshStatistics({ kind, pool }: Database): Promise<void> {
  if (kind === 'embedded') await pool.query('ANALYZE')
}
