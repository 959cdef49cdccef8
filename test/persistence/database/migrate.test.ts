import { createHash } from 'node:crypto'
import type pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isMigrated, migrate } from '../../../src/persistence/database/migrate.ts'
import { type Migration, readMigrations } from '../../../src/persistence/database/migrations.ts'
import { serverPool } from '../../../src/persistence/database/pool.ts'
import { useDatabase } from '../../support/database.ts'

const database = useDatabase()
const { pool } = database

// A table of migrations of its own, in a schema that is searched first, so that the real one stays as it is.
let scratch: pg.Pool
beforeEach(async () => {
  await pool.query('CREATE SCHEMA scratch')
  scratch = connecting('SET search_path TO scratch')
})
afterEach(async () => {
  await pool.query('SET search_path TO DEFAULT; DROP SCHEMA scratch CASCADE')
})

/**
 * The pool with settings: embedded there is one connection, which gets them; on a server each connection of the pool
 * starts with them.
 */
function connecting(settings: string): pg.Pool {
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') {
        return async () => {
          const client = await target.connect()
          await client.query(settings)
          return client
        }
      }
      const value = Reflect.get(target, name) as unknown
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

const migration = (name: string, sql: string): Migration => ({
  name,
  sql,
  checksum: createHash('sha256').update(sql).digest('hex'),
})
const first = migration('1_first', 'CREATE TABLE scratch.one (id int);\nCREATE TABLE scratch.two (id int);')
const second = migration('2_second', 'ALTER TABLE scratch.one ADD COLUMN name text;')

describe('migrate', () => {
  it('missing migrations are applied once and in order, and recorded as Prisma does', async () => {
    expect(await migrate(scratch, [first])).toEqual(['1_first'])
    expect(await migrate(scratch, [first, second])).toEqual(['2_second'])
    expect(await migrate(scratch, [first, second])).toEqual([])
    const { rows } = await pool.query(
      'SELECT migration_name, checksum, applied_steps_count, logs, rolled_back_at, finished_at >= started_at AS finished FROM scratch._prisma_migrations ORDER BY migration_name',
    )
    const row = ({ name, checksum }: Migration) => ({
      migration_name: name,
      checksum,
      applied_steps_count: 1,
      logs: null,
      rolled_back_at: null,
      finished: true,
    })
    expect(rows).toEqual([row(first), row(second)])
  })

  it('a migration that fails is rolled back and named in the error', async () => {
    const broken = migration('2_broken', 'CREATE TABLE scratch.three (id int); SELECT 1 / 0;')
    await expect(migrate(scratch, [first, broken])).rejects.toThrow('The migration 2_broken failed and was undone')
    const { rows } = await pool.query(
      "SELECT to_regclass('scratch.one') IS NOT NULL AS one, to_regclass('scratch.three') IS NOT NULL AS three",
    )
    expect(rows).toEqual([{ one: true, three: false }])
    expect(await migrate(scratch, [first, second])).toEqual(['2_second'])
  })

  it('an edited migration is refused, but other line ends are accepted', async () => {
    await migrate(scratch, [first])
    await expect(migrate(scratch, [migration('1_first', `${first.sql} -- later`), second])).rejects.toThrow(
      'The migration 1_first was edited after it was applied',
    )
    expect(await migrate(scratch, [migration('1_first', first.sql.replaceAll('\n', '\r\n'))])).toEqual([])
  })

  it('an unknown migration is refused, and so is one that never finished', async () => {
    await migrate(scratch, [first, second])
    await expect(migrate(scratch, [first])).rejects.toThrow(
      'The database has the migration 2_second, which this version does not know',
    )
    await pool.query("UPDATE scratch._prisma_migrations SET finished_at = NULL WHERE migration_name = '2_second'")
    await expect(migrate(scratch, [first, second])).rejects.toThrow(
      'The migration 2_second did not finish on this database',
    )
    await pool.query("UPDATE scratch._prisma_migrations SET rolled_back_at = now() WHERE migration_name = '2_second'")
    await pool.query('ALTER TABLE scratch.one DROP COLUMN name')
    expect(await migrate(scratch, [first, second])).toEqual(['2_second'])
  })

  it('migrations run one after another on servers that start together', async () => {
    const applied = await Promise.all([
      migrate(scratch, [first, second]),
      migrate(scratch, [first, second]),
      migrate(scratch, [first, second]),
    ])
    expect(applied.flat()).toEqual(['1_first', '2_second'])
  })

  it.each([
    ['does not decode', 'postgres://user:50%ff@127.0.0.1/shop', 'URI malformed'],
    ['names a file that is not there', 'postgres://127.0.0.1/shop?sslrootcert=/nothing.pem', 'ENOENT'],
  ])('the error of a migration names DATABASE_URL when it %s', async (_, url, reason) => {
    const unusable = serverPool({ url, max: 1, statementTimeoutMs: 0, onError: () => {} }).pool
    const failure = await migrate(unusable).catch((error: unknown) => error)
    expect(failure).toMatchObject({
      message: expect.stringContaining('DATABASE_URL'),
      cause: { message: expect.stringContaining(reason) },
    })
  })

  it('the error of a migration says which right the user of DATABASE_URL lacks', async () => {
    // Roles are of the whole server, which other runs may use too.
    const reader = `reader_${process.pid}`
    await pool.query(`DROP ROLE IF EXISTS ${reader}; CREATE ROLE ${reader}; GRANT USAGE ON SCHEMA scratch TO ${reader}`)
    const asReader = connecting(`SET search_path TO scratch; SET ROLE ${reader}`)
    const failure = await migrate(asReader, [first]).catch((error: unknown) => error)
    await pool.query(`RESET ROLE; REVOKE USAGE ON SCHEMA scratch FROM ${reader}; DROP ROLE ${reader}`)
    expect(failure).toMatchObject({
      message:
        'Tables cannot be made: the user of DATABASE_URL must be the owner of the database, or may create in its schema',
      cause: { message: 'permission denied for schema scratch' },
    })
  })

  it('the statement timeout of the session is restored after migrations', async () => {
    const timeout = async () => (await pool.query('SHOW statement_timeout')).rows
    const before = await timeout()
    await migrate(scratch, [first])
    expect(await timeout()).toEqual(before)
  })
})

describe('isMigrated', () => {
  it('isMigrated is true for this version, and false when a migration is missing or one of a newer version is applied', async () => {
    const all = readMigrations()
    expect(await isMigrated(database, all)).toBe(true)
    expect(await isMigrated(database, [...all, first])).toBe(false)
    expect(await isMigrated(database, all.slice(0, -1))).toBe(false)
  })
})
