/** The order in which lists have what an import wrote. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { reset, useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)

beforeEach(() => reset(database))
afterEach(() => {
  vi.useRealTimers()
})

it('record.ids-rise-within-an-instant: what an import wrote in one millisecond is listed in the order of its file, over its batches', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 15, 12) })
  const skus = Array.from({ length: 700 }, (_, at) => `SKU-${(at * 37) % 700}`)
  const books = [{ type: 'pricebook', attributes: { external_ref: 'b', name: 'Book' } }]
  const products = skus.map((sku) => ({ type: 'product', attributes: { sku, name: 'Thing' } }))
  const prices = skus.map((sku) => ({
    ...{ type: 'product-price', pricebook_external_ref: 'b' },
    attributes: { sku, currencies: { USD: { amount: 5 } } },
  }))
  const { refused } = await runImport(services, [...books, ...products, ...prices])
  expect(refused).toEqual([])
  for (const table of ['product', 'product_price']) {
    const { rows } = await database.pool.query<{ sku: string; instants: number }>(
      `SELECT sku, (SELECT count(DISTINCT created_at)::int FROM ${table}) AS instants FROM ${table} ORDER BY created_at, id`,
    )
    expect(rows[0]?.instants).toBe(1)
    expect(rows.map(({ sku }) => sku)).toEqual(skus)
  }
})
