import { beforeEach, describe, expect, it } from 'vitest'
import type { CampaignResult } from '../../../src/domain/pricing/campaign-row.ts'
import { addSales, type CampaignInput, endSales, removeSales } from '../../../src/operations/pricing/campaign.ts'
import type { BulkMode } from '../../../src/operations/pricing/product-price-upsert.ts'
import type { Context } from '../../../src/request/context.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice, storedPrices } from '../../support/price-books.ts'
import { resultOrViolations } from '../../support/result-or-violations.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const request = (later = 10, role: 'admin' | 'shopper' = 'admin'): Context =>
  contextOf(server.services, START + later, role)

const modes = ['all_or_nothing', 'per_row'] as const
const july = { valid_from: '2026-07-01T00:00:00Z', valid_to: '2026-08-01T00:00:00Z' }
const sale = { name: 'Summer', schedule: july, change: { percent_off: 20 } }
const usd = (amount: number | null) => ({ USD: { amount } })
const from = (day: number) => ({ schedule: { valid_from: new Date(Date.UTC(2027, 0, day)).toISOString() } })

let book = ''
const input = (data: object, mode: BulkMode = 'per_row', dryRun = false): CampaignInput => ({
  priceBookId: book,
  mode,
  dryRun,
  data,
})
const add = (data: object, mode?: BulkMode) => addSales(request(), input({ ...sale, ...data }, mode))
const price = (sku: string, attributes: object = { currencies: usd(1000) }) =>
  makePrice(request(0), book, sku, attributes)
const stored = async () => (await storedPrices(server.services)) as { sku: string; sales: unknown[] | null }[]
const sales = async () =>
  Object.fromEntries((await stored()).map(({ sku, sales }) => [sku, (sales ?? []).map((one) => (one as unknown[])[0])]))
/** `sku outcome`, with the codes of violations and the sale amounts by currency. */
const shown = (results: readonly CampaignResult[]) =>
  results.map(({ sku, outcome, changes, violations }) =>
    [
      sku,
      outcome,
      ...violations.map(({ code }) => code),
      ...changes.map(({ currency, after }) => `${currency} ${after.amount}`),
    ].join(' '),
  )
const saleOf = async (sku: string) => {
  const found = await request().loaders.productPriceByPriceBookIdAndSku.load({ priceBookId: book, sku })
  return found?.sales.find(({ name }) => name === 'Summer')
}

beforeEach(async () => {
  await reset(database)
  book = (await makeBook(request(0), 'Book')).id
})

describe('addSales', () => {
  it.each(modes)(
    'campaign.list-price-currencies: addSales with %s puts one sale on every price, in the currencies of its list price',
    async (mode) => {
      await price('a', {
        currencies: { ...usd(1000), EUR: { amount: 995, includes_tax: true }, JPY: { amount: null } },
      })
      const before = await price('b', { currencies: usd(333), sales: { other: from(1) } })
      expect(shown(await add({ skus: ['b', 'a'] }, mode))).toEqual(['b changed USD 266', 'a changed EUR 796 USD 800'])
      expect(await saleOf('a')).toMatchObject({
        ...{
          name: 'Summer',
          validFrom: Date.UTC(2026, 6, 1),
          validTo: Date.UTC(2026, 7, 1),
          bundleIds: [],
          createdAt: START + 10,
        },
        currencies: { EUR: { amount: 796, includes_tax: true }, USD: { amount: 800, includes_tax: false } },
      })
      const after = await request().loaders.productPriceById.load(before.id)
      expect(after).toMatchObject({ createdAt: START, updatedAt: START + 10, currencies: before.currencies })
      expect(after?.sales).toEqual([await saleOf('b'), ...before.sales])
    },
  )

  const tiers = {
    few: { minimum_quantity: 5, amount: 900 },
    none: { minimum_quantity: 7, amount: null },
    many: { minimum_quantity: 50, amount: 801 },
  }
  it.each([
    ['a percentage', { percent_off: 12.5 }, 875, { few: 788, many: 701 }],
    ['an amount', { amount_off: { USD: 100 } }, 900, { few: 800, many: 701 }],
  ])(
    'campaign.tiers-with-the-price: addSales with %s reduces the quantity tiers too',
    async (_, change, amount, left) => {
      await price('a', { currencies: { USD: { amount: 1000, tiers } } })
      await add({ skus: ['a'], change })
      expect((await saleOf('a'))?.currencies).toEqual({
        USD: {
          ...{ amount, includes_tax: false },
          tiers: { few: { minimum_quantity: 5, amount: left.few }, many: { minimum_quantity: 50, amount: left.many } },
        },
      })
    },
  )

  it('addSales sets the same prices with their tiers, and keeps the tax flag of the list price where none is given', async () => {
    await price('a', { currencies: { USD: { amount: 1000, includes_tax: true }, EUR: { amount: 5 } } })
    const prices = {
      USD: { amount: 700, tiers: { two: { minimum_quantity: 2, amount: 600 } } },
      EUR: { amount: 4, includes_tax: true },
      JPY: { amount: 1 },
    }
    expect(shown(await add({ skus: ['a'], change: { currencies: prices } }))).toEqual(['a changed EUR 4 USD 700'])
    expect((await saleOf('a'))?.currencies).toEqual({
      EUR: { amount: 4, includes_tax: true },
      USD: { amount: 700, includes_tax: true, tiers: { two: { minimum_quantity: 2, amount: 600 } } },
    })
  })

  it.each([
    ['only some currencies', { currencies: ['EUR', 'JPY'] }, 'EUR 720'],
    ['a step in one', { rounding: { EUR: { step: 50 } } }, 'EUR 700 KWD 720 USD 720'],
    [
      'an ending in each',
      { rounding: { EUR: { ending: '99' }, USD: { ending: '5' }, KWD: { step: 5 } } },
      'EUR 699 KWD 720 USD 725',
    ],
    ['an amount off in one', { change: { amount_off: { KWD: 5, AUD: 1 } } }, 'KWD 895'],
  ])('campaign.rounds-half-up: addSales rounds: %s', async (_, data, expected) => {
    await price('a', { currencies: { USD: { amount: 900 }, EUR: { amount: 900 }, KWD: { amount: 900 } } })
    expect(shown(await add({ skus: ['a'], ...data }))).toEqual([`a changed ${expected}`])
  })

  it('campaign.repeat-changes-nothing: addSales leaves a price that has the sale unchanged, and refuses one that has another sale of the name', async () => {
    await price('a')
    await price('b', { currencies: usd(1000), sales: { Summer: { schedule: july, currencies: usd(799) } } })
    await price('c')
    expect(shown(await add({ skus: ['a', 'b'] }))).toEqual(['a changed USD 800', 'b refused NAME_TAKEN'])
    const before = await stored()
    expect(shown(await addSales(request(99), input({ ...sale, skus: ['c', 'a'] }, 'per_row', true)))).toEqual([
      'c changed USD 800',
      'a unchanged USD 800',
    ])
    expect(await stored()).toEqual(before)
    const again = await addSales(request(99), input({ ...sale, skus: ['a'] }, 'all_or_nothing'))
    expect(shown(again)).toEqual(['a unchanged USD 800'])
    expect((await request().loaders.productPriceById.load(again[0]?.priceId ?? ''))?.updatedAt).toBe(START + 10)
    for (const other of [
      { change: { percent_off: 21 } },
      { schedule: null },
      { bundle_ids: ['0190a000-0000-7000-8000-00000000000a'] },
    ])
      expect(shown(await add({ skus: ['a'], ...other }))).toEqual(['a refused NAME_TAKEN'])
    const bundles = ['0190a000-0000-7000-8000-00000000000a', '0190a000-0000-7000-8000-00000000000b']
    const outcomes = []
    for (const bundle_ids of [bundles, bundles.toReversed(), bundles.slice(1)])
      outcomes.push(...shown(await add({ skus: ['c'], bundle_ids })))
    expect(outcomes).toEqual(['c changed USD 800', 'c unchanged USD 800', 'c refused NAME_TAKEN'])
  })

  it.each([
    ['no price of the SKU', 'x', {}, 'NOT_FOUND'],
    ['no amount in the currency', 'eur', { currencies: ['USD'] }, 'NOT_FOUND'],
    ['nothing left', 'cheap', { change: { amount_off: { USD: 5 } } }, 'OUT_OF_RANGE'],
    ['nothing left of a tier', 'tiered', { change: { amount_off: { USD: 5 } } }, 'OUT_OF_RANGE'],
    ['an equal schedule', 'same', {}, 'SALE_SCHEDULE_DUPLICATE'],
    ['a permanent sale beside it', 'permanent', {}, 'SALE_SCHEDULE_REQUIRED'],
    ['no schedule beside others', 'same', { schedule: null }, 'SALE_SCHEDULE_REQUIRED'],
    ['two hundred sales', 'full', {}, 'TOO_MANY'],
  ])(
    'campaign.row-refused-alone: addSales with %s refuses a price, alone or with all others',
    async (_, sku, data, code) => {
      await price('fine', { currencies: { ...usd(1000), EUR: { amount: 1000 } } })
      await price('eur', { currencies: { EUR: { amount: 5 } } })
      await price('cheap', { currencies: usd(5) })
      await price('tiered', { currencies: { USD: { amount: 6, tiers: { t: { minimum_quantity: 2, amount: 5 } } } } })
      await price('same', { currencies: usd(1000), sales: { other: { schedule: july } } })
      await price('permanent', { currencies: usd(1000), sales: { always: {} } })
      await price('full', {
        currencies: usd(1000),
        sales: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`s${n}`, from(n + 1)])),
      })
      const before = await stored()
      const skus = [sku, 'fine']
      expect(await resultOrViolations(add({ skus, ...data }, 'all_or_nothing'))).toEqual([
        'validation',
        `skus.0 ${code}`,
      ])
      expect(await stored()).toEqual(before)
      const results = await add({ skus, ...data })
      expect(results.map(({ outcome }) => outcome)).toEqual(['refused', 'changed'])
      expect(results[0]?.violations.map((one) => one.code)).toEqual([code])
      expect((await stored()).filter((one) => one.sku !== 'fine')).toEqual(before.filter((one) => one.sku !== 'fine'))
      expect((await sales()).fine).toEqual(['Summer'])
    },
  )

  it('addSales puts the two hundredth sale on a price, and no further one', async () => {
    await price('a', {
      currencies: usd(1000),
      sales: Object.fromEntries(Array.from({ length: 199 }, (_, n) => [`s${n}`, from(n + 1)])),
    })
    expect(shown(await add({ skus: ['a'] }))).toEqual(['a changed USD 800'])
  })

  it('write.if-updated-at: addSales refuses a row whose price has moved on', async () => {
    await price('a')
    await price('b')
    const rows = [
      { sku: 'a', if_updated_at: new Date(START - 1).toISOString() },
      { sku: 'b', if_updated_at: new Date(START).toISOString() },
    ]
    expect(await resultOrViolations(add({ rows }, 'all_or_nothing'))).toEqual([
      'validation',
      'rows.0.if_updated_at STALE',
    ])
    expect(shown(await add({ rows }))).toEqual(['a refused STALE', 'b changed USD 800'])
  })

  it.each([
    [{ skus: undefined }, ['skus REQUIRED']],
    [{ rows: [{ sku: 'a' }] }, ['rows INVALID_VALUE']],
    [{ skus: ['a', '', 'a', 5] }, ['skus.1 TOO_SHORT', 'skus.3 INVALID_TYPE', 'skus.2 DUPLICATE']],
    [{ skus: undefined, rows: [{ sku: 'a' }, { sku: 'a' }, {}] }, ['rows.2.sku REQUIRED', 'rows.1.sku DUPLICATE']],
    [{ skus: Array.from({ length: 10_001 }, (_, n) => `${n}`) }, ['skus TOO_MANY']],
    [{ skus: undefined, filter: { tags: [''], node_ids: ['x'] } }, ['filter.node_ids.0 INVALID_FORMAT']],
    [{ skus: undefined, filter: { tags: Array.from({ length: 101 }, () => 'a') } }, ['filter.tags TOO_MANY']],
    [{ name: '' }, ['name TOO_SHORT']],
    [{ name: '__proto__' }, ['name INVALID_VALUE']],
    [{ schedule: { valid_from: july.valid_to, valid_to: july.valid_to } }, ['schedule.valid_to SALE_SCHEDULE_INVALID']],
    [{ bundle_ids: ['x'] }, ['bundle_ids.0 INVALID_FORMAT']],
    [{ change: {} }, ['change INVALID_VALUE']],
    [{ change: { percent_off: 5, currencies: usd(5) } }, ['change INVALID_VALUE']],
    ...[0, -1, 100.0001, 12.34567, 1e-5, '5'].map((percent_off) => [
      { change: { percent_off } },
      [`change.percent_off ${percent_off === '5' ? 'INVALID_TYPE' : 'OUT_OF_RANGE'}`],
    ]),
    [
      { change: { amount_off: { USD: 0, eur: 1, EUR: 0.5 } } },
      [
        'change.amount_off.USD OUT_OF_RANGE',
        'change.amount_off.eur INVALID_FORMAT',
        'change.amount_off.EUR OUT_OF_RANGE',
      ],
    ],
    [{ change: { currencies: usd(-1) } }, ['change.currencies.USD.amount OUT_OF_RANGE']],
    [
      { change: { currencies: { USD: { amount: null }, EUR: {} } } },
      ['change.currencies.USD.amount REQUIRED', 'change.currencies.EUR.amount REQUIRED'],
    ],
    [{ currencies: ['usd'] }, ['currencies.0 INVALID_FORMAT']],
    [
      { rounding: { USD: {}, EUR: { step: 5, ending: '9' } } },
      ['rounding.USD INVALID_VALUE', 'rounding.EUR INVALID_VALUE'],
    ],
    [
      { rounding: { USD: { step: 0 }, EUR: { step: 1_000_001 } } },
      ['rounding.USD.step OUT_OF_RANGE', 'rounding.EUR.step OUT_OF_RANGE'],
    ],
    [
      { rounding: { USD: { ending: '1234567' }, EUR: { ending: '9a' } } },
      ['rounding.USD.ending TOO_LONG', 'rounding.EUR.ending INVALID_FORMAT'],
    ],
  ] as [object, string[]][])('addSales refuses the whole call for %o', async (data, violations) => {
    await price('a')
    const before = await stored()
    for (const mode of modes)
      expect(await resultOrViolations(add({ skus: ['a'], ...data }, mode))).toEqual(['validation', ...violations])
    expect(await stored()).toEqual(before)
  })

  it.each([0.0001, 100])('addSales accepts a reduction of %d per cent', async (percent_off) => {
    await price('a', { currencies: usd(1_000_000) })
    expect(shown(await add({ skus: ['a'], change: { percent_off } }))).toEqual([
      `a changed USD ${percent_off === 100 ? 0 : 999_999}`,
    ])
  })

  it('addSales reports at most a hundred violations, with the SKU of each', async () => {
    const skus = Array.from({ length: 150 }, (_, n) => `S${n}`)
    const refused = add({ skus }, 'all_or_nothing')
    await expect(refused).rejects.toMatchObject({
      kind: 'validation',
      violations: { length: 100, 99: { subject: 'S99' } },
    })
  })

  it.each(modes)('%s is for admins and existing books', async (mode) => {
    for (const call of [addSales, endSales, removeSales]) {
      expect(await resultOrViolations(call(request(0, 'shopper'), input({}, mode)))).toEqual(['forbidden'])
      for (const priceBookId of ['x', '0190a000-0000-7000-8000-00000000000a'])
        expect(await resultOrViolations(call(request(), { ...input({}, mode), priceBookId }))).toEqual([
          'notFound',
          'priceBookId NOT_FOUND',
        ])
    }
  })
})
