/** Scheduled releases, as two servers with clocks of their own show them on one database. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SCHEDULE_DAYS_MAX, SCHEDULED_RELEASES_MAX } from '../../../src/domain/input/limits.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { restoreRelease, withdrawRelease } from '../../../src/operations/catalog/release-schedule.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids, winter } from '../../support/full-store.ts'
import { mutate } from '../../support/mutations.ts'
import { contextOf } from '../../support/price-books.ts'
import { listingPath, publish, publishStore } from '../../support/published.ts'
import { manualClock, START, startTestServer, type TestServer, useServer } from '../../support/server.ts'

const database = useDatabase()
const clock = manualClock()
const server = useServer(database, { elapsed: clock, config: { cacheMaxAge: 60 } })
let other: TestServer
beforeAll(async () => {
  other = await startTestServer(database, { elapsed: clock, config: { cacheMaxAge: 60 } })
})
afterAll(() => other.stop())

const DAY_MS = 86_400_000
/** The instant at which the second release is scheduled to be the latest. */
const TURN = START + 60_000
const iso = (instant: number) => new Date(instant).toISOString()

const rename = (name: string) => database.pool.query('UPDATE product SET name = $1 WHERE id = $2', [name, ids.machine])
const schedule = (at: number | string, on = server) =>
  mutate(
    on,
    'publishRelease',
    { catalogId: ids.catalog, at: typeof at === 'number' ? iso(at) : at },
    'release { id sequence status scheduledFor }',
  )

/** Publishes as it is, then schedules a release with another name of the machine; the raw id of the scheduled one. */
let scheduled = ''
beforeEach(async () => {
  await reset(database)
  for (const one of [server, other]) {
    one.now = START
    one.services.releases.invalidate()
  }
  await publishStore(server, fullStore())
  await rename('New machine')
  const { release } = await schedule(TURN)
  scheduled = (await database.pool.query('SELECT id FROM release WHERE sequence = 2')).rows[0].id
  expect(release).toEqual({
    id: globalId('Release', scheduled),
    sequence: 2,
    status: 'SCHEDULED',
    scheduledFor: iso(TURN),
  })
  other.services.releases.invalidate()
})

const machine = (fields: string) => `product(by: { id: "${ids.machine}" }) { ${fields} }`
const latest = (fields: string) => `{ catalog(id: "${ids.catalog}") { latestRelease { ${fields} } } }`

async function tokenOf(on: TestServer, role: 'admin' | 'shopper' = 'shopper') {
  return (await on.issue({ subject: role, role }, Math.floor(on.now / 1000) * 1000)).token
}

async function ask(query: string, on: TestServer = server, role: 'admin' | 'shopper' = 'shopper') {
  return on.gql(query, {}, { token: await tokenOf(on, role) })
}

const nameOf = async (on = server) => (await ask(latest(machine('name')), on)).data.catalog.latestRelease.product.name

async function get(on: TestServer, path: string, headers: Record<string, string> = {}) {
  return on.rest('GET', path, { token: await tokenOf(on), headers })
}
const rest = listingPath(ids.catalog, ids.hierarchy, 'page[limit]=100')
const graph = `/graphql?query=${encodeURIComponent(latest(machine('name')))}`

describe('release.scheduled-at-its-millisecond: a scheduled release', () => {
  it('a scheduled release is the latest from its millisecond on, on every server by its own clock, without a statement and past cached responses', async () => {
    const before = new Map<string, string>()
    for (const on of [server, other]) {
      for (const path of [rest, graph]) {
        // Cached at the second request.
        for (let time = 0; time < 3; time++) before.set(path, (await get(on, path)).headers.get('etag') ?? '')
      }
      on.now = TURN - 1
      for (const path of [rest, graph]) {
        const reply = await get(on, path, { 'if-none-match': before.get(path) ?? '' })
        expect([reply.status, reply.headers.get('cache-control')]).toEqual([304, 'private, max-age=0'])
      }
      expect(await nameOf(on)).toBe('Espresso machine')
    }
    // Its documents are read once, by the first request that shows them; which one is the latest is known.
    server.now = TURN
    const release = latest('sequence productCount')
    const { result, count } = await countStatements(database, () => ask(release))
    expect([result.data.catalog.latestRelease.sequence, count]).toEqual([2, 0])
    for (const path of [rest, graph]) {
      const [here, there] = [
        await get(server, path, { 'if-none-match': before.get(path) ?? '' }),
        await get(other, path),
      ]
      expect([here.status, here.text.includes('New machine'), there.text.includes('New machine')]).toEqual([
        200,
        true,
        false,
      ])
      expect([here.headers.get('cache-control'), there.headers.get('etag')]).toEqual([
        'private, max-age=60',
        before.get(path),
      ])
    }
    other.now = TURN
    for (const path of [rest, graph]) expect((await get(other, path)).text).toBe((await get(server, path)).text)
  })

  it('the instant of a scheduled release ends max-age, validUntil, and changesAt of the prices that differ in it', async () => {
    const currencies = JSON.stringify({ USD: { amount: 44_000 } })
    await database.pool.query(`UPDATE product_price SET currencies = $1 WHERE sku = 'MACHINE'`, [currencies])
    await withdrawRelease(contextOf(server.services, server.now), { releaseId: scheduled })
    await schedule(TURN)
    server.now = TURN - 2_999
    for (const path of [rest, graph])
      expect((await get(server, path)).headers.get('cache-control')).toBe('private, max-age=2')
    const price = machine('price(currency: "USD") { changesAt }')
    const timeline = machine(`priceTimeline(from: "${iso(START)}", currency: "USD") { price { changesAt } }`)
    const { data, extensions } = await ask(latest(`${price} pinned { ${price} }`))
    const { product, pinned } = data.catalog.latestRelease
    expect([product.price.changesAt, pinned.product.price.changesAt]).toEqual([iso(TURN), iso(winter.to)])
    const spans = (await ask(latest(`${timeline} pinned { ${timeline} }`))).data.catalog.latestRelease
    expect([spans.product.priceTimeline, spans.pinned.product.priceTimeline]).toEqual([
      [{ price: { changesAt: iso(TURN) } }],
      [{ price: { changesAt: iso(winter.to) } }],
    ])
    expect(extensions.validUntil).toBe(iso(TURN))
    const set = `product(by: { id: "${ids.starter}" }) { bundleConfiguration { price(currency: "USD") { changesAt } } }`
    const { product: bundle } = (await ask(latest(set))).data.catalog.latestRelease
    expect(bundle.bundleConfiguration.price.changesAt).toBe(iso(TURN))
    server.now = TURN
    expect((await ask(latest(price))).data.catalog.latestRelease.product.price.changesAt).toBe(iso(winter.to))
  })

  it('right.shoppers-see-published-and-own: a scheduled release is for administrators until its instant, by every way', async () => {
    const id = globalId('Release', scheduled)
    const product = globalId('CatalogProduct', `${scheduled}:${ids.machine}`)
    const ways = `{
      release(id: "${id}") { sequence status }
      node(id: "${id}") { id }
      product: node(id: "${product}") { ... on CatalogProduct { name } }
      catalog(id: "${ids.catalog}") { release(id: "${scheduled}") { sequence } releases { totalCount nodes { sequence status } } }
    }`
    const hidden = {
      release: null,
      node: null,
      product: null,
      catalog: { release: null, releases: { totalCount: 1, nodes: [{ sequence: 1, status: 'PUBLISHED' }] } },
    }
    const shown = (status: string) => ({
      release: { sequence: 2, status },
      node: { id },
      product: { name: 'New machine' },
      catalog: {
        release: { sequence: 2 },
        releases: {
          totalCount: 2,
          nodes: [
            { sequence: 2, status },
            { sequence: 1, status: 'PUBLISHED' },
          ],
        },
      },
    })
    const byId = rest.replace('/latest/', `/${scheduled}/`)
    const byAnId = `/graphql?query=${encodeURIComponent(`{ release(id: "${id}") { sequence } }`)}`
    server.now = TURN - 1
    expect((await ask(ways)).data).toEqual(hidden)
    expect((await ask(ways, server, 'admin')).data).toEqual(shown('SCHEDULED'))
    for (let time = 0; time < 3; time++) {
      expect((await get(server, byId)).status).toBe(404)
      expect((await get(server, byAnId)).body.data.release).toBeNull()
    }
    expect((await server.rest('GET', byId)).status).toBe(200)
    server.now = TURN
    expect((await ask(ways)).data).toEqual(shown('PUBLISHED'))
    expect((await get(server, byId)).status).toBe(200)
    expect((await get(server, byAnId)).body.data.release).toEqual({ sequence: 2 })
  })

  it('a scheduled release is shown to administrators at an instant to come, as the whole page will be; a past instant shows the latest of now', async () => {
    const at = (instant: number) =>
      `query @inContext(at: "${iso(instant)}") ${latest(`sequence status ${machine('name')}`)}`
    const seen = async (instant: number) => (await ask(at(instant), server, 'admin')).data.catalog.latestRelease
    const [old, fresh] = [
      { sequence: 1, status: 'PUBLISHED', product: { name: 'Espresso machine' } },
      { sequence: 2, status: 'PUBLISHED', product: { name: 'New machine' } },
    ]
    expect([await seen(TURN - 1), await seen(TURN), await seen(START - DAY_MS)]).toEqual([old, fresh, old])
    server.now = TURN
    expect(await seen(START)).toEqual(fresh)
    expect((await ask(at(TURN))).errors[0].extensions.code).toBe('FORBIDDEN')
  })

  it('release.published-when-public: a scheduled release is published at its instant, in every document, list and history, and keeps the schedule', async () => {
    const fields = 'sequence status publishedAt scheduledFor'
    const queries = `{ release(id: "${globalId('Release', scheduled)}") { ${fields} ${machine('publishedAt')} }
      catalog(id: "${ids.catalog}") { firstPublishedAt latestRelease { sequence publishedAt updatedAt startedAt }
        releases { nodes { ${fields} } }
        from: releases(filter: { publishedAt: { from: "${iso(TURN)}" } }) { nodes { sequence } }
        before: releases(filter: { publishedAt: { before: "${iso(TURN)}" } }) { nodes { sequence } } }
      history(filter: { topic: RELEASE }, first: 1) { nodes { after } } }`
    const first = { sequence: 1, status: 'PUBLISHED', publishedAt: iso(START), scheduledFor: null }
    const turned = (status: string) => ({ sequence: 2, status, publishedAt: iso(TURN), scheduledFor: iso(TURN) })
    for (const [now, status, latest] of [
      [TURN - 1, 'SCHEDULED', { sequence: 1, publishedAt: iso(START) }],
      [TURN, 'PUBLISHED', { sequence: 2, publishedAt: iso(TURN) }],
      [TURN + DAY_MS, 'PUBLISHED', { sequence: 2, publishedAt: iso(TURN) }],
    ] as const) {
      server.now = now
      const { release, catalog, history } = (await ask(queries, server, 'admin')).data
      expect(release).toEqual({ ...turned(status), product: { publishedAt: iso(TURN) } })
      expect(catalog).toEqual({
        firstPublishedAt: iso(START),
        latestRelease: { ...latest, startedAt: iso(START), updatedAt: iso(START + 1) },
        releases: { nodes: [turned(status), first] },
        from: { nodes: [{ sequence: 2 }] },
        before: { nodes: [{ sequence: 1 }] },
      })
      expect(history.nodes[0].after).toMatchObject({ publishedAt: iso(TURN) })
    }
    const [product] = (await get(server, rest)).body.data
    expect(product.attributes.published_at).toBe(iso(TURN))
  })

  it('release.published-when-public: a scheduled release is published at another instant when its schedule moves, on every server, and keeps that by restores', async () => {
    const seen = async (on: TestServer) => {
      const query = `{ release(id: "${globalId('Release', scheduled)}") { publishedAt scheduledFor } }`
      return Object.values((await ask(query, on, 'admin')).data.release)
    }
    const restore = async (now: number, at: number | null) => {
      server.now = now
      await restoreRelease(contextOf(server.services, now), { releaseId: scheduled, at })
      other.now = now
      other.services.releases.invalidate()
      return [await seen(server), await seen(other)]
    }
    const both = (publishedAt: number, scheduledFor: number | null) => {
      const one = [iso(publishedAt), scheduledFor === null ? null : iso(scheduledFor)]
      return [one, one]
    }
    for (const on of [server, other]) expect(await seen(on)).toEqual([iso(TURN), iso(TURN)])
    expect(await restore(START + 1, TURN + 5_000)).toEqual(both(TURN + 5_000, TURN + 5_000))
    expect(await restore(START + 2, TURN - 5_000)).toEqual(both(TURN - 5_000, TURN - 5_000))
    // It is public: the instants of restores are others.
    expect(await restore(TURN, TURN + DAY_MS)).toEqual(both(TURN - 5_000, TURN + DAY_MS))
    await publish(Object.assign(Object.create(server), { now: TURN + 1 }), ids.catalog)
    expect(await restore(TURN + 2, null)).toEqual(both(TURN - 5_000, null))
  })

  it('release.published-when-public: a scheduled release that becomes the latest before its instant is published then', async () => {
    server.now = START + 7
    await restoreRelease(contextOf(server.services, server.now), { releaseId: scheduled })
    const query = latest('sequence publishedAt scheduledFor updatedAt')
    const { latestRelease } = (await ask(query, server, 'admin')).data.catalog
    expect(latestRelease).toEqual({
      sequence: 2,
      publishedAt: iso(START + 7),
      scheduledFor: null,
      updatedAt: iso(START + 1),
    })
  })

  it('a scheduled release is listed by its catalog in the order of the instants, for administrators alone', async () => {
    const first = `{ catalog(id: "${ids.catalog}") { scheduledReleases { sequence status scheduledFor } } }`
    await schedule(TURN - 1)
    const list = async () => (await ask(first, server, 'admin')).data.catalog.scheduledReleases
    const entry = (sequence: number, instant: number) => ({ sequence, status: 'SCHEDULED', scheduledFor: iso(instant) })
    expect(await list()).toEqual([entry(3, TURN - 1), entry(2, TURN)])
    server.now = TURN - 1
    expect(await list()).toEqual([entry(2, TURN)])
    server.now = TURN
    expect(await list()).toEqual([])
    for (const field of ['scheduledReleases { id }', 'latestRelease { scheduledFor }'])
      expect((await ask(`{ catalog(id: "${ids.catalog}") { ${field} } }`)).errors[0].extensions.code).toBe('FORBIDDEN')
  })

  it('a scheduled release makes a catalog that has no other release a published one at its instant', async () => {
    await database.pool.query('DELETE FROM release WHERE sequence = 1')
    const published = '{ catalogs { totalCount nodes { latestRelease { sequence } } } storefront { id } }'
    for (const [instant, total] of [
      [TURN - 1, 0],
      [TURN, 1],
    ] as const) {
      server.now = instant
      server.services.releases.invalidate()
      const { catalogs, storefront } = (await ask(published)).data
      expect([catalogs.totalCount, catalogs.nodes.length, storefront === null]).toEqual([total, total, total === 0])
      expect((await ask(`{ catalog(id: "${ids.catalog}") { id } }`)).data.catalog === null).toBe(total === 0)
    }
  })

  it('a scheduled release gives way to a release that is published after its instant, and follows one that is published before', async () => {
    await rename('Third machine')
    server.now = TURN - 1
    await publish(server, ids.catalog)
    expect(await nameOf()).toBe('Third machine')
    server.now = TURN
    expect(await nameOf()).toBe('New machine')
    await publish(server, ids.catalog)
    expect(await nameOf()).toBe('Third machine')
    server.now = TURN + DAY_MS
    expect(await nameOf()).toBe('Third machine')
  })

  it('a scheduled release was not the first publish of its catalog when another release is published before, though it was read before that', async () => {
    const catalogId = '0199c0de-0000-7000-8000-0000000000cd'
    await database.pool.query(
      "INSERT INTO catalog (id, name, created_at, updated_at) VALUES ($1, 'New', now(), now())",
      [catalogId],
    )
    const { id } = await publishRelease(contextOf(server.services, server.now), { catalogId, at: TURN })
    const read = `{ release(id: "${globalId('Release', id)}") { productCount hierarchies { name } } }`
    expect((await ask(read, server, 'admin')).errors).toBeUndefined()
    server.now = START + 1
    await publish(server, catalogId)
    server.now = TURN
    const first = `{ catalog(id: "${catalogId}") { firstPublishedAt latestRelease { sequence } } }`
    const expected = { catalog: { firstPublishedAt: iso(START + 1), latestRelease: { sequence: 1 } } }
    for (const on of [server, other]) {
      on.now = TURN
      expect((await ask(first, on)).data).toEqual(expected)
    }
  })

  it('a scheduled release gives way to a release whose publish began before its instant and ended after it', async () => {
    await rename('Third machine')
    server.now = TURN - 1
    await publishRelease(contextOf(server.services, server.now), { catalogId: ids.catalog }, {}, () => {
      server.now = TURN + 1
    })
    expect(await nameOf()).toBe('Third machine')
  })
})

describe('publishRelease(at:)', () => {
  const errorOf = async (at: number | string) => {
    const { userErrors, errors } = await schedule(at)
    return errors ?? userErrors
  }

  it('publishRelease(at:) refuses an instant that is not to come or too far ahead, and publishes nothing', async () => {
    server.now = START + 5
    const refused = (instant: number) => [
      { code: 'INVALID_VALUE', path: ['at'], message: `must be later than ${iso(instant)}` },
    ]
    expect(await errorOf(START)).toEqual(refused(START + 5))
    expect(await errorOf(START + 5)).toEqual(refused(START + 5))
    const farthest = START + 5 + SCHEDULE_DAYS_MAX * DAY_MS
    expect(await errorOf(farthest + 1)).toEqual([
      { code: 'OUT_OF_RANGE', path: ['at'], message: 'must be at most 366 days ahead' },
    ])
    expect((await errorOf('tomorrow'))[0].message).toContain('tomorrow')
    expect((await database.pool.query('SELECT count(*)::int AS count FROM release')).rows[0].count).toBe(2)
    expect(await errorOf(farthest)).toEqual([])
    expect(await errorOf(START + 6)).toEqual([])
  })

  it('publishRelease(at:) refuses an instant before the latest release, whose server has a clock that is ahead', async () => {
    await publish(Object.assign(Object.create(server), { now: START + 1_000 }), ids.catalog)
    expect(await errorOf(START + 1_000)).toMatchObject([
      { path: ['at'], message: `must be later than ${iso(START + 1_000)}` },
    ])
    expect(await errorOf(START + 1_001)).toEqual([])
  })

  it(`publishRelease(at:) allows ${SCHEDULED_RELEASES_MAX} scheduled releases of a catalog`, async () => {
    await database.pool.query(
      `INSERT INTO release_activation (catalog_id, release_id, effective_at, scheduled)
      SELECT catalog_id, release_id, effective_at, true FROM release_activation, generate_series(3, $1::int) WHERE scheduled`,
      [SCHEDULED_RELEASES_MAX],
    )
    expect(await errorOf(TURN)).toEqual([])
    const message = `a catalog may have at most ${SCHEDULED_RELEASES_MAX} scheduled releases`
    expect(await errorOf(TURN)).toEqual([{ code: 'TOO_MANY', path: ['at'], message }])
  })
})
