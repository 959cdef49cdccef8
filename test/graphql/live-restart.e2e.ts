/** Live: a client's place is of the store, not of the process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { globalId } from '../../src/graphql/schema/ids.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { migrate } from '../../src/persistence/database/migrate.ts'
import { openDatabase } from '../../src/persistence/database/open-database.ts'
import { testDatabaseUrl, useDatabase } from '../support/database.ts'
import { fullStore, ids } from '../support/full-store.ts'
import { listen } from '../support/live.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { publish, publishStore } from '../support/published.ts'
import { START, startTestServer, type TestServer } from '../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeSubscription } from '../support/subscriptions.ts'

// Empties the database on a server; embedded, a store of its own that can be closed.
useDatabase()
const dataDir = mkdtempSync(join(tmpdir(), 'live-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

let book = ''

interface Stream {
  readonly field: string
  /** The argument beside `after`, and the event's id. */
  readonly of: () => string
  readonly id: string
  /** Makes the change of that number, and returns the global id that its event has. */
  readonly change: (server: TestServer, number: number) => Promise<string>
}

const streams: readonly Stream[] = [
  {
    field: 'releasePublished',
    of: () => `catalogId: "${ids.catalog}"`,
    id: 'releaseId',
    change: async (server) => globalId('Release', (await publish(server, ids.catalog)).id),
  },
  {
    field: 'productPriceChanged',
    of: () => `priceBookId: "${book}"`,
    id: 'productPriceId',
    change: async (server, number) =>
      globalId('ProductPrice', (await makePrice(contextOf(server.services, START), book, `SKU ${number}`)).id),
  },
  {
    field: 'subscriptionChanged',
    of: () => `accountId: "${idOf('account', 1)}"`,
    id: 'subscriptionId',
    change: async (server) =>
      globalId('AccountSubscription', (await makeSubscription(contextAs(server.services, START))).id),
  },
]

/** The store opened by a process of its own, until `work` is done. */
async function whileOpen(work: (server: TestServer) => Promise<void>): Promise<void> {
  const config = { databaseUrl: testDatabaseUrl(), dataDir, poolMax: 10, statementTimeoutMs: 30_000 }
  const database: Database = await openDatabase(config, { warn: () => {} })
  await migrate(database.pool)
  const server = await startTestServer(database)
  try {
    await work(server)
  } finally {
    await server.stop()
    await database.close()
  }
}

test('a cursor of live updates stays valid after a restart: missed events come once, in order, then new ones', async () => {
  const made = streams.map((): string[] => [])
  const received = streams.map((): string[] => [])
  const cursors = streams.map((): string | null => null)
  const change = async (server: TestServer) => {
    for (const [at, stream] of streams.entries()) made[at]?.push(await stream.change(server, made[at].length))
  }
  /** Listens from where it left off while `work` is done, and leaves `unread` of what was received unread. */
  const follow = async (server: TestServer, unread: number, work: () => Promise<void>) => {
    const listeners = await Promise.all(
      streams.map(({ field, of, id }, at) => {
        const query = `subscription ($after: String) { ${field}(${of()}, after: $after) { cursor id: ${id} } }`
        return listen(server, query, { variables: { after: cursors[at] } })
      }),
    )
    await work()
    for (const [at, { field }] of streams.entries()) {
      for (const { data } of (await listeners[at]?.take(
        (made[at]?.length ?? 0) - (received[at]?.length ?? 0) - unread,
      )) ?? []) {
        received[at]?.push(data[field].id)
        cursors[at] = data[field].cursor
      }
      await listeners[at]?.close()
    }
  }
  await whileOpen(async (server) => {
    await publishStore(server, fullStore())
    book = (await makeBook(contextOf(server.services, START), 'Live')).id
    await makePlan(contextAs(server.services, START), idOf('plan', 1))
    await makeOffering(contextAs(server.services, START), idOf('offering', 1), { plans: [idOf('plan', 1)] })
    await follow(server, 1, async () => {
      for (let count = 0; count < 3; count++) await change(server)
    })
    // Nobody listens.
    await change(server)
  })
  for (const unread of [2, 0]) {
    await whileOpen(async (server) => {
      await change(server)
      await follow(server, unread, () => change(server))
    })
  }
  expect(made.map(({ length }) => length)).toEqual([8, 8, 8])
  expect(received).toEqual(made)
})
