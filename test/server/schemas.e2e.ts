/**
 * Schemas of a database other than `public`: the programs use the one that DATABASE_URL or the search path names, and
 * no other.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { advisoryLock, CHANGE_CHANNEL } from '../../src/persistence/database/schema.ts'
import { fullStore, ids } from '../support/full-store.ts'
import { runImport } from '../support/import.ts'
import { listen } from '../support/live.ts'
import { makeDatabase, type OwnDatabase } from '../support/own-database.ts'
import { startProgram } from '../support/program.ts'
import { publish, publishStore } from '../support/published.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { startCommand } from '../support/start-command.ts'

/** The schemas that have tables of a store. */
const STORES = `
  SELECT relnamespace::regnamespace::text AS schema FROM pg_class
  WHERE relkind = 'r' AND relname IN ('price_book', 'catalog', '_prisma_migrations', 'release_document_text')
  GROUP BY 1 HAVING count(*) = 4 ORDER BY 1`

/** A role's name, which no other run on the server uses. */
const roleOf = (name: string): string => `commerce_graph_${name}_${process.pid}`

describe.runIf(process.env.DATABASE_URL)('a schema other than public [needs PostgreSQL]', () => {
  let own: OwnDatabase
  const roles = [roleOf('named'), roleOf('altered'), roleOf('poor')] as const
  const [named, altered, poor] = roles
  const cleanUps: (() => unknown)[] = []
  beforeEach(async () => {
    own = await makeDatabase()
    await own.sql(roles.map((name) => `CREATE ROLE ${name} LOGIN`).join(';'))
    cleanUps.push(async () => {
      await own.sql(roles.map((name) => `DROP OWNED BY ${name} CASCADE; DROP ROLE ${name}`).join(';'))
      await own.drop()
    })
  })
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  })

  /** The URL of the database, with parameters and for another user. */
  function urlWith(parameters: Readonly<Record<string, string>>, user?: string): string {
    const url = new URL(own.url)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    if (user) url.username = user
    return url.href
  }

  async function open(databaseUrl: string): Promise<Database> {
    const opened = await openDatabase(
      { databaseUrl, dataDir: '', poolMax: 4, statementTimeoutMs: 30_000 },
      { warn: () => {} },
    )
    cleanUps.push(() => opened.close())
    return opened
  }

  async function serve(databaseUrl: string): Promise<TestServer> {
    const database = await open(databaseUrl)
    await migrate(database.pool)
    const server = await startTestServer(database, { config: { responseCacheMb: 0 } })
    cleanUps.push(() => server.stop())
    return server
  }

  const byRole = `CREATE SCHEMA byrole AUTHORIZATION ${altered}; ALTER ROLE ${altered} SET search_path = byrole, public`
  const extensions = 'CREATE EXTENSION unaccent; CREATE EXTENSION pg_trgm'
  test.each([
    ['?schema= that is not there', '"Shop-1"', { schema: 'Shop-1' }, undefined, ''],
    [
      '?schema= that is there, for a user without rights',
      '"po or"',
      { schema: 'po or' },
      poor,
      `CREATE SCHEMA "po or" AUTHORIZATION ${poor}`,
    ],
    ['?schema= before a search path', 'shop', { schema: 'shop', options: '-c search_path=public' }, undefined, ''],
    [
      '?schema=public before a schema named like the user',
      'public',
      { schema: 'public' },
      named,
      `GRANT ALL ON SCHEMA public TO ${named}; CREATE SCHEMA AUTHORIZATION ${named}`,
    ],
    ['a schema named like the user', named, {}, named, `CREATE SCHEMA AUTHORIZATION ${named}`],
    ['the search path of the user', 'byrole', {}, altered, byRole],
    [
      'the search path of options in the URL',
      'byoptions',
      { options: '-c search_path=byoptions' },
      undefined,
      'CREATE SCHEMA byoptions',
    ],
    [
      '?schema= beside extensions in a schema of their own',
      'shop',
      { schema: 'shop' },
      undefined,
      'CREATE SCHEMA more; CREATE EXTENSION unaccent SCHEMA more; CREATE EXTENSION pg_trgm SCHEMA more',
    ],
    [
      '?schema= without a schema public',
      'shop',
      { schema: 'shop' },
      undefined,
      'DROP EXTENSION unaccent, pg_trgm; DROP SCHEMA public',
    ],
  ])(
    'database.one-schema: with %s the tables are in one schema, and everything reads and writes them',
    async (_, schema, parameters, user, prepare) => {
      if (!prepare.includes('CREATE EXTENSION')) await own.sql(extensions)
      await own.sql(prepare || 'SELECT')
      const server = await serve(urlWith(parameters, user))
      expect((await server.rest('GET', '/ready', { token: null })).status).toBe(200)
      await publishStore(server, fullStore())
      const added = await server.gql(
        'mutation { createPriceBook(input: { name: "Here" }) { priceBook { name } userErrors { code } } }',
      )
      expect(added.data.createPriceBook).toEqual({ priceBook: { name: 'Here' }, userErrors: [] })
      const misspelt = '{ storefront { latestRelease { products(filter: { search: "machne" }) { nodes { sku } } } } }'
      expect((await server.gql(misspelt)).data.storefront.latestRelease.products.nodes).toEqual([{ sku: 'MACHINE' }])
      expect(await own.sql(STORES)).toEqual([{ schema }])
    },
  )

  test('a search path without a schema that is there is refused with what to do', async () => {
    const database = await open(urlWith({ options: '-c search_path=nowhere' }))
    await expect(migrate(database.pool)).rejects.toThrow(
      'The search path of the database names no schema that is there: create it, or name one by ?schema= in DATABASE_URL',
    )
  })

  test('a schema that its user may not create is refused with what to do', async () => {
    const database = await open(urlWith({ schema: 'nowhere' }, poor))
    await expect(migrate(database.pool)).rejects.toThrow(
      'The schema nowhere of DATABASE_URL is not there and cannot be made: create it, or',
    )
    expect(await own.sql(STORES)).toEqual([])
  })

  test('/ready is 503 while the schema is not there, also when another one has a store', async () => {
    await serve(urlWith({}))
    const server = await serve(urlWith({ schema: 'shop' }))
    const ready = async () => (await server.rest('GET', '/ready', { token: null })).status
    expect(await ready()).toBe(200)
    await own.sql('ALTER SCHEMA shop RENAME TO gone')
    expect(await ready()).toBe(503)
    await own.sql('ALTER SCHEMA gone RENAME TO shop')
    expect(await ready()).toBe(200)
  })

  describe('database.stores-apart: two stores in two schemas of one database', () => {
    let stores: readonly [TestServer, TestServer]
    beforeEach(async () => {
      const servers = await Promise.all([serve(urlWith({ schema: 'one' })), serve(urlWith({ schema: 'two' }))])
      for (const server of servers) await publishStore(server, fullStore())
      stores = servers
    })

    test('two stores in two schemas of one database start at once, and each has its own records', async () => {
      const [one, two] = stores
      await one.gql('mutation { createPriceBook(input: { name: "Of one" }) { priceBook { id } } }')
      const filter = '{ priceBooks(filter: { name: { eq: "Of one" } }) { nodes { name } } }'
      expect((await one.gql(filter)).data.priceBooks.nodes).toEqual([{ name: 'Of one' }])
      expect((await two.gql(filter)).data.priceBooks.nodes).toEqual([])
    })

    test('a publish, an import, a bundle and a start wait for nothing of the store in another schema, whose locks are held', async () => {
      const [one, two] = stores
      const holder = await one.services.database.pool.connect()
      const names = [7_077_888, 7_262_001, 7_262_002, 7_262_003, 7_262_004]
      await holder.query(`SELECT ${names.map((name) => `pg_advisory_lock(${advisoryLock(name)})`).join(', ')}`)
      expect(await publish(two, ids.catalog)).toMatchObject({ sequence: 2 })
      expect(await migrate(two.services.database.pool)).toEqual([])
      const file = '{"data":{"type":"pricebook","attributes":{"name":"Imported"}}}'
      expect((await runImport(two.services, file)).fine).toBe(true)
      const held = `SELECT count(*)::int4 AS count FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()`
      expect((await holder.query(held)).rows).toEqual([{ count: names.length }])
      holder.release(true)
    })

    test('a write wakes only the servers of its own store', async () => {
      const channels = await Promise.all(
        stores.map(
          async ({ services }) =>
            (await services.database.pool.query(`SELECT ${CHANGE_CHANNEL} AS channel`)).rows[0].channel,
        ),
      )
      const client = new pg.Client({ connectionString: own.url })
      await client.connect()
      cleanUps.push(() => client.end())
      const heard: string[] = []
      client.on('notification', ({ channel }) => heard.push(channel))
      await client.query(`${channels.map((channel) => `LISTEN "${channel}"`).join('; ')}; LISTEN test_end`)
      await stores[0].gql('mutation { createPriceBook(input: { name: "First" }) { priceBook { id } } }')
      await stores[1].gql('mutation { createPriceBook(input: { name: "Second" }) { priceBook { id } } }')
      await client.query('NOTIFY test_end')
      await expect.poll(() => heard).toEqual([...channels, 'test_end'])
      const listener = await listen(
        stores[1],
        `subscription { releasePublished(catalogId: "${ids.catalog}") { release { sequence } } }`,
      )
      await publish(stores[0], ids.catalog)
      await publish(stores[0], ids.catalog)
      await publish(stores[1], ids.catalog)
      expect((await listener.next()).data.releasePublished.release).toEqual({ sequence: 2 })
      await listener.close()
    })
  })

  test('an import, the server and an export all use the schema that the import makes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-schema-'))
    cleanUps.push(() => rmSync(folder, { recursive: true }))
    const text =
      '{"data":{"type":"pricebook","id":"0199aaaa-0000-7000-8000-00000000000a","attributes":{"name":"Here"}}}\n'
    writeFileSync(join(folder, 'in.jsonl'), text)
    const DATABASE_URL = urlWith({ schema: 'Shop-1' })
    const run = (script: 'import' | 'export', file: string) => {
      const [node, ...args] = startCommand(script)
      return promisify(execFile)(node, [...args, join(folder, file)], {
        cwd: projectRoot,
        env: { ...process.env, DATABASE_URL },
      })
    }
    await run('import', 'in.jsonl')
    const program = startProgram(startCommand(), { DATABASE_URL })
    cleanUps.push(() => program.child.kill('SIGKILL'))
    const [, url] = await program.says(/"address":"([^"]+)","database":"server"/)
    const [, token] = await program.says(/(eyJ[\w-]+\.[\w-]+\.[\w-]+)/)
    expect((await fetch(new URL('/ready', url))).status).toBe(200)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ query: '{ priceBooks { nodes { name } } }' })
    const books = await fetch(new URL('/graphql', url), { method: 'POST', headers, body })
    expect(await books.json()).toEqual({ data: { priceBooks: { nodes: [{ name: 'Here' }] } } })
    program.child.kill('SIGTERM')
    expect(await program.exit).toBe(0)
    await run('export', 'out.jsonl')
    expect(JSON.parse(readFileSync(join(folder, 'out.jsonl'), 'utf8')).data).toMatchObject({
      type: 'pricebook',
      attributes: { name: 'Here' },
    })
    expect(await own.sql(STORES)).toEqual([{ schema: '"Shop-1"' }])
  })
})
