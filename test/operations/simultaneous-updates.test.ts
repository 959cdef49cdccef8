import { expect, it } from 'vitest'
import { Unavailable } from '../../src/domain/input/errors.ts'
import { CURRENCIES_MAX } from '../../src/domain/input/limits.ts'
import type { ProductPrice } from '../../src/domain/pricing/product-price.ts'
import type { SubscriptionProduct } from '../../src/domain/subscriptions/subscription-product.ts'
import { productPrice, updateProductPrice } from '../../src/operations/pricing/product-price.ts'
import {
  createSubscriptionProduct,
  subscriptionProduct,
  updateSubscriptionProduct,
} from '../../src/operations/subscriptions/subscription-product.ts'
import type { Context } from '../../src/request/context.ts'
import { useDatabase } from '../support/database.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { START, useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const request = (): Context => contextOf(server.services, START)

/** The embedded database has one connection, so that more of them would only wait longer. */
const CLIENTS = database.kind === 'server' ? 1_000 : 200

const indexes = Array.from({ length: CLIENTS }, (_, index) => index)
/** As many currencies as a price may have, each written by several clients. */
const currency = (index: number) =>
  String.fromCharCode(...[676, 26, 1].map((place) => 65 + (Math.floor((index % CURRENCIES_MAX) / place) % 26)))

interface Result {
  readonly updatedAt: number
  readonly prices: Readonly<Record<string, { readonly amount: number | null }>>
}

/**
 * Expects each update to have its own millisecond and to return all earlier updates with its own; `end` is the result
 * of the last one.
 */
function expectNoneLost(results: readonly Result[], end: Result): void {
  const written: Record<string, number> = {}
  const inOrder = results
    .map((result, index) => ({ result, index }))
    .sort((a, b) => a.result.updatedAt - b.result.updatedAt)
  for (const [position, { result, index }] of inOrder.entries()) {
    written[currency(index)] = index
    const amounts = Object.fromEntries(Object.entries(result.prices).map(([code, { amount }]) => [code, amount]))
    expect([result.updatedAt, amounts]).toEqual([START + position + 1, written])
  }
  expect(end).toEqual(inOrder.at(-1)?.result)
}

/**
 * Expects the log to have an entry for each update, each from where the one before led, from the first state to the
 * last.
 */
async function expectChain(first: object, last: object): Promise<void> {
  const { id } = last as { id: string }
  const [created, ...updates] = await database.prisma.change.findMany({
    where: { recordId: id },
    orderBy: { id: 'asc' },
  })
  expect(created).toMatchObject({ before: null, after: first })
  expect(updates).toHaveLength(CLIENTS)
  expect(updates.map(({ before }) => before)).toEqual([created, ...updates.slice(0, -1)].map((entry) => entry?.after))
  expect(updates.at(-1)?.after).toEqual(last)
}

/** Repeats a request that was refused with 503, as clients do: nothing was written. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return untilAnswered(work)
  }
}

it(`patch.maps-merge-at-every-depth, record.updated-at-rises, history.order-of-writing: ${CLIENTS} simultaneous updates of one price are all stored, each with its own updated_at`, async () => {
  const book = await makeBook(request(), 'Book')
  const first = await makePrice(request(), book.id, 'A')
  const { id } = first
  const update = (index: number) => {
    const attributes = { currencies: { [currency(index)]: { amount: index } } }
    return updateProductPrice(request(), { id, data: { type: 'product-price', attributes } })
  }
  const answerOf = ({ updatedAt, currencies }: ProductPrice): Result => ({ updatedAt, prices: currencies })
  const results = await Promise.all(indexes.map((index) => untilAnswered(() => update(index))))
  const last = (await productPrice(request(), { id })) as ProductPrice
  expectNoneLost(results.map(answerOf), answerOf(last))
  await expectChain(first, last)
})

it(`patch.maps-merge-at-every-depth, record.updated-at-rises, history.order-of-writing: ${CLIENTS} simultaneous updates of one subscription product are all stored, each with its own updated_at`, async () => {
  const first = await createSubscriptionProduct(request(), {
    data: { type: 'subscription_product', attributes: { name: 'Box' } },
  })
  const { id } = first
  const update = (index: number) => {
    const attributes = { price: { [currency(index)]: { amount: index } } }
    return updateSubscriptionProduct(request(), {
      id,
      data: { id, type: 'subscription_product', attributes },
    })
  }
  const answerOf = ({ updatedAt, price }: SubscriptionProduct): Result => ({ updatedAt, prices: price })
  const results = await Promise.all(indexes.map((index) => untilAnswered(() => update(index))))
  const last = (await subscriptionProduct(request(), { id })) as SubscriptionProduct
  expectNoneLost(results.map(answerOf), answerOf(last))
  await expectChain(first, last)
})
