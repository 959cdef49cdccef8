/**
 * Publish lock: the publishes of all servers run one after another, since catalogs share documents.
 *
 * SQL, since the lock belongs to a connection, which Prisma doesn't give.
 */
import type pg from 'pg'
import type { Database } from '../../database/database.ts'
import { isLockTimeout } from '../../database/failures.ts'
import { advisoryLock } from '../../database/schema.ts'
import { limitValues, RESTORE_LIMITS, SESSION_LIMITS, type SessionLimits } from '../../database/session-limits.ts'
import { WRITE_WAITING } from './search-texts.ts'

/** The advisory lock of all publishes, on any server, as SQL. */
export const PUBLISH_LOCK = advisoryLock(7_077_888)

/** Milliseconds that a publish waits for the lock: several times what a publish of a million products takes. */
export const LOCK_WAIT_MS = 600_000

/**
 * Milliseconds without a statement after which PostgreSQL ends the session that has the lock, and so releases it: its
 * process is suspended. TCP keep-alive doesn't notice that, since the machine still responds.
 */
const IDLE_LIMIT_MS = 60_000

// The embedded database, whose process is this one, hangs when such a limit is set.
const limitIdleness = `SET idle_session_timeout = ${IDLE_LIMIT_MS}; SET idle_in_transaction_session_timeout = ${IDLE_LIMIT_MS}`

/**
 * For each pool the end of the publish queued last: when this process released the lock, 0 when it did not get it in
 * time.
 */
const lastPublishes = new WeakMap<pg.Pool, Promise<number>>()

/**
 * Runs `work` under the publish lock, after waiting for it. The lock belongs to the connection and is taken before a
 * transaction begins, since a snapshot taken before the wait would be old. The publishes of a process queue before they
 * take a connection; otherwise ten waiting ones would leave none to other requests. Throws a lock timeout (failures.ts)
 * when other servers have kept the lock for `waitMs` since this process released it; all publishes that have queued for
 * so long fail with it. Eight statements beside those of `work`, and one that nobody waits for.
 */
export function withPublishLock<T>(
  database: Database,
  work: (client: pg.PoolClient) => Promise<T>,
  waitMs = LOCK_WAIT_MS,
): Promise<T> {
  const queuedAt = performance.now()
  const publish = (lastPublishes.get(database.pool) ?? Promise.resolve(0)).then((releasedAt) => {
    const left = Math.max(queuedAt, releasedAt) + waitMs - performance.now()
    return withLock(
      database,
      `SELECT pg_advisory_lock(${PUBLISH_LOCK})::text IS NOT NULL AS locked`,
      left,
      work,
    ) as Promise<T>
  })
  const released = publish.then(
    () => performance.now(),
    (error) => (isLockTimeout(error) ? 0 : performance.now()),
  )
  lastPublishes.set(database.pool, released)
  return publish
}

/** As `withPublishLock`, but returns undefined without running `work` when another publish runs. */
export async function tryPublishLock<T>(
  database: Database,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T | undefined> {
  return withLock(database, `SELECT pg_try_advisory_lock(${PUBLISH_LOCK}) AS locked`, LOCK_WAIT_MS, work)
}

async function withLock<T>(
  { kind, pool }: Database,
  lock: string,
  waitMs: number,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T | undefined> {
  const client = await pool.connect()
  let usable = false
  let isDone = false
  try {
    const session = await client.query<SessionLimits>(SESSION_LIMITS)
    await client.query(`SET statement_timeout = 0; SET lock_timeout = ${Math.max(1, Math.ceil(waitMs))}`)
    if (kind === 'server') await client.query(limitIdleness)
    const { rows } = await client.query<{ locked: boolean }>(lock)
    const locked = rows[0]?.locked === true
    // Waits for rows need no limit: the transactions that lock them have limits of their own.
    await client.query('SET lock_timeout = 0')
    try {
      const result = locked ? await work(client) : undefined
      isDone = locked
      return result
    } finally {
      if (locked) await client.query(`SELECT pg_advisory_unlock(${PUBLISH_LOCK})`)
      if (kind === 'server') await client.query('RESET idle_session_timeout')
      await client.query(RESTORE_LIMITS, limitValues(session.rows[0]))
      usable = true
    }
  } finally {
    // A connection that could not be reset is closed, which releases the lock.
    if (usable && isDone) releaseAfterIndex(client)
    else client.release(!usable)
  }
}

/** Gives a connection back once the search index is written. Where that fails, the next publish or a vacuum does it. */
function releaseAfterIndex(client: pg.PoolClient): void {
  client.query(WRITE_WAITING).then(
    () => client.release(),
    () => client.release(true),
  )
}
