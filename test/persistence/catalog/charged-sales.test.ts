import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { priceSpans } from '../../../src/domain/pricing/price-spans.ts'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { cleanUpReleases, settlePastPrices } from '../../../src/operations/catalog/release-clean-up.ts'
import { ReleaseCache } from '../../../src/persistence/catalog/release-cache.ts'
import { readMigrations } from '../../../src/persistence/database/migrations.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { priceRecord } from '../../support/price-arbitraries.ts'
import { contextOf } from '../../support/price-books.ts'
import { randomFrom, randomStore } from '../../support/random-store.ts'
import { servicesOf, shopperReader } from '../../support/services.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()

interface Row {
  readonly document: number
  readonly currency: string
  readonly starts: readonly (number | string)[]
  readonly amounts: readonly number[]
  readonly sales: readonly (string | null)[] | null
  readonly onSale: readonly boolean[]
}

async function storedSpans() {
  const { rows } = await database.pool.query<Row>(
    `SELECT document_id AS document, currency, to_json(starts) AS starts, to_json(amounts) AS amounts, sales, on_sale AS "onSale"
    FROM release_document_price ORDER BY document_id, currency COLLATE "C"`,
  )
  return rows.map(({ starts, ...row }) => ({ ...row, starts: starts.map(Number) }))
}

/** Publishes a catalog, and returns the spans of its documents as the domain cuts them. */
async function publishedSpans(catalogId: string) {
  const releases = new ReleaseCache(database)
  const { id } = await publishRelease(contextOf({ ...servicesOf(database), releases }, Date.now()), { catalogId })
  const release = await releases.resolve(catalogId, id, shopperReader)
  const documents = await releases.documents.load(release?.allProducts.documents ?? new Int32Array())
  return documents.flatMap((document) =>
    Array.from(priceSpans((document as NonNullable<typeof document>).priceable), ([currency, spans]) => ({
      document: document?.number as number,
      currency,
      ...spans,
      onSale: spans.sales.map((sale) => sale !== null),
    })),
  )
}

describe('price.reduction-begins-in-catalog: the sales of prices over time', () => {
  it('a publish names the sale of each span as the domain does, whatever its name, bounds and tiers, by SQL and by this process', async () => {
    const records = fc.array(priceRecord, { minLength: 20, maxLength: 20 })
    const names = fc.array(fc.constantFrom('half', 'a "quoted", one', '{NULL}', 'NULL', 'back\\slash', 'null'), {
      minLength: 3,
      maxLength: 3,
    })
    await fc.assert(
      fc.asyncProperty(fc.integer(), records, names, async (seed, priced, named) => {
        await reset(database)
        const store = randomStore(randomFrom(seed))
        for (const [at, price] of store.prices.entries()) {
          const { currencies, sales } = priced[at % priced.length] as (typeof priced)[number]
          price.currencies = currencies
          const schedules = new Set<string>()
          price.sales = sales
            .map((sale, place) => ({ ...sale, name: `${named[place % 3]}${place}`.replace(/0$/, ''), bundles: [] }))
            .filter(({ from, to }) => !schedules.has(`${from} ${to}`) && schedules.add(`${from} ${to}`))
        }
        await insertStore(database, store)
        const cut = (await Promise.all(store.catalogs.slice(0, 1).map(({ id }) => publishedSpans(id)))).flat()
        const stored = (await storedSpans()).filter(({ document }) => cut.some((one) => one.document === document))
        const inOrder = cut.sort((a, b) => a.document - b.document || (a.currency < b.currency ? -1 : 1))
        expect(stored).toEqual(inOrder)
      }),
      runs(20),
    )
  })

  it('the clean-up at a start names the sales of spans that an older version stored, and leaves the others', async () => {
    await reset(database)
    await insertStore(database, fullStore())
    await publishedSpans(ids.catalog)
    const before = await storedSpans()
    expect(before.filter(({ sales }) => sales?.some((sale) => sale !== null)).length).toBeGreaterThan(1)
    await database.pool.query('UPDATE release_document_price SET sales = NULL WHERE true = ANY (on_sale)')
    expect(await cleanUpReleases(database, Date.now())).toBe(true)
    expect(await storedSpans()).toEqual(before)
    await database.pool.query(
      `UPDATE release_document_price SET sales = array_fill('kept'::text, ARRAY[cardinality(starts)])`,
    )
    await cleanUpReleases(database, Date.now())
    expect((await storedSpans()).every(({ sales }) => sales?.every((sale) => sale === 'kept'))).toBe(true)
  })
})

describe('price.unknown-history-is-no-guess: the upgrade of past prices', () => {
  it('the migration says since when past prices were in force but the first, names no sale where none was, and the first start settles the rest', async () => {
    const migration = readMigrations().find(({ name }) => name.endsWith('_charged_sales'))
    const client = await database.pool.connect()
    onTestFinished(async () => {
      await client.query('SET search_path TO DEFAULT; DROP SCHEMA scratch CASCADE')
      client.release()
    })
    await client.query('CREATE SCHEMA scratch; SET search_path TO scratch')
    await client.query(`CREATE TABLE release_document_price (document_id int, starts float8[], on_sale boolean[]);
      INSERT INTO release_document_price VALUES (1, '{-Infinity}', '{f}'), (2, '{-Infinity,5}', '{f,t}'), (3, '{-Infinity,5}', '{f,f}');
      CREATE TABLE price_history (catalog_id int, product_id int, currency text, until timestamptz, starts float8[]);
      INSERT INTO price_history VALUES (1, 1, 'USD', '2026-01-03', '{-Infinity}'), (1, 1, 'USD', '2026-01-01', '{}'),
        (1, 1, 'USD', '2026-01-09', '{-Infinity}'), (1, 1, 'EUR', '2026-01-05', '{-Infinity}'), (1, 2, 'USD', '2026-01-04', '{-Infinity}')`)
    await client.query(migration?.sql ?? '')
    const { rows: spans } = await client.query('SELECT sales FROM release_document_price ORDER BY document_id')
    expect(spans).toEqual([{ sales: [null] }, { sales: null }, { sales: [null, null] }])
    const { rows } = await client.query(
      `SELECT product_id AS product, currency, until::date::text AS until, since::date::text AS since, sales
      FROM price_history ORDER BY product_id, currency, until`,
    )
    expect(rows).toEqual([
      { product: 1, currency: 'EUR', until: '2026-01-05', since: null, sales: null },
      { product: 1, currency: 'USD', until: '2026-01-01', since: null, sales: [] },
      { product: 1, currency: 'USD', until: '2026-01-03', since: '2026-01-01', sales: null },
      { product: 1, currency: 'USD', until: '2026-01-09', since: '2026-01-03', sales: null },
      { product: 2, currency: 'USD', until: '2026-01-04', since: null, sales: null },
    ])
  })

  it('the first start settles that a first past price was in force since the first publish, or since the history began, if no version can have removed one before it, and otherwise for no time', async () => {
    await reset(database)
    await insertStore(database, fullStore())
    await publishedSpans(ids.catalog)
    const instant = (day: number) => new Date(Date.UTC(2026, 0, day))
    const settled = async (begun: Date | null) => {
      const { pool } = database
      await pool.query('TRUNCATE price_history')
      await pool.query('UPDATE catalog SET first_published_at = $1, price_history_from = $2', [instant(1), begun])
      for (const until of [4, 5, 8])
        await pool.query(
          `INSERT INTO price_history (catalog_id, product_id, currency, until, starts, amounts) VALUES ($1, $2, 'USD', $3, '{}', '{}')`,
          [ids.catalog, ids.beans, instant(until)],
        )
      for (let time = 0; time < 2; time++)
        await settlePastPrices(database, instant(8 + 40 * time).getTime(), 4 * 86_400_000)
      const { rows } = await pool.query<{ since: Date }>('SELECT since FROM price_history ORDER BY until')
      return rows.map(({ since }) => since)
    }
    expect(await settled(null)).toEqual([instant(4), instant(1), instant(1)])
    expect(await settled(instant(3))).toEqual([instant(4), instant(3), instant(3)])
    expect(await settled(instant(6))).toEqual([instant(4), instant(5), instant(6)])
  })
})
