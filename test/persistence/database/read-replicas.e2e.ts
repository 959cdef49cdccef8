/**
 * Read replicas: a primary and a standby of the test's own, which lags, hangs, dies and comes back under a server that
 * goes on.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../../src/persistence/database/database.ts'
import { migrate } from '../../../src/persistence/database/migrate.ts'
import { openDatabase } from '../../../src/persistence/database/open-database.ts'
import type { ReadReplicas } from '../../../src/persistence/database/read-replicas.ts'
import { type Cluster, clusterPrograms, makeCluster } from '../../soak/cluster.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { graphAsRest } from '../../support/graph-as-rest.ts'
import { listingPath, publish, publishStore } from '../../support/published.ts'
import { manualClock, startTestServer, type TestServer } from '../../support/server.ts'

const programs = process.env.DATABASE_URL ? clusterPrograms() : null

interface LogLine {
  readonly level: 'warn' | 'info'
  readonly replica?: string
  readonly message: string
}
const out = 'a read replica is left out until it is back'
const back = 'a read replica serves reads'

describe.runIf(programs)('[needs PostgreSQL] replica.serves-what-it-has: read replicas', () => {
  let primary: Cluster
  let standby: Cluster
  let database: Database
  let server: TestServer
  const logged: LogLine[] = []
  const opened: Database[] = []

  /** The tables are in a schema that the primary's URL names alone. */
  async function open(replicaUrls: readonly string[], databaseUrl = `${primary.url}?schema=Shop-1`): Promise<Database> {
    const add = (level: LogLine['level']) => (details: object, message: string) =>
      void logged.push({ level, ...details, message })
    const config = { databaseUrl, replicaUrls, dataDir: '', poolMax: 5, statementTimeoutMs: 30_000 }
    const one = await openDatabase(config, { warn: add('warn'), info: add('info') })
    opened.push(one)
    return one
  }

  beforeAll(async () => {
    primary = await makeCluster(programs ?? '')
    standby = await makeCluster(programs ?? '', [], { primary })
    const plain = await open([])
    await migrate(plain.pool)
    database = await open([standby.url])
    server = await startTestServer(database, { config: { responseCacheMb: 0 } })
    await publishStore(server, fullStore())
  })
  afterAll(async () => {
    await server.stop()
    await Promise.all(opened.map((one) => one.close()))
    standby.remove()
    primary.remove()
  })

  const replicas = () => database.replicas as ReadReplicas
  const portOf = ({ url }: Cluster) => Number(new URL(url).port)
  /** The port of the server that serves a read of what is committed now. */
  async function portNow(): Promise<number | undefined> {
    const rows = await replicas().query<{ port: number }>(
      await replicas().position(),
      'port',
      'SELECT inet_server_port() AS port',
    )
    return rows[0]?.port
  }
  const served = (by: Cluster) => expect.poll(portNow, { timeout: 60_000, interval: 50 }).toBe(portOf(by))
  async function nameOfMachine(): Promise<string> {
    const { body } = await server.rest('GET', listingPath(ids.catalog, ids.hierarchy))
    return body.data.find((one: { id: string }) => one.id === ids.machine).attributes.name
  }
  const rename = async (name: string) => {
    await database.prisma.product.update({ where: { id: ids.machine }, data: { name } })
    await publish(server, ids.catalog)
  }
  // Refused while the killed process still has its shared memory.
  const restart = (cluster: Cluster) =>
    expect
      .poll(
        () =>
          cluster.start().then(
            () => true,
            () => false,
          ),
        { timeout: 60_000, interval: 500 },
      )
      .toBe(true)
  const onStandby = async (text: string) => {
    const one = await openDatabase(
      { databaseUrl: standby.url, dataDir: '', poolMax: 1, statementTimeoutMs: 0 },
      { warn: () => {} },
    )
    const { rows } = await one.pool.query<Record<string, unknown>>(text)
    await one.close()
    return rows[0]
  }

  test('a standby serves what it has replayed, and the primary what is newer', async () => {
    await served(standby)
    const beyond = (await replicas().position()) + 1_000_000_000n
    const [row] = await replicas().query<{ port: number }>(beyond, 'port', 'SELECT inet_server_port() AS port')
    expect(row?.port).toBe(portOf(primary))
  })

  test('the sessions of a standby use the schema that the URL of the primary names', async () => {
    await served(standby)
    const text = "SELECT inet_server_port() AS port, current_schema() AS schema, unaccent('é') AS folded"
    expect(await replicas().query(await replicas().position(), 'schema', text)).toEqual([
      { port: portOf(standby), schema: 'Shop-1', folded: 'e' },
    ])
  })

  test('pages are read from a standby: one that no memory holds comes while the primary hangs', async () => {
    const cold = await startTestServer(database, { config: { responseCacheMb: 0 }, elapsed: manualClock() })
    const path = listingPath(ids.catalog, ids.hierarchy)
    // Knows the release, and has none of its documents.
    expect((await cold.rest('GET', `${path}?page[offset]=10000`)).body.data).toEqual([])
    await served(standby)
    primary.freeze()
    try {
      const { status, body } = await cold.rest('GET', path)
      expect([status, body.data.length > 3]).toEqual([200, true])
    } finally {
      primary.thaw()
    }
    await cold.stop()
  })

  test('a standby that lags is left out until it has caught up: each publish and each write shows at once', async () => {
    await served(standby)
    await onStandby('SELECT pg_wal_replay_pause()')
    for (const name of ['Renamed', 'Renamed again']) {
      await rename(name)
      expect(await nameOfMachine()).toBe(name)
      expect(await portNow()).toBe(portOf(primary))
    }
    await onStandby('SELECT pg_wal_replay_resume()')
    await served(standby)
    expect(await nameOfMachine()).toBe('Renamed again')
  })

  test.each([
    ['hangs', () => standby.freeze(), async () => standby.thaw()],
    ['is killed', () => standby.kill(), () => restart(standby)],
  ])('a standby that %s is left out, no request fails, and it serves again when it is back', async (_, lose, bring) => {
    await served(standby)
    logged.length = 0
    lose()
    await rename('While it was away')
    expect(await nameOfMachine()).toBe('While it was away')
    await expect.poll(() => logged.map(({ message }) => message)).toContain(out)
    expect(await portNow()).toBe(portOf(primary))
    await bring()
    await served(standby)
    const told = logged.filter(({ replica }) => replica === new URL(standby.url).host).map(({ message }) => message)
    // A busy machine may let it lag once more.
    expect([told.length % 2, ...told]).toEqual([0, out, back, ...told.slice(2).map((_, at) => [out, back][at % 2])])
  })

  test.each([
    ['is away', () => primary.kill(), () => restart(primary)],
    ['hangs', () => primary.freeze(), async () => primary.thaw()],
  ])(
    'while the primary %s, pages of known releases go on from a standby, writes are refused, and both are back with it',
    async (how, lose, bring) => {
      const going = await startTestServer(database, { config: { responseCacheMb: 0 }, limits: { deadlineMs: 5_000 } })
      const page = async (number: number) => {
        const path = listingPath(ids.catalog, ids.hierarchy, `page[limit]=1&page[offset]=${number}`)
        const { status, body } = await going.rest('GET', path)
        return [status, body.data?.length]
      }
      const book = `mutation { createPriceBook(input: { name: "While the primary ${how}" }) { priceBook { id } } }`
      const add = async () => (await graphAsRest(going, book)).status
      expect(await page(0)).toEqual([200, 1])
      await served(standby)
      lose()
      const until = performance.now() + 5_000
      for (let number = 0; performance.now() < until; number++) expect(await page(number % 4)).toEqual([200, 1])
      expect(await add()).toBe(503)
      await bring()
      await expect.poll(add, { timeout: 60_000 }).toBe(200)
      await rename(`After it ${how}`)
      expect(await nameOfMachine()).toBe(`After it ${how}`)
      await going.stop()
    },
  )

  test('when the primary is lost right after a publish, a standby that has replayed it since the last look serves it', async () => {
    await served(standby)
    await onStandby('SELECT pg_wal_replay_pause()')
    await rename('Right before the loss')
    const position = await replicas().position()
    const has = async (what: 'receive' | 'replay') =>
      (await onStandby(`SELECT pg_last_wal_${what}_lsn() - '0/0' >= ${position} AS has`))?.has
    await expect.poll(() => has('receive')).toBe(true)
    primary.kill()
    await onStandby('SELECT pg_wal_replay_resume()')
    await expect.poll(() => has('replay'), { interval: 1 }).toBe(true)
    const [row] = await replicas().query<{ port: number }>(position, 'port', 'SELECT inet_server_port() AS port')
    expect(row?.port).toBe(portOf(standby))
    await restart(primary)
  })

  test('a standby that was never reached is logged once, by its host and port', async () => {
    logged.length = 0
    await open(['postgres://postgres:hunter2@127.0.0.1:1/shop'])
    const told = () =>
      logged.filter(({ replica }) => replica === '127.0.0.1:1').map(({ level, message }) => [level, message])
    await expect.poll(told, { timeout: 10_000 }).toEqual([['warn', out]])
    // Two more polls.
    await pause(1_200)
    expect(told()).toEqual([['warn', out]])
  })

  test('a primary that does not know the position of its log serves all reads itself, and that is logged once', async () => {
    logged.length = 0
    // As on an engine whose log has no positions, for one user.
    await database.pool.query(`
      REVOKE EXECUTE ON FUNCTION pg_current_wal_insert_lsn() FROM PUBLIC;
      CREATE ROLE engine LOGIN;
      GRANT ALL ON SCHEMA "Shop-1" TO engine;
      GRANT ALL ON ALL TABLES IN SCHEMA "Shop-1" TO engine;
      GRANT ALL ON ALL SEQUENCES IN SCHEMA "Shop-1" TO engine`)
    const other = await open([standby.url], `${primary.url.replace('postgres@', 'engine@')}?schema=Shop-1`)
    const without = await startTestServer(other, { config: { responseCacheMb: 0 } })
    await expect.poll(() => logged.map(({ message }) => message), { timeout: 60_000 }).toContain(back)
    const page = async () => (await without.rest('GET', listingPath(ids.catalog, ids.hierarchy))).status
    expect(await page()).toBe(200)
    await rename('Without positions')
    await expect
      .poll(async () => JSON.stringify((await without.rest('GET', listingPath(ids.catalog, ids.hierarchy))).body))
      .toContain('Without positions')
    const one = other.replicas as ReadReplicas
    const [row] = await one.query<{ port: number }>(await one.position(), 'port', 'SELECT inet_server_port() AS port')
    expect(row?.port).toBe(portOf(primary))
    expect(
      logged.filter(({ level, message }) => level === 'warn' && message !== out).map(({ message }) => message),
    ).toEqual(['the primary does not know the position of its log: it serves all reads'])
    await without.stop()
  })

  test('a server that is no standby serves nothing, and no password is logged', async () => {
    logged.length = 0
    const other = await open([primary.url.replace('postgres@', 'postgres:secret@'), standby.url])
    const ports = async () => {
      const one = other.replicas as ReadReplicas
      const rows = await Promise.all(
        Array.from({ length: 4 }, () => one.query<{ port: number }>(0n, 'port', 'SELECT inet_server_port() AS port')),
      )
      return [...new Set(rows.map(([row]) => row?.port))]
    }
    await expect.poll(ports).toEqual([portOf(standby)])
    expect(JSON.stringify(logged)).not.toContain('secret')
  })
})
