/** Waiting for connections: others' writes, locks and statements take neither /ready nor reads down. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withPublishLock } from '../../src/persistence/catalog/publish/lock.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { IDLE_TRANSACTION_MS, LOCK_WAIT_MS } from '../../src/persistence/database/pool.ts'
import { inSnapshot } from '../../src/persistence/database/snapshot.ts'
import { inOneTransaction } from '../../src/persistence/database/transaction.ts'
import { testDatabaseUrl, useDatabase } from '../support/database.ts'
import { hold, untilItWaits } from '../support/held-transaction.ts'
import { waitUntil } from '../support/live.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const POOL_MAX = 4
const BOOK = '0190a000-0000-7000-8000-00000000000a'
const OTHER = '0190a000-0000-7000-8000-00000000000b'
const prices = `/pcm/pricebooks/${BOOK}/prices`
const price = (sku: string) => ({ body: { data: { type: 'product-price', attributes: { sku, currencies: {} } } } })
const addPrice = `mutation { addProductPrice(input: { priceBookId: "${BOOK}", sku: "GRAPH", prices: [] }) { userErrors { code } } }`

const shared = useDatabase()
let folder: string
let database: Database
let server: TestServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waiting-'))
  const config = { databaseUrl: testDatabaseUrl(), dataDir: folder, poolMax: POOL_MAX, statementTimeoutMs: 30_000 }
  database = await openDatabase(config, { warn: () => {} })
  await migrate(database.pool)
  server = await startTestServer(database)
  await database.pool.query(
    "INSERT INTO price_book (id, name, created_at, updated_at) VALUES ($1, 'Held', now(), now()), ($2, 'Other', now(), now())",
    [BOOK, OTHER],
  )
})
afterAll(async () => {
  await server.stop()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A busy machine may take longer than one /ready waits; while connections are missing none of them is 200. */
const becomesReady = () =>
  expect.poll(async () => (await server.rest('GET', '/ready', { token: null })).status, { timeout: 10_000 }).toBe(200)

test('http.ready-is-apart: /ready is 200 while all connections of the pool are taken', async () => {
  await becomesReady()
  const taken = await Promise.all(Array.from({ length: database.pool.options.max }, () => database.pool.connect()))
  try {
    await becomesReady()
  } finally {
    for (const client of taken) client.release()
  }
})

describe.runIf(testDatabaseUrl() !== null)('[needs PostgreSQL] a row that another transaction has locked', () => {
  const holdBook = () => hold(shared, (tx) => tx.$queryRaw`SELECT FROM price_book WHERE id = ${BOOK}::uuid FOR UPDATE`)

  test('http.writes-leave-room: reads and writes of other rows go on while many writes wait for a locked row', async () => {
    const release = await holdBook()
    let answered = 0
    const writes = Array.from({ length: 3 * POOL_MAX }, async (_, at) => {
      const { status } = await server.rest('POST', prices, price(`ROW-${at}`))
      answered++
      return status
    })
    const { writes: share } = database.bulkheads
    await waitUntil(() => share.running + share.waiting === writes.length)
    await untilItWaits(shared, Promise.race(writes))
    const reads = await Promise.all([
      server.rest('GET', `/pcm/pricebooks/${OTHER}/prices`),
      server.gql('{ priceBooks { totalCount nodes { name } } }'),
    ])
    const before = [answered, share.running, share.waiting]
    await release()
    expect([reads[0].status, reads[1].data?.priceBooks?.totalCount]).toEqual([200, 2])
    expect(before).toEqual([0, POOL_MAX / 2, writes.length - POOL_MAX / 2])
    expect(new Set(await Promise.all(writes))).toEqual(new Set([201]))
  })

  test('http.lost-database-is-unavailable: a write that waits too long for a locked row is 503 with Retry-After on both edges', async () => {
    const release = await holdBook()
    const [rest, graph] = await Promise.all([server.rest('POST', prices, price('LATE')), server.gql(addPrice)])
    await release()
    const codes = graph.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)
    expect([rest.status, rest.headers.get('retry-after'), rest.body.errors[0].code]).toEqual([
      503,
      '1',
      'SERVICE_UNAVAILABLE',
    ])
    expect([graph.status, graph.headers.get('retry-after'), codes, graph.data]).toEqual([
      503,
      '1',
      ['SERVICE_UNAVAILABLE'],
      undefined,
    ])
    expect((await server.rest('POST', prices, price('LATE'))).status).toBe(201)
  })
})

describe.runIf(testDatabaseUrl() !== null)('[needs PostgreSQL] the limits of sessions', () => {
  const LIMITS =
    "SELECT current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle"
  const ofRequests = { lock: `${LOCK_WAIT_MS / 1_000}s`, idle: `${IDLE_TRANSACTION_MS / 1_000}s` }
  const ofPipes = { lock: '0', idle: '10min' }
  const limits = async () => (await database.pool.query(LIMITS)).rows[0]

  test('the limits of sessions are those of requests on every connection, and again after a publish and a migration have changed them', async () => {
    const clients = await Promise.all(Array.from({ length: POOL_MAX }, () => database.pool.connect()))
    for (const client of clients) expect((await client.query(LIMITS)).rows).toEqual([ofRequests])
    for (const client of clients) client.release()
    await withPublishLock(database, async (client) =>
      expect((await client.query(LIMITS)).rows).toEqual([{ lock: '0', idle: '1min' }]),
    )
    await migrate(database.pool)
    for (let at = 0; at < POOL_MAX; at++) expect(await limits()).toEqual(ofRequests)
  })

  test('an import that keeps one transaction, and an export, may wait ten minutes for their pipe', async () => {
    const imported = await inOneTransaction(
      database,
      async (tx) => tx.$queryRawUnsafe(LIMITS),
      () => true,
    )
    expect(imported).toEqual([ofPipes])
    const rows: unknown[] = []
    const exported = inSnapshot(database, [], (snapshot) => snapshot.rows({ name: 'limits', text: LIMITS }))
    for await (const row of exported) rows.push(row)
    expect(rows).toEqual([ofPipes])
    expect(await limits()).toEqual(ofRequests)
  })

  test('the transaction of a client that is suspended ends, and others may then write its row', async () => {
    const suspended = await shared.pool.connect()
    await suspended.query('SET idle_in_transaction_session_timeout = 100; BEGIN')
    await suspended.query('SELECT FROM price_book WHERE id = $1 FOR UPDATE', [BOOK])
    const { status } = await server.rest('POST', prices, price('AFTER'))
    expect(status).toBe(201)
    suspended.release(true)
  })
})
