import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PriceColumn } from '../../../src/domain/catalog/price-snapshot.ts'
import type { Release } from '../../../src/domain/catalog/release.ts'
import { resolvePrice } from '../../../src/domain/pricing/price.ts'
import type { ReleasePriceRecord } from '../../../src/domain/pricing/price-record.ts'
import type { PriceableProduct } from '../../../src/domain/pricing/priceable-product.ts'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { cutLatestReleases } from '../../../src/persistence/catalog/publish/price-spans.ts'
import { ReleaseCache } from '../../../src/persistence/catalog/release-cache.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { currencies, priceRecord } from '../../support/price-arbitraries.ts'
import { contextOf } from '../../support/price-books.ts'
import { randomEdit, randomFrom, randomStore } from '../../support/random-store.ts'
import { servicesOf, shopperReader } from '../../support/services.ts'
import { insertStore, type Store } from '../../support/store.ts'

const database = useDatabase()
const free = () => undefined

async function publish(releases: ReleaseCache, catalogId: string): Promise<Release> {
  const { id } = await publishRelease(contextOf({ ...servicesOf(database), releases }, Date.now()), { catalogId })
  return (await releases.resolve(catalogId, id, shopperReader)) as Release
}

/** A long time ago, long from now, and before, on and after every bound of a sale. */
function instantsOf(store: Store): number[] {
  const bounds = store.prices.flatMap(({ sales }) =>
    sales.flatMap(({ from, to }) => [from, to]).filter((bound) => bound !== null),
  )
  return [-8.64e15, 8.64e15, ...new Set(bounds)].flatMap((bound) => [bound - 1, bound, bound + 1])
}

/** Amount, sale and next change of one unit at every instant; `changes` are the instants at which they may change. */
function pricesOf(priceable: PriceableProduct, currency: string, instants: readonly number[]) {
  const at = (now: number) => {
    const { price } = resolvePrice(priceable, { now, currency, quantity: 1 })
    return [price?.amount ?? null, price?.sale?.name ?? null] as const
  }
  const isChange = (now: number) => !isDeepStrictEqual(at(now), at(now - 1))
  return instants.map((now) => {
    const changes = instants.filter(isChange).sort((one, other) => one - other)
    const [amount, sale] = at(now)
    return [
      now,
      amount,
      sale !== null,
      changes.findLast((one) => one <= now) ?? null,
      changes.find((one) => one > now) ?? null,
    ]
  })
}

async function expectColumns(releases: ReleaseCache, release: Release, instants: readonly number[]): Promise<void> {
  const { documents } = release.allProducts
  const loaded = await releases.documents.load(documents)
  for (const currency of currencies) {
    const column = await releases.priceColumn(release, currency, free)
    for (const document of loaded) {
      if (!document) throw new Error('a document is missing')
      const { number, priceable } = document
      const found = instants.map((now) => {
        const { amount, isOnSale, from, until } = column.at(number, now)
        return [now, amount, isOnSale, from, until]
      })
      expect(found).toEqual(pricesOf(priceable, currency, instants))
    }
  }
}

describe('the price column of a release', () => {
  it('price.spans-equal-prices: the price column of a release has the price of every product at every instant, after random edits and publishes too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        await reset(database)
        const random = randomFrom(seed)
        const store = randomStore(random)
        await insertStore(database, store)
        // One cache for all publishes, in which columns of later releases share spans with earlier ones.
        const releases = new ReleaseCache(database)
        for (let edit = 0; edit < 3; edit++) {
          if (edit > 0) await randomEdit(store, database, random)
          for (const { id } of store.catalogs) {
            const release = await publish(releases, id)
            await expectColumns(releases, release, instantsOf(store))
            await expectColumns(new ReleaseCache(database), release, instantsOf(store))
          }
        }
      }),
      runs(4),
    )
  })

  it('price.spans-equal-prices: the price column of a release has the price of one unit by tiers from one, and with a sale of any bounds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.array(priceRecord, { minLength: 20, maxLength: 20 }), async (seed, records) => {
        await reset(database)
        const store = randomStore(randomFrom(seed))
        for (const [at, price] of store.prices.entries()) {
          const { currencies: list, sales } = records[at % records.length] as ReleasePriceRecord
          price.currencies = list
          price.sales = sales.slice(0, 1).map((sale) => ({ ...sale, bundles: [] }))
        }
        await insertStore(database, store)
        for (const { id } of store.catalogs) {
          const releases = new ReleaseCache(database)
          await expectColumns(releases, await publish(releases, id), instantsOf(store))
        }
      }),
      runs(4),
    )
  })
})

describe('reading a price column', () => {
  let release: Release

  beforeAll(async () => {
    await reset(database)
    await insertStore(database, fullStore())
    release = await publish(new ReleaseCache(database), ids.catalog)
  })

  it('a price column takes one statement for requests that want it at once, which is work of the first, and none afterwards', async () => {
    const releases = new ReleaseCache(database)
    const points = [0, 0, 0]
    const readFor = (request: number) =>
      releases.priceColumn(release, 'USD', (more) => {
        points[request] = (points[request] as number) + more
      })
    const read = () => Promise.all([0, 1, 2].map(readFor))
    const { result, count } = await countStatements(database, read)
    expect([count, new Set(result).size]).toEqual([1, 1])
    expect((await countStatements(database, read)).count).toBe(0)
    expect(points).toEqual([release.allProducts.documents.length / 20, 0, 0])
  })

  it('the price columns of several currencies take one statement', async () => {
    const releases = new ReleaseCache(database)
    const read = () => Promise.all(currencies.map((currency) => releases.priceColumn(release, currency, free)))
    expect((await countStatements(database, read)).count).toBe(1)
  })

  it('a price column has no price of a document of another release, nor in a currency that nothing has', async () => {
    const column = await new ReleaseCache(database).priceColumn(release, 'XTS', free)
    const [document = 0] = release.allProducts.documents
    for (const number of [document, 0, 2_147_483_647]) {
      expect(column.at(number, 0)).toEqual({ amount: null, isOnSale: false, from: null, until: null })
    }
  })

  it('the price column of a currency that nothing has takes one statement, and none the next time, which is no work', async () => {
    const releases = new ReleaseCache(database)
    let points = 0
    const read = (currency: string) =>
      countStatements(database, () =>
        releases.priceColumn(release, currency, (more) => {
          points += more
        }),
      )
    expect([(await read('XTS')).count, (await read('XXX')).count, (await read('XTS')).count]).toEqual([1, 0, 0])
    expect(points).toBeCloseTo(release.allProducts.documents.length / 20)
    expect((await read('USD')).count).toBe(1)
    expect(points).toBeCloseTo((2 * release.allProducts.documents.length) / 20)
    const [document = 0] = release.allProducts.documents
    expect((await read('USD')).result.at(document, 0).amount).not.toBeNull()
  })

  it('a price column cuts the prices of a release that was published before there were spans, once', async () => {
    const instants = instantsOf(fullStore())
    await database.pool.query('DELETE FROM release_document_price')
    await database.pool.query('UPDATE release SET has_price_spans = false')
    await expectColumns(new ReleaseCache(database), release, instants)
    const { rows } = await database.pool.query('SELECT has_price_spans FROM release WHERE id = $1', [release.id])
    expect(rows).toEqual([{ has_price_spans: true }])
    const again = await countStatements(database, () => new ReleaseCache(database).priceColumn(release, 'USD', free))
    expect(again.count).toBe(1)
  })

  it('a price column need not be cut where the latest release was cut before, as when a server starts', async () => {
    const latest = await publish(new ReleaseCache(database), ids.catalog)
    await database.pool.query('DELETE FROM release_document_price')
    await database.pool.query('UPDATE release SET has_price_spans = false')
    await cutLatestReleases(database.pool, Date.now())
    const { rows } = await database.pool.query('SELECT id FROM release WHERE has_price_spans')
    expect(rows).toEqual([{ id: latest.id }])
    const read = await countStatements(database, () => new ReleaseCache(database).priceColumn(latest, 'USD', free))
    expect(read.count).toBe(1)
    await expectColumns(new ReleaseCache(database), latest, instantsOf(fullStore()))
    expect((await countStatements(database, () => cutLatestReleases(database.pool, Date.now()))).count).toBe(1)
    await database.pool.query('UPDATE release SET has_price_spans = true')
  })

  it('a price column takes from a cached release what the next one shares with it', async () => {
    const releases = new ReleaseCache(database)
    const before = await releases.priceColumn(release, 'USD', free)
    const next = await publish(releases, ids.catalog)
    // What is read again would be without a price now.
    await database.pool.query('DELETE FROM release_document_price')
    const column = await releases.priceColumn(next, 'USD', free)
    const amounts = (one: PriceColumn) => [...next.allProducts.documents].map((document) => one.at(document, 0).amount)
    expect(amounts(column)).toEqual(amounts(before))
    expect(amounts(column).some((amount) => amount !== null)).toBe(true)
  })

  it('a price column is cut anew for documents with a tier from quantity 1, and for bundles of them, by the migration of their rule', async () => {
    const one = { one: { minimum_quantity: 1, amount: 95 } }
    const currencies = { USD: { amount: 100, includes_tax: false, tiers: one } }
    await database.pool.query(`UPDATE product_price SET currencies = $1 WHERE sku = 'MACHINE'`, [currencies])
    const latest = await publish(new ReleaseCache(database), ids.catalog)
    await database.pool.query('UPDATE release SET has_price_spans = false')
    await cutLatestReleases(database.pool, Date.now())
    await database.pool.query('UPDATE release_document_price SET amounts = array_fill(7, ARRAY[cardinality(amounts)])')
    const path = '../../../prisma/migrations/20261127233000_sales_yield_to_lower_tiers/migration.sql'
    await database.pool.query(readFileSync(new URL(path, import.meta.url), 'utf8'))
    const { rows: left } = await database.pool.query<{ id: string; is_left: boolean }>(
      `SELECT d.product_id AS id, EXISTS (SELECT FROM release_document_price p WHERE p.document_id = d.id) AS is_left
      FROM release_listing l JOIN release_document d ON d.id = ANY (l.documents) WHERE l.release_id = $1 AND l.scope = $1`,
      [latest.id],
    )
    const isLeft = (id: string) => left.find((row) => row.id === id)?.is_left
    expect([isLeft(ids.machine), isLeft(ids.starter), isLeft(ids.shirt)]).toEqual([false, false, true])
    const { rows: charged } = await database.pool.query(
      `SELECT DISTINCT product_id AS id, amounts[1]::int AS amount FROM price_history WHERE amounts[1] = 7`,
    )
    expect(charged).toContainEqual({ id: ids.machine, amount: 7 })
    expect(charged.map(({ id }) => id)).not.toContain(ids.shirt)
    const column = await new ReleaseCache(database).priceColumn(latest, 'USD', free)
    const amountOf = async (id: string) => {
      const { rows } = await database.pool.query(
        'SELECT id FROM release_document WHERE product_id = $1 AND id = ANY ($2)',
        [id, [...latest.allProducts.documents]],
      )
      return column.at(rows[0].id, 0).amount
    }
    expect([await amountOf(ids.machine), await amountOf(ids.shirt)]).toEqual([95, 7])
  })
})
