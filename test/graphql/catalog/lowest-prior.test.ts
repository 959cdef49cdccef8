import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '../../../src/config/config.ts'
import { deleteRelease, publishRelease } from '../../../src/operations/catalog/release.ts'
import { restoreRelease } from '../../../src/operations/catalog/release-schedule.ts'
import { type BeansSale, day, priceBeans } from '../../support/beans.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { contextOf } from '../../support/price-books.ts'
import { publish } from '../../support/published.ts'
import { manualClock, startTestServer, type TestServer, testAuth, useServer } from '../../support/server.ts'
import { insertCatalog, insertStore } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { config: { responseCacheMb: 0 }, elapsed: manualClock() })

const price = (amount: number, sales: readonly BeansSale[] = []) => priceBeans(database, amount, sales)

const publishOn = (instant: number, on: TestServer = server) => {
  on.now = instant
  return publish(on, ids.catalog)
}

async function answer(now: number, args: string, on: TestServer) {
  on.now = now
  const { token } = await on.issue({ subject: 'shopper', role: 'shopper' }, now)
  const price = `price(currency: "USD") { lowestPrior${args} { amount } }`
  return on.gql(
    `{ catalog(id: "${ids.catalog}") { latestRelease { product(by: { id: "${ids.beans}" }) { ${price} } } } }`,
    {},
    { token },
  )
}

/** The lowest amount before the running sale of the beans at an instant, or what was wrong. */
async function lowest(now: number, args = '', on: TestServer = server) {
  const { data, errors } = await answer(now, args, on)
  if (errors) return errors.map(({ message }: { message: string }) => message)
  return data.catalog.latestRelease.product.price.lowestPrior?.amount ?? null
}

/** The lowest amount that an administrator reads at `now` for an instant, in a release by its own id. */
async function lowestIn(releaseId: string, now: number, at: number, args = '') {
  server.now = now
  const { token } = await server.issue({ subject: 'admin', role: 'admin' }, now)
  const price = `price(currency: "USD", at: "${new Date(at).toISOString()}") { lowestPrior${args} { amount } }`
  const { data } = await server.gql(
    `{ release(id: "${releaseId}") { product(by: { id: "${ids.beans}" }) { ${price} } } }`,
    {},
    { token },
  )
  return data.release.product.price.lowestPrior?.amount ?? null
}

/** The sale of day 50 to 60. */
const half: BeansSale = { name: 'half', from: day(50), to: day(60), amount: 500 }

/** The store, published on day 0. */
async function begin(): Promise<void> {
  await reset(database)
  server.now = day(0)
  await insertStore(database, fullStore())
  await price(1000)
  await publishOn(day(0))
}
beforeEach(begin)

/** The lowest prior amount in a release, as a server with a response cache sends it. */
async function cachedLowest(
  caching: Awaited<ReturnType<typeof startTestServer>>,
  release: string,
  token: string,
): Promise<number> {
  const fields = `product(by: { id: "${ids.beans}" }) { price(currency: "USD") { lowestPrior { amount } } }`
  const { data } = await caching.gql(`{ release(id: "${release}") { ${fields} } }`, {}, { token })
  return data.release.product.price.lowestPrior.amount
}

describe('CatalogPrice.lowestPrior', () => {
  it('CatalogPrice.lowestPrior is null while its days reach back to releases of a version of the program that kept no prices', async () => {
    await database.pool.query('UPDATE release SET has_price_spans = false')
    await price(1200, [half])
    await publishOn(day(20) + 1)
    expect(await lowest(day(50))).toBeNull()
    await database.pool.query('UPDATE release SET has_price_spans = false')
    await publishOn(day(20))
    expect(await lowest(day(50))).toBe(1200)
    await publishOn(day(40))
    expect(await lowest(day(50))).toBe(1200)
  })

  it('price.lowest-prior-in-force: CatalogPrice.lowestPrior is the lowest of the 30 days before the running sale, null while none runs', async () => {
    await price(800)
    await publishOn(day(20) + 1)
    await price(1200, [half])
    await publishOn(day(40))
    expect(await lowest(day(50) - 1)).toBeNull()
    expect(await lowest(day(50))).toBe(800)
    expect(await lowest(day(60) - 1)).toBe(800)
    expect(await lowest(day(60))).toBeNull()
  })

  it('CatalogPrice.lowestPrior counts a price that was changed within the window, to the millisecond, and takes the number of days', async () => {
    await price(700)
    await publishOn(day(10))
    await price(900)
    await publishOn(day(20))
    await price(900, [half])
    await publishOn(day(45))
    expect(await lowest(day(50))).toBe(900)
    await price(1100, [half])
    await publishOn(day(50) - 1)
    expect(await lowest(day(50), '(days: 1)')).toBe(900)
    expect(await lowest(day(50), '(days: 31)')).toBe(700)
  })

  it('CatalogPrice.lowestPrior counts a sale that ended when the running one began, and a list price that a publish changed meanwhile', async () => {
    const before: BeansSale = { name: 'before', from: day(48), to: day(50), amount: 600 }
    await price(1000, [before, half])
    await publishOn(day(30))
    expect(await lowest(day(50))).toBe(600)
    expect(await lowest(day(48))).toBe(1000)
    await price(550, [before, half])
    await publishOn(day(49))
    await price(1000, [before, half])
    await publishOn(day(51))
    // The sale ran on day 49 as well, so the list price of 550 was never in force.
    expect(await lowest(day(52))).toBe(600)
  })

  it('CatalogPrice.lowestPrior counts nothing while the product was not in the catalog', async () => {
    await database.pool.query(`UPDATE product SET status = 'draft' WHERE id = $1`, [ids.beans])
    await publishOn(day(5))
    await database.pool.query(`UPDATE product SET status = 'live' WHERE id = $1`, [ids.beans])
    await price(1500, [half])
    await publishOn(day(50))
    expect(await lowest(day(50))).toBeNull()
    expect(await lowest(day(50), '(days: 40)')).toBeNull()
  })

  it('CatalogPrice.lowestPrior follows a release that is the latest again, since the one after it was deleted', async () => {
    await price(300)
    const { id } = await publishOn(day(41))
    await deleteRelease(contextOf(server.services, day(42)), { releaseId: id })
    await price(1000, [half])
    await publishOn(day(43))
    expect(await lowest(day(50))).toBe(300)
    expect(await lowest(day(50), '(days: 8)')).toBe(1000)
    expect(await lowest(day(50), '(days: 9)')).toBe(300)
  })

  it('price.lowest-prior-in-force: CatalogPrice.lowestPrior counts what was in force before a release with the sale is the latest again by a deletion', async () => {
    await price(1000, [half])
    const { id: first } = await publishOn(day(30))
    await price(300)
    const { id } = await publishOn(day(41))
    await deleteRelease(contextOf(server.services, day(42)), { releaseId: id })
    expect(await lowest(day(50))).toBe(300)
    expect(await lowest(day(50), '(days: 8)')).toBe(1000)
    expect(await lowest(day(50), '(days: 9)')).toBe(300)
    expect(await lowestIn(first, day(50), day(50))).toBe(300)
  })

  it.each(['restored', 'the latest again by a deletion'])(
    'CatalogPrice.lowestPrior is read anew, although responses are cached, in a release that is %s',
    async (way) => {
      const caching = await startTestServer(database, { elapsed: manualClock() })
      onTestFinished(() => caching.stop())
      await price(1000, [half])
      const { id: first } = await publishOn(day(30), caching)
      await price(300)
      const { id } = await publishOn(day(41), caching)
      caching.now = day(51)
      const { token } = await caching.issue({ subject: 'shopper', role: 'shopper' }, caching.now)
      const read = () => cachedLowest(caching, first, token)
      expect([await read(), await read(), await read()]).toEqual([1000, 1000, 1000])
      const ctx = contextOf(caching.services, caching.now)
      await (way === 'restored' ? restoreRelease(ctx, { releaseId: first }) : deleteRelease(ctx, { releaseId: id }))
      // The first request after a write is never cached.
      await caching.gql(`{ release(id: "${first}") { sequence } }`, {}, { token })
      expect(await read()).toBe(300)
    },
  )

  it.each([
    ['at its instant', day(52)],
    ['at once', null],
  ])(
    'CatalogPrice.lowestPrior is read anew, although responses are cached, when another release follows one that is the latest again, %s',
    async (_, at) => {
      const caching = await startTestServer(database, { elapsed: manualClock() })
      onTestFinished(() => caching.stop())
      await price(1000, [half])
      const { id: first } = await publishOn(day(30), caching)
      await price(300)
      const { id } = await publishOn(day(41), caching)
      await deleteRelease(contextOf(caching.services, day(42)), { releaseId: id })
      const read = async (instant: number) => {
        caching.now = instant
        const { token } = await caching.issue({ subject: 'shopper', role: 'shopper' }, instant)
        return cachedLowest(caching, first, token)
      }
      const follow = () => publishRelease(contextOf(caching.services, caching.now), { catalogId: ids.catalog, at })
      caching.now = day(51)
      if (at !== null) await follow()
      expect([await read(day(51)), await read(day(51)), await read(day(52) - 1)]).toEqual([300, 300, 300])
      if (at === null) await follow()
      expect([await read(day(52)), await read(day(52)), await read(day(52))]).toEqual([1000, 1000, 1000])
    },
  )

  it('CatalogPrice.lowestPrior counts a release that is the latest again also when a release or a rule is written while a request reads the history', async () => {
    await price(1000, [half])
    await publishOn(day(30))
    await price(300)
    const { id } = await publishOn(day(41))
    await deleteRelease(contextOf(server.services, day(42)), { releaseId: id })
    let written = 0
    onTestFinished(
      database.onStatement(({ text }) => {
        if (!text.includes('FROM price_history')) return
        written++
        server.services.releases.invalidate()
      }),
    )
    expect([await lowest(day(50)), written]).toEqual([300, 1])
  })

  it('price.lowest-prior-in-force: CatalogPrice.lowestPrior counts the release before a scheduled one up to its instant, whichever way an instant is asked for', async () => {
    await price(300)
    await publishOn(day(30))
    await price(1000, [half])
    const { id } = await publishRelease(contextOf(server.services, day(30) + 1), {
      catalogId: ids.catalog,
      at: day(45),
    })
    expect([await lowestIn(id, day(31), day(50)), await lowestIn(id, day(31), day(50), '(days: 5)')]).toEqual([
      300, 1000,
    ])
    expect(await lowestIn(id, day(50), day(50))).toBe(300)
  })

  it('price.lowest-prior-in-force: CatalogPrice.lowestPrior is that of each catalog in one request for two that share the product as it was published', async () => {
    const young = randomUUID()
    const store = fullStore()
    for (const catalog of store.catalogs) await insertCatalog(database, { ...catalog, id: young })
    await price(300)
    await publishOn(day(30))
    await price(1000, [half])
    await publishOn(day(45))
    await publish(server, young)
    await price(900, [half])
    await publishRelease(contextOf(server.services, day(45)), { catalogId: young, at: day(55) })
    server.now = day(50)
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const fields = `latestRelease { product(by: { id: "${ids.beans}" }) { price(currency: "USD") { lowestPrior { amount } changesAt } } }`
    const query = `{ old: catalog(id: "${ids.catalog}") { ${fields} } young: catalog(id: "${young}") { ${fields} } }`
    const { data } = await server.gql(query, {}, { token })
    expect([data.old, data.young].map(({ latestRelease }) => latestRelease.product.price)).toEqual([
      { lowestPrior: { amount: 300 }, changesAt: new Date(day(60)).toISOString() },
      { lowestPrior: { amount: 1000 }, changesAt: new Date(day(55)).toISOString() },
    ])
  })

  it('price.lowest-prior-in-force: CatalogPrice.lowestPrior counts nothing while the catalog had no release, since all were deleted', async () => {
    const [{ id: first }] = (
      await database.pool.query<{ id: string }>('SELECT latest_release($1, now()) AS id', [ids.catalog])
    ).rows as [{ id: string }]
    await deleteRelease(contextOf(server.services, day(10)), { releaseId: first })
    const before: BeansSale = { name: 'before', from: day(11), to: day(12), amount: 400 }
    await price(1500, [before, { ...half, from: day(13) }])
    const { id: draft } = await publishRelease(contextOf(server.services, day(20)), {
      catalogId: ids.catalog,
      dryRun: true,
    })
    expect(await lowestIn(draft, day(20), day(20))).toBe(1000)
    await publishOn(day(20))
    expect([await lowest(day(20)), await lowest(day(20), '(days: 2)')]).toEqual([1000, null])
  })

  it('release.draft-shows-a-publish: CatalogPrice.lowestPrior is in a draft what it will be once that is published, also of a product that is new to the catalog', async () => {
    const running: BeansSale = { name: 'running', from: day(5), to: day(60), amount: 1200 }
    const ofDraft = async (now: number) => {
      server.now = now
      const draft = await publishRelease(contextOf(server.services, now), { catalogId: ids.catalog, dryRun: true })
      return lowestIn(draft.id, now, now)
    }
    const both = async (now: number) => [await ofDraft(now), await publishOn(now).then(() => lowest(now))]
    await price(1500, [running])
    expect(await both(day(10))).toEqual([1000, 1000])
    await database.pool.query(`UPDATE product SET status = 'draft' WHERE id = $1`, [ids.beans])
    await publishOn(day(12))
    await database.pool.query(`UPDATE product SET status = 'live' WHERE id = $1`, [ids.beans])
    await price(1500, [{ ...running, from: day(13) }])
    expect(await ofDraft(day(14))).toBe(1000)
    await price(1500, [{ ...running, from: day(42) }])
    expect(await both(day(43))).toEqual([null, null])
  })

  it('price.history-outlives-releases: CatalogPrice.lowestPrior knows prices whose releases are gone, and the history keeps the last of those that are too old', async () => {
    await price(800)
    await publishOn(day(1))
    await price(900)
    await publishOn(day(2))
    await price(900, [half])
    await publishOn(day(45))
    const rows = async () =>
      (await database.pool.query(`SELECT until FROM price_history WHERE product_id = $1 ORDER BY until`, [ids.beans]))
        .rows
    expect((await rows()).map(({ until }) => until.getTime())).toEqual([day(2), day(45)])
    await database.pool.query(`DELETE FROM release WHERE id <> latest_release($1, 'infinity')`, [ids.catalog])
    expect(await lowest(day(50))).toBe(900)
    expect(await lowest(day(50), '(days: 5)')).toBe(900)
    expect(await lowest(day(200))).toBeNull()
  })

  it('CatalogPrice.lowestPrior has what a scheduled release ended, also after a publish that began before its instant, ended after it and retired others', async () => {
    await price(600)
    await publishOn(day(1))
    await price(700)
    await publishRelease(contextOf(server.services, server.now), { catalogId: ids.catalog, at: day(40) })
    await price(700, [half])
    server.now = day(40) - 1
    const services = { ...server.services, config: { ...server.services.config, releasesKept: 1 } }
    await publishRelease(contextOf(services, server.now), { catalogId: ids.catalog }, {}, () => {
      server.now = day(40) + 1
    })
    expect(await lowest(day(55))).toBe(600)
    expect(await lowest(day(55), '(days: 9)')).toBe(700)
  })

  it('CatalogPrice.lowestPrior takes 1 to PRICE_HISTORY_DAYS days', async () => {
    const refused = ['days: must be an integer from 1 to 40']
    expect(await lowest(day(1), '(days: 0)')).toEqual(refused)
    expect(await lowest(day(1), '(days: 41)')).toEqual(refused)
    expect(await lowest(day(1), '(days: 1)')).toBeNull()
    expect(await lowest(day(1), '(days: 40)')).toBeNull()
  })

  describe('with another PRICE_HISTORY_DAYS', () => {
    /** Runs with a server whose environment has the setting. */
    async function withDays<T>(days: number, run: (on: TestServer) => Promise<T>): Promise<T> {
      const { priceHistoryDays } = loadConfig({ AUTH_SECRET: testAuth.secret, PRICE_HISTORY_DAYS: String(days) })
      const on = await startTestServer(database, {
        config: { responseCacheMb: 0, priceHistoryDays },
        elapsed: manualClock(),
      })
      return run(on).finally(() => on.stop())
    }

    it('CatalogPrice.lowestPrior takes as many days as PRICE_HISTORY_DAYS, and refuses one more by name', async () => {
      await withDays(5, async (on) => {
        const refused = ['days: must be an integer from 1 to 5']
        expect([await lowest(day(1), '(days: 6)', on), await lowest(day(1), '(days: 0)', on)]).toEqual([
          refused,
          refused,
        ])
        expect([await lowest(day(1), '(days: 5)', on), await lowest(day(1), '', on)]).toEqual([null, null])
      })
    })

    it('CatalogPrice.lowestPrior looks back 30 days by default, or as many as PRICE_HISTORY_DAYS keeps', async () => {
      await price(600)
      await publishOn(day(1))
      await price(700)
      await publishOn(day(20))
      await price(900, [half])
      await publishOn(day(20) + 1)
      const found: unknown[] = []
      for (const days of [5, 29, 30, 31]) found.push(await withDays(days, (on) => lowest(day(50), '', on)))
      expect(found).toEqual([900, 900, 700, 700])
      expect(await withDays(31, (on) => lowest(day(50), '(days: 31)', on))).toBe(600)
    })

    it('a publish removes prices older than PRICE_HISTORY_DAYS, save the last of them, to the millisecond', async () => {
      const pruned = async (instant: number) => {
        for (const at of [1, 2, 3]) {
          await price(1000 + at)
          await publishOn(day(at))
        }
        await price(2000)
        await withDays(5, (on) => publishOn(instant, on))
        const { rows } = await database.pool.query(
          'SELECT until FROM price_history WHERE product_id = $1 ORDER BY until',
          [ids.beans],
        )
        return rows.map(({ until }) => until.getTime())
      }
      expect(await pruned(day(8) - 1)).toEqual([day(2), day(3), day(8) - 1])
      await begin()
      expect(await pruned(day(8))).toEqual([day(3), day(8)])
    })
  })

  it('CatalogPrice.lowestPrior costs one statement for all products of a page', async () => {
    // The machine is on sale as well.
    await price(1000, [{ name: 'short', from: day(1), to: day(2), amount: 500 }])
    await publishOn(day(1))
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const page = (first: number) =>
      server.gql(
        `{ catalog(id: "${ids.catalog}") { latestRelease { products(first: ${first}) { nodes { price(currency: "USD") { lowestPrior { amount } } } } } } }`,
        {},
        { token },
      )
    for (const first of [1, 8]) await page(first)
    const counts = []
    for (const first of [1, 8]) counts.push((await countStatements(database, () => page(first))).statements.length)
    expect(counts).toEqual([1, 1])
  })
})
