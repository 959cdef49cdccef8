import pg from 'pg'
import type { Engine } from './pglite-engine.ts'
import { PgliteStream } from './pglite-stream.ts'
import { observedClient, type StatementListener } from './statement-observer.ts'

/** How long a query waits for a connection of the pool before it fails (503). Embedded, one connection serves all, so writes queue longer. */
const SERVER_WAIT_MS = 5_000
const EMBEDDED_WAIT_MS = 60_000

export interface ObservedPool {
  readonly pool: pg.Pool
  readonly listeners: Set<StatementListener>
}

/** Connections to a PostgreSQL server. Each session is in UTC and gives up a statement after `statementTimeoutMs` (0: never). */
export function serverPool(options: { url: string; max: number; statementTimeoutMs: number; onError(error: Error): void }): ObservedPool {
  const session = `SET TIME ZONE 'UTC'; SET statement_timeout = ${Math.trunc(options.statementTimeoutMs)}`
  return observedPool(options.onError, {
    connectionString: options.url,
    max: options.max,
    connectionTimeoutMillis: SERVER_WAIT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'commerce-graph',
    // A statement and not a startup option, which poolers between here and the server refuse.
    onConnect: async (client) => {
      await client.query(session)
    },
  })
}

/** The one connection that the embedded database has; it stays open. */
export function embeddedPool(engine: Engine, onError: (error: Error) => void): ObservedPool {
  return observedPool(onError, {
    host: 'embedded',
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    max: 1,
    connectionTimeoutMillis: EMBEDDED_WAIT_MS,
    idleTimeoutMillis: 0,
    stream: () => new PgliteStream(engine),
  })
}

/** A pool whose statements can be heard and whose lost connections are only told of. */
export function observedPool(onError: (error: Error) => void, config: pg.PoolConfig): ObservedPool {
  const { Client, listeners } = observedClient()
  const pool = new pg.Pool({ ...config, Client })
  // Without listeners a lost connection would end the process. The pool has dropped an idle one already and opens another; of one in use
  // the waiting statement tells.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => {}))
  return { pool, listeners }
}
