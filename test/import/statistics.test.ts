import { expect, it } from 'vitest'
import { refreshStatistics } from '../../src/import/statistics.ts'
import { useDatabase } from '../support/database.ts'
import { importAll } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()

it('after an import a page of a price book is read in its order, not sorted, on a server too', async () => {
  const book = { type: 'pricebook', attributes: { name: 'Book', external_ref: 'b' } }
  const prices = Array.from({ length: 5_000 }, (_, index) => ({
    type: 'product-price',
    pricebook_external_ref: 'b',
    attributes: { sku: `S-${index}`, currencies: { USD: { amount: index } } },
  }))
  expect((await importAll(servicesOf(database), [book, ...prices])).fine).toBe(true)
  const plan = async (): Promise<string> => {
    const { rows } = await database.pool.query(
      `EXPLAIN SELECT p.* FROM product_price p WHERE p.price_book_id = (SELECT id FROM price_book) ORDER BY p.created_at, p.id LIMIT 25`,
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  await refreshStatistics(database)
  expect(await plan()).not.toContain('Sort')
  const { rows } = await database.pool.query('SHOW default_statistics_target')
  expect(rows).toEqual([{ default_statistics_target: '100' }])
})
