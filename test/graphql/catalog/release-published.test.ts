/** The subscription releasePublished to scheduled releases, by two servers with clocks of their own on one database. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { globalId, rawId } from '../../../src/graphql/schema/ids.ts'
import { deleteRelease, publishRelease } from '../../../src/operations/catalog/release.ts'
import { updateRelease } from '../../../src/operations/catalog/release-name.ts'
import { restoreRelease, withdrawRelease } from '../../../src/operations/catalog/release-schedule.ts'
import { CATALOG_POLL_MS } from '../../../src/persistence/changes/catalog-timer.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { type Listener, listen, waitUntil } from '../../support/live.ts'
import { contextOf } from '../../support/price-books.ts'
import { publish, publishStore } from '../../support/published.ts'
import { manualClock, START, startTestServer, type TestServer, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
let other: TestServer
beforeAll(async () => {
  other = await startTestServer(database)
})
afterAll(() => other.stop())

const TURN = START + 60_000

beforeEach(async () => {
  await reset(database)
  server.now = other.now = START
  await publishStore(server, fullStore())
  for (const one of [server, other]) one.services.releases.invalidate()
})

const RELEASES = `subscription ($catalog: ID!, $after: String) { releasePublished(catalogId: $catalog, after: $after) {
  cursor releaseId release { sequence }
} }`

const watch = (on: TestServer, after: string | null = null, catalog = ids.catalog): Promise<Listener> =>
  listen(on, RELEASES, { token: on.shopper, variables: { catalog, after } })

const ctx = (on: TestServer = server) => contextOf(on.services, on.now)

/** Schedules a release; its global id. */
async function schedule(at: number, on: TestServer = server): Promise<string> {
  return globalId('Release', (await publishRelease(ctx(on), { catalogId: ids.catalog, at })).id)
}

const eventOf = async (listener: Listener) => (await listener.next()).data.releasePublished
const idOf = async (listener: Listener) => (await eventOf(listener)).releaseId

/** Time for two looks at a catalog. */
const twoLooks = () => new Promise((resolve) => setTimeout(resolve, 2 * CATALOG_POLL_MS + 100))

async function publishNow(on: TestServer = server): Promise<string> {
  return globalId('Release', (await publish(on, ids.catalog)).id)
}

describe('live.release-at-its-instant: releasePublished', () => {
  it('releasePublished reports a scheduled release at its millisecond by the clock of the server, with the release, and not again', async () => {
    const [here, there] = [await watch(server), await watch(other)]
    const id = await schedule(TURN)
    const first = here.next()
    let isReported = false
    void first.then(() => {
      isReported = true
    })
    server.now = other.now = TURN - 1
    await twoLooks()
    expect(isReported).toBe(false)
    server.now = TURN
    const { cursor, ...event } = (await first).data.releasePublished
    expect(event).toEqual({ releaseId: id, release: { sequence: 2 } })
    // Neither the other clock nor further looks and publishes bring it again.
    await twoLooks()
    const published = await publishNow()
    expect(await idOf(here)).toBe(published)
    expect(await idOf(there)).toBe(published)
    other.now = TURN
    expect(await eventOf(there)).toMatchObject({ releaseId: id, cursor: expect.any(String) })
    for (const listener of [here, there]) await listener.close()
    const resumed = await watch(other, cursor)
    expect(await idOf(resumed)).toBe(published)
    const last = await publishNow(other)
    expect(await idOf(resumed)).toBe(last)
    await resumed.close()
    await waitUntil(() => [server, other].every(({ services }) => services.changes?.size === 0))
  })

  it('releasePublished reports a scheduled release of a running clock, and nothing that was withdrawn before', async () => {
    const running = await startTestServer(database)
    // It stands still until all is scheduled.
    let since: number | null = null
    Object.defineProperty(running, 'now', { get: () => START + (since === null ? 0 : Date.now() - since) })
    const listener = await watch(running)
    const turn = running.now + 2_000
    const id = await schedule(turn, running)
    const withdrawn = await schedule(turn - 500, running)
    await withdrawRelease(ctx(running), { releaseId: rawId('Release', withdrawn) })
    since = Date.now()
    expect(await idOf(listener)).toBe(id)
    expect(running.now).toBeGreaterThanOrEqual(turn)
    await listener.close()
    await running.stop()
  })

  it('release.name-for-administrators: releasePublished does not report that a release was renamed, neither to a client that listens nor to one that comes back', async () => {
    const listener = await watch(server)
    const first = await publishNow()
    const { cursor } = await eventOf(listener)
    await updateRelease(ctx(), { id: rawId('Release', first), data: { name: 'Black Friday test' } })
    const next = await publishNow(other)
    const resumed = await watch(other, cursor)
    for (const one of [listener, resumed]) {
      expect(await idOf(one)).toBe(next)
      await one.close()
    }
  })

  it('live.latest-again: releasePublished does not report the deletion of another release, neither to a client that listens nor to one that comes back', async () => {
    const listener = await watch(server)
    const first = await publishNow()
    const { cursor, releaseId } = await eventOf(listener)
    expect(releaseId).toBe(first)
    const [deleted, last] = [await publishNow(), await publishNow()]
    await deleteRelease(ctx(), { releaseId: rawId('Release', deleted) })
    const next = await publishNow(other)
    const resumed = await watch(other, cursor)
    for (const one of [listener, resumed]) {
      expect([await idOf(one), await idOf(one), await idOf(one)]).toEqual([deleted, last, next])
      await one.close()
    }
  })

  it('live.latest-again: releasePublished reports the release that is the latest again because the latest one was deleted, also to a client that comes back', async () => {
    const [listener, elsewhere] = [await watch(server), await watch(other)]
    const [first, second] = [await publishNow(), await publishNow()]
    expect(await idOf(listener)).toBe(first)
    const { cursor, releaseId } = await eventOf(listener)
    expect(releaseId).toBe(second)
    expect([await idOf(elsewhere), await idOf(elsewhere)]).toEqual([first, second])
    await deleteRelease(ctx(), { releaseId: rawId('Release', second) })
    const resumed = await watch(other, cursor)
    for (const one of [listener, elsewhere, resumed]) {
      const latest = await eventOf(one)
      expect([latest.releaseId, latest.release]).toEqual([first, { sequence: 2 }])
      await one.close()
    }
  })

  it('history.nothing-without-a-write: the history entry of a release that is the latest again says that it is', async () => {
    const [first, second] = [await publishNow(), await publishNow()]
    await deleteRelease(ctx(), { releaseId: rawId('Release', second) })
    const { data } = await server.gql(
      `{ node(id: "${first}") { ... on Release { history(first: 1) { nodes { operation fields before after } } } } }`,
    )
    const [{ operation, fields, before, after }] = data.node.history.nodes
    expect([operation, fields, 'isLatest' in before, after.isLatest]).toEqual([
      'deleteRelease',
      ['isLatest'],
      false,
      true,
    ])
  })

  it('releasePublished does not report what was withdrawn, even when this server did not learn of it yet', async () => {
    const slow = await startTestServer(database, { elapsed: manualClock() })
    const listener = await watch(slow)
    const [first, second] = [await schedule(TURN - 1, slow), await schedule(TURN, slow)]
    await twoLooks()
    await database.pool.query('DELETE FROM release_activation WHERE release_id = $1', [rawId('Release', first)])
    slow.now = TURN
    expect(await idOf(listener)).toBe(second)
    await listener.close()
    await slow.stop()
  })

  it('releasePublished reports a restored release at once, and one that is restored for later at its instant', async () => {
    const releases = [await publishNow(), await publishNow()]
    const [second, third] = releases as [string, string]
    const listener = await watch(other)
    await restoreRelease(ctx(), { releaseId: rawId('Release', second) })
    expect(await idOf(listener)).toBe(second)
    await restoreRelease(ctx(), { releaseId: rawId('Release', third), at: TURN })
    other.now = TURN
    expect(await idOf(listener)).toBe(third)
    // Its schedule moves on before the clock of this server has come to it.
    await restoreRelease(ctx(), { releaseId: rawId('Release', second), at: TURN + 5 })
    await restoreRelease(ctx(), { releaseId: rawId('Release', second), at: TURN + 9 })
    other.now = TURN + 8
    await twoLooks()
    const now = await publishNow()
    expect(await idOf(listener)).toBe(now)
    other.now = TURN + 9
    expect(await idOf(listener)).toBe(second)
    await listener.close()
  })

  it('releasePublished reports the last of several with one instant, and all of several instants that a clock passes at once, in their order', async () => {
    const listener = await watch(server)
    const third = await schedule(TURN + 2)
    await schedule(TURN)
    const second = await schedule(TURN)
    server.now = TURN + 2
    expect([await idOf(listener), await idOf(listener)]).toEqual([second, third])
    const published = await publishNow()
    expect(await idOf(listener)).toBe(published)
    await listener.close()
  })

  it('releasePublished reports after a cursor what came by schedule since, on another server, also to a client that had seen no publish', async () => {
    const first = await schedule(TURN)
    const [listener, second] = [await watch(server), await schedule(TURN + 1)]
    server.now = TURN
    const { cursor, releaseId } = await eventOf(listener)
    expect(releaseId).toBe(first)
    await listener.close()
    const published = await publishNow()
    other.now = TURN + 1
    const resumed = await watch(other, cursor)
    const events = [await eventOf(resumed), await eventOf(resumed)]
    expect(events.map(({ releaseId: id }) => id).sort()).toEqual([published, second].sort())
    await resumed.close()
    const again = await watch(other, events[1].cursor)
    const last = await publishNow()
    expect(await idOf(again)).toBe(last)
    await again.close()
  })

  it('releasePublished reports a scheduled release whose publish took past its instant, also to a client that came between the two', async () => {
    const before = await watch(server)
    server.now = TURN
    const between = await watch(server)
    const { id } = await publishRelease(contextOf(server.services, START), { catalogId: ids.catalog, at: TURN - 1 })
    const published = await publishNow()
    for (const one of [before, between]) {
      expect([await idOf(one), await idOf(one)].sort()).toEqual([globalId('Release', id), published].sort())
      await one.close()
    }
  })

  it('release.seen-within-a-second: releasePublished reports after a cursor a release that another server has just published, with the release', async () => {
    // The clock of its cache stands still, so that this does not read the releases again of its own accord.
    const late = await startTestServer(database, { elapsed: manualClock() })
    const listener = await watch(server)
    await publishNow()
    const { cursor } = await eventOf(listener)
    const first = await watch(late)
    await first.close()
    const id = await publishNow()
    const resumed = await watch(late, cursor)
    expect(await eventOf(resumed)).toMatchObject({ releaseId: id, release: { sequence: 3 } })
    for (const one of [listener, resumed]) await one.close()
    await late.stop()
  })

  it('releasePublished refuses a cursor of a schedule that is older than the history that is kept, and one of another stream', async () => {
    const listener = await watch(server)
    await schedule(TURN)
    server.now = TURN
    const { cursor } = await eventOf(listener)
    await listener.close()
    const keeping = await startTestServer(database)
    keeping.services.changes?.startPruning(1_000)
    const first = async (now: number) => {
      keeping.now = now
      const resumed = await watch(keeping, cursor)
      if (now <= TURN + 1_000) await publishNow()
      const { errors } = await resumed.next()
      await resumed.close()
      return errors?.[0].extensions.violations[0].path
    }
    expect([await first(TURN + 1_000), await first(TURN + 1_001)]).toEqual([undefined, ['after']])
    await keeping.stop()
    const prices =
      'subscription ($book: ID!, $after: String) { productPriceChanged(priceBookId: $book, after: $after) { cursor } }'
    const wrong = await listen(server, prices, { variables: { book: ids.book, after: cursor } })
    expect((await wrong.next()).errors[0].extensions.violations[0].path).toEqual(['after'])
    await wrong.close()
  })
})
