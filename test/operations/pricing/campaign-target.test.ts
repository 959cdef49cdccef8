import { beforeEach, describe, expect, it } from 'vitest'
import type { CampaignResult } from '../../../src/domain/pricing/campaign-row.ts'
import { attachProducts } from '../../../src/operations/catalog/node-product.ts'
import { addSales, type CampaignInput, endSales, removeSales } from '../../../src/operations/pricing/campaign.ts'
import { addSale } from '../../../src/operations/pricing/sale.ts'
import type { Context } from '../../../src/request/context.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { makeHierarchy, makeNode } from '../../support/hierarchies.ts'
import { contextOf, makeBook, makePrice, storedPrices } from '../../support/price-books.ts'
import { childOf, idOf, makeProduct, variationsOf } from '../../support/products.ts'
import { resultOrViolations } from '../../support/result-or-violations.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const request = (later = 10): Context => contextOf(server.services, START + later)
const usd = (amount: number) => ({ USD: { amount } })
const schedule = (day: number, to?: number) => ({
  valid_from: new Date(Date.UTC(2026, 0, day)).toISOString(),
  ...(to !== undefined && { valid_to: new Date(Date.UTC(2026, 0, to)).toISOString() }),
})

let book = ''
const input = (data: object, more: Partial<CampaignInput> = {}): CampaignInput => ({
  ...{ priceBookId: book, mode: 'all_or_nothing', dryRun: false, data },
  ...more,
})
const sale = { name: 'Summer', schedule: schedule(20, 25), change: { percent_off: 20 } }
const outcomes = (results: readonly CampaignResult[]) => results.map(({ sku, outcome }) => `${sku} ${outcome}`)
const stored = async () =>
  (await storedPrices(server.services)) as { book: string; sku: string; sales: unknown[][] | null }[]
/** `book sku: names of its sales with their ends`. */
const sales = async () =>
  (await stored()).flatMap(({ book: of, sku, sales: list }) =>
    (list ?? []).map(([name, , to]) => `${of} ${sku} ${name} ${to ? new Date(`${to}`).getUTCDate() : '-'}`),
  )

beforeEach(async () => {
  await reset(database)
  book = (await makeBook(request(0), 'Book')).id
})

describe('campaign.filter-by-products: a filter', () => {
  let ids: Record<'hierarchy' | 'shirts' | 'blue' | 'mugs', string>

  beforeEach(async () => {
    const ctx = request(0)
    const hierarchy = await makeHierarchy(ctx, 'Shop')
    const shirts = await makeNode(ctx, hierarchy, 'Shirts')
    const [blue, mugs] = [await makeNode(ctx, shirts, 'Blue'), await makeNode(ctx, hierarchy, 'Mugs')]
    ids = { hierarchy: hierarchy.id, shirts: shirts.id, blue: blue.id, mugs: mugs.id }
    const tee = await makeProduct(ctx, {
      name: 'Tee',
      sku: 'tee',
      tags: ['Soft'],
      variations: variationsOf({ Size: [1, 2] }),
    })
    await makeProduct(
      ctx,
      ...([{ name: 'Small', sku: 'tee-s', ...childOf(tee.id, 1)[0] }, childOf(tee.id, 1)[1]] as const),
    )
    const polo = await makeProduct(ctx, { name: 'Polo', sku: 'polo', tags: ['new'] })
    const mug = await makeProduct(ctx, { name: 'Mug', sku: 'mug', tags: ['soft', 'new'] })
    await makeProduct(ctx, { name: 'Loose', sku: 'loose' })
    const attach = (node: string, id: string) => attachProducts(ctx, { id: node, data: [id] })
    for (const [node, id] of [
      [shirts.id, tee.id],
      [blue.id, polo.id],
      [mugs.id, mug.id],
    ] as const)
      await attach(node, id)
    const other = await makeBook(ctx, 'Other')
    for (const sku of ['tee', 'tee-s', 'polo', 'mug', 'loose', 'none'])
      await makePrice(ctx, book, sku, { currencies: usd(100) })
    await makePrice(ctx, book, 'eur', { currencies: { EUR: { amount: 100 } } })
    await makePrice(ctx, other.id, 'tee', { currencies: usd(100) })
  })

  it.each([
    ['all of the book', () => ({}), ['loose', 'mug', 'none', 'polo', 'tee', 'tee-s']],
    ['a tag, in whatever case', () => ({ tags: ['SOFT'] }), ['mug', 'tee', 'tee-s']],
    ['one of several tags', () => ({ tags: ['new', 'x'] }), ['mug', 'polo']],
    ['no tag', () => ({ tags: [] }), []],
    ['a node with what is below it', () => ({ node_ids: [ids.shirts] }), ['polo', 'tee', 'tee-s']],
    ['a hierarchy', () => ({ node_ids: [ids.hierarchy] }), ['mug', 'polo', 'tee', 'tee-s']],
    ['one of several nodes', () => ({ node_ids: [ids.blue, ids.mugs.toUpperCase()] }), ['mug', 'polo']],
    ['tag and node', () => ({ tags: ['soft'], node_ids: [ids.shirts] }), ['tee', 'tee-s']],
  ])(
    'the filter of a campaign chooses %s, in the order of SKUs, and no price without an amount',
    async (_, filter, expected) => {
      for (const mode of ['all_or_nothing', 'per_row'] as const) {
        const results = await addSales(
          request(),
          input({ ...sale, filter: filter(), currencies: ['USD'] }, { mode, dryRun: true }),
        )
        expect(outcomes(results)).toEqual(expected.map((sku) => `${sku} changed`))
      }
      expect(await sales()).toEqual([])
      await addSales(request(), input({ ...sale, filter: filter(), currencies: ['USD'] }))
      expect(await sales()).toEqual(expected.map((sku) => `Book ${sku} Summer 25`))
    },
  )

  it('the filter of a campaign refuses by name a node that there is not', async () => {
    const filter = { node_ids: [ids.mugs, idOf(9)] }
    expect(await resultOrViolations(addSales(request(), input({ ...sale, filter })))).toEqual([
      'notFound',
      'filter.node_ids.1 NOT_FOUND',
    ])
  })

  it('a price that is refused is reported at the filter of the campaign, with its SKU', async () => {
    const mug = await request().loaders.productPriceByPriceBookIdAndSku.load({ priceBookId: book, sku: 'mug' })
    await addSale(request(), { productPriceId: mug?.id ?? '', data: { type: 'sale', attributes: { name: 'Always' } } })
    await expect(addSales(request(), input({ ...sale, filter: { tags: ['soft'] } }))).rejects.toMatchObject({
      violations: [{ code: 'SALE_SCHEDULE_REQUIRED', path: ['filter'], subject: 'mug' }],
    })
  })
})

describe('removeSales and endSales', () => {
  beforeEach(async () => {
    const ctx = request(0)
    const other = await makeBook(ctx, 'Other')
    const two = {
      Summer: { schedule: schedule(5, 25), currencies: usd(80) },
      Winter: { schedule: schedule(6, 26), currencies: usd(70) },
    }
    for (const sku of ['b', 'a', 'c']) await makePrice(ctx, book, sku, { currencies: usd(100), sales: two })
    await makePrice(ctx, book, 'never', { currencies: usd(100) })
    await makePrice(ctx, other.id, 'a', { currencies: usd(100), sales: two })
  })

  it('removeSales takes the sale from all prices of the book, or from those that are chosen', async () => {
    expect(outcomes(await removeSales(request(), input({ name: 'Summer', skus: ['never', 'c'] })))).toEqual([
      'never unchanged',
      'c changed',
    ])
    const dry = await removeSales(request(), input({ name: 'Summer' }, { dryRun: true }))
    expect(dry.map(({ changes }) => changes)).toEqual(
      Array.from({ length: 2 }, () => [
        { currency: 'USD', before: { amount: 80, includes_tax: false }, after: { amount: 100, includes_tax: false } },
      ]),
    )
    expect(await removeSales(request(20), input({ name: 'Summer' }))).toEqual(dry)
    expect(outcomes(dry)).toEqual(['a changed', 'b changed'])
    expect(await sales()).toEqual([
      'Book a Winter 26',
      'Book b Winter 26',
      'Book c Winter 26',
      'Other a Summer 25',
      'Other a Winter 26',
    ])
    expect(await removeSales(request(), input({ name: 'Summer' }))).toEqual([])
    const { updatedAt } =
      (await request().loaders.productPriceByPriceBookIdAndSku.load({ priceBookId: book, sku: 'a' })) ?? {}
    expect(updatedAt).toBe(START + 20)
  })

  it('campaign.end-never-extends: endSales ends sales that run or are to come, and leaves those that have ended before', async () => {
    const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()
    expect(outcomes(await endSales(request(), input({ name: 'Summer', at: at(25) })))).toEqual([
      'a unchanged',
      'b unchanged',
      'c unchanged',
    ])
    expect(outcomes(await endSales(request(), input({ name: 'Summer', at: at(24), rows: [{ sku: 'b' }] })))).toEqual([
      'b changed',
    ])
    expect(outcomes(await endSales(request(), input({ name: 'Summer' }, { dryRun: true })))).toEqual([
      'a changed',
      'b changed',
      'c changed',
    ])
    expect(outcomes(await endSales(request(), input({ name: 'Summer', at: at(20) }, { mode: 'per_row' })))).toEqual([
      'a changed',
      'b changed',
      'c changed',
    ])
    expect(await sales()).toEqual([
      ...['a', 'b', 'c'].flatMap((sku) => [`Book ${sku} Summer 20`, `Book ${sku} Winter 26`]),
      ...['Other a Summer 25', 'Other a Winter 26'],
    ])
  })

  it('endSales ends sales at the instant of the request when none is given, and makes a permanent sale end', async () => {
    await removeSales(request(), input({ name: 'Winter', skus: ['a'] }))
    const one = await addSales(request(), input({ name: 'Always', skus: ['never'], change: { percent_off: 5 } }))
    await endSales(request(30), input({ name: 'Always' }))
    const price = await request().loaders.productPriceById.load(one[0]?.priceId ?? '')
    expect(price?.sales).toMatchObject([
      { name: 'Always', validFrom: null, validTo: START + 30, updatedAt: START + 30 },
    ])
  })

  it.each([
    ['that begins at the end', 5, 'SALE_SCHEDULE_INVALID'],
    ['that would have the schedule of another', 7, 'SALE_SCHEDULE_DUPLICATE'],
  ])('campaign.row-refused-alone: endSales refuses a sale %s, alone or with all others', async (_, day, code) => {
    const b = await request().loaders.productPriceByPriceBookIdAndSku.load({ priceBookId: book, sku: 'b' })
    const data = { type: 'sale', attributes: { name: 'Twin', schedule: schedule(5, 7) } }
    await addSale(request(), { productPriceId: b?.id ?? '', data })
    const end = { name: 'Summer', at: new Date(Date.UTC(2026, 0, day)).toISOString() }
    const before = await stored()
    const refused = await resultOrViolations(endSales(request(), input(end)))
    expect(refused).toEqual(['validation', ...(day === 5 ? ['a', 'b', 'c'] : ['b']).map(() => `name ${code}`)])
    expect(await stored()).toEqual(before)
    const results = await endSales(request(), input(end, { mode: 'per_row' }))
    expect(results.filter(({ outcome }) => outcome === 'refused').map(({ violations }) => violations[0]?.code)).toEqual(
      refused.slice(1).map(() => code),
    )
    expect(outcomes(results).filter((one) => one.endsWith('changed'))).toEqual(
      day === 5 ? [] : ['a changed', 'c changed'],
    )
  })
})
