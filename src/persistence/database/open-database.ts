/** Opening the database: a pool of connections to a server, or the embedded database, behind one interface. */
import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { type Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { bulkheadsOf } from './bulkhead.ts'
import type { ConnectionLog } from './connection-log.ts'
import type { Database } from './database.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { EMBEDDED_WAIT_MS, embeddedPool, type ObservedPool, serverPool } from './pool.ts'
import { namedQuery } from './query.ts'
import { REPLICA_TIMEOUT_MS, ReadReplicas } from './read-replicas.ts'
import { RequestBatcher } from './request-batcher.ts'
import { statementName } from './statement-name.ts'

/** The settings of the database. */
export interface DatabaseConfig {
  /** Null for the embedded database under `dataDir`. */
  readonly databaseUrl: string | null
  /** Standbys of the server at `databaseUrl` that serve the contents of releases; absent or empty for none. */
  readonly replicaUrls?: readonly string[]
  readonly dataDir: string
  /** Connections to a server at most. */
  readonly poolMax: number
  /** Milliseconds after which a server aborts a statement; 0: never. */
  readonly statementTimeoutMs: number
}

/** Milliseconds that a statement of /ready may take on a server, and the wait for its connection. */
export const PROBE_TIMEOUT_MS = 800
/** Milliseconds for which a close waits for connections in use. */
const CLOSE_MS = 8_000

/**
 * Opens the configured database. A server is connected to at the first statement; the embedded database is started,
 * unless the caller has started it and passes it.
 */
export async function openDatabase(config: DatabaseConfig, log: ConnectionLog, started?: Embedded): Promise<Database> {
  const onError = (error: Error) => log.warn({ err: error }, 'lost a database connection')
  if (config.databaseUrl !== null) {
    const { databaseUrl, replicaUrls = [], poolMax: max, statementTimeoutMs } = config
    const primary = serverPool({ url: databaseUrl, max, statementTimeoutMs, onError })
    const probeLimits = { statementTimeoutMs: PROBE_TIMEOUT_MS, queryTimeoutMs: PROBE_TIMEOUT_MS, onError: () => {} }
    const probe = serverPool({ url: databaseUrl, max: 1, ...probeLimits, schema: primary.schema })
    if (replicaUrls.length === 0) return databaseOver('server', primary, { probe })
    const limits = { max, statementTimeoutMs, queryTimeoutMs: REPLICA_TIMEOUT_MS }
    // A lost standby is logged once, by ReadReplicas.
    const standbys = replicaUrls.map((url) => serverPool({ ...limits, url, onError: () => {}, schema: primary.schema }))
    return databaseOver('server', primary, { probe, standbys, log })
  }
  const embedded = started ?? (await startEmbedded(config.dataDir))
  const { engine } = embedded
  const isAlive = () => engine.isAlive(config.statementTimeoutMs || Number.POSITIVE_INFINITY)
  return databaseOver('embedded', embeddedPool(engine, onError), { isAlive, release: () => embedded.close() })
}

const inPublic = async (): Promise<string> => 'public'

interface Beside {
  /** The pool of /ready; absent: the other one. */
  readonly probe?: ObservedPool
  readonly isAlive?: () => boolean
  /** The pools of standbys. */
  readonly standbys?: readonly ObservedPool[]
  readonly log?: ConnectionLog
  /** Called once the connections are closed. */
  readonly release?: () => Promise<void>
}

/** Prisma's adapter, which knows the schema once it connects: Prisma names it in each statement. */
function adapterOver(
  pool: pg.Pool,
  schemaOf: () => Promise<string>,
): NonNullable<Prisma.PrismaClientOptions['adapter']> {
  const adapterOf = (schema: string) => new PrismaPg(pool, { schema, statementNameGenerator: statementName })
  const { provider, adapterName } = adapterOf('public')
  return { provider, adapterName, connect: async () => adapterOf(await schemaOf()).connect() }
}

/** A database over a pool. */
export function databaseOver(
  kind: Database['kind'],
  { pool, listeners, schema = inPublic }: ObservedPool,
  beside: Beside = {},
): Database {
  const { probe, isAlive, standbys = [], log = { warn: () => {} }, release = async () => {} } = beside
  const standbyPools = standbys.map((standby) => standby.pool)
  const replicas = standbyPools.length === 0 ? null : new ReadReplicas(pool, standbyPools, log)
  const prisma = new PrismaClient({ adapter: adapterOver(pool, schema) })
  let closing: Promise<void> | undefined
  const database: Database = {
    kind,
    prisma,
    pool,
    schema,
    bulkheads: bulkheadsOf(pool.options.max, pool.options.connectionTimeoutMillis || EMBEDDED_WAIT_MS),
    probe: probe?.pool ?? pool,
    ...(isAlive && { isAlive }),
    replicas,
    query: (name, text, values) => namedQuery(pool, name, text, values),
    batchRead: (path, keys, assertActive) => batcher.read(path, keys, assertActive),
    onStatement(listener) {
      const all = [listeners, ...(probe ? [probe.listeners] : []), ...standbys.map((standby) => standby.listeners)]
      for (const one of all) one.add(listener)
      return () => all.forEach((one) => void one.delete(listener))
    },
    close() {
      closing ??= (async () => {
        await prisma.$disconnect()
        // A connection that is never released must not keep the process alive.
        await withTimeout(Promise.all([pool.end(), probe?.pool.end(), replicas?.close()]), CLOSE_MS, undefined)
        await release()
      })()
      return closing
    },
  }
  const batcher = new RequestBatcher(database)
  return database
}
