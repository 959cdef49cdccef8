/** Opening the database: a pool of connections to a server, or the embedded database, behind one interface. */
import { PrismaPg } from '@prisma/adapter-pg'
import { PrismaClient } from '../../generated/prisma/client.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Database } from './database.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { embeddedPool, type ObservedPool, serverPool } from './pool.ts'
import { type Queryable, query } from './query.ts'
import { RequestBatcher } from './request-batcher.ts'
import { statementName } from './statement-name.ts'

/** The settings of the database. */
export interface DatabaseConfig {
  /** Null for the embedded database under `dataDir`. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  /** Connections to a server at most. */
  readonly poolMax: number
  /** Milliseconds after which a server aborts a statement; 0: never. */
  readonly statementTimeoutMs: number
}

interface DatabaseLog {
  warn(details: object, message: string): void
}

/** Milliseconds for which a close waits for connections in use. */
const CLOSE_MS = 8_000

/**
 * Opens the configured database. A server is connected to at the first statement; the embedded database is started, unless the caller
 * has started it and passes it.
 */
export async function openDatabase(config: DatabaseConfig, log: DatabaseLog, started?: Embedded): Promise<Database> {
  const onError = (error: Error) => log.warn({ err: error }, 'lost a database connection')
  if (config.databaseUrl !== null) {
    const { databaseUrl: url, poolMax: max, statementTimeoutMs } = config
    return databaseOver('server', serverPool({ url, max, statementTimeoutMs, onError }))
  }
  const embedded = started ?? (await startEmbedded(config.dataDir))
  return databaseOver('embedded', embeddedPool(embedded.engine, onError), () => embedded.close())
}

/** A database over a pool; `release` is called once the connections are closed. */
export function databaseOver(kind: Database['kind'], { pool, listeners }: ObservedPool, release = async () => {}): Database {
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool, { statementNameGenerator: statementName }) })
  let closing: Promise<void> | undefined
  const database: Database = {
    kind,
    prisma,
    pool,
    query: (name, text, values) => query(pool as Queryable, name, text, values),
    batchRead: (path, keys, assertActive) => batcher.read(path, keys, assertActive),
    onStatement(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      closing ??= (async () => {
        await prisma.$disconnect()
        // A connection that is never released must not keep the process alive.
        await withTimeout(pool.end(), CLOSE_MS, undefined)
        await release()
      })()
      return closing
    },
  }
  const batcher = new RequestBatcher(database)
  return database
}
