/** The subscription saleTurned, by two servers with clocks of their own on one database. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CATALOG_POLL_MS } from '../../../src/persistence/changes/catalog-timer.ts'
import type { SaleClock } from '../../../src/persistence/changes/sale-clock.ts'
import { useDatabase } from '../../support/database.ts'
import { flash, fullStore, ids, winter } from '../../support/full-store.ts'
import { type Listener, listen, waitUntil } from '../../support/live.ts'
import { mutate } from '../../support/mutations.ts'
import { publish, publishStore } from '../../support/published.ts'
import { startTestServer, type TestServer, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
let other: TestServer

beforeAll(async () => {
  other = await startTestServer(database)
  await publishStore(server, fullStore())
})
afterAll(() => other.stop())

const iso = (instant: number) => new Date(instant).toISOString()

const TURNS = `subscription ($catalog: ID!) { saleTurned(catalogId: $catalog) {
  at productCount onSaleCount release { sequence } products(first: 1) { sku price(currency: "USD") { amount { amount } sale { name } changesAt } }
} }`

function watch(on: TestServer, token = on.shopper): Promise<Listener> {
  return listen(on, TURNS, { token, variables: { catalog: ids.catalog } })
}

const turnOf = async (listener: Listener) => (await listener.next()).data.saleTurned

async function nothingIsOpen(): Promise<void> {
  await waitUntil(() => [server, other].every(({ services }) => (services.saleClock as SaleClock).size === 0))
}

/** The price of the machine, which is an option of one more product, of which it raises the sum. */
const machine = (at: number, amount: number, sale: string | null, changesAt: number | null, onSaleCount: number) => ({
  at: iso(at),
  productCount: 2,
  onSaleCount,
  release: { sequence: 1 },
  products: [
    {
      sku: 'MACHINE',
      price: {
        amount: { amount },
        sale: sale === null ? null : { name: sale },
        changesAt: changesAt === null ? null : iso(changesAt),
      },
    },
  ],
})

/** Time for two looks at a catalog. */
const twoLooks = () => new Promise((resolve) => setTimeout(resolve, 2 * CATALOG_POLL_MS + 100))

describe('saleTurned', () => {
  it('live.turns-at-their-instant: saleTurned reports each begin and end of a sale once, at its millisecond by the clock of the server', async () => {
    server.now = other.now = winter.from - 2
    const [here, there] = [await watch(server), await watch(other)]
    const first = here.next()
    let isReported = false
    void first.then(() => {
      isReported = true
    })
    server.now = winter.from - 1
    await twoLooks()
    expect(isReported).toBe(false)
    server.now = winter.from
    expect((await first).data.saleTurned).toEqual(machine(winter.from, 40000, 'winter', flash.from, 1))
    // A server whose clock jumps reports what it passed, with the prices of its clock.
    other.now = flash.to - 1
    expect(await turnOf(there)).toEqual({ ...machine(winter.from, 30000, 'flash', flash.to, 1) })
    expect(await turnOf(there)).toEqual({ ...machine(flash.from, 30000, 'flash', flash.to, 1) })
    await Promise.all([here.close(), there.close()])
    await nothingIsOpen()
  })

  it('saleTurned does not repeat earlier turns when a release is published, and knows those of the new release', async () => {
    server.now = flash.from + 1
    const listener = await watch(server)
    await twoLooks()
    await publish(server, ids.catalog)
    await twoLooks()
    server.now = flash.to
    expect(await turnOf(listener)).toMatchObject({ at: iso(flash.to), release: { sequence: 2 } })
    await listener.close()
  })

  it('saleTurned reports the turns of a release that is restored, and no longer those of the one that it replaces', async () => {
    server.now = winter.from + 1
    const [restored] = (await database.pool.query('SELECT id FROM published_release')).rows
    await database.pool.query("UPDATE sale SET valid_from = valid_from - interval '1 second' WHERE name = 'flash'")
    await publish(server, ids.catalog)
    const listener = await watch(server)
    await twoLooks()
    expect(
      (await mutate(server, 'restoreRelease', { releaseId: restored.id }, 'release { sequence }')).release,
    ).toEqual({ sequence: 1 })
    await twoLooks()
    server.now = flash.from
    expect(await turnOf(listener)).toMatchObject({ at: iso(flash.from), release: { sequence: 1 } })
    await listener.close()
  })

  it('saleTurned ends when the server stops, and says so to a stream that comes later', async () => {
    const third = await startTestServer(database)
    const listener = await watch(third, server.shopper)
    third.services.saleClock?.stop()
    expect((await listener.next()).errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE')
    const late = await watch(third, server.shopper)
    expect((await late.next()).errors[0].extensions.code).toBe('SERVICE_UNAVAILABLE')
    await third.stop()
  })

  it('saleTurned refuses a catalog that the viewer may not see', async () => {
    const listener = await listen(server, TURNS, { token: server.shopper, variables: { catalog: ids.machine } })
    expect((await listener.next()).errors[0].extensions.violations).toMatchObject([
      { code: 'NOT_FOUND', path: ['catalogId'] },
    ])
    await listener.close()
  })

  it('saleTurned shows 1 to 100 products of an event', async () => {
    server.now = flash.to + 1
    const eventWith = async (first: number) => {
      const listener = await listen(
        server,
        `subscription { saleTurned(catalogId: "${ids.catalog}") { products(first: ${first}) { sku } } }`,
      )
      const event = await listener.next()
      await listener.close()
      return event.data?.saleTurned.products.length ?? event.errors[0].extensions.violations[0].code
    }
    const events = [0, 1, 100, 101].map(eventWith)
    await waitUntil(() => server.services.saleClock?.size === events.length)
    server.now = winter.to
    expect(await Promise.all(events)).toEqual(['OUT_OF_RANGE', 1, 2, 'OUT_OF_RANGE'])
    await nothingIsOpen()
  })
})
