/**
 * PgBouncer between the server and PostgreSQL: session mode serves everything, the other modes are refused at the
 * start.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { readMigrations } from '../../src/persistence/database/migrations.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { testDatabaseUrl, useDatabase } from '../support/database.ts'
import { fullStore, ids } from '../support/full-store.ts'
import { listen } from '../support/live.ts'
import { pgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { startProgram } from '../support/program.ts'
import { publish, publishStore } from '../support/published.ts'
import { startTestServer } from '../support/server.ts'
import { startCommand } from '../support/start-command.ts'

const POOL_MAX = 3
/** POOL_MAX, and two for live updates and webhooks. */
const POOL_SIZE = POOL_MAX + 2

describe.runIf(pgbouncer && process.env.DATABASE_URL)('behind PgBouncer [needs PostgreSQL] [needs PgBouncer]', () => {
  const database = useDatabase()
  const cleanUps: (() => unknown)[] = []
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  })

  /** Starts PgBouncer before the test's database with these settings; returns the address that leads through it. */
  async function addressThrough(settings: readonly string[]): Promise<string> {
    const { url, stop } = await startPgbouncer(testDatabaseUrl() ?? '', settings)
    cleanUps.push(stop)
    return url
  }

  async function open(databaseUrl: string) {
    const opened = await openDatabase(
      { databaseUrl, dataDir: '', poolMax: POOL_MAX, statementTimeoutMs: 30_000 },
      { warn: () => {} },
    )
    cleanUps.push(() => opened.close())
    return opened
  }

  test.each([
    ['', 'the schema of the search path'],
    ['?schema=Shop-1', 'a schema of the URL'],
  ])(
    'pool_mode = session: writes, a publish and live updates by LISTEN, with the connections that the guide names%s: %s',
    async (schema) => {
      cleanUps.push(() => database.pool.query('DROP SCHEMA IF EXISTS "Shop-1" CASCADE'))
      const through = await open(
        `${await addressThrough(['pool_mode = session', `default_pool_size = ${POOL_SIZE}`])}${schema}`,
      )
      expect((await migrate(through.pool)).length).toBe(schema === '' ? 0 : readMigrations().length)
      const server = await startTestServer(through)
      cleanUps.push(() => server.stop())
      await publishStore(server, fullStore())
      const listener = await listen(
        server,
        `subscription { releasePublished(catalogId: "${ids.catalog}") { release { sequence } } }`,
      )
      const listening = `SELECT count(*)::int4 AS count FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`
      await expect.poll(async () => (await database.pool.query(listening)).rows).toEqual([{ count: 1 }])
      const added = await server.gql(
        'mutation { createPriceBook(input: { name: "Pooled" }) { priceBook { name } userErrors { code } } }',
      )
      expect(added.data.createPriceBook).toEqual({ priceBook: { name: 'Pooled' }, userErrors: [] })
      // At once, more than there are connections.
      const pages = await Promise.all(Array.from({ length: 20 }, () => server.gql('{ priceBooks { nodes { name } } }')))
      expect(new Set(pages.map(({ status, data }) => `${status} ${JSON.stringify(data)}`)).size).toBe(1)
      expect(JSON.stringify(pages[0].data)).toContain('Pooled')
      const { sequence } = await publish(server, ids.catalog)
      expect((await listener.next()).data.releasePublished.release).toEqual({ sequence })
      await listener.close()
    },
  )

  test.each([
    ['transaction', []],
    ['transaction', ['server_round_robin = 1', 'min_pool_size = 3']],
    ['transaction', ['default_pool_size = 1']],
    ['statement', []],
  ])('pool_mode = %s with %j is refused before anything is changed', async (mode, settings) => {
    const through = await open(await addressThrough([`pool_mode = ${mode}`, ...settings]))
    await expect(migrate(through.pool)).rejects.toThrow(
      'The database cannot be used as it is, since every connection needs a session of its own: set pool_mode = session',
    )
    const locks = await database.pool.query(
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    )
    expect(locks.rows).toEqual([])
  })

  test('pool_mode = transaction ends server and import with a sentence that says what to do', async () => {
    const DATABASE_URL = await addressThrough(['pool_mode = transaction'])
    const server = startProgram(startCommand(), { DATABASE_URL })
    expect([await server.exit, server.printed()]).toEqual([
      1,
      `The database cannot be used as it is, since every connection needs a session of its own: set pool_mode = session with enough connections (PgBouncer), or let DATABASE_URL lead past the pooler: A pooler gives each transaction another connection\n`,
    ])
    const [node, ...args] = startCommand('import')
    const imported = promisify(execFile)(node, [...args, 'prisma/demo.jsonl'], {
      cwd: projectRoot,
      env: { ...process.env, DATABASE_URL },
    })
    await expect(imported).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('set pool_mode = session'),
    })
  })
})
