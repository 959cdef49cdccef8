/** Issue: a PostgreSQL of the test's own is killed, frozen and filled up under a server that goes on. */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { type Cluster, clusterPrograms, makeCluster } from '../soak/cluster.ts'
import { graphAsRest } from '../support/graph-as-rest.ts'
import { seen } from '../support/hidden-store.ts'
import { runImport } from '../support/import.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { mountSmallDisk, unmountSmallDisk } from '../support/small-disk.ts'
import { startWorkingClock } from '../support/working-clock.ts'

const programs = process.env.DATABASE_URL ? clusterPrograms() : null
const DEADLINE_MS = 2_000
const listing = `/pcm/catalogs/${seen.catalog}/releases/latest/hierarchies/${seen.hierarchy}/products`
const prices = `/pcm/pricebooks/${seen.book}/prices`
const statusOf = async (server: TestServer, method: string, path: string, body?: object): Promise<number> =>
  (await server.rest(method, path, body && { body })).status
const price = (sku: string) => ({ data: { type: 'product-price', attributes: { sku, currencies: {} } } })

async function open(url: string): Promise<Database> {
  const database = await openDatabase(
    { databaseUrl: url, dataDir: '', poolMax: 5, statementTimeoutMs: 30_000 },
    { warn: () => {} },
  )
  await migrate(database.pool)
  return database
}

describe.runIf(programs)('[needs PostgreSQL] a database that becomes unavailable', () => {
  let cluster: Cluster
  let database: Database
  let server: TestServer
  const clock = startWorkingClock()
  beforeAll(async () => {
    cluster = await makeCluster(programs ?? '')
    database = await open(cluster.url)
    server = await startTestServer(database, { limits: { deadlineMs: DEADLINE_MS } })
    const { fine, refused } = await runImport(
      server.services,
      readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8'),
    )
    expect([fine, refused]).toEqual([true, []])
  })
  afterAll(async () => {
    clock.stop()
    await server.stop()
    await database.close()
    cluster.remove()
  })
  const becomes = (status: number, path: string, interval = 50) =>
    expect.poll(() => statusOf(server, 'GET', path), { interval }).toBe(status)

  /** Readers and writers that never stop; every response with its instant and milliseconds. */
  function load() {
    const responses: { at: number; ms: number; status: number; path: string; text: string }[] = []
    let on = true
    let number = 0
    const loop = async (ask: () => Promise<{ status: number; text: string }>, path: string): Promise<void> => {
      while (on) {
        const at = clock.now()
        const { status, text } = await ask()
        responses.push({ at, ms: clock.now() - at, status, path, text })
        await pause(10)
      }
    }
    const running = Promise.all([
      loop(() => server.rest('GET', listing), listing),
      loop(() => server.rest('GET', prices), prices),
      loop(() => server.rest('POST', prices, { body: price(`AWAY-${number++}`) }), 'write'),
      loop(() => graphAsRest(server, '{ priceBooks { totalCount } }'), 'graph'),
    ])
    return {
      responses,
      async stop() {
        on = false
        await running
      },
    }
  }

  test('release.seen-within-a-second: a database that is killed under load: /ready fails at once, requests get 503 within the deadline, and responses are correct within 5 s of its return', async () => {
    const all = load()
    const { responses } = all
    await expect.poll(() => responses.length, { timeout: 60_000 }).toBeGreaterThan(100)
    cluster.kill()
    const killed = clock.now()
    await becomes(503, '/ready', 20)
    expect(clock.now() - killed).toBeLessThan(1_000)
    expect(await statusOf(server, 'GET', '/health')).toBe(200)
    await pause(2_500)
    expect(await statusOf(server, 'GET', listing)).toBe(503)
    expect(await statusOf(server, 'GET', '/ready')).toBe(503)
    const starting = clock.now()
    await cluster.start()
    const back = clock.now()
    for (const path of ['/ready', listing, prices]) await becomes(200, path)
    expect(clock.now() - back).toBeLessThan(5_000)
    const seenSoFar = responses.length
    await expect.poll(() => responses.length - seenSoFar, { timeout: 60_000 }).toBeGreaterThan(50)
    await all.stop()

    const unexpected = responses
      .filter(({ status }) => ![200, 201, 503].includes(status))
      .map(({ status, path, text }) => [status, path, text])
    const errors = server.logs
      .filter(({ err }) => err && (err as { type: string }).type !== 'Unavailable')
      .map(({ err }) => err)
    expect({ unexpected, errors }).toEqual({ unexpected: [], errors: [] })
    expect([...new Set(responses.map(({ status }) => status))].sort()).toEqual([200, 201, 503])
    for (const { ms, path } of responses) expect([path, ms < DEADLINE_MS + 1_000]).toEqual([path, true])
    // Cached pages are served for a second after the set of published releases was last read.
    const late = responses.filter(
      ({ at, status, path }) => path === listing && at > killed + 1_200 && at < starting && status === 200,
    )
    expect(late).toEqual([])
    for (const { text } of responses.filter(({ status }) => status === 503))
      expect(text).not.toMatch(/ECONN|127\.0\.0\.1|terminat|postgres/)
    const acknowledged = responses.filter(({ status, path }) => path === 'write' && status === 201).length
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS count FROM product_price WHERE sku LIKE 'AWAY-%'`,
    )
    expect(rows[0].count).toBeGreaterThanOrEqual(acknowledged)
  })

  test('a database that neither responds nor closes connections: requests get 503 within the deadline, and correct responses when it resumes', async () => {
    cluster.freeze()
    const started = clock.now()
    expect(await statusOf(server, 'GET', '/ready')).toBe(503)
    expect(clock.now() - started).toBeLessThan(1_000)
    const statuses = await Promise.all([listing, prices, '/ready'].map((path) => statusOf(server, 'GET', path)))
    // The listing may still be in memory.
    expect([statuses.slice(1), [200, 503].includes(statuses[0] ?? 0)]).toEqual([[503, 503], true])
    expect(await statusOf(server, 'POST', prices, price('FROZEN'))).toBe(503)
    expect(await statusOf(server, 'GET', listing)).toBe(503)
    expect(await statusOf(server, 'GET', '/health')).toBe(200)
    expect(clock.now() - started).toBeLessThan(3 * (DEADLINE_MS + 1_000))
    cluster.thaw()
    const thawed = clock.now()
    for (const path of ['/ready', listing, prices]) await becomes(200, path)
    expect(clock.now() - thawed).toBeLessThan(5_000)
  })

  test('more requests than the pool can serve: those that wait too long get 503, the others are served, and no connection is lost', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => database.pool.connect()))
    const waiting = Array.from({ length: 30 }, () => statusOf(server, 'GET', prices))
    expect([...new Set(await Promise.all(waiting))]).toEqual([503])
    for (const client of clients) client.release()
    await becomes(200, prices)
    await expect.poll(() => database.pool.waitingCount).toBe(0)
  })
})

const disk = programs ? mountSmallDisk(120) : null

describe.runIf(disk)('[needs PostgreSQL] a disk that is full', () => {
  afterAll(() => {
    if (disk) unmountSmallDisk(disk)
  })

  test('a full disk causes errors and no corruption: acknowledged writes are there, and writes succeed again once there is space', async () => {
    const settings = ['max_wal_size=32MB', 'min_wal_size=32MB', 'wal_keep_size=0', 'shared_buffers=16MB']
    const folder = join(disk ?? '', 'cluster')
    mkdirSync(folder)
    chmodSync(disk ?? '', 0o755)
    const cluster = await makeCluster(programs ?? '', settings, { parent: folder })
    const database = await open(cluster.url)
    const server = await startTestServer(database)
    const book = (await server.gql('mutation { createPriceBook(input: { name: "Full" }) { priceBook { id } } }')).data
      .createPriceBook.priceBook.id
    const uuid = Buffer.from(book, 'base64url').toString().split(':')[1]
    const path = `/pcm/pricebooks/${uuid}/prices`
    // A file that can be deleted to free space.
    const ballast = join(disk ?? '', 'ballast')
    writeFileSync(ballast, Buffer.alloc(30 * 1024 * 1024, 1))
    // Another program fills the disk; the database's log needs space for each write.
    await database.pool.query('CREATE TABLE filler (bytes text)')
    const fill = async (): Promise<void> => {
      for (;;)
        await database.pool.query(
          `INSERT INTO filler SELECT string_agg(md5(random()::text), '') FROM generate_series(1, 30000), LATERAL (SELECT 1) one`,
        )
    }
    await expect(fill()).rejects.toThrow()
    const acknowledged: string[] = []
    let refused = 0
    for (let n = 0; n < 400 && refused < 20; n++) {
      const attributes = {
        sku: `F-${n}`,
        currencies: {},
        admin_attributes: { filler: 'x'.repeat(20_000).replace(/x/g, () => Math.random().toString(36)[2] ?? 'x') },
      }
      const status = await statusOf(server, 'POST', path, { data: { type: 'product-price', attributes } })
      if (status === 201) acknowledged.push(`F-${n}`)
      else refused++
      expect([201, 500, 503]).toContain(status)
    }
    expect(refused).toBeGreaterThan(0)
    rmSync(ballast)
    await cluster.startAgain()
    await expect
      .poll(() => statusOf(server, 'POST', path, price('AFTER')), { timeout: 60_000, interval: 200 })
      .toBe(201)
    const { rows } = await database.pool.query<{ sku: string }>(`SELECT sku FROM product_price WHERE sku LIKE 'F-%'`)
    const stored = new Set(rows.map(({ sku }) => sku))
    expect(acknowledged.filter((sku) => !stored.has(sku))).toEqual([])
    await server.stop()
    await database.close()
    cluster.remove()
  })
})
