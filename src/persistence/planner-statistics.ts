/**
 * Planner statistics: PostgreSQL's knowledge of the tables, refreshed where it would come too late.
 *
 * SQL, since Prisma has no ANALYZE.
 */
import type pg from 'pg'
import type { Database } from './database/database.ts'

/** The tables of records. */
export const recordTables = [
  ...[
    'subscription_product',
    'plan',
    'offering',
    'subscription',
    'price_book',
    'product_price',
    'price_modifier',
    'product',
  ],
  ...['catalog_node', 'catalog', 'catalog_rule', 'label'],
]
/** The tables of their parts. */
const partTables = [
  'sale',
  'node_product',
  'catalog_hierarchy',
  'catalog_price_book',
  'offering_product',
  'offering_plan',
]

/**
 * With fewer written objects a server is left to refresh its statistics by itself, once a tenth of a table has changed.
 */
const REFRESH_MIN = 1_000

/**
 * Refreshes the planner's statistics after an import: a database does so by itself within a minute at best. Without it
 * a page of a price book would sort the whole book, and a publish take more than twice its time. The embedded database
 * is vacuumed as well, which costs a third more. A server samples few rows, which is all that the plans need, and skips
 * locked tables. A failure is ignored, since no data depends on it. `written` is the number of objects written. One
 * statement, a setting before it on a server.
 */
export async function refreshStatistics({ kind, pool }: Database, written = Number.POSITIVE_INFINITY): Promise<void> {
  if (kind === 'server' && written < REFRESH_MIN) return
  const tables = [...recordTables, ...partTables].join(', ')
  const text =
    kind === 'embedded'
      ? 'VACUUM (ANALYZE)'
      : `SET LOCAL default_statistics_target = 10; ANALYZE (SKIP_LOCKED) ${tables}`
  await pool.query(text).catch(() => {})
}

const CHANGED = `
  SELECT string_agg(quote_ident(relname), ', ') AS tables FROM pg_stat_user_tables
  WHERE schemaname = current_schema() AND relname = ANY ($1) AND n_mod_since_analyze > 50 + n_live_tup / 10`

/**
 * Refreshes the planner's statistics of tables of which a tenth has changed since the last refresh, before a publish: a
 * database does so by itself within a minute at best. Without it the first 1,000 products of a store take minutes to
 * publish: the planner knows of none, so they are joined row by row. A failure is ignored, as by
 * `refreshStatistics`. Two statements, three when there is something to refresh.
 */
export async function refreshChanged(client: pg.ClientBase): Promise<void> {
  try {
    // Otherwise the counts that the next statement reads are written with a delay.
    await client.query('SELECT pg_stat_force_next_flush()')
    const { rows } = await client.query<{ tables: string | null }>(CHANGED, [[...recordTables, ...partTables]])
    if (rows[0]?.tables)
      await client.query(`SET LOCAL default_statistics_target = 10; ANALYZE (SKIP_LOCKED) ${rows[0].tables}`)
  } catch {
    // A connection that is lost fails the next statement too.
  }
}
