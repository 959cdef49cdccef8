import { beforeEach, describe, expect, it } from 'vitest'
import type { PriceRowInput } from '../../../src/domain/pricing/price-upsert.ts'
import { deletePriceBook } from '../../../src/operations/pricing/price-book.ts'
import {
  addProductPrice,
  deleteProductPrice,
  updateProductPrice,
} from '../../../src/operations/pricing/product-price.ts'
import { type BulkMode, upsertProductPrices } from '../../../src/operations/pricing/product-price-upsert.ts'
import type { Context } from '../../../src/request/context.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice, storedPrices } from '../../support/price-books.ts'
import { resultOrViolations } from '../../support/result-or-violations.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const request = (later = 0, role: 'admin' | 'shopper' = 'admin'): Context =>
  contextOf(server.services, START + later, role)
const row = (sku: unknown, attributes: object = {}): PriceRowInput => ({
  data: { type: 'product-price', attributes: { sku, currencies: { USD: { amount: 5 } }, ...attributes } },
})
const schedule = (day: number) => ({ valid_from: `2026-01-0${day}T00:00:00Z` })

let book = ''
const upsert = (rows: readonly PriceRowInput[], mode: BulkMode = 'per_row', later = 10) =>
  upsertProductPrices(request(later), { priceBookId: book, mode, rows })
const outcomes = async (rows: readonly PriceRowInput[], mode: BulkMode = 'per_row') =>
  (await upsert(rows, mode)).map(({ outcome }) => outcome)
const stored = async () =>
  (await storedPrices(server.services)) as { sku: string; external_ref: string | null; currencies: string }[]
const skus = async () => (await stored()).map(({ sku }) => sku)

beforeEach(async () => {
  await reset(database)
  book = (await makeBook(request(), 'Book')).id
})

describe('upsertProductPrices', () => {
  it.each(['per_row', 'all_or_nothing'] as const)(
    'upsertProductPrices with %s adds, changes and keeps prices with their sales',
    async (mode) => {
      const a = await makePrice(request(), book, 'a', {
        currencies: { EUR: { amount: 1 } },
        sales: { s: {} },
        external_ref: 'ref',
      })
      const b = await makePrice(request(), book, 'b', { currencies: { USD: { amount: 5 } } })
      const other = await makeBook(request(), 'Other')
      await makePrice(request(), other.id, 'a')
      const results = await upsert(
        [
          row('b'),
          row('c', { sales: { t: { schedule: schedule(1) } } }),
          row('a', { sales: { s: { schedule: schedule(2) } } }),
        ],
        mode,
      )
      expect(results.map(({ outcome }) => outcome)).toEqual(['unchanged', 'created', 'updated'])
      expect(results[0]?.price).toEqual(b)
      expect(results[2]?.price).toMatchObject({ id: a.id, externalRef: 'ref', createdAt: START, updatedAt: START + 10 })
      expect(results[2]?.price?.currencies).toEqual({
        EUR: { amount: 1, includes_tax: false },
        USD: { amount: 5, includes_tax: false },
      })
      expect(results[2]?.price?.sales[0]).toMatchObject({
        id: a.sales[0]?.id,
        validFrom: Date.UTC(2026, 0, 2),
        updatedAt: START + 10,
      })
      const read = await Promise.all(
        results.map(({ price }) => request().loaders.productPriceById.load(price?.id ?? '')),
      )
      expect(read).toEqual(results.map(({ price }) => price))
      expect(await skus()).toEqual(['a', 'b', 'c', 'a'])
    },
  )

  it('upsertProductPrices does nothing without rows', async () => {
    expect(await upsert([])).toEqual([])
    expect(await upsert([], 'all_or_nothing')).toEqual([])
  })

  it('upsertProductPrices per row refuses a row with violations and writes the others', async () => {
    await makePrice(request(), book, 'taken', { external_ref: 'r' })
    const results = await upsert([
      row('a'),
      row('b', { sales: { s: {}, t: {} } }),
      row(''),
      row('c', { external_ref: 'r' }),
      row('d'),
    ])
    expect(results.map(({ outcome, violations }) => [outcome, ...violations.map(({ code }) => code)])).toEqual([
      ['created'],
      ['refused', 'SALE_SCHEDULE_REQUIRED', 'SALE_SCHEDULE_REQUIRED'],
      ['refused', 'TOO_SHORT'],
      ['refused', 'EXTERNAL_REF_TAKEN'],
      ['created'],
    ])
    expect(await skus()).toEqual(['a', 'd', 'taken'])
  })

  it('upsertProductPrices all or nothing writes nothing for one row with violations, and names every such row', async () => {
    await makePrice(request(), book, 'taken', { external_ref: 'r' })
    const before = await stored()
    expect(
      await resultOrViolations(
        upsert(
          [
            row('a'),
            row('b', { sales: 5 }),
            row('taken', { external_ref: null }),
            row('c', { currencies: { usd: {} } }),
          ],
          'all_or_nothing',
        ),
      ),
    ).toEqual(['validation', 'rows.1.attributes.sales INVALID_TYPE', 'rows.3.attributes.currencies.usd INVALID_FORMAT'])
    expect(await stored()).toEqual(before)
  })

  it.each(['per_row', 'all_or_nothing'] as const)(
    'upsertProductPrices with %s refuses the whole call for a SKU given twice, or for a row too many',
    async (mode) => {
      expect(await resultOrViolations(upsert([row('a'), row('b'), row('a')], mode))).toEqual([
        'validation',
        'rows.2.attributes.sku DUPLICATE',
      ])
      const rows = Array.from({ length: 1001 }, (_, index) => row(`S${index}`))
      expect(await resultOrViolations(upsert(rows, mode))).toEqual(['validation', 'rows TOO_MANY'])
      expect(await skus()).toEqual([])
      expect(new Set(await outcomes(rows.slice(1), mode))).toEqual(new Set(['created']))
    },
  )

  it('price-book.external-ref-once-per-book: upsertProductPrices can swap external_refs within one call', async () => {
    await makePrice(request(), book, 'a', { external_ref: '1' })
    await makePrice(request(), book, 'b', { external_ref: '2' })
    const rows = [row('a', { external_ref: '3' }), row('b', { external_ref: '1' }), row('c', { external_ref: '2' })]
    expect(await outcomes(rows, 'all_or_nothing')).toEqual(['updated', 'updated', 'created'])
    expect((await stored()).map(({ sku, external_ref }) => [sku, external_ref])).toEqual([
      ['a', '3'],
      ['b', '1'],
      ['c', '2'],
    ])
  })

  it('upsertProductPrices reports at most a hundred violations of all rows', async () => {
    const rows = Array.from({ length: 150 }, (_, index) => row(`S${index}`, { external_ref: 5 }))
    await expect(upsert(rows, 'all_or_nothing')).rejects.toMatchObject({
      kind: 'validation',
      violations: { length: 100 },
    })
  })

  it('upsertProductPrices runs the same statements for 10 rows and 1,000', async () => {
    const rows = (count: number, amount: number) =>
      Array.from({ length: count }, (_, index) =>
        row(`S${index}`, {
          external_ref: `r${(index + amount) % count}`,
          currencies: { USD: { amount } },
          sales: { a: { schedule: schedule(1) }, b: { schedule: schedule(1 + amount) } },
        }),
      )
    const run = async (count: number) => {
      const made = await countStatements(database, () => upsert(rows(count, 1)))
      const changed = await countStatements(database, () => upsert(rows(count + 1, 2).slice(0, count), 'per_row', 20))
      return [made.count, changed.count]
    }
    const few = await run(10)
    await database.prisma.productPrice.deleteMany()
    expect(await run(1000)).toEqual(few)
    // The book with its lock, prices by SKU, those that there are, references; then an insert, or references freed,
    // sales and prices written; then the change log.
    expect(few).toEqual([5, 8])
  })

  it('upsertProductPrices is for admins and existing books', async () => {
    expect(
      await resultOrViolations(
        upsertProductPrices(request(0, 'shopper'), { priceBookId: book, mode: 'per_row', rows: [] }),
      ),
    ).toEqual(['forbidden'])
    for (const priceBookId of ['x', '0190a000-0000-7000-8000-00000000000a']) {
      const refused = upsertProductPrices(request(), { priceBookId, mode: 'per_row', rows: [row('a'), row('a')] })
      expect(await resultOrViolations(refused)).toEqual(['notFound', 'priceBookId NOT_FOUND'])
    }
  })
})

describe('simultaneous calls', () => {
  const amounts = async () => new Map((await stored()).map(({ sku, currencies }) => [sku, JSON.parse(currencies)]))

  it('price-book.one-price-per-sku: simultaneous upserts with overlapping SKUs all succeed in any order, and each is written whole', async () => {
    const call = (currency: string, order: number) => {
      const rows = Array.from({ length: 60 }, (_, index) =>
        row(`S${index}`, { currencies: { [currency]: { amount: 1 } } }),
      )
      return upsert(order % 2 === 0 ? rows : rows.reverse(), 'all_or_nothing')
    }
    const currencies = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF', 'GGG', 'HHH']
    const answers = await Promise.all(currencies.map(call))
    expect(answers.flat().filter(({ outcome }) => outcome === 'created')).toHaveLength(60)
    const end = await amounts()
    expect(end.size).toBe(60)
    for (const prices of end.values()) expect(Object.keys(prices)).toEqual(currencies)
  })

  it('price-book.one-price-per-sku: upserts beside additions of the same SKUs create each once, and later ones get PRICE_EXISTS', async () => {
    const single = (sku: string) => addProductPrice(request(), { priceBookId: book, data: row(sku).data })
    const names = Array.from({ length: 20 }, (_, index) => `S${index}`)
    const [bulk, ...singles] = await Promise.all([
      resultOrViolations(upsert(names.map((sku) => row(sku)))),
      ...names.map((sku) => resultOrViolations(single(sku))),
    ])
    expect(
      (bulk as readonly { outcome: string }[]).map(({ outcome }) => outcome).filter((outcome) => outcome === 'refused'),
    ).toEqual([])
    for (const answer of singles)
      if (Array.isArray(answer)) expect(answer).toEqual(['conflict', 'attributes.sku PRICE_EXISTS'])
    expect((await skus()).sort()).toEqual([...names].sort())
  })

  it.each(['per_row', 'all_or_nothing'] as const)(
    'write.if-updated-at: of ten simultaneous upserts with %s that saw the same prices one writes, and none is written by two',
    async (mode) => {
      for (const sku of ['a', 'b']) await makePrice(request(), book, sku)
      const call = async (n: number) => {
        const rows = ['a', 'b'].map((sku) => ({
          ...row(sku, { currencies: { USD: { amount: n } } }),
          ifUpdatedAt: START,
        }))
        return resultOrViolations(upsert(n % 2 === 0 ? rows : rows.reverse(), mode))
      }
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => call(n)))
      const isWinner = (answer: (typeof answers)[number]) =>
        answer.every((one) => typeof one !== 'string' && one.outcome === 'updated')
      const winner = answers.findIndex(isWinner)
      expect(answers.filter(isWinner)).toHaveLength(1)
      const refused = ['validation', 'rows.0.if_updated_at STALE', 'rows.1.if_updated_at STALE']
      const stale = { outcome: 'refused', price: null, violations: [{ code: 'STALE' }] }
      for (const answer of answers.toSpliced(winner, 1))
        if (mode === 'all_or_nothing') expect(answer).toEqual(refused)
        else expect(answer).toMatchObject([stale, stale])
      const won = { USD: { amount: winner, includes_tax: false } }
      expect(await amounts()).toEqual(
        new Map([
          ['a', won],
          ['b', won],
        ]),
      )
      expect(await database.prisma.change.count({ where: { operation: 'upsertProductPrices' } })).toBe(2)
    },
  )

  it('price-book.external-ref-once-per-book: of two simultaneous upserts that take the same external_ref one succeeds, the other is refused', async () => {
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((sku) => upsert([row(sku, { external_ref: 'r' })])))
    expect(
      answers
        .flat()
        .map(({ outcome }) => outcome)
        .sort(),
    ).toEqual(['created', 'refused', 'refused', 'refused'])
    expect(await skus()).toHaveLength(1)
  })

  it('upserts beside changes and deletions of prices and of the book never fail, and leave no price without a book', async () => {
    const made = await upsert(Array.from({ length: 20 }, (_, index) => row(`S${index}`)))
    const ids = made.map(({ price }) => price?.id ?? '')
    const change = (id: string) =>
      updateProductPrice(request(), { id, data: { type: 'product-price', attributes: { external_ref: id } } })
    const answers = await Promise.all([
      ...ids.slice(0, 10).map((id) => resultOrViolations(change(id))),
      ...ids.slice(5, 15).map((id) => resultOrViolations(deleteProductPrice(request(), { id }))),
      resultOrViolations(upsert(ids.map((id, index) => row(`S${index}`, { external_ref: id })))),
      resultOrViolations(deletePriceBook(request(), { id: book })),
      resultOrViolations(upsert(ids.map((_, index) => row(`S${index}`)))),
    ])
    for (const answer of answers)
      if (Array.isArray(answer) && typeof answer[0] === 'string') expect(answer[0]).toMatch(/^(notFound|conflict)$/)
    expect(await stored()).toEqual([])
  })
})
