/** The database as everything above it sees it; open-database.ts makes one. */
import type pg from 'pg'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { StatementListener } from './statement-observer.ts'

export interface Database {
  readonly kind: 'embedded' | 'server'
  /** For writes and for reads that are not hot. Inside a transaction use only its `tx`: embedded there is one connection. */
  readonly prisma: PrismaClient
  /** The connections that `prisma` uses too. One taken with `connect()` must be released. */
  readonly pool: pg.Pool
  /** Runs a named prepared statement on any connection (query.ts). */
  query<Row extends object>(name: string, text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Reads keys together with those of other requests (request-batcher.ts); `assertActive` throws when the caller's request has ended. */
  batchRead<Key, Found>(path: BatchedRead<Key, Found>, keys: readonly Key[], assertActive?: () => void): Promise<Found>
  /** Hears every statement from now on, Prisma's and raw ones; returns what ends it. */
  onStatement(listener: StatementListener): () => void
  /** Lets running statements end, closes the connections, and embedded the database and its lock. Safe to call twice. */
  close(): Promise<void>
}

/** An access path, read many keys at a time. `Found` is shared by the requests of a batch, so nobody changes it. */
export interface BatchedRead<Key, Found> {
  /** Paths of one name share statements, so it stands for one `read`. */
  readonly name: string
  /** Equal for keys that mean the same; absent: the key itself. */
  readonly cacheKeyFn?: (key: Key) => string
  /** Reads distinct keys, on the database that it is given and not on that of a single request. */
  readonly read: (database: Database, keys: Key[]) => Promise<Found>
}
