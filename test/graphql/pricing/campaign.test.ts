import { beforeEach, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { makeHierarchy } from '../../support/hierarchies.ts'
import { mutate } from '../../support/mutations.ts'
import { contextOf, makeBook, makePrice, storedPrices } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

let book = ''
const SHOWN = `campaign { changedCount unchangedCount refusedCount rows {
  sku outcome productPrice { sku sales { name } } userErrors { code path message params { name value } }
  prices { currency before { amount { formatted } tiers { amount { amount } } } after { amount { formatted } tiers { name amount { amount } } } } } }`
const sale = { name: 'Summer', schedule: { validFrom: '2026-07-01T00:00:00Z' }, change: { percentOff: 12.5 } }
const call = (name: string, input: object, selected = SHOWN) =>
  mutate(server, name, { priceBookId: book, ...input }, selected)
const add = (input: object, selected?: string) => call('addSales', { ...sale, ...input }, selected)
const errors = ({ userErrors }: { userErrors: { code: string; path: string[] }[] }) =>
  userErrors.map(({ code, path }) => `${path.join('.')} ${code}`)

beforeEach(async () => {
  await reset(database)
  server.now = START
  const ctx = contextOf(server.services, START)
  book = (await makeBook(ctx, 'Book')).id
  const currencies = {
    USD: { amount: 1000, tiers: { many: { minimum_quantity: 5, amount: 900 } } },
    JPY: { amount: 1000 },
  }
  for (const sku of ['a', 'b']) await makePrice(ctx, book, sku, { currencies })
})

describe('addSales', () => {
  const changed = (sku: string, sales: object[]) => ({
    ...{ sku, outcome: 'CHANGED', productPrice: { sku, sales }, userErrors: [] },
    prices: [
      {
        currency: 'JPY',
        before: { amount: { formatted: '¥1,000' }, tiers: [] },
        after: { amount: { formatted: '¥880' }, tiers: [] },
      },
      {
        currency: 'USD',
        before: { amount: { formatted: '$10.00' }, tiers: [{ amount: { amount: 900 } }] },
        after: { amount: { formatted: '$8.75' }, tiers: [{ name: 'many', amount: { amount: 788 } }] },
      },
    ],
  })

  it('addSales shows each price before and after in a dry run, without writing anything', async () => {
    const input = { skus: ['a', 'b'], rounding: [{ currency: 'JPY', to: { step: 10 } }] }
    const before = await storedPrices(server.services)
    const dry = await add({ ...input, dryRun: true })
    const counts = { changedCount: 2, unchangedCount: 0, refusedCount: 0 }
    expect(dry).toEqual({ campaign: { ...counts, rows: [changed('a', []), changed('b', [])] }, userErrors: [] })
    expect(await storedPrices(server.services)).toEqual(before)
    const sales = [{ name: 'Summer' }]
    expect(await add(input)).toEqual({
      campaign: { ...counts, rows: [changed('a', sales), changed('b', sales)] },
      userErrors: [],
    })
  })

  it('addSales shows a thousand rows of a dry run at once, and the others from an offset on', async () => {
    const skus = Array.from({ length: 999 }, (_, n) => `p${String(n).padStart(3, '0')}`)
    const rows = skus.map((sku) => ({ sku, prices: [{ currency: 'USD', price: { amount: 1000 } }] }))
    expect((await call('upsertProductPrices', { rows }, 'results { outcome }')).results).toHaveLength(999)
    const dry = { filter: {}, dryRun: true }
    const of = (offset: number) => `of${offset}: rows(offset: ${offset}) { sku prices { after { amount { amount } } } }`
    const { campaign } = await add(dry, `campaign { changedCount ${[0, 1_000, 1_001].map(of)} }`)
    expect(campaign.changedCount).toBe(1_001)
    const all = ['a', 'b', ...skus]
    expect(campaign.of0.map(({ sku }: { sku: string }) => sku)).toEqual(all.slice(0, 1_000))
    expect(campaign.of1000).toEqual([{ sku: 'p998', prices: [{ after: { amount: { amount: 875 } } }] }])
    expect(campaign.of1001).toEqual([])
  })

  it('addSales shows rows of one outcome, from an offset on', async () => {
    await add({ skus: ['b'] })
    const rows = (args: string) =>
      add(
        { skus: ['a', 'b', 'x', 'y'], mode: 'PER_ROW', dryRun: true },
        `campaign { refusedCount rows(${args}) { sku outcome } }`,
      )
    expect(await rows('outcome: REFUSED, offset: 1')).toMatchObject({
      campaign: { refusedCount: 2, rows: [{ sku: 'y', outcome: 'REFUSED' }] },
    })
    expect((await rows('outcome: UNCHANGED')).campaign.rows).toEqual([{ sku: 'b', outcome: 'UNCHANGED' }])
    expect((await rows('offset: 10000')).campaign.rows).toEqual([])
    for (const offset of [-1, 10_001]) {
      const reply = await add({ skus: ['a'] }, `campaign { rows(offset: ${offset}) { sku } }`)
      expect(reply.errors).toMatchObject([
        { message: 'offset: must be from 0 to 10000', extensions: { code: 'BAD_USER_INPUT' } },
      ])
    }
    expect(await add({ skus: ['a'] }, 'campaign { changedCount }')).toMatchObject({ campaign: { changedCount: 1 } })
  })

  it.each([
    [{ skus: ['a'], change: { percentOff: 0 } }, ['change.percentOff OUT_OF_RANGE']],
    [{ skus: ['a'], change: { percentOff: 100.5 } }, ['change.percentOff OUT_OF_RANGE']],
    [
      {
        skus: ['a'],
        change: {
          amountOff: [
            { currency: 'USD', amount: 5 },
            { currency: 'JPY', amount: 0 },
          ],
        },
      },
      ['change.amountOff.1.amount OUT_OF_RANGE'],
    ],
    [
      { skus: ['a'], change: { prices: [{ currency: 'USD', price: { amount: -1 } }] } },
      ['change.prices.0.price.amount OUT_OF_RANGE'],
    ],
    [{ skus: ['a'], rounding: [{ currency: 'USD', to: { ending: 'x' } }] }, ['rounding.0.to.ending INVALID_FORMAT']],
    [{ skus: ['a', 'b', 'b'] }, ['skus.2 DUPLICATE']],
    [{ skus: ['a', 'b', 'x'] }, ['skus.2 NOT_FOUND']],
    [{ rows: [{ sku: 'a', ifUpdatedAt: '2026-01-15T12:00:00.001Z' }] }, ['rows.0.ifUpdatedAt STALE']],
    [{}, ['skus REQUIRED']],
    [{ skus: ['a'], filter: {} }, ['filter INVALID_VALUE']],
    [{ filter: { nodeIds: ['x'] } }, ['filter.nodeIds.0 INVALID_FORMAT']],
    [
      { filter: { nodeIds: [globalId('PriceBook', '0190a000-0000-7000-8000-00000000000a')] } },
      ['filter.nodeIds.0 INVALID_FORMAT'],
    ],
    [{ filter: { nodeIds: ['0190a000-0000-7000-8000-00000000000a'] } }, ['filter.nodeIds.0 NOT_FOUND']],
    [
      { skus: ['a'], schedule: { validFrom: '2026-07-01T00:00:00Z', validTo: '2026-07-01T00:00:00Z' } },
      ['schedule.validTo SALE_SCHEDULE_INVALID'],
    ],
    [{ skus: ['a'], bundleIds: ['x'] }, ['bundleIds.0 INVALID_FORMAT']],
    [{ priceBookId: 'x', skus: ['a'] }, ['priceBookId INVALID_FORMAT']],
    [{ priceBookId: '0190a000-0000-7000-8000-00000000000a', skus: ['a'] }, ['priceBookId NOT_FOUND']],
  ])('graph.paths-lead-into-the-input: addSales refuses %j, by its path in the input', async (input, expected) => {
    const before = await storedPrices(server.services)
    const reply = await add(input)
    expect([reply.campaign, errors(reply)]).toEqual([null, expected])
    expect(await storedPrices(server.services)).toEqual(before)
  })

  it.each([{}, { percentOff: 5, prices: [] }, { percentOff: null }])(
    'addSales takes exactly one kind of change, not %j',
    async (change) => {
      expect((await add({ skus: ['a'], change })).errors[0].extensions.code).toBe('BAD_USER_INPUT')
    },
  )

  it('addSales reports the limits that messages name, and the SKU where a filter found the price', async () => {
    const tooMany = await mutate(
      server,
      'addSales',
      { priceBookId: book, ...sale, skus: Array.from({ length: 10_001 }, (_, n) => `${n}`) },
      'campaign { refusedCount }',
    )
    expect(tooMany.userErrors).toEqual([
      { code: 'TOO_MANY', path: ['skus'], message: 'must have at most 10000 entries' },
    ])
    await add({ skus: ['b'], name: 'Other', schedule: null })
    expect((await add({ filter: {} })).userErrors).toEqual([
      {
        code: 'SALE_SCHEDULE_REQUIRED',
        path: ['filter'],
        message: 'sale "Other" needs a schedule, since it is not the only sale: b',
      },
    ])
  })

  it('graph.global-or-raw-ids: addSales takes global ids of books, nodes and hierarchies', async () => {
    const { id } = await makeHierarchy(contextOf(server.services, START), 'Shop')
    for (const nodeIds of [[globalId('Hierarchy', id)], [globalId('HierarchyNode', id)], [id]])
      expect((await add({ priceBookId: globalId('PriceBook', book), filter: { nodeIds } })).campaign.changedCount).toBe(
        0,
      )
  })
})

it('endSales and removeSales end and remove the sales of a name', async () => {
  await add({ skus: ['a', 'b'] })
  const at = '2026-08-01T00:00:00.000Z'
  expect(
    await call(
      'endSales',
      { name: 'Summer', at },
      'campaign { rows { sku outcome prices { currency } productPrice { sales { schedule { validTo } } } } }',
    ),
  ).toEqual({
    campaign: {
      rows: ['a', 'b'].map((sku) => ({
        sku,
        outcome: 'CHANGED',
        prices: [],
        productPrice: { sales: [{ schedule: { validTo: at } }] },
      })),
    },
    userErrors: [],
  })
  expect(errors(await call('endSales', { name: 'Summer', at: '2026-07-01T00:00:00Z' }))).toEqual([
    'name SALE_SCHEDULE_INVALID',
    'name SALE_SCHEDULE_INVALID',
  ])
  const removed = await call(
    'removeSales',
    { name: 'Summer', filter: {} },
    'campaign { changedCount rows { prices { before { amount { amount } } after { amount { amount } } } } }',
  )
  expect(removed.campaign.changedCount).toBe(2)
  expect(removed.campaign.rows[0].prices[1]).toEqual({
    before: { amount: { amount: 875 } },
    after: { amount: { amount: 1000 } },
  })
  expect((await call('removeSales', { name: '' })).userErrors).toMatchObject([{ code: 'TOO_SHORT', path: ['name'] }])
})

describe('write.if-updated-at: rows', () => {
  const at = (ms: number) => new Date(START + ms).toISOString()
  /** The stored prices with their sales by SKU, and the number of entries of the change log for each operation. */
  const stored = async () => {
    const prices = await database.prisma.productPrice.findMany({ include: { sales: true } })
    return Object.fromEntries(prices.map(({ sku, ...price }) => [sku, price]))
  }
  const entriesOf = (operation: string) => database.prisma.change.findMany({ where: { operation } })
  const rows = [
    { sku: 'a', ifUpdatedAt: at(9) },
    { sku: 'b', ifUpdatedAt: at(10) },
    { sku: 'c', ifUpdatedAt: at(11) },
  ]
  const stale = (index: string, sku = '') => {
    return { code: 'STALE', path: ['rows', index, 'ifUpdatedAt'], message: `the price has changed since${sku}` }
  }

  beforeEach(async () => {
    await makePrice(contextOf(server.services, START), book, 'c', { currencies: { USD: { amount: 1000 } } })
    server.now += 10
    await add({ skus: ['a', 'b', 'c'] })
    server.now += 10
  })

  it.each([
    ['addSales', { ...sale, name: 'Autumn', schedule: { validFrom: '2026-09-01T00:00:00Z' } }],
    ['endSales', { name: 'Summer', at: '2026-08-01T00:00:00Z' }],
    ['removeSales', { name: 'Summer' }],
  ])(
    'rows of %s whose price has moved on are refused, alone or with all others, and nothing of them is written',
    async (name, input) => {
      const before = await stored()
      const written = (await entriesOf(name)).length
      const selected = 'campaign { changedCount refusedCount rows { sku outcome userErrors { code path message } } }'
      expect(await call(name, { ...input, rows }, selected)).toEqual({
        campaign: null,
        userErrors: [stale('0', ': a'), stale('2', ': c')],
      })
      expect(await stored()).toEqual(before)
      expect(await entriesOf(name)).toHaveLength(written)
      const results = [
        { sku: 'a', outcome: 'REFUSED', userErrors: [stale('0', ': a')] },
        { sku: 'b', outcome: 'CHANGED', userErrors: [] },
        { sku: 'c', outcome: 'REFUSED', userErrors: [stale('2', ': c')] },
      ]
      expect(await call(name, { ...input, rows, mode: 'PER_ROW' }, selected)).toEqual({
        campaign: { changedCount: 1, refusedCount: 2, rows: results },
        userErrors: [],
      })
      const after = await stored()
      expect(after).toEqual({ ...before, b: after.b })
      expect(after.b?.updatedAt.toISOString()).toBe(at(20))
      expect((await entriesOf(name)).slice(written).map(({ recordId }) => recordId)).toEqual([after.b?.id])
    },
  )

  it.each(['ALL_OR_NOTHING', 'PER_ROW'])(
    'rows of upsertProductPrices that are stale leave no part with %s',
    async (mode) => {
      const given = [...rows, { sku: 'd', ifUpdatedAt: at(10) }].map((row) => ({
        ...row,
        prices: [],
        externalRef: row.sku,
        sales: [],
      }))
      const before = await stored()
      const reply = await call(
        'upsertProductPrices',
        { rows: given, mode },
        'results { outcome userErrors { code path message } }',
      )
      const isWhole = mode === 'ALL_OR_NOTHING'
      expect(reply.userErrors).toEqual(isWhole ? ['0', '2', '3'].map((index) => stale(index)) : [])
      expect(reply.results).toEqual(
        isWhole
          ? null
          : ['0', '1', '2', '3'].map((index) =>
              index === '1'
                ? { outcome: 'UPDATED', userErrors: [] }
                : { outcome: 'REFUSED', userErrors: [stale(index)] },
            ),
      )
      const after = await stored()
      expect(after).toEqual(isWhole ? before : { ...before, b: after.b })
      expect([after.b?.externalRef, after.b?.sales.length]).toEqual(isWhole ? [null, 1] : ['b', 0])
      expect((await entriesOf('upsertProductPrices')).map(({ recordId }) => recordId)).toEqual(
        isWhole ? [] : [after.b?.id],
      )
    },
  )
})

describe('upsertProductPrices', () => {
  const upsert = (rows: object[], more: object = {}) =>
    call(
      'upsertProductPrices',
      { rows, ...more },
      'results { outcome productPrice { sku prices { currency amount { amount } } } userErrors { code path } }',
    )
  const row = (sku: string, more: object = {}) => ({
    sku,
    prices: [{ currency: 'USD', price: { amount: 5 } }],
    ...more,
  })

  it('write.if-updated-at: upsertProductPrices refuses a row whose price has moved on, or is gone', async () => {
    const [stale, seen] = ['2026-01-15T11:59:59.999Z', '2026-01-15T12:00:00.000Z'].map((ifUpdatedAt) => ({
      ifUpdatedAt,
    }))
    const { results } = await upsert([row('a', stale), row('b', seen), row('c', seen)], { mode: 'PER_ROW' })
    expect(
      results.map(({ outcome, userErrors }: { outcome: string; userErrors: object[] }) => [outcome, userErrors]),
    ).toEqual([
      ['REFUSED', [{ code: 'STALE', path: ['rows', '0', 'ifUpdatedAt'] }]],
      ['UPDATED', []],
      ['REFUSED', [{ code: 'STALE', path: ['rows', '2', 'ifUpdatedAt'] }]],
    ])
    expect(errors(await upsert([row('a', stale), row('b')]))).toEqual(['rows.0.ifUpdatedAt STALE'])
  })

  it('upsertProductPrices in a dry run returns what would become of each row, and writes nothing, also under an idempotency key', async () => {
    const before = await storedPrices(server.services)
    const rows = [row('a'), row('new')]
    const dry = await upsert(rows, { dryRun: true, idempotencyKey: 'k' })
    expect(dry.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['UPDATED', 'CREATED'])
    expect(await storedPrices(server.services)).toEqual(before)
    expect(await upsert(rows, { idempotencyKey: 'k' })).toEqual(dry)
  })
})

it('right.shoppers-see-published-and-own: campaigns are refused to shoppers', async () => {
  for (const [name, input] of [
    ['addSales', { ...sale, skus: ['a'] }],
    ['endSales', { name: 'Summer' }],
    ['removeSales', { name: 'Summer' }],
  ] as const) {
    const reply = await mutate(server, name, { priceBookId: book, ...input }, 'campaign { changedCount }', {
      token: server.shopper,
    })
    expect(reply.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  }
})
