/**
 * Plans of the statements that find prices by key: a bulk costs its rows, not its book, whatever PostgreSQL knows of
 * the tables.
 */
import { beforeAll, expect, it } from 'vitest'
import { upsertProductPrices } from '../../../src/operations/pricing/product-price-upsert.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { servicesOf } from '../../support/services.ts'

const database = useDatabase()
const request = () => contextOf(servicesOf(database), Date.UTC(2026, 0, 1))
let book = ''

beforeAll(async () => {
  book = (await makeBook(request(), 'Book')).id
  await database.pool.query(
    `INSERT INTO product_price (id, price_book_id, sku, external_ref, currencies, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'SKU-' || n, 'ref-' || n, '{}', now(), now() FROM generate_series(1, 4000) n`,
    [book],
  )
})

it('an upsert of prices looks each SKU and each external_ref up in an index of its own, though the plan was made without statistics', async () => {
  const rows = ['SKU-1', 'new'].map((sku) => ({
    data: { type: 'product-price', attributes: { sku, external_ref: `ref of ${sku}` } },
  }))
  const upsert = () => upsertProductPrices(request(), { priceBookId: book, mode: 'per_row', dryRun: false, rows })
  const { statements } = await countStatements(database, upsert)
  const bySku = await plansOf(statements.filter((text) => text.includes('md5(p.sku)')))
  expect(bySku).toEqual([expect.stringMatching(/Index Cond: [^\n]*\bsku\b/)])
  const byReference = await plansOf(statements.filter((text) => text.includes('md5(p.external_ref)')))
  expect(byReference).toEqual([expect.stringMatching(/Index Cond: [^\n]*\bexternal_ref\b/)])
})

/** The plan that a connection keeps for each statement, whose parameters are a list of texts and a book. */
async function plansOf(texts: readonly string[]): Promise<string[]> {
  const client = await database.pool.connect()
  try {
    const plans: string[] = []
    for (const text of texts) {
      const values = text.includes('$1::text[]') ? ['{SKU-1}', book] : [book, '{ref-1}']
      await client.query("SET plan_cache_mode = 'force_generic_plan'")
      await client.query(`PREPARE looked AS ${text}`)
      const { rows } = await client.query(`EXPLAIN EXECUTE looked (${values.map((value) => `'${value}'`).join()})`)
      await client.query('DEALLOCATE looked')
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    return plans
  } finally {
    await client.query('RESET plan_cache_mode')
    client.release()
  }
}
