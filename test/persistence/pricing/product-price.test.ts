import { beforeEach, describe, expect, it } from 'vitest'
import type { DomainError } from '../../../src/domain/input/errors.ts'
import {
  applyProductPricePatch,
  type NewProductPrice,
  newProductPrice,
  type ProductPrice,
  readProductPrice,
  type Sale,
} from '../../../src/domain/pricing/product-price.ts'
import { newId } from '../../../src/persistence/database/id.ts'
import { inTransaction } from '../../../src/persistence/database/transaction.ts'
import { pricePages, pricesByIds, pricesBySkus, priceTotals } from '../../../src/persistence/pricing/product-price.ts'
import { insertProductPrices, updateProductPrices } from '../../../src/persistence/pricing/product-price-write.ts'
import { astral } from '../../support/cases.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'

const database = useDatabase()
const NOW = Date.UTC(2026, 0, 15, 12, 0, 0, 123)

let book = ''

beforeEach(async () => {
  await reset(database)
  book = newId(NOW)
  await database.prisma.priceBook.create({
    data: { id: book, name: 'Book', createdAt: new Date(NOW), updatedAt: new Date(NOW) },
  })
})

function price(attributes: object, create = true): ProductPrice {
  return newProductPrice(book, patchOf({ currencies: {}, ...attributes }, create), NOW, () => newId(NOW))
}

function patchOf(attributes: object, create = false): NewProductPrice {
  return readProductPrice({ type: 'product-price', attributes }, { create }).value as NewProductPrice
}

const author = { subject: 'test', role: 'admin', operation: 'test' } as const
const insert = (prices: readonly ProductPrice[]) =>
  inTransaction(database, author, (tx) => insertProductPrices(tx, prices))
const update = (stored: ProductPrice, price: ProductPrice) =>
  inTransaction(database, author, (tx) => updateProductPrices(tx, [{ stored, price }]))
const find = async (id: string) => (await pricesByIds(database, [id]))[0]

describe('insertProductPrices', () => {
  it.each([
    ['nothing but a SKU', price({ sku: 'plain' })],
    [
      'everything',
      price({
        sku: astral(1024),
        external_ref: astral(2048),
        currencies: {
          USD: {
            amount: Number.MAX_SAFE_INTEGER,
            tiers: JSON.parse('{"valueOf":{"minimum_quantity":9007199254740991,"amount":0},"":{"minimum_quantity":1}}'),
          },
          EUR: { amount: null },
        },
        sales: {
          '\uffff \u{10000} \' " \\ $1': {
            schedule: { valid_from: '0001-01-01T00:00:00Z', valid_to: '9999-12-31T23:59:59.999Z' },
            bundle_ids: [newId(NOW), newId(NOW)],
          },
          b: {
            schedule: { valid_to: '1969-12-31T23:59:59.999Z' },
            currencies: { GBP: { amount: 0, includes_tax: true } },
          },
        },
        admin_attributes: { valueOf: 'x', '': null, $type: 'Json' },
        shopper_attributes: {},
      }),
    ],
  ])('insertProductPrices stores a price with %s exactly', async (_, given) => {
    const made = { ...given, priceBookId: book }
    await insert([made])
    expect(await find(made.id)).toEqual(made)
    expect(JSON.parse(JSON.stringify(await find(made.id)))).toStrictEqual(JSON.parse(JSON.stringify(made)))
  })

  it('insertProductPrices writes thousands of prices and sales in one fast statement', async () => {
    const sales = {
      a: { schedule: { valid_to: '2026-02-01T00:00:00Z' } },
      b: { schedule: { valid_from: '2026-01-01T00:00:00Z' } },
    }
    const many = Array.from({ length: 3_000 }, (_, index) =>
      price({ sku: `S${index}`, currencies: { USD: { amount: index } }, sales }),
    )
    const { count } = await countStatements(database, () => insert(many))
    // And one for the change log.
    expect(count).toBe(2)
    expect(await priceTotals(database, [book], [])).toEqual(new Map([[book, 3_000]]))
    expect(await database.prisma.sale.count()).toBe(6_000)
    const last = many.at(-1) as ProductPrice
    expect(await find(last.id)).toEqual(last)
  })

  it.each([
    ['price-book.one-price-per-sku: a SKU twice', [{ sku: 'a' }, { sku: 'b' }, { sku: 'a' }], 'PRICE_EXISTS'],
    [
      'price-book.external-ref-once-per-book: an external_ref twice',
      [
        { sku: 'a', external_ref: 'r' },
        { sku: 'b', external_ref: 'r' },
      ],
      'EXTERNAL_REF_TAKEN',
    ],
    [
      'price-book.one-price-per-sku: two long SKUs that are equal',
      [{ sku: astral(1024) }, { sku: astral(1024) }],
      'PRICE_EXISTS',
    ],
  ])('insertProductPrices fails all prices with a conflict: %s', async (_, given, code) => {
    const failure: DomainError = await insert(given.map((attributes) => price(attributes))).then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect([failure.kind, failure.violations.map((violation) => violation.code)]).toEqual(['conflict', [code]])
    expect(await priceTotals(database, [book], [])).toEqual(new Map([[book, 0]]))
  })

  it('sale.schedules-differ, sale.ends-after-it-starts: constraints of the database refuse sales that break the rules', async () => {
    const good = price({ sku: 'a', sales: { a: { schedule: { valid_from: '2026-01-01T00:00:00Z' } } } })
    const [sale] = good.sales
    if (!sale) throw new Error('a price without its sale')
    const twin = { ...good, sales: [sale, { ...sale, id: newId(NOW), name: 'b' }] }
    await expect(insert([twin])).rejects.toMatchObject({
      kind: 'conflict',
      violations: [{ code: 'SALE_SCHEDULE_DUPLICATE' }],
    })
    const reversed = { ...good, sales: [{ ...sale, validTo: (sale.validFrom ?? 0) - 1 }] }
    await expect(insert([reversed])).rejects.toThrow()
    expect(await database.prisma.sale.count()).toBe(0)
  })
})

describe('updateProductPrices', () => {
  it('updateProductPrices replaces members and sales, raises the version of the row, and does not change other prices', async () => {
    const before = price({
      sku: 'a',
      external_ref: 'r',
      sales: {
        x: { schedule: { valid_from: '2026-01-01T00:00:00Z' } },
        y: { schedule: { valid_from: '2026-01-02T00:00:00Z' } },
      },
    })
    const bystander = price({ sku: 'other', sales: { x: {} } })
    await insert([before, bystander])
    const version = async () =>
      (await database.prisma.productPrice.findUniqueOrThrow({ where: { id: before.id } })).version
    const first = await version()
    // The names trade their schedules: row by row each would meet the other's old one.
    const sales = {
      x: { schedule: { valid_from: '2026-01-02T00:00:00Z' } },
      y: { schedule: { valid_from: '2026-01-01T00:00:00Z' } },
      z: { schedule: { valid_to: '2026-01-01T00:00:00Z' } },
    }
    const after = applyProductPricePatch(
      before,
      patchOf({ external_ref: null, sales, shopper_attributes: { a: 'b' } }),
      NOW + 5,
      () => newId(NOW),
    )
    const { count } = await countStatements(database, () => update(before, after))
    // And one for the change log.
    expect(count).toBe(3)
    expect(await find(before.id)).toEqual(after)
    expect(after.sales.map(({ id }) => id).slice(0, 2)).toEqual(before.sales.map(({ id }) => id))
    expect(await version()).toBeGreaterThan(first)
    expect(await find(bystander.id)).toEqual(bystander)
  })

  it('updateProductPrices does not write the sales that stay as they are', async () => {
    const schedules = { stays: '2026-01-01T00:00:00Z', changes: '2026-01-02T00:00:00Z', goes: '2026-01-03T00:00:00Z' }
    const given = Object.entries(schedules).map(([name, valid_from]) => [name, { schedule: { valid_from } }])
    const before = price({ sku: 'a', sales: Object.fromEntries(given) })
    await insert([before])
    const places = async () => (await database.pool.query('SELECT name, ctid FROM sale ORDER BY name')).rows
    const [, , first] = await places()
    const [changes, , stays] = before.sales as [Sale, Sale, Sale]
    const changed = { ...before, sales: [{ ...changes, validTo: NOW }, stays], updatedAt: NOW + 5 }
    await update(before, changed)
    expect(await find(before.id)).toEqual(changed)
    const [moved, second] = await places()
    expect([moved.name, second]).toEqual(['changes', first])
    const renamed = { ...changed, sku: 'b', updatedAt: NOW + 6 }
    const { count } = await countStatements(database, () => update(changed, renamed))
    // Of the price and the change log.
    expect(count).toBe(2)
    expect(await find(before.id)).toEqual(renamed)
    expect(await places()).toEqual([moved, second])
  })

  it('price-book.one-price-per-sku: a SKU of another price is a conflict, and nothing is written', async () => {
    const [one, two] = [price({ sku: 'one', sales: { s: {} } }), price({ sku: 'two' })]
    await insert([one, two])
    await expect(update(one, { ...one, sku: 'two', sales: [] })).rejects.toMatchObject({
      kind: 'conflict',
      violations: [{ code: 'PRICE_EXISTS' }],
    })
    expect(await find(one.id)).toEqual(one)
  })
})

describe('reads of product prices', () => {
  it('a read of product prices finds the exact SKU in its book, and nothing for a text that can not be stored', async () => {
    const other = newId(NOW)
    await database.prisma.priceBook.create({
      data: { id: other, name: 'Other', createdAt: new Date(NOW), updatedAt: new Date(NOW) },
    })
    const here = price({ sku: 'a' })
    const there = { ...price({ sku: 'a' }), priceBookId: other }
    await insert([here, there, price({ sku: 'A' })])
    const key = (priceBookId: string, sku: string) => ({ priceBookId, sku })
    expect(
      await pricesBySkus(database, [
        key(other, 'a'),
        key(book, 'b'),
        key(book, 'a\u0000'),
        key(book, '\ud800'),
        key(other, 'A'),
      ]),
    ).toEqual([there])
    expect(await pricesBySkus(database, [key(book, 'a')])).toEqual([here])
  })

  it('price-book.prices-oldest-first: reads of product prices page by created_at and id in both directions, for any number of books', async () => {
    const prices = Array.from({ length: 9 }, (_, index) => ({
      ...price({ sku: `S${index}` }),
      createdAt: NOW + (index % 3),
      updatedAt: NOW,
    }))
    await insert(prices)
    const order = [...prices]
      .sort((left, right) => left.createdAt - right.createdAt || (left.id < right.id ? -1 : 1))
      .map(({ id }) => id)
    const ids = async (window: object) =>
      (await pricePages(database, [book], { clauses: [], limit: 100, ...window })).map(({ id }) => id)
    const place = (index: number) => [prices.find(({ id }) => id === order[index])?.createdAt ?? 0, order[index] ?? '']
    expect(await ids({})).toEqual(order)
    expect(await ids({ reverse: true })).toEqual([...order].reverse())
    expect(await ids({ offset: 2, limit: 3 })).toEqual(order.slice(2, 5))
    expect(await ids({ after: place(3), limit: 2 })).toEqual(order.slice(4, 6))
    expect(await ids({ before: place(3), limit: 2, reverse: true })).toEqual([order[2], order[1]])
    expect(await ids({ after: place(1), before: place(6) })).toEqual(order.slice(2, 6))
    expect(await pricePages(database, [newId(NOW)], { clauses: [], limit: 5 })).toEqual([])
  })
})
