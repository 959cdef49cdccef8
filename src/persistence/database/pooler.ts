/**
 * Pooler check at start: refuses a pooler that lends a connection for one transaction only, such as PgBouncer's
 * transaction mode.
 *
 * Session locks, prepared statements, settings of the session and LISTEN need one connection of PostgreSQL for as long
 * as that to the pooler lasts. Without it some statements fail, and others run without their lock, so nothing may
 * begin.
 */
import pg from 'pg'

/** Milliseconds that a statement of the check may wait for a connection of PostgreSQL. */
const WAIT_MS = 5_000

const ADVICE =
  'every connection needs a session of its own: set pool_mode = session with enough connections (PgBouncer), or let DATABASE_URL lead past the pooler'

/**
 * Throws when the session of `client` is shared. A second connection opens a transaction: it must get a session of its
 * own, and `client` must keep its session.
 */
export async function assertOwnSession(client: pg.PoolClient, options: pg.PoolConfig): Promise<void> {
  const other = new pg.Client({ ...(options as pg.ClientConfig), query_timeout: WAIT_MS })
  other.on('error', () => {})
  try {
    await other.connect()
    await assertApart(client, other)
  } finally {
    await other.end().catch(() => {})
  }
}

async function assertApart(client: pg.ClientBase, other: pg.ClientBase): Promise<void> {
  try {
    const session = await sessionOf(client)
    await other.query('BEGIN')
    if ((await sessionOf(other)) === session || (await sessionOf(client)) !== session)
      throw new Error('A pooler gives each transaction another connection')
  } catch (cause) {
    throw new Error(`The database cannot be used as it is, since ${ADVICE}`, { cause })
  }
}

async function sessionOf(client: pg.ClientBase): Promise<unknown> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid
}
