import type pg from 'pg'
import { afterEach, expect, it, vi } from 'vitest'
import type { PricingBody } from '../../../src/domain/catalog/document-codec.ts'
import { cutPrices } from '../../../src/persistence/catalog/publish/price-spans.ts'
import type { Queryable } from '../../../src/persistence/database/query.ts'

afterEach(() => vi.restoreAllMocks())

/** The documents of each statement that writes prices, of five documents of which each takes `msEach` to cut. */
async function written(msEach: number): Promise<string[]> {
  const price = { USD: { amount: 1000, includes_tax: false } }
  const pricing: PricingBody = ['p', ['r', 'b', price, [], null], null, null, null, null, null]
  const ids = [1, 2, 3, 4, 5]
  const writes: string[] = []
  const query = async ({ name, values }: pg.QueryConfig & { values: unknown[] }) => {
    if (name === 'document_prices_insert') writes.push(String(values[0]))
    return { rows: name === 'documents_pricing' ? ids.map(row) : [] }
  }
  let now = 0
  const row = (id: number) => ({
    id,
    get pricing() {
      now += msEach
      return pricing
    },
  })
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  await cutPrices({ query } as unknown as Queryable, ids)
  return writes
}

it('prices of documents that take long to cut are written by and by, so that the session of a publish is not idle for long', async () => {
  expect(await written(600)).toEqual(['{1,2}', '{3,4}', '{5}'])
})

it('prices of a batch of documents are written by one statement', async () => {
  expect(await written(1)).toEqual(['{1,2,3,4,5}'])
})
