/**
 * The sale clock where releases change: scheduled, published by another server, deleted. Two servers with clocks of
 * their own.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { deleteRelease, publishRelease } from '../../../src/operations/catalog/release.ts'
import { ReleaseCache } from '../../../src/persistence/catalog/release-cache.ts'
import { MAX_STALE_MS } from '../../../src/persistence/catalog/release-knowledge.ts'
import { CATALOG_POLL_MS } from '../../../src/persistence/changes/catalog-timer.ts'
import { SaleClock } from '../../../src/persistence/changes/sale-clock.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { waitUntil } from '../../support/live.ts'
import { contextOf } from '../../support/price-books.ts'
import { publishStore } from '../../support/published.ts'
import { manualClock, START, startTestServer, type TestServer, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const elapsed = manualClock()
let other: TestServer
beforeAll(async () => {
  other = await startTestServer(database, { elapsed })
})
afterAll(() => other.stop())

const HOUR = 3_600_000
const T = START + HOUR
const opened: SaleClock[] = []

/**
 * The turns that a clock reports from now on, as the sequence of the release and milliseconds after T; after its first
 * looks.
 */
async function reports(on: TestServer, clock?: SaleClock): Promise<string[]> {
  const seen = listen(on, clock)
  await looks(on)
  return seen
}

function listen(on: TestServer, clock: SaleClock = new SaleClock({ ...on.services, clock: () => on.now })): string[] {
  opened.push(clock)
  const seen: string[] = []
  const turns = clock.listen(ids.catalog, HOUR)
  void (async () => {
    for await (const { release, at } of turns) seen.push(`${release.sequence} at ${at - T}`)
  })().catch(() => undefined)
  return seen
}

/** Waits until a look has ended that began after this call. */
async function looks(on: TestServer): Promise<void> {
  const resolve = vi.spyOn(on.services.releases, 'resolve')
  await waitUntil(() => resolve.mock.calls.length >= 2)
  resolve.mockRestore()
}

/** Publishes with one sale, of the given begin, in milliseconds after T. */
async function publishSale(begins: number, at: number | null = null): Promise<string> {
  await database.pool.query('UPDATE sale SET valid_from = $1, valid_to = $2', [
    new Date(T + begins),
    new Date(T + 1000 * HOUR),
  ])
  await database.pool.query('UPDATE product_price SET sku = sku')
  return (
    await publishRelease(contextOf(server.services, server.now), {
      catalogId: ids.catalog,
      ...(at !== null && { at: T + at }),
    })
  ).id
}

beforeEach(async () => {
  await reset(database)
  server.now = other.now = START
  for (const { services } of [server, other]) services.releases.invalidate()
  const store = fullStore()
  await publishStore(server, store)
  await database.pool.query(`DELETE FROM sale WHERE name <> 'winter'`)
})
afterEach(() => {
  vi.restoreAllMocks()
  for (const clock of opened.splice(0)) clock.stop()
})

describe('live.turns-at-their-instant: the sale clock', () => {
  it('the sale clock looks at the instant of a scheduled release, and reports the sale that begins with it', async () => {
    await publishSale(0, 0)
    server.now = T - 7_654
    const timeouts = vi.spyOn(globalThis, 'setTimeout')
    const seen = await reports(server)
    expect(seen).toEqual([])
    server.now = T - 654
    await waitUntil(() => timeouts.mock.calls.some(([, wait]) => wait === 654))
    server.now = T
    await waitUntil(() => seen.length > 0)
    expect(seen).toEqual(['2 at 0'])
  })

  it.each([
    ['a sale that its own server has just published', null],
    ['a release that its own server has just scheduled', 0],
  ])('the sale clock reports %s at its instant, also when that is before the next poll', async (_, at) => {
    const { setTimeout } = globalThis
    const waits: unknown[] = []
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, wait: number) => {
      waits.push(wait)
      return setTimeout(run, wait === CATALOG_POLL_MS ? HOUR : wait)
    }) as typeof setTimeout)
    server.now = T - 321
    const seen = listen(server)
    await waitUntil(() => waits.includes(CATALOG_POLL_MS))
    await publishSale(0, at)
    await waitUntil(() => waits.includes(321))
    expect(seen).toEqual([])
    server.now = T
    await waitUntil(() => seen.length > 0)
    expect(seen).toEqual(['2 at 0'])
  })

  it('the sale clock reports the sales of a release of an older version, also to a client that came before its prices were cut into spans', async () => {
    await publishSale(0)
    await database.pool.query('DELETE FROM release_document_price')
    await database.pool.query('UPDATE release SET has_price_spans = false')
    const seen = await reports(server)
    server.now = T
    await waitUntil(() => seen.length > 0)
    expect(seen).toEqual(['2 at 0'])
  })

  it('the sale clock misses nothing that becomes due while it looks', async () => {
    await publishSale(0, 0)
    let now = T - 1
    const { releases } = server.services
    const slow = Object.assign(Object.create(releases), {
      resolve: async (...args: Parameters<typeof releases.resolve>) => {
        const release = await releases.resolve(...args)
        now += 3
        return release
      },
    })
    const seen = listen(server, new SaleClock({ ...server.services, releases: slow, clock: () => now }))
    await waitUntil(() => seen.length > 0)
    await looks(server)
    expect(seen).toEqual(['2 at 0'])
  })

  it.each([
    ['published', null],
    ['scheduled', 0],
  ])(
    'the sale clock reports a turn of a release that another server %s before it, learned of after it',
    async (_, at) => {
      other.now = T - 500
      const seen = await reports(other)
      server.now = T - 100
      await publishSale(0, at)
      other.now = T + 300
      await looks(other)
      expect(seen).toEqual([])
      elapsed.ahead += MAX_STALE_MS
      await waitUntil(() => seen.length > 0)
      expect(seen).toEqual(['2 at 0'])
    },
  )

  it('the sale clock reports no turn from before a release became the latest, and one of two releases once', async () => {
    await publishSale(100)
    other.now = T
    const seen = await reports(other)
    server.now = T + 100
    await publishSale(99)
    await publishSale(100)
    other.now = T + 200
    await waitUntil(() => seen.length > 0)
    elapsed.ahead += MAX_STALE_MS
    await looks(other)
    expect(seen).toEqual(['2 at 100'])
  })

  it('the sale clock reports each release that was the latest for a while with the turns of that while, when its clock jumps', async () => {
    await publishSale(100)
    await publishSale(300, 200)
    await publishSale(400, 400)
    await publishSale(450, 500)
    const seen = await reports(server)
    server.now = T + 1_000
    await waitUntil(() => seen.length >= 3)
    await looks(server)
    expect(seen).toEqual(['2 at 100', '3 at 300', '4 at 400'])
  })

  it('the sale clock repeats no turn of a release that is the latest again because another was deleted', async () => {
    await publishSale(0)
    const second = await publishSale(HOUR)
    server.now = T - 10
    const seen = await reports(server)
    server.now = T + 10
    await looks(server)
    await deleteRelease(contextOf(server.services, server.now), { releaseId: second })
    await looks(server)
    expect(seen).toEqual([])
  })

  it('the sale clock reports within half the time between two looks, by the clock of the machine, when a sale begins with its release', async () => {
    // It stands still while a sale is published, which then begins soon after a regular look.
    let running: number | null = null
    const clock = () => server.now + (running === null ? 0 : Date.now() - running)
    const seen = await reports(server, new SaleClock({ ...server.services, clock }))
    for (let time = 0; time < 3; time++) {
      server.now = clock()
      running = null
      const begins = server.now - T + CATALOG_POLL_MS + 100 + 150 * time
      await publishSale(begins, begins)
      running = Date.now()
      await new Promise((resolve) => setTimeout(resolve, T + begins - clock()))
      // On a busy machine it may take as long as these.
      const looks = async () => {
        for (let look = 0; look < 10; look++)
          await new ReleaseCache(database).resolve(ids.catalog, 'latest', { now: T, readsAll: false, proof: null })
      }
      await Promise.all([looks(), new Promise((resolve) => setTimeout(resolve, CATALOG_POLL_MS / 2))])
      expect(seen).toEqual([`${time + 2} at ${begins}`])
      seen.pop()
    }
  })
})
