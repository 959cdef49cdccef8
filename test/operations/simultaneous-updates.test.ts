import { expect, it } from 'vitest'
import type { Context } from '../../src/context.ts'
import { Unavailable } from '../../src/domain/errors.ts'
import { CURRENCIES_MAX } from '../../src/domain/limits.ts'
import { productPrice, updateProductPrice } from '../../src/operations/product-price.ts'
import { createSubscriptionProduct, subscriptionProduct, updateSubscriptionProduct } from '../../src/operations/subscription-product.ts'
import { useDatabase } from '../support/database.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { START, useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const request = (): Context => contextOf(server.services, START)

/** The embedded database has one connection, so that more of them would only wait longer. */
const CLIENTS = database.kind === 'server' ? 1_000 : 200
const LIMIT_MS = 120_000

const indexes = Array.from({ length: CLIENTS }, (_, index) => index)
/** Three letters for each index, as many currencies as a price may have. */
const currency = (index: number) =>
  String.fromCharCode(...[676, 26, 1].map((place) => 65 + (Math.floor((index % CURRENCIES_MAX) / place) % 26)))

/** What is left when every answer was built on the one before it: of each currency the amount that was written last. */
const lastAmounts = (answers: readonly { updatedAt: number }[]) =>
  new Map(
    answers
      .map(({ updatedAt }, index) => ({ updatedAt, index }))
      .sort((left, right) => left.updatedAt - right.updatedAt)
      .map(({ index }) => [currency(index), index]),
  )

/** As a client does whose turn did not come in time (503): nothing was written, so it asks again. */
async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    return untilAnswered(work)
  }
}

it(`SUBP-2, VAL-6 ${CLIENTS} simultaneous updates of one price lose none, and each has a time of its own`, {
  timeout: LIMIT_MS,
}, async () => {
  const book = await makeBook(request(), 'Book')
  const { id } = await makePrice(request(), book.id, 'A')
  const update = (index: number) => {
    const attributes = { currencies: { [currency(index)]: { amount: index } } }
    return updateProductPrice(request(), { id, data: { type: 'product-price', attributes } })
  }
  const answers = await Promise.all(indexes.map((index) => untilAnswered(() => update(index))))
  expect(answers.map(({ updatedAt }) => updatedAt - START).sort((a, b) => a - b)).toEqual(indexes.map((index) => index + 1))
  for (const [index, { currencies }] of answers.entries()) expect(currencies[currency(index)]?.amount).toBe(index)
  const end = await productPrice(request(), { id })
  expect(end?.updatedAt).toBe(START + CLIENTS)
  expect(new Map(Object.entries(end?.currencies ?? {}).map(([code, { amount }]) => [code, amount]))).toEqual(lastAmounts(answers))
})

it(`SUBP-2, VAL-6 ${CLIENTS} simultaneous updates of one subscription product lose none, and each has a time of its own`, {
  timeout: LIMIT_MS,
}, async () => {
  const { id } = await createSubscriptionProduct(request(), { data: { type: 'subscription_product', attributes: { name: 'Box' } } })
  const update = (index: number) => {
    const attributes = { price: { [currency(index)]: { amount: index } } }
    return updateSubscriptionProduct(request(), { productId: id, data: { id, type: 'subscription_product', attributes } })
  }
  const answers = await Promise.all(indexes.map((index) => untilAnswered(() => update(index))))
  expect(answers.map(({ updatedAt }) => updatedAt - START).sort((a, b) => a - b)).toEqual(indexes.map((index) => index + 1))
  const end = await subscriptionProduct(request(), { id })
  expect(end?.updatedAt).toBe(START + CLIENTS)
  expect(new Map(Object.entries(end?.price ?? {}).map(([code, { amount }]) => [code, amount]))).toEqual(lastAmounts(answers))
})
