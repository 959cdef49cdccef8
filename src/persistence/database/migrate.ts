/** Migrations at start: applies what the database lacks, under a lock, as Prisma's own command would. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Database } from './database.ts'
import { isUnchanged, type Migration, readMigrations } from './migrations.ts'
import { assertOwnSession } from './pooler.ts'
import { prepareDatabase } from './prepare-database.ts'
import { advisoryLock, UnusableDatabase } from './schema.ts'
import { limitValues, RESTORE_LIMITS, SESSION_LIMITS, type SessionLimits } from './session-limits.ts'

/** The database has another schema than this program's migrations produce. The message is for the operator. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/**
 * The advisory lock by which servers that start together migrate one after another. The number is arbitrary but must
 * not change.
 */
const LOCK = advisoryLock(7_262_001)

// Prisma's definition, so that Prisma's own commands work on the same database.
const TABLE = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`

/**
 * No right to create in the schema, which only the owner of the database has from PostgreSQL 15 on; or no schema to
 * create in.
 */
const MAY_NOT_CREATE = ['42501', '3F000']

interface Applied {
  readonly migration_name: string
  readonly checksum: string
  readonly finished_at: Date | null
}

/**
 * Applies the migrations that the database lacks, each in one transaction with its row, and returns their names. Throws
 * MigrationError, before any change, when an applied migration was edited, is not in the folder, or never finished. On
 * a server it first refuses a pooler that shares sessions, and then a database that is not in UTF-8.
 */
export async function migrate(pool: pg.Pool, migrations: readonly Migration[] = readMigrations()): Promise<string[]> {
  const client = await connect(pool)
  let failure: Error | undefined
  try {
    if (pool.options.connectionString !== undefined) await assertOwnSession(client, pool.options)
    // Index builds, and the wait for another server's migrations, may take longer than a statement of a request may.
    const { rows } = await client.query<SessionLimits>(SESSION_LIMITS)
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0')
    await prepareDatabase(client, pool.options.connectionString)
    await client.query(`SELECT pg_advisory_lock(${LOCK})`)
    const applied = await applyMissing(client, migrations)
    await client.query(`SELECT pg_advisory_unlock(${LOCK})`)
    await client.query(RESTORE_LIMITS, limitValues(rows[0]))
    return applied
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    // After a failure the connection is closed, which releases the lock.
    client.release(failure)
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    // pg throws right here when it can't read the URL or a file that the URL names.
    return await pool.connect()
  } catch (cause) {
    if (cause instanceof UnusableDatabase) throw cause
    throw new Error('There is no connection to the database: check that its server runs, and DATABASE_URL', { cause })
  }
}

/** Rejects when Prisma, which names the schema itself, can't read the migrated tables. */
export async function assertReadable({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  await prisma.storeFact.findFirst()
}

/**
 * Whether exactly this version's migrations are applied in the schema that Prisma reads (readiness). Those of a newer
 * version may have changed what this one reads.
 */
export async function isMigrated(
  database: Pick<Database, 'probe' | 'schema'>,
  migrations: readonly Migration[],
): Promise<boolean> {
  const { rows } = await database.probe.query<{ known: number; all: number }>(
    `SELECT count(*) FILTER (WHERE migration_name = ANY ($1))::int4 AS known, count(*)::int4 AS all
    FROM ${pg.escapeIdentifier(await database.schema())}._prisma_migrations WHERE finished_at IS NOT NULL`,
    [migrations.map(({ name }) => name)],
  )
  return rows[0]?.known === migrations.length && rows[0].all === migrations.length
}

async function applyMissing(client: pg.PoolClient, migrations: readonly Migration[]): Promise<string[]> {
  await client.query(TABLE).catch((error: unknown) => {
    if (!MAY_NOT_CREATE.includes((error as pg.DatabaseError).code ?? '')) throw error
    throw new Error(
      'Tables cannot be made: the user of DATABASE_URL must be the owner of the database, or may create in its schema',
      {
        cause: error,
      },
    )
  })
  const { rows } = await client.query<Applied>(
    'SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at',
  )
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const row of rows) assertKnown(row, known.get(row.migration_name))

  const applied = new Set(rows.map((row) => row.migration_name))
  const missing = migrations.filter(({ name }) => !applied.has(name))
  for (const migration of missing) await apply(client, migration)
  return missing.map(({ name }) => name)
}

function assertKnown(row: Applied, migration: Migration | undefined): void {
  const name = row.migration_name
  if (!migration)
    throw new MigrationError(
      `The database has the migration ${name}, which this version does not know: start the version that made it, or a newer one.`,
    )
  if (!isUnchanged(migration, row.checksum)) {
    throw new MigrationError(
      `The migration ${name} was edited after it was applied to this database: restore its file and put the change into a new migration.`,
    )
  }
  if (row.finished_at === null)
    throw new MigrationError(
      `The migration ${name} did not finish on this database: repair it by hand and correct its row in _prisma_migrations.`,
    )
}

async function apply(client: pg.PoolClient, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(sql)
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw new Error(`The migration ${name} failed and was undone`, { cause: error })
  }
}
