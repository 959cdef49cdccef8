import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ProductPrice } from '../../../src/domain/pricing/product-price.ts'
import { addSales, type CampaignInput, endSales, removeSales } from '../../../src/operations/pricing/campaign.ts'
import { updateProductPrice } from '../../../src/operations/pricing/product-price.ts'
import { upsertProductPrices } from '../../../src/operations/pricing/product-price-upsert.ts'
import { addSale } from '../../../src/operations/pricing/sale.ts'
import type { Context } from '../../../src/request/context.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { contextOf, makeBook, storedPrices } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const request = (later = 10): Context => contextOf(server.services, START + later)

let book = ''
const call = (data: object, more: Partial<CampaignInput> = {}): CampaignInput => ({
  ...{ priceBookId: book, mode: 'all_or_nothing', dryRun: false, data },
  ...more,
})
const day = (n: number) => ({
  valid_from: new Date(Date.UTC(2026, 1, n)).toISOString(),
  valid_to: new Date(Date.UTC(2026, 2, n)).toISOString(),
})
const names = (count: number) => Array.from({ length: count }, (_, n) => `S${String(n).padStart(5, '0')}`)
const fill = async (
  skus: readonly string[],
  attributes: (n: number) => object = (n) => ({ currencies: { USD: { amount: 1000 + n } } }),
) => {
  for (let at = 0; at < skus.length; at += 1000) {
    const rows = skus
      .slice(at, at + 1000)
      .map((sku, n) => ({ data: { type: 'product-price', attributes: { sku, ...attributes(at + n) } } }))
    await upsertProductPrices(request(0), { priceBookId: book, mode: 'all_or_nothing', rows })
  }
}
const prices = (skus: readonly string[]): Promise<ProductPrice[]> => {
  const { loaders } = request()
  return Promise.all(
    skus.map((sku) => loaders.productPriceByPriceBookIdAndSku.load({ priceBookId: book, sku })),
  ) as Promise<ProductPrice[]>
}

beforeEach(async () => {
  await reset(database)
  book = (await makeBook(request(0), 'Book')).id
})

describe('simultaneous campaigns', () => {
  it('sale.rules-hold-per-price: campaigns, upserts, single sales and removals at the same time lose nothing and break no rule among sales', async () => {
    const skus = names(40)
    await fill(skus)
    const ids = (await prices(skus)).map(({ id }) => id)
    const turned = (n: number) => (n % 2 === 0 ? skus : [...skus].reverse())
    const campaign = (n: number) =>
      addSales(
        request(),
        call(
          { name: `C${n}`, schedule: day(n + 1), skus: turned(n), change: { percent_off: 10 + n } },
          { mode: n % 3 === 0 ? 'per_row' : 'all_or_nothing' },
        ),
      )
    const upsert = (currency: string, n: number) => {
      const rows = turned(n).map((sku) => ({
        data: { type: 'product-price', attributes: { sku, currencies: { [currency]: { amount: 5 } } } },
      }))
      return upsertProductPrices(request(), { priceBookId: book, mode: 'all_or_nothing', rows })
    }
    const single = (id: string) =>
      addSale(request(), {
        productPriceId: id,
        data: { type: 'sale', attributes: { name: 'Single', schedule: day(20) } },
      })
    await fill(skus, () => ({ currencies: {}, sales: { Old: { schedule: day(25) } } }))
    const results = await Promise.all([
      ...[0, 1, 2, 3, 4, 5].map(campaign),
      ...['AAA', 'BBB', 'CCC'].map(upsert),
      ...ids.map(single),
      removeSales(request(), call({ name: 'Old' })),
      // One schedule for two names: of them each price has one.
      ...['One', 'Two'].map((name) =>
        addSales(request(), call({ name, schedule: day(21), skus, change: { percent_off: 5 } }, { mode: 'per_row' })),
      ),
    ])
    const twins = (results.slice(-2) as unknown as { outcome: string }[][]).map(
      (rows) => rows.filter(({ outcome }) => outcome === 'changed').length,
    )
    expect(twins.reduce((sum, count) => sum + count)).toBe(40)
    for (const price of await prices(skus)) {
      expect(Object.keys(price.currencies)).toEqual(['AAA', 'BBB', 'CCC', 'USD'])
      const own = price.sales.map(({ name }) => name)
      expect(own.filter((name) => name !== 'One' && name !== 'Two')).toEqual([
        'C0',
        'C1',
        'C2',
        'C3',
        'C4',
        'C5',
        'Single',
      ])
      expect(own).toHaveLength(8)
    }
  })

  it('sale.rules-hold-per-price: simultaneous campaigns put no more than 200 sales on a price, and equal ones put theirs on once', async () => {
    const skus = names(3)
    const sales = Object.fromEntries(Array.from({ length: 197 }, (_, n) => [`s${n}`, { schedule: day(n - 300) }]))
    await fill(skus, () => ({ currencies: { USD: { amount: 1000 } }, sales }))
    const campaign = (n: number) =>
      addSales(
        request(),
        call({ name: `C${n % 5}`, schedule: day(1 + (n % 5)), skus, change: { percent_off: 10 } }, { mode: 'per_row' }),
      )
    const results = (await Promise.all(Array.from({ length: 10 }, (_, n) => campaign(n)))).flat()
    expect(results.filter(({ outcome }) => outcome === 'changed')).toHaveLength(9)
    expect((await prices(skus)).map((price) => price.sales.length)).toEqual([200, 200, 200])
  })

  const saw = (ms: number) => names(2).map((sku) => ({ sku, if_updated_at: new Date(ms).toISOString() }))

  it('write.if-updated-at: of ten simultaneous campaigns that saw the same price one succeeds', async () => {
    const skus = names(2)
    await fill(skus)
    const rows = saw(START)
    const add = (n: number) =>
      addSales(request(), call({ name: `C${n}`, schedule: day(n + 1), rows, change: { percent_off: 10 } }))
    const ended = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => add(n)))
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await prices(skus)).map(({ sales }) => sales.length)).toEqual([1, 1])
  })

  it('write.if-updated-at: of ten simultaneous calls that end a sale at different instants, or remove it, one succeeds', async () => {
    const skus = names(2)
    await fill(skus, () => ({ currencies: {}, sales: { Summer: { schedule: day(1) } } }))
    const rows = saw(START)
    const end = (n: number) =>
      endSales(request(), call({ name: 'Summer', at: new Date(Date.UTC(2026, 1, 10 + n)).toISOString(), rows }))
    const calls = Array.from({ length: 10 }, (_, n) =>
      n === 5 ? removeSales(request(), call({ name: 'Summer', rows })) : end(n),
    )
    const ended = await Promise.allSettled(calls)
    const winner = ended.findIndex(({ status }) => status === 'fulfilled')
    const stale = { violations: ['S00000', 'S00001'].map((subject) => ({ code: 'STALE', subject })) }
    for (const one of ended.toSpliced(winner, 1)) expect(one).toMatchObject({ status: 'rejected', reason: stale })
    const left = winner === 5 ? [] : [Date.UTC(2026, 1, 10 + winner)]
    expect((await prices(skus)).map(({ sales }) => sales.map(({ validTo }) => validTo))).toEqual([left, left])
  })
})

describe('campaign.dry-run-equals-run', () => {
  const amount = fc.oneof(fc.nat(300), fc.nat(3_000_000), fc.constant(null))
  const tiers = fc.dictionary(fc.constantFrom('t1', 't2'), amount, { maxKeys: 2 })
  const list = fc.dictionary(
    fc.constantFrom('USD', 'EUR', 'JPY', 'KWD'),
    fc.record({ amount, includes_tax: fc.boolean(), tiers }),
    {
      maxKeys: 3,
    },
  )
  const stored = fc.record({ currencies: list, sales: fc.subarray(['Summer', 'Winter', 'Always']) })
  const change = fc.oneof(
    fc.integer({ min: 1, max: 1_000_000 }).map((parts) => ({ percent_off: parts / 10_000 })),
    fc
      .dictionary(fc.constantFrom('USD', 'EUR', 'JPY'), fc.integer({ min: 1, max: 2_000 }))
      .map((amount_off) => ({ amount_off })),
    fc.constant({
      currencies: { USD: { amount: 5 }, KWD: { amount: 7, tiers: { t: { minimum_quantity: 3, amount: 6 } } } },
    }),
  )
  const rounding = fc.dictionary(
    fc.constantFrom('USD', 'EUR', 'JPY'),
    fc.oneof(
      fc.constantFrom('99', '5', '00').map((ending) => ({ ending })),
      fc.integer({ min: 1, max: 100 }).map((step) => ({ step })),
    ),
  )
  const data = fc.record({
    change,
    rounding,
    schedule: fc.constantFrom(null, day(1), day(2)),
    name: fc.constantFrom('Summer', 'New'),
  })

  it('a campaign does to each price what its dry run showed, whatever the prices and the campaign', async () => {
    const property = fc.asyncProperty(
      fc.array(stored, { minLength: 1, maxLength: 8 }),
      data,
      fc.boolean(),
      async (given, campaign, byFilter) => {
        await database.prisma.productPrice.deleteMany()
        const skus = names(given.length)
        const withTiers = (record: { tiers: Record<string, number | null> }) => ({
          ...record,
          tiers: Object.fromEntries(
            Object.entries(record.tiers).map(([name, left], n) => [name, { minimum_quantity: n + 2, amount: left }]),
          ),
        })
        await fill(skus, (n) => {
          const { currencies = {}, sales = [] } = given[n] ?? {}
          const one = sales.includes('Always')
            ? [['Always', {}]]
            : sales.map((name) => [
                name,
                { schedule: day(name === 'Summer' ? 1 : 3), currencies: { USD: { amount: 5 } } },
              ])
          return {
            currencies: Object.fromEntries(
              Object.entries(currencies).map(([code, record]) => [code, withTiers(record)]),
            ),
            sales: Object.fromEntries(one),
          }
        })
        const input = call({ ...campaign, ...(byFilter ? { filter: {} } : { skus }) }, { mode: 'per_row' })
        const [before, list] = [await storedPrices(server.services), await prices(skus)]
        const dry = await addSales(request(), { ...input, dryRun: true })
        expect(await storedPrices(server.services)).toEqual(before)
        expect(await addSales(request(20), input)).toEqual(dry)
        const after = new Map((await prices(skus)).map((price) => [price.sku, price]))
        for (const { sku, outcome, changes } of dry) {
          const old = list.find((price) => price.sku === sku)
          const sale = after.get(sku)?.sales.find(({ name }) => name === campaign.name)
          if (outcome !== 'changed') expect(after.get(sku)).toEqual(old)
          else {
            expect(sale?.currencies).toEqual(Object.fromEntries(changes.map((one) => [one.currency, one.after])))
            for (const one of changes) expect(one.before).toEqual(old?.currencies[one.currency])
            expect(after.get(sku)?.sales.filter((other) => other !== sale)).toEqual(old?.sales)
          }
        }
        const again = await addSales(request(30), input)
        expect(again.map(({ outcome }) => outcome)).toEqual(
          dry.map(({ outcome }) => (outcome === 'changed' ? 'unchanged' : outcome)),
        )
      },
    )
    await fc.assert(property, runs(10))
  })
})

describe('large campaigns', () => {
  const summer = { name: 'Summer', schedule: day(1), change: { percent_off: 12.5 } }

  it('a campaign takes the same statements for 10 prices and 1,000, and as many more for each thousand', async () => {
    await fill(names(2_001))
    const run = async (count: number, mode: CampaignInput['mode'], dryRun = false) => {
      const input = call({ ...summer, skus: names(count) }, { mode, dryRun })
      const { count: sent } = await countStatements(database, () => addSales(request(), input))
      await removeSales(request(), call({ name: 'Summer' }))
      return sent
    }
    const counts = async (mode: CampaignInput['mode']) => [
      await run(10, mode),
      await run(1_000, mode),
      await run(1_001, mode),
      await run(2_001, mode),
    ]
    // The book; all prices by SKU, of several thousands; for each thousand the book, prices by SKU, the prices, and
    // what writes them; the change log.
    expect(await counts('all_or_nothing')).toEqual([6, 6, 11, 15])
    // Each thousand with its change log.
    expect(await counts('per_row')).toEqual([6, 6, 11, 16])
    // The book; then for each thousand the book, prices by SKU and the prices.
    expect(await run(2_000, 'per_row', true)).toBe(1 + 2 * 3)
  })

  it('campaign.row-refused-alone: one refused price among the last thousand of a campaign prevents all', async () => {
    const skus = names(2_500)
    await fill(skus)
    const last = (await prices(['S02400']))[0]
    await updateProductPrice(request(), {
      id: last?.id ?? '',
      data: { type: 'product-price', attributes: { sku: 'S02400', sales: { Always: {} } } },
    })
    const before = await storedPrices(server.services)
    await expect(addSales(request(), call({ ...summer, filter: {} }))).rejects.toMatchObject({
      violations: [{ code: 'SALE_SCHEDULE_REQUIRED', subject: 'S02400' }],
    })
    expect(await storedPrices(server.services)).toEqual(before)
    const results = await addSales(request(), call({ ...summer, filter: {} }, { mode: 'per_row' }))
    expect(results.filter(({ outcome }) => outcome !== 'changed').map(({ sku }) => sku)).toEqual(['S02400'])
    expect(results).toHaveLength(2_500)
  })

  it.each([
    ['per_row', 3],
    ['all_or_nothing', 1],
  ] as const)(
    'campaign.row-refused-alone: a campaign with %s writes 2,001 prices in transactions of number %i, with an entry for each',
    async (mode, wanted) => {
      await fill(names(2_001))
      await addSales(request(), call({ ...summer, skus: names(2_001) }, { mode }))
      const { rows } = await database.pool.query(
        "SELECT count(DISTINCT xid)::int AS transactions, count(*)::int AS entries FROM change WHERE operation = 'addSales'",
      )
      expect(rows).toEqual([{ transactions: wanted, entries: 2_001 }])
    },
  )

  it('a campaign changes 10,000 prices in one transaction, and refuses a filter that chooses more', async () => {
    await fill(names(10_000))
    expect(await addSales(request(), call({ ...summer, filter: {} }))).toHaveLength(10_000)
    expect(
      await endSales(request(), call({ name: 'Summer', at: new Date(Date.UTC(2026, 1, 5)).toISOString() })),
    ).toHaveLength(10_000)
    await fill(['more'])
    await addSales(request(), call({ ...summer, skus: ['more'] }))
    const limit = {
      kind: 'validation',
      violations: [{ code: 'TOO_MANY', message: 'must choose at most 10000 prices' }],
    }
    await expect(addSales(request(), call({ ...summer, name: 'Other', filter: {} }))).rejects.toMatchObject(limit)
    for (const mode of ['all_or_nothing', 'per_row'] as const)
      await expect(removeSales(request(), call({ name: 'Summer' }, { mode }))).rejects.toMatchObject(limit)
  })
})
