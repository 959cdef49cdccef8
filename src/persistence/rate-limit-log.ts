/**
 * Rate limit log: the requests of each token in the last window, shared by all servers of a database (rate-limit.ts).
 *
 * SQL, since Prisma's upsert has no condition on the row that it finds.
 */
import { emptyLog, type SlidingWindowLog, WINDOW_SECONDS } from '../lib/sliding-window-log.ts'
import type { Database } from './database/database.ts'
import { throwTranslated } from './database/failures.ts'

/**
 * SQL for seconds since the epoch. `parameter` is epoch milliseconds, or null for the database's clock, which all
 * servers share.
 */
const secondsAt = (parameter: string): string =>
  `coalesce(${parameter}::float8 / 1000, extract(epoch FROM clock_timestamp())::float8)`

/**
 * SQL for the second of a request. TAKE's update evaluates it once the row is locked, since the wait for the lock may
 * be long.
 */
const SECOND = `floor(${secondsAt('$3')})::bigint`

/**
 * SQL for seconds from the row's latest request to `second`, WINDOW_SECONDS at most; 0 for an earlier second, which
 * counts as the latest.
 */
const elapsedAt = (second: string): string => `least(greatest(${second} - r.second, 0), ${WINDOW_SECONDS})::int`

// `recordRequest` of lib/sliding-window-log.ts, on the locked row: simultaneous requests are counted one after another.
const TAKE = `
  INSERT INTO rate_limit AS r (token, second, counts) VALUES ($1, ${SECOND}, '{1}')
  ON CONFLICT (token) DO UPDATE SET (second, counts) = (
    SELECT greatest(r.second, at.second), CASE at.elapsed WHEN 0 THEN (r.counts[1] + 1) || r.counts[2:]
      WHEN ${WINDOW_SECONDS} THEN '{1}'
      ELSE 1 || array_fill(0, ARRAY[at.elapsed - 1]) || r.counts[1 : ${WINDOW_SECONDS} - at.elapsed] END
    FROM (SELECT now.second, ${elapsedAt('now.second')} AS elapsed FROM (SELECT ${SECOND} AS second) now) at)
  WHERE (SELECT coalesce(sum(count), 0) FROM unnest(r.counts[1 : ${WINDOW_SECONDS} - ${elapsedAt(SECOND)}]) AS count) < $2
  RETURNING true AS taken`

/**
 * Counts a request of a token; false, and nothing is written, when its window has `limit` requests already. Throws
 * Unavailable.
 */
export async function takeRequest(database: Database, token: string, limit: number, now?: number): Promise<boolean> {
  const rows = await run<{ taken: boolean }>(database, 'rate-limit-take', TAKE, [token, limit, now ?? null])
  return rows.length > 0
}

/** The log of a token, and the current instant of the same clock in epoch milliseconds. Throws Unavailable. */
export async function readRequestLog(
  database: Database,
  token: string,
  now?: number,
): Promise<{ log: SlidingWindowLog; now: number }> {
  const text = `
    SELECT second, counts, ${secondsAt('$2')} * 1000 AS now
    FROM (SELECT 1) one LEFT JOIN rate_limit ON token = $1`
  const [row] = await run<{ second: number | null; counts: number[]; now: number }>(database, 'rate-limit-read', text, [
    token,
    now ?? null,
  ])
  return { log: row?.second == null ? emptyLog : { second: row.second, counts: row.counts }, now: row?.now ?? 0 }
}

/**
 * Deletes logs without requests in the last window, and logs from the future, which remain when a clock is set back.
 * Throws Unavailable.
 */
export async function pruneRequestLogs(database: Database, now?: number): Promise<void> {
  const window = `floor(${secondsAt('$1')})::bigint`
  const text = `DELETE FROM rate_limit WHERE second NOT BETWEEN ${window} - ${WINDOW_SECONDS} AND ${window} + ${WINDOW_SECONDS}`
  await run(database, 'rate-limit-prune', text, [now ?? null])
}

function run<Row extends object>(
  database: Database,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return database.query<Row>(name, text, values).catch(throwTranslated)
}
