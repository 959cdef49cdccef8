import { expect, it } from 'vitest'
import { refreshStatistics } from '../../src/persistence/demo-state.ts'
import { useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()

it('after an import the planner statistics have the approximate number of rows', async () => {
  const book = { type: 'pricebook', attributes: { name: 'Book', external_ref: 'b' } }
  const prices = Array.from({ length: 5_000 }, (_, index) => ({
    type: 'product-price',
    pricebook_external_ref: 'b',
    attributes: { sku: `S-${index}`, currencies: { USD: { amount: index } } },
  }))
  expect((await runImport(servicesOf(database), [book, ...prices])).fine).toBe(true)
  const target = async () => (await database.pool.query('SHOW default_statistics_target')).rows
  const before = await target()
  await refreshStatistics(database)
  expect(await target()).toEqual(before)
  // Never looked at is -1.
  const rows = async (table: string) => (await database.pool.query('SELECT reltuples FROM pg_class WHERE relname = $1', [table])).rows
  expect(await rows('product_price')).toEqual([{ reltuples: 5_000 }])
  expect(await rows('catalog_price_book')).toEqual([{ reltuples: 0 }])
})

it('a locked table does not make an import fail or wait', async () => {
  const holder = database.kind === 'server' ? await database.pool.connect() : null
  try {
    await holder?.query('BEGIN; LOCK TABLE sale IN SHARE UPDATE EXCLUSIVE MODE')
    await refreshStatistics(database)
  } finally {
    await holder?.query('ROLLBACK')
    holder?.release()
  }
})
