/** Test database: one for each test worker, emptied for each test file. */
import { afterAll, beforeAll, inject, vi } from 'vitest'
import { TimeSlices } from '../../src/lib/time-slices.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { databaseOver } from '../../src/persistence/database/open-database.ts'
import { observedPool, serverPool } from '../../src/persistence/database/pool.ts'
import { type TestDatabases, urlOf } from './database-address.ts'

/**
 * The database of this test file, migrated, its tables empty when the file starts. Call it at the top of a file or a
 * describe; the members may be used from the first hook or test on.
 */
export function useDatabase(): Database {
  const database = patient(openTestDatabase())
  beforeAll(() => reset(database))
  afterAll(() => database.close())
  return database
}

/**
 * Empties every table. Sequences continue, as in a real store, since servers cache documents by number.
 *
 * Deletes without triggers, since truncating rewrites the files of a table and its indexes, and makes every plan anew;
 * all by one statement, since one for each table takes twice as long. Large tables are truncated, so that later files
 * don't read what their deleted rows leave. The lock waits for what still writes.
 */
export async function reset({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ name: string; isLarge: boolean }>(TABLES)
  const named = (isLarge: boolean): string[] => rows.filter((row) => row.isLarge === isLarge).map(({ name }) => name)
  const [first, ...others] = named(false)
  const large = named(true)
  await pool.query(`
    LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN EXCLUSIVE MODE;
    SELECT set_config('session_replication_role', 'replica', true);
    WITH ${others.map((table) => `gone_${table} AS (DELETE FROM ${table})`).join(', ')} DELETE FROM ${first};
    ${large.length > 0 ? `TRUNCATE ${large.join(', ')} CASCADE` : ''}`)
}

const TABLES = `
  SELECT relname AS name, pg_relation_size(oid) > 1000000 AS "isLarge" FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = quote_ident(current_schema())::regnamespace AND NOT relispartition AND relname <> '_prisma_migrations'`

/** A result and the statements that led to it. */
export interface Counted<T> {
  readonly result: T
  /** Statements sent, those that only begin and end transactions, or set up a new connection, left out. */
  readonly count: number
  readonly statements: readonly string[]
}

/**
 * Runs `work` and returns the statements that it sent, Prisma's and raw ones. Nothing else may use the database
 * meanwhile. No slice of time ends: after one a heavy request reads in several statements what it would read in one,
 * the more of them the slower the machine is.
 */
export async function countStatements<T>(database: Database, work: () => Promise<T>): Promise<Counted<T>> {
  const statements: string[] = []
  const end = database.onStatement(({ text }) => {
    if (!NO_WORK.test(text)) statements.push(text)
  })
  const slices = vi.spyOn(TimeSlices.prototype, 'turn').mockReturnValue(undefined)
  try {
    const result = await work()
    return { result, count: statements.length, statements }
  } finally {
    slices.mockRestore()
    end()
  }
}

const NO_WORK = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET TRANSACTION|SET TIME ZONE)\b/i

const worker = (): string => process.env.VITEST_POOL_ID ?? '1'

/** Where this worker's database is on the PostgreSQL server; null when tests run embedded. */
export function testDatabaseUrl(databases: TestDatabases = inject('databases')): string | null {
  return databases.kind === 'server' ? urlOf(databases.url, `${databases.name}_${worker()}`) : null
}

function openTestDatabase(): Database {
  const databases: TestDatabases = inject('databases')
  if (databases.kind === 'embedded') {
    return databaseOver(
      'embedded',
      observedPool(() => {}, {
        host: databases.folder,
        port: Number(worker()),
        user: 'postgres',
        database: 'postgres',
        ssl: false,
        max: 1,
        idleTimeoutMillis: 0,
      }),
    )
  }
  const url = testDatabaseUrl(databases) as string
  const server = serverPool({
    url,
    max: 10,
    statementTimeoutMs: PATIENCE_MS,
    lockWaitMs: PATIENCE_MS,
    idleTransactionMs: PATIENCE_MS,
    onError: () => {},
  })
  server.pool.options.connectionTimeoutMillis = PATIENCE_MS
  return databaseOver('server', server)
}

/**
 * Milliseconds for which a test waits for a connection, a statement and a transaction: many at once take a busy machine
 * a minute.
 */
const PATIENCE_MS = 300_000

/** The database, whose transactions may wait and run so long, whatever requests may. */
function patient(database: Database): Database {
  const prisma = new Proxy(database.prisma, {
    get(target, name) {
      if (name !== '$transaction') return Reflect.get(target, name)
      const begin = target.$transaction.bind(target) as (work: unknown, options?: object) => Promise<unknown>
      return (work: unknown, options: object = {}) =>
        typeof work === 'function'
          ? begin(work, { ...options, maxWait: PATIENCE_MS, timeout: PATIENCE_MS })
          : begin(work, options)
    },
  })
  return { ...database, prisma }
}
