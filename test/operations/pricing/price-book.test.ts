import { beforeEach, describe, expect, it } from 'vitest'
import { createPriceBook, priceBook, updatePriceBook } from '../../../src/operations/pricing/price-book.ts'
import { addProductPrice, productPrice, updateProductPrice } from '../../../src/operations/pricing/product-price.ts'
import type { Context } from '../../../src/request/context.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice, storedPrices } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const ID = '0190a000-0000-7000-8000-00000000000a'

/** A request of its own, as the clock goes on. */
const request = (later = 0): Context => contextOf(server.services, START + later)

const book = (attributes: object, id?: string) => ({ data: { type: 'pricebook', ...(id && { id }), attributes } })
const change = (id: string, attributes: object) => ({ id, data: { type: 'product-price', attributes } })

beforeEach(() => reset(database))

describe('price books', () => {
  it('record.given-id-is-kept: price books keep a given id, and are read as they were created', async () => {
    const made = await createPriceBook(request(), book({ name: 'n', external_ref: 'r', description: 'd' }, ID))
    expect(made).toEqual({ id: ID, name: 'n', externalRef: 'r', description: 'd', createdAt: START, updatedAt: START })
    expect(await priceBook(request(), { id: ID.toUpperCase() })).toEqual(made)
    expect(await priceBook(request(), { id: 'no-uuid' })).toBeNull()
  })

  it.each([
    ['name', { name: 'n' }, 'NAME_TAKEN'],
    ['external_ref', { name: 'm', external_ref: 'r' }, 'EXTERNAL_REF_TAKEN'],
  ])(
    'price-book.name-is-unique: a second price book with the %s is a conflict, new or renamed',
    async (_, attributes, code) => {
      await createPriceBook(request(), book({ name: 'n', external_ref: 'r' }))
      await expect(createPriceBook(request(), book(attributes))).rejects.toMatchObject({
        kind: 'conflict',
        violations: [{ code }],
      })
      const other = await createPriceBook(request(), book({ name: 'other' }))
      await expect(updatePriceBook(request(), { id: other.id, ...book(attributes) })).rejects.toMatchObject({
        kind: 'conflict',
        violations: [{ code }],
      })
      expect(await priceBook(request(), { id: other.id })).toEqual(other)
    },
  )

  it('a price book with an existing id is a conflict', async () => {
    await createPriceBook(request(), book({ name: 'n' }, ID))
    await expect(createPriceBook(request(), book({ name: 'm' }, ID))).rejects.toMatchObject({
      kind: 'conflict',
      violations: [{ code: 'ID_TAKEN' }],
    })
  })

  it('unknown price books are not found, and all are forbidden to shoppers (right.shoppers-see-published-and-own)', async () => {
    for (const id of [ID, 'x']) {
      await expect(updatePriceBook(request(), { id, ...book({}) })).rejects.toMatchObject({ kind: 'notFound' })
    }
    const shopper = contextOf(server.services, START, 'shopper')
    for (const call of [
      priceBook(shopper, { id: ID }),
      createPriceBook(shopper, book({ name: 'n' })),
      updatePriceBook(shopper, { id: ID, ...book({}) }),
    ]) {
      await expect(call).rejects.toMatchObject({ kind: 'forbidden' })
    }
  })

  it('write.if-updated-at: an update of a price book that has changed is refused with STALE and the current book', async () => {
    const made = await makeBook(request(), 'n')
    const moved = await updatePriceBook(request(10), { id: made.id, ...book({ name: 'm' }) }, { ifUpdatedAt: START })
    expect(moved.updatedAt).toBe(START + 10)
    await expect(
      updatePriceBook(request(20), { id: made.id, ...book({ name: 'o' }) }, { ifUpdatedAt: START }),
    ).rejects.toMatchObject({
      kind: 'conflict',
      violations: [{ code: 'STALE' }],
      current: moved,
    })
  })
})

describe('updateProductPrice', () => {
  it('updateProductPrice stores the merged price, and writes nothing when nothing changes', async () => {
    const { id: bookId } = await makeBook(request(), 'Book')
    const made = await makePrice(request(), bookId, 'A', { currencies: { USD: { amount: 1 } }, sales: { s: {} } })
    const changed = await updateProductPrice(
      request(10),
      change(made.id, { currencies: { EUR: { amount: 2 } }, sales: null, external_ref: 'r' }),
    )
    expect(changed).toEqual({
      ...made,
      externalRef: 'r',
      currencies: { EUR: { amount: 2, includes_tax: false }, USD: { amount: 1, includes_tax: false } },
      sales: [],
      updatedAt: START + 10,
    })
    expect(await productPrice(request(), { id: made.id })).toEqual(changed)
    const version = async () =>
      (await database.prisma.productPrice.findUniqueOrThrow({ where: { id: made.id } })).version
    const before = await version()
    expect(await updateProductPrice(request(20), change(made.id, { currencies: { EUR: { amount: 2 } } }))).toEqual(
      changed,
    )
    expect(await version()).toBe(before)
  })

  it('sale.several-need-schedules: the sales of a price obey the rules after simultaneous writes', async () => {
    const { id: bookId } = await makeBook(request(), 'Book')
    const made = await makePrice(request(), bookId, 'A')
    const sale = (day: number) => ({ [`s${day}`]: { schedule: { valid_from: `2026-01-0${day}T00:00:00Z` } } })
    const writes = [{ permanent: {} }, { ...sale(1), ...sale(2) }, { ...sale(2), ...sale(3) }, { other: {} }]
    const done = await Promise.all(
      writes.map((sales, index) => updateProductPrice(request(index), change(made.id, { sales }))),
    )
    const end = await productPrice(request(), { id: made.id })
    expect(done.map(({ sales }) => sales.map(({ name }) => name))).toContainEqual(end?.sales.map(({ name }) => name))
    expect(new Set(done.map(({ updatedAt }) => updatedAt)).size).toBe(4)
  })

  it('price-book.one-price-per-sku: updateProductPrice refuses a SKU or external_ref of another price, and writes nothing', async () => {
    const { id: bookId } = await makeBook(request(), 'Book')
    await makePrice(request(), bookId, 'A', { external_ref: 'ref-a' })
    const made = await makePrice(request(), bookId, 'B')
    const before = await storedPrices(server.services)
    await expect(updateProductPrice(request(), change(made.id, { sku: 'A' }))).rejects.toMatchObject({
      violations: [{ code: 'PRICE_EXISTS' }],
    })
    await expect(updateProductPrice(request(), change(made.id, { external_ref: 'ref-a' }))).rejects.toMatchObject({
      violations: [{ code: 'EXTERNAL_REF_TAKEN' }],
    })
    await expect(updateProductPrice(request(), change(ID, {}))).rejects.toMatchObject({ kind: 'notFound' })
    expect(await storedPrices(server.services)).toEqual(before)
  })
})

describe('a price and its book', () => {
  it('adding a price to a book that is being deleted succeeds or is not found, and leaves no price without a book', async () => {
    const { id: bookId } = await makeBook(request(), 'Book')
    const add = addProductPrice(request(), {
      priceBookId: bookId,
      data: { type: 'product-price', attributes: { sku: 'A', currencies: {} } },
    })
    const [added] = await Promise.allSettled([add, database.prisma.priceBook.delete({ where: { id: bookId } })])
    if (added.status === 'rejected') expect(added.reason).toMatchObject({ kind: 'notFound' })
    expect(await storedPrices(server.services)).toEqual([])
  })
})
