import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { settlePastPrices } from '../../../src/operations/catalog/release-clean-up.ts'
import { removeOldPrices } from '../../../src/persistence/catalog/price-history-clean-up.ts'
import { type BeansSale, day, priceBeans } from '../../support/beans.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { times } from '../../support/effort.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { contextOf } from '../../support/price-books.ts'
import { publish } from '../../support/published.ts'
import { randomFrom } from '../../support/random-store.ts'
import { manualClock, useServer } from '../../support/server.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()
const config = { responseCacheMb: 0 }
const server = useServer(database, { config, elapsed: manualClock() })

const price = (amount: number, sales: readonly BeansSale[] = []) => priceBeans(database, amount, sales)
const sale = (name: string, from: number | null, to: number | null, amount: number): BeansSale => {
  return { name, from: from === null ? null : day(from), to: to === null ? null : day(to), amount }
}
/** The sale of day 50 to 200. */
const half = sale('half', 50, 200, 500)

async function publishOn(instant: number, at: number | null = null) {
  server.now = day(instant)
  return at === null
    ? publish(server, ids.catalog)
    : publishRelease(contextOf(server.services, server.now), { catalogId: ids.catalog, at: day(at) })
}

const fields =
  'lowestPrior { amount } progressive: lowestPrior(progressive: true) { amount } lowestPriorSince onMarketSince'

interface Shown {
  readonly lowest: number | null
  readonly progressive: number | null
  /** Days after START. */
  readonly since: number | null
  readonly market: number | null
}

const dayOf = (text: string | null) => (text === null ? null : (Date.parse(text) - day(0)) / 86_400_000)
const shown = (found: Record<string, never> | null): Shown | null => {
  if (found === null) return null
  const { lowestPrior, progressive, lowestPriorSince, onMarketSince } = found as Record<
    string,
    { amount: number } | null
  >
  return {
    lowest: lowestPrior?.amount ?? null,
    progressive: progressive?.amount ?? null,
    since: dayOf(lowestPriorSince as never),
    market: dayOf(onMarketSince as never),
  }
}

/** What an administrator's operation finds in the latest release at `instant`, as of `at`. */
async function latest(selection: string, instant: number, at: number | null = null) {
  server.now = day(instant)
  const { token } = await server.issue({ subject: 'admin', role: 'admin' }, server.now)
  const directive = at === null ? '' : `@inContext(at: "${new Date(day(at)).toISOString()}")`
  const { data, errors, extensions } = await server.gql(
    `query ${directive} { catalog(id: "${ids.catalog}") { latestRelease { ${selection} } } }`,
    {},
    { token },
  )
  expect(errors).toBeUndefined()
  return { ...data.catalog.latestRelease, validUntil: extensions?.validUntil }
}

async function beans(instant: number, args = '', at: number | null = null): Promise<Shown | null> {
  const selection =
    args === ''
      ? fields
      : fields.replaceAll(/lowestPrior(Since)?\b/g, `lowestPrior$1${args}`).replace(/\(progressive: true\)/, '')
  const found = await latest(
    `product(by: { id: "${ids.beans}" }) { price(currency: "USD") { ${selection} } }`,
    instant,
    at,
  )
  return shown(found.product?.price ?? null)
}
const both = async (instant: number) => {
  const { lowest, progressive } = (await beans(instant)) as Shown
  return [lowest, progressive]
}

/** The store, published on day 0 with a price of 1000. */
async function begin(): Promise<void> {
  await reset(database)
  await insertStore(database, fullStore())
  await price(1000)
  await publishOn(0)
}
beforeEach(begin)

describe('price.lowest-prior-in-force: the lowest price before a reduction', () => {
  it('price.history-outlives-releases: CatalogPrice.lowestPrior stands for the whole sale, whatever is published meanwhile, and the response is valid until its end', async () => {
    await price(700)
    await publishOn(21)
    await price(900, [half])
    await publishOn(40)
    const found = []
    for (const instant of [50, 61, 62, 90, 91, 150, 199]) {
      await publishOn(instant)
      found.push(await both(instant))
    }
    expect(found).toEqual(Array(7).fill([700, 700]))
    const { validUntil } = await latest(
      `product(by: { id: "${ids.beans}" }) { price(currency: "USD") { ${fields} } }`,
      199,
    )
    expect(dayOf(validUntil)).toBe(200)
    expect(await both(200)).toEqual([null, null])
  })

  it('price.reduction-begins-in-catalog: CatalogPrice.lowestPrior of a backdated, and of a permanent sale, is that of the days before it came into force', async () => {
    await price(900)
    await publishOn(15)
    await price(1200, [sale('backdated', 1, null, 800)])
    await publishOn(46)
    expect(await both(47)).toEqual([900, 900])
    await begin()
    await price(900)
    await publishOn(15)
    await price(1200)
    await publishOn(30)
    await price(1200, [sale('always', null, null, 800)])
    await publishOn(46)
    expect(await both(400)).toEqual([900, 900])
  })

  it('price.reduction-begins-in-catalog, price.progressive-reduction: CatalogPrice.lowestPrior begins anew where the amount falls or another sale takes over, and progressive counts from the first', async () => {
    await price(1000, [half, sale('last days', 120, 130, 500)])
    await publishOn(40)
    expect(await both(60)).toEqual([1000, 1000])
    await price(1000, [{ ...half, amount: 400 }, sale('last days', 120, 130, 300)])
    await publishOn(100)
    expect(await both(110)).toEqual([500, 1000])
    expect(await both(125)).toEqual([400, 1000])
    expect(await both(130)).toEqual([300, 300])
  })

  it('price.reduction-begins-in-catalog: a sale that goes on in a new release, a scheduled one too, goes on, and one that was taken off begins anew', async () => {
    await price(1000, [half])
    await publishOn(40)
    await price(1300, [half])
    await publishOn(55)
    await publishOn(56, 60)
    expect(await both(65)).toEqual([1000, 1000])
    await price(1300)
    await publishOn(70)
    await price(1300, [half])
    await publishOn(71)
    expect(await both(72)).toEqual([500, 500])
  })

  it('CatalogPrice.onMarketSince is the first price in the catalog, and fewer days on the market give the lowest of these', async () => {
    await database.pool.query(`UPDATE product SET status = 'draft' WHERE id = $1`, [ids.beans])
    await begin()
    await database.pool.query(`UPDATE product SET status = 'draft' WHERE id = $1`, [ids.beans])
    await publishOn(1)
    await database.pool.query(`UPDATE product SET status = 'live' WHERE id = $1`, [ids.beans])
    await publishOn(30)
    expect(await beans(31)).toEqual({ lowest: null, progressive: null, since: null, market: 0 })
    await reset(database)
    await insertStore(database, fullStore())
    await database.pool.query(`UPDATE product SET status = 'draft' WHERE id = $1`, [ids.beans])
    await publishOn(0)
    await database.pool.query(`UPDATE product SET status = 'live' WHERE id = $1`, [ids.beans])
    await price(1000, [half])
    await publishOn(45)
    expect(await beans(51)).toEqual({ lowest: 1000, progressive: 1000, since: null, market: 45 })
  })
})

describe('price.unknown-history-is-no-guess: CatalogPrice.lowestPriorSince', () => {
  it('CatalogPrice.lowestPrior is null at a past instant of which prices were removed, not 800 where 500 was in force', async () => {
    const ended = sale('ended', 20, 30, 400)
    await price(500)
    await publishOn(5)
    await price(800, [ended])
    await publishOn(10)
    expect(await beans(25)).toEqual({ lowest: 500, progressive: 500, since: null, market: 0 })
    await price(900, [ended])
    await publishOn(32)
    expect(await beans(99, '', 25)).toMatchObject({ lowest: 500, since: null })
    await publishOn(100)
    // The release that is the latest now has the sale; of the past prices that of day 10 to 32 is left.
    expect(await beans(100, '', 25)).toEqual({ lowest: null, progressive: null, since: 10, market: null })
    expect(await beans(100, '(days: 10)', 25)).toMatchObject({ lowest: 800, since: null })
    expect(await beans(100, '(days: 11)', 25)).toMatchObject({ lowest: null, since: 10 })
  })

  it('CatalogPrice.lowestPrior is null at a past instant at which the catalog charged by no sale, or by another', async () => {
    await price(1000, [sale('other', 20, 30, 600)])
    await publishOn(10)
    await price(1000, [sale('half', 1, 200, 500)])
    await publishOn(40)
    expect(await beans(50, '', 5)).toEqual({ lowest: null, progressive: null, since: null, market: 0 })
    expect(await beans(50, '', 25)).toEqual({ lowest: null, progressive: null, since: null, market: 0 })
    expect(await beans(50, '', 45)).toMatchObject({ lowest: 600 })
  })

  it('rows of a version that recorded neither sales nor beginnings say what they can, once their beginning is settled', async () => {
    await price(700)
    await publishOn(5)
    await price(1000, [half])
    await publishOn(45)
    await price(1100, [half])
    await publishOn(55)
    const downgrade = () => database.pool.query('UPDATE price_history SET sales = NULL, since = NULL')
    await downgrade()
    expect(await beans(60)).toMatchObject({ lowest: null, since: 55 })
    // The amount fell on day 55, whatever supplied it before.
    await price(1100, [{ ...half, amount: 400 }])
    await publishOn(56)
    expect(await beans(60, '(days: 1)')).toMatchObject({ lowest: 500, since: null })
    expect(await beans(60)).toMatchObject({ lowest: null, since: 55 })
    await settlePastPrices(database, day(44), 40 * 86_400_000)
    expect(await beans(60)).toMatchObject({ lowest: 500, since: null })
    await settlePastPrices(database, day(500), 40 * 86_400_000)
    expect(await beans(60)).toMatchObject({ lowest: 500, since: null })
  })
})

describe('price.lowest-prior-in-force: the lowest price before a reduction in bundles and on pages', () => {
  const options = async (instant: number): Promise<Record<string, Shown | null>> => {
    const selection = `componentProducts { productKey price(currency: "USD") { ${fields} } }`
    const { product } = await latest(
      `product(by: { id: "${ids.breakfast}" }) { bundleConfiguration { ${selection} } }`,
      instant,
    )
    const found = product.bundleConfiguration.componentProducts as { productKey: string; price: never }[]
    return Object.fromEntries(found.map(({ productKey, price: one }) => [productKey, shown(one)]))
  }

  it('CatalogPrice.lowestPrior is in a bundle that of the product alone, whatever its price in the bundle, and null of an option that no node has', async () => {
    await database.pool.query(`INSERT INTO sale (id, product_price_id, price_book_id, name, currencies, created_at, updated_at)
      SELECT gen_random_uuid(), id, price_book_id, 'cups', '{"USD": {"amount": 100}}', now(), now() FROM product_price WHERE sku = 'CUP'`)
    await price(900)
    await publishOn(30)
    await price(1000, [half])
    await publishOn(45)
    const alone = { lowest: 900, progressive: 900, since: null, market: 0 }
    const none = { lowest: null, progressive: null, since: null, market: null }
    expect(await options(60)).toEqual({ [ids.beans]: alone, [ids.cup]: none })
    expect(await beans(60)).toEqual(alone)
    await database.pool.query(`UPDATE sale SET bundle_ids = $1 WHERE name = 'half'`, [[ids.breakfast]])
    await database.pool.query('UPDATE product_price SET sku = sku')
    await publishOn(61)
    expect((await options(62))[ids.beans]).toEqual({ ...none, market: 0 })
  })

  it('the lowest price before a reduction, since when it is known and since when a product is on the market cost one statement for all products of a page, and two for the options of its bundles', async () => {
    await price(1000, [half])
    await publishOn(45)
    const page = (first: number, selection: string) =>
      countStatements(database, () => latest(`products(first: ${first}) { nodes { ${selection} } }`, 60))
    const ofProducts = `price(currency: "USD") { ${fields} }`
    const ofOptions = `bundleConfiguration { componentProducts { price(currency: "USD") { ${fields} } } }`
    for (const selection of [ofProducts, ofOptions]) await page(8, selection)
    const counts = []
    for (const [first, selection] of [
      [1, ofProducts],
      [8, ofProducts],
      [8, ofOptions],
    ] as const)
      counts.push((await page(first, selection)).statements.filter((text) => !/^SELECT r\.id/.test(text)).length)
    expect(counts).toEqual([1, 1, 2])
  })
})

describe('price.history-outlives-releases: pruning', () => {
  const args = ['(days: 1)', '(days: 3)', '(days: 5)', '(days: 5, progressive: true)']
  const answers = async (instant: number) => Promise.all(args.map((one) => beans(instant, one)))
  const stash = (from: string, to: string) =>
    database.pool.query(`TRUNCATE ${to}; INSERT INTO ${to} SELECT * FROM ${from}`)

  it('with prices that publishes prune CatalogPrice.lowestPrior is at any time what it is with all past prices, after random sales and publishes', async () => {
    await database.pool.query(
      'CREATE TABLE all_prices (LIKE price_history INCLUDING ALL); CREATE TABLE pruned (LIKE price_history INCLUDING ALL)',
    )
    onTestFinished(async () => {
      await database.pool.query('DROP TABLE all_prices, pruned')
    })
    const services = { ...server.services, config: { ...server.services.config, priceHistoryDays: 5 } }
    let removed = 0
    for (let seed = 0; seed < times(10); seed++) {
      const random = randomFrom(seed)
      await begin()
      await database.pool.query('TRUNCATE all_prices')
      for (let instant = 1; instant < 60; instant += 1 + random.below(6)) {
        const run = (name: string): BeansSale => {
          const from = instant - 3 + random.below(8)
          return sale(name, from, from + 1 + random.below(40), 300 + 100 * random.below(5))
        }
        await price(1000 + 100 * random.below(3), [run('a'), run('b')].slice(0, random.below(3)))
        server.now = day(instant)
        await publishRelease(contextOf(services, server.now), { catalogId: ids.catalog })
        await database.pool.query('INSERT INTO all_prices SELECT * FROM price_history ON CONFLICT DO NOTHING')
        const found = await answers(instant)
        await stash('price_history', 'pruned')
        await stash('all_prices', 'price_history')
        expect(found.map((one) => one && { ...one, market: 0 })).toEqual(await answers(instant))
        await stash('pruned', 'price_history')
      }
      const { rows } = await database.pool.query<{ count: number }>(
        'SELECT (SELECT count(*) FROM all_prices)::int - (SELECT count(*) FROM price_history)::int AS count',
      )
      removed += rows[0]?.count ?? 0
    }
    expect(removed).toBeGreaterThan(0)
  })

  it('a publish keeps what the running sale of a product needs, and prunes it once that has ended', async () => {
    const rows = async () =>
      (
        await database.pool.query<{ until: Date }>(
          `SELECT until FROM price_history WHERE product_id = $1 AND currency = 'USD' ORDER BY until`,
          [ids.beans],
        )
      ).rows.map(({ until }) => dayOf(until.toISOString()))
    for (const [at, amount] of [
      [5, 910],
      [8, 920],
      [20, 930],
    ] as const) {
      await price(amount)
      await publishOn(at)
    }
    await price(1000, [half])
    await publishOn(45)
    await publishOn(199)
    expect(await rows()).toEqual([8, 20, 45])
    await publishOn(200)
    expect(await rows()).toEqual([45])
  })

  it('a publish prunes nothing of a product whose running sale is not named yet, nor of a catalog whose latest release lacks its prices over time', async () => {
    await price(910)
    await publishOn(5)
    await price(1000, [half])
    await publishOn(8)
    const count = async () =>
      (await database.pool.query(`SELECT count(*)::int AS n FROM price_history WHERE product_id = $1`, [ids.beans]))
        .rows[0].n
    const before = await count()
    await database.pool.query('UPDATE release_document_price SET sales = NULL')
    await publishOn(100)
    expect(await count()).toBe(before)
    await database.pool.query('UPDATE release SET has_price_spans = false')
    await removeOldPrices(database.pool, day(300), 40 * 86_400_000)
    expect(await count()).toBe(before)
  })
})
