/** Database: the interface through which all other modules use PostgreSQL; open-database.ts creates one. */
import type pg from 'pg'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Bulkheads } from './bulkhead.ts'
import type { ReadReplicas } from './read-replicas.ts'
import type { StatementListener } from './statement-observer.ts'

/** A server's pool, or the embedded database, which has one connection. */
export interface Database {
  readonly kind: 'embedded' | 'server'
  /**
   * For writes and infrequent reads. Inside a transaction use only its `tx`: the embedded database has one connection.
   */
  readonly prisma: PrismaClient
  /** The connections, shared with `prisma`. A connection taken with `connect()` must be released. */
  readonly pool: pg.Pool
  /** The schema of the tables. Connects when it is not known yet. */
  schema(): Promise<string>
  /**
   * The shares of the connections by kind of work. A request database (request-database.ts) keeps its statements within
   * them.
   */
  readonly bulkheads: Bulkheads
  /**
   * Only for /ready: on a server a pool of one connection, which waits for nothing else; embedded the same as `pool`.
   */
  readonly probe: Pick<pg.Pool, 'query'>
  /** Whether the embedded database runs, and its current statement is within the limit; absent on a server. */
  readonly isAlive?: () => boolean
  /** Standbys that serve the contents of releases; null without them. */
  readonly replicas: ReadReplicas | null
  /** Runs a named prepared statement on any connection (query.ts). */
  query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<Row[]>
  /**
   * Reads keys together with those of other requests (request-batcher.ts); `assertActive` throws when the caller's
   * request has ended.
   */
  batchRead<Key, Found>(path: BatchedRead<Key, Found>, keys: readonly Key[], assertActive?: () => void): Promise<Found>
  /** Calls `listener` for every statement from now on, Prisma's and raw ones. Returns a function that ends this. */
  onStatement(listener: StatementListener): () => void
  /**
   * Waits for running statements, closes the connections, and the embedded database with its lock. Safe to call twice.
   */
  close(): Promise<void>
}

/**
 * An access path that reads many keys in one statement. The requests of a batch share `Found`, so they must not change
 * it.
 */
export interface BatchedRead<Key, Found> {
  /** Paths of the same name share statements, so a name must stand for one `read`. */
  readonly name: string
  /** The name without arguments and SQL, for traces; absent: the name itself. */
  readonly label?: string
  /** The text that equal keys share; absent: the key itself. */
  readonly cacheKeyFn?: (key: Key) => string
  /** Reads distinct keys on the given database, which is not that of a single request. */
  readonly read: (database: Database, keys: Key[]) => Promise<Found>
}
