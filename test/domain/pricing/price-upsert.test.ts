import { describe, expect, it } from 'vitest'
import { formatPath, type Violation } from '../../../src/domain/input/errors.ts'
import { PRICE_ROWS_MAX } from '../../../src/domain/input/limits.ts'
import {
  externalRefsOf,
  type PriceRowInput,
  planUpsert,
  readPriceRows,
  rowViolations,
} from '../../../src/domain/pricing/price-upsert.ts'
import {
  type NewProductPrice,
  newProductPrice,
  type ProductPrice,
  readProductPrice,
} from '../../../src/domain/pricing/product-price.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
let made = 0
const newId = () => `id-${++made}`

const row = (attributes: object): PriceRowInput => ({ data: { type: 'product-price', attributes } })
const fresh = (sku: string, attributes: object = {}) => row({ sku, currencies: {}, ...attributes })
const codes = (violations: readonly Violation[]) => violations.map(({ code, path }) => `${formatPath(path)} ${code}`)

function stored(sku: string, attributes: object = {}): ProductPrice {
  const { value } = readProductPrice(fresh(sku, attributes).data, { create: true })
  return newProductPrice('book', value as NewProductPrice, NOW, newId)
}

function plan(rows: readonly PriceRowInput[], prices: readonly ProductPrice[] = []) {
  const known = prices.flatMap((price) => (price.externalRef === null ? [] : [[price.externalRef, price.id] as const]))
  const book = { bookId: 'book', stored: new Map(prices.map((price) => [price.sku, price])), owners: new Map(known) }
  return planUpsert(readPriceRows(rows).value, book, NOW + 10, newId)
}

const summarize = ({ rows }: ReturnType<typeof plan>) =>
  rows.map(({ outcome, violations }) => [outcome, ...codes(violations)].join(' '))

describe('an upsert call', () => {
  it('an upsert of prices accepts 1,000 rows and rejects 1,001 without reading them', () => {
    const rows = Array.from({ length: PRICE_ROWS_MAX }, (_, index) => fresh(`S${index}`))
    expect(readPriceRows(rows)).toMatchObject({ violations: [] })
    expect(readPriceRows(rows).value).toHaveLength(1000)
    expect(readPriceRows([...rows, row({})])).toEqual({
      value: [],
      violations: [
        {
          code: 'TOO_MANY',
          path: ['rows'],
          message: 'must have at most 1000 entries',
          params: [{ name: 'max', value: '1000' }],
        },
      ],
    })
    expect(readPriceRows([])).toEqual({ value: [], violations: [] })
  })

  it('price-book.skus-compare-exactly: an upsert of prices reports each row whose SKU is exactly that of an earlier row', () => {
    const rows = [fresh('a'), fresh('A'), fresh('a'), row({ sku: 5 }), row({ sku: 5 }), fresh('a')]
    expect(codes(readPriceRows(rows).violations)).toEqual([
      'rows.2.attributes.sku DUPLICATE',
      'rows.5.attributes.sku DUPLICATE',
    ])
  })
})

describe('a row of an upsert', () => {
  it('a row of an upsert creates a price, updates it or leaves it unchanged', () => {
    const [b, c] = [stored('b', { currencies: { USD: { amount: 1 } } }), stored('c', { external_ref: 'r' })]
    const done = plan([fresh('a'), row({ sku: 'b', currencies: { EUR: { amount: 2 } } }), row({ sku: 'c' })], [b, c])
    expect(summarize(done)).toEqual(['created', 'updated', 'unchanged'])
    expect(done.inserts).toEqual([done.rows[0]?.price])
    expect(done.inserts[0]).toMatchObject({ sku: 'a', priceBookId: 'book', createdAt: NOW + 10 })
    expect(done.updates).toEqual([
      {
        stored: b,
        price: {
          ...b,
          currencies: { EUR: { amount: 2, includes_tax: false }, USD: { amount: 1, includes_tax: false } },
          updatedAt: NOW + 10,
        },
      },
    ])
    expect(done.rows[2]?.price).toBe(c)
    expect(done.freed).toEqual([])
  })

  it('a row of an upsert follows the rules of a create where the book lacks the SKU, and those of an update where it has it', () => {
    const rows = [
      row({ sku: 'new' }),
      row({ sku: 'old' }),
      fresh('new2', { currencies: { USD: null } }),
      row({ sku: 'old2', currencies: { USD: null } }),
    ]
    expect(summarize(plan(rows, [stored('old'), stored('old2', { currencies: { USD: { amount: 1 } } })]))).toEqual([
      'refused attributes.currencies REQUIRED',
      'unchanged',
      'refused attributes.currencies.USD REQUIRED',
      'updated',
    ])
  })

  it('a row of an upsert is refused with all its violations, without effect on other rows', () => {
    const sales = { a: {}, b: {} }
    const done = plan([fresh('a', { external_ref: 5, sales }), fresh('b')])
    expect(summarize(done)).toEqual([
      'refused attributes.sales.a.schedule SALE_SCHEDULE_REQUIRED attributes.sales.b.schedule SALE_SCHEDULE_REQUIRED attributes.external_ref INVALID_TYPE',
      'created',
    ])
    expect(done.rows[0]?.price).toBeNull()
    expect(codes(rowViolations(done.rows))).toEqual([
      'rows.0.attributes.sales.a.schedule SALE_SCHEDULE_REQUIRED',
      'rows.0.attributes.sales.b.schedule SALE_SCHEDULE_REQUIRED',
      'rows.0.attributes.external_ref INVALID_TYPE',
    ])
  })
})

describe('price-book.external-ref-once-per-book: external_refs of an upsert, row after row', () => {
  const ref = (sku: string, external_ref: string | null) => fresh(sku, { external_ref })

  it.each([
    ['of another stored price', [ref('a', 'r')], ['refused attributes.external_ref EXTERNAL_REF_TAKEN'], []],
    [
      'of another stored price, beside another violation',
      [fresh('a', { external_ref: 'r', sales: 5 })],
      ['refused attributes.sales INVALID_TYPE attributes.external_ref EXTERNAL_REF_TAKEN'],
      [],
    ],
    [
      'of an earlier row',
      [ref('a', 'n'), ref('b', 'n')],
      ['created', 'refused attributes.external_ref EXTERNAL_REF_TAKEN'],
      [],
    ],
    [
      'of a row that was refused',
      [fresh('a', { external_ref: 'n', sales: 5 }), ref('b', 'n')],
      ['refused attributes.sales INVALID_TYPE', 'created'],
      [],
    ],
    ['of its own', [ref('stored', 'r')], ['unchanged'], []],
    ['given up before', [ref('stored', null), ref('a', 'r')], ['updated', 'created'], ['stored']],
    [
      'given up only later',
      [ref('a', 'r'), ref('stored', null)],
      ['refused attributes.external_ref EXTERNAL_REF_TAKEN', 'updated'],
      ['stored'],
    ],
    [
      'handed on in a circle',
      [ref('stored', 'x'), ref('other', 'r'), ref('stored2', 's')],
      ['updated', 'updated', 'updated'],
      ['stored', 'other'],
    ],
  ])('external_refs of an upsert are checked row after row: %s', (_, rows, outcomes, freed) => {
    const prices = [stored('stored', { external_ref: 'r' }), stored('other', { external_ref: 's' }), stored('stored2')]
    const done = plan(rows, prices)
    expect(summarize(done)).toEqual(outcomes)
    expect(done.freed).toEqual(freed.map((sku) => prices.find((price) => price.sku === sku)?.id))
  })

  it('the external_refs of an upsert are collected from every row that has one', () => {
    expect(
      externalRefsOf(readPriceRows([ref('a', 'r'), ref('b', null), fresh('c'), row({ external_ref: 'only' })]).value),
    ).toEqual(['r', 'only'])
  })
})
