/** Connection pools for a server and for the embedded database; listeners can observe their statements. */
import { AsyncResource } from 'node:async_hooks'
import pg from 'pg'
import { schemaParameter } from '../../config/database-schema.ts'
import { READ_ONLY } from './failures.ts'
import type { PgliteEngine } from './pglite-engine.ts'
import { PgliteStream } from './pglite-stream.ts'
import { openSchema, readSchema } from './schema.ts'
import { observedClient, type StatementListener } from './statement-observer.ts'

/**
 * Milliseconds that a query waits for a connection before it fails (503). The embedded database has one, so queries
 * queue for longer.
 */
const SERVER_WAIT_MS = 5_000
export const EMBEDDED_WAIT_MS = 60_000

/** A pool, and the listeners that are called for every statement. */
export interface ObservedPool {
  readonly pool: pg.Pool
  readonly listeners: Set<StatementListener>
  /** The schema of the tables; absent: `public`. Connects when no session knows it yet. */
  readonly schema?: () => Promise<string>
}

/**
 * TCP keep-alive on PostgreSQL's side, ten probes after ten silent seconds, as on this side. By default PostgreSQL
 * takes over two hours to notice that a client's machine or network went silent. Until then the session keeps the
 * publish lock and row locks.
 */
const KEEP_ALIVE = 'SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 10'

/**
 * Milliseconds that a statement waits for a lock (503), and after which PostgreSQL ends a transaction whose client
 * sends nothing, and so frees its locks. Such a client is suspended, which TCP keep-alive does not notice. Work that
 * waits longer sets limits of its own.
 */
export const LOCK_WAIT_MS = 4_000
export const IDLE_TRANSACTION_MS = 10_000

/**
 * Connections to a PostgreSQL server. Each session is in UTC, aborts a statement after `statementTimeoutMs` (0: never)
 * and finds the tables of the store's schema. The first session decides which one that is, for as long as the pool
 * lives.
 */
export function serverPool(options: {
  url: string
  max: number
  statementTimeoutMs: number
  /** Milliseconds after which this process ends a query, whatever the server does; absent: never. */
  queryTimeoutMs?: number
  /** Instead of LOCK_WAIT_MS and IDLE_TRANSACTION_MS. */
  lockWaitMs?: number
  idleTransactionMs?: number
  onError(error: Error): void
  /** The schema of the primary, for its standbys; absent: the one that the URL or the session's search path names. */
  schema?: (() => Promise<string>) | undefined
}): ObservedPool {
  const { lockWaitMs = LOCK_WAIT_MS, idleTransactionMs = IDLE_TRANSACTION_MS } = options
  let schema = schemaParameter(options.url) ?? undefined
  const limits = `SET lock_timeout = ${lockWaitMs}; SET idle_in_transaction_session_timeout = ${idleTransactionMs}`
  const session = `SET TIME ZONE 'UTC'; SET statement_timeout = ${Math.trunc(options.statementTimeoutMs)}; ${limits}; ${KEEP_ALIVE}`
  const observed = observedPool(options.onError, {
    connectionString: options.url,
    max: options.max,
    connectionTimeoutMillis: options.queryTimeoutMs ?? SERVER_WAIT_MS,
    ...(options.queryTimeoutMs !== undefined && { query_timeout: options.queryTimeoutMs }),
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    // Then ten probes, one a second: a server that went silent fails its statements after 20 s, not after two hours.
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'commerce-graph',
    // Set by a statement, since connection poolers refuse startup options.
    onConnect: async (client) => {
      schema = (await options.schema?.()) ?? schema
      // A text of several statements has a result for each.
      const results = (await client.query(`${session}; ${openSchema(schema)}`)) as unknown as pg.QueryResult[]
      schema = readSchema(results.at(-1) as pg.QueryResult)
    },
  })
  const schemaOf = async (): Promise<string> => {
    if (schema === undefined) await observed.pool.query('SELECT')
    return schema as string
  }
  return { ...observed, schema: schemaOf }
}

/** The only connection of the embedded database; it stays open. */
export function embeddedPool(engine: PgliteEngine, onError: (error: Error) => void): ObservedPool {
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

/** A pool with listeners for statements; a lost connection is reported to `onError`. */
export function observedPool(onError: (error: Error) => void, config: pg.PoolConfig): ObservedPool {
  const { Client, listeners } = observedClient()
  const pool = new pg.Pool({ ...config, Client })
  keepContext(pool)
  // An error event without a listener would end the process. The pool replaces a lost idle connection; a lost
  // connection in use fails its statement.
  pool.on('error', onError)
  pool.on('connect', (client) => {
    client.on('error', () => {})
    closeWhenReadOnly(client)
  })
  return { pool, listeners }
}

/**
 * Runs a statement that waited for a connection in the asynchronous context of its caller, to whose trace it belongs.
 * pg runs it in the context of the statement whose connection it gets. AsyncResource.bind would do the same, but takes
 * twelve microseconds of each statement on Node 20, since it defines properties of the function; this takes a tenth of
 * that.
 */
function keepContext(pool: pg.Pool): void {
  const connect = pool.connect.bind(pool) as (callback?: (...result: unknown[]) => void) => unknown
  const inContext: typeof connect = (callback) => {
    if (!callback) return connect()
    const context = new AsyncResource('Statement')
    return connect((...result) => context.runInAsyncScope(callback, undefined, ...result))
  }
  pool.connect = inContext as pg.Pool['connect']
}

/**
 * Closes a connection whose server refuses a write, so that the next request connects anew: after a failover, a
 * connection to the former primary may stay open for long. Only pg's connection emits the error of a statement; the
 * client and the pool don't.
 */
function closeWhenReadOnly(client: pg.PoolClient): void {
  const { connection } = client as unknown as { readonly connection: NodeJS.EventEmitter }
  connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
    if (code === READ_ONLY) (client as unknown as pg.Client).end().catch(() => {})
  })
}
