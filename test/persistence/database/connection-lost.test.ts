/**
 * A connection to PostgreSQL may be lost at any statement of a request, in more than one way: it is never more than a
 * 503.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../../../src/config/project-root.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { openDatabase } from '../../../src/persistence/database/open-database.ts'
import { useDatabase } from '../../support/database.ts'
import { graphAsRest } from '../../support/graph-as-rest.ts'
import { seen } from '../../support/hidden-store.ts'
import { runImport } from '../../support/import.ts'
import { endings, startRelay } from '../../support/relay.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'

const here = useDatabase()
const listing = `/pcm/catalogs/${seen.catalog}/releases/latest/hierarchies/${seen.hierarchy}/products`
const prices = `/pcm/pricebooks/${seen.book}/prices`
const price = (number: number) => ({
  data: { type: 'product-price', attributes: { sku: `CUT-${number}`, currencies: {} } },
})
const addBook = (number: number) =>
  `mutation { createPriceBook(input: { name: "Cut ${number}" }) { priceBook { id } userErrors { code } } }`

const requests: [string, (server: TestServer, number: number) => Promise<{ status: number; text: string }>][] = [
  ['a listing', (server) => server.rest('GET', listing)],
  ['a list of the facade', (server) => server.rest('GET', prices)],
  ['a write of the facade', (server, number) => server.rest('POST', prices, { body: price(number) })],
  [
    'a page of the graph',
    (server) => graphAsRest(server, '{ priceBooks { totalCount nodes { id prices { nodes { id } } } } }'),
  ],
  ['a write of the graph', (server, number) => graphAsRest(server, addBook(number))],
]

/**
 * No statement runs or waits, nor is about to be sent: of several that were asked for side by side, the first to fail
 * leaves the others behind, and those that read together wait a few turns of the event loop for company.
 */
async function settled({ pool }: Database): Promise<void> {
  let quiet = 0
  const look = (): number => {
    quiet = pool.waitingCount + pool.totalCount - pool.idleCount === 0 ? quiet + 1 : 0
    return quiet
  }
  await expect.poll(look, { interval: 2 }).toBeGreaterThan(5)
}

describe.runIf(here.kind === 'server')('[needs PostgreSQL] a lost connection', () => {
  beforeAll(async () => {
    const server = await startTestServer(here)
    const { fine, refused } = await runImport(
      server.services,
      readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8'),
    )
    expect([fine, refused]).toEqual([true, []])
    await server.stop()
  })

  test.each(requests)(
    'a lost connection is answered 503 for %s, at whichever statement from connect to COMMIT and in whatever way it is lost',
    async (_, ask) => {
      const relay = await startRelay((here.pool.options as { connectionString?: string }).connectionString ?? '')
      const behind = await openDatabase(
        { databaseUrl: relay.url, dataDir: '', poolMax: 1, statementTimeoutMs: 30_000 },
        { warn: () => {} },
      )
      const server = await startTestServer(behind, { config: { responseCacheMb: 0 } })
      const unexpected: unknown[] = []
      let number = 0
      for (const ending of endings)
        for (let nth = 1; ; nth++) {
          await settled(behind)
          relay.cutAll()
          await expect.poll(() => behind.pool.totalCount, { interval: 2 }).toBe(0)
          server.services.releases.invalidate()
          relay.cutAt(nth, ending)
          const { status, text } = await ask(server, number++)
          if (!relay.hasCut) {
            expect([ending, nth > 3, status < 300, text]).toEqual([ending, true, true, text])
            break
          }
          if (status !== 503)
            unexpected.push({ ending, nth, status, text, logs: server.logs.filter(({ err }) => err).slice(-1) })
        }
      expect(unexpected).toEqual([])
      await server.stop()
      await behind.close()
      relay.close()
    },
  )

  test('a connection to a server that is not the primary any more is answered 503 once, and closed', async () => {
    const databaseUrl = (here.pool.options as { connectionString?: string }).connectionString ?? ''
    const behind = await openDatabase(
      { databaseUrl, dataDir: '', poolMax: 1, statementTimeoutMs: 30_000 },
      { warn: () => {} },
    )
    const server = await startTestServer(behind)
    const demote = () => behind.pool.query('SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY')
    const writes: (() => Promise<{ status: number; text: string }>)[] = [
      () => server.rest('POST', prices, { body: price(2_000) }),
      () => graphAsRest(server, addBook(2_000)),
      () =>
        graphAsRest(
          server,
          `mutation { publishRelease(input: { catalogId: "${seen.catalog}" }) { release { id } userErrors { code } } }`,
        ),
    ]
    for (const [at, write] of writes.entries()) {
      await demote()
      expect([at, (await write()).status]).toEqual([at, 503])
      const { status, text } = await write()
      expect([at, status < 300, text]).toEqual([at, true, text])
    }
    await server.stop()
    await behind.close()
  })
})
