import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { loadDemo } from '../../src/demo/demo-store.ts'
import { deleteCatalogRule } from '../../src/operations/catalog/catalog-rule.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { contextOf } from '../support/price-books.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-demo-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeEach(() => reset(database))

const RULE = 'c0ffee00-000a-4000-8000-000000000001'
const counts = async (): Promise<Record<string, number>> => {
  const tables = [
    'product',
    'price_book',
    'product_price',
    'sale',
    'catalog_node',
    'subscription_product',
    'plan',
    'offering',
    'catalog_rule',
    'release',
  ]
  const { rows } = await database.pool.query(
    `SELECT ${tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(', ')}`,
  )
  return rows[0]
}

describe('the demo store', () => {
  it('demo.only-into-untouched-store: the demo store is loaded and published once, into a database that has never had a record', async () => {
    expect(await loadDemo(services)).toBe(true)
    expect(await counts()).toEqual({
      product: 60,
      price_book: 2,
      product_price: 49,
      sale: 19,
      catalog_node: 25,
      subscription_product: 3,
      plan: 3,
      offering: 2,
      catalog_rule: 1,
      release: 2,
    })
    expect(await loadDemo(services)).toBe(false)
    expect((await counts()).release).toBe(2)
  })

  it('price-book.doubtful-prices-warned: the demo store has nothing that a publish warns of, nor a tier above a sale', async () => {
    await loadDemo(services)
    const { rows } = await database.pool.query('SELECT notes FROM release')
    expect(rows).toEqual([{ notes: {} }, { notes: {} }])
    const { rows: prices } = await database.pool.query(`
      SELECT p.sku, s.name FROM product_price p JOIN sale s ON s.product_price_id = p.id AND (s.valid_from IS NOT NULL OR s.valid_to IS NOT NULL),
        jsonb_each(p.currencies) c, jsonb_each(c.value -> 'tiers') t
      WHERE (s.currencies -> c.key ->> 'amount')::int <= (t.value ->> 'amount')::int`)
    expect(prices).toEqual([])
  })

  it('demo.only-into-untouched-store: the demo store has all kinds of sales in USD, EUR and GBP, tiers, bundles, children and modifiers', async () => {
    await loadDemo(services)
    const { rows } = await database.pool.query(`
      SELECT count(*) FILTER (WHERE valid_from <= now() AND valid_to > now() + interval '5 years')::int > 0 AS running,
        count(*) FILTER (WHERE valid_to < now())::int > 0 AS past, count(*) FILTER (WHERE valid_from > now() + interval '5 years')::int > 0 AS future,
        count(*) FILTER (WHERE valid_from IS NULL AND valid_to IS NULL)::int > 0 AS permanent,
        (SELECT array_agg(DISTINCT code ORDER BY code) FROM product_price, jsonb_object_keys(currencies) code) AS currencies,
        (SELECT count(*)::int > 0 FROM product_price WHERE currencies #> '{USD,tiers}' IS NOT NULL) AS tiers,
        (SELECT count(*)::int FROM product WHERE components IS NOT NULL) AS bundles,
        (SELECT count(*)::int FROM product WHERE parent_id IS NOT NULL) AS children, (SELECT count(*)::int FROM price_modifier) AS modifiers
      FROM sale`)
    expect(rows[0]).toEqual({
      running: true,
      past: true,
      future: true,
      permanent: true,
      currencies: ['EUR', 'GBP', 'USD'],
      tiers: true,
      bundles: 5,
      children: 12,
      modifiers: 4,
    })
  })

  it('no attribute that shoppers see names an amount of money, which a sale would contradict', async () => {
    await loadDemo(services)
    const { rows } = await database.pool.query(
      'SELECT DISTINCT a.key, a.value FROM product_price p, jsonb_each_text(p.shopper_attributes) a ORDER BY a.key',
    )
    expect(rows).toEqual([
      { key: 'contents', value: '250 g' },
      { key: 'members', value: 'yes' },
    ])
  })

  it('demo.some-sales-end-soon: three sales end 9, 16 and 23 days after the day of the load, the others years from now or never', async () => {
    const before = Date.now()
    await loadDemo(services)
    const { rows } = await database.pool.query(
      "SELECT name, valid_to FROM sale WHERE valid_to > now() AND valid_to < now() + interval '5 years' ORDER BY valid_to",
    )
    const midnight = (days: number) => new Date((Math.floor(before / 86_400_000) + days) * 86_400_000)
    expect(rows).toEqual([
      { name: 'Kenya weeks', valid_to: midnight(9) },
      { name: 'Trade-in', valid_to: midnight(16) },
      { name: 'Launch offer', valid_to: midnight(23) },
    ])
  })

  it('demo.only-into-untouched-store: the demo store is not loaded in production, into a store with a record, or into an emptied one', async () => {
    expect(await loadDemo(servicesOf(database, { production: true }))).toBe(false)
    const rule = { type: 'catalog', attributes: { name: 'Mine', hierarchy_ids: [], pricebook_ids: [] } }
    await runImport(services, [
      { ...rule, id: RULE },
      { type: 'catalog_rule', id: RULE, attributes: { name: 'Mine', catalog_id: RULE } },
    ])
    expect(await loadDemo(services)).toBe(false)
    await deleteCatalogRule(contextOf(services, Date.now()), { id: RULE })
    await database.pool.query('DELETE FROM catalog')
    expect(await loadDemo(services)).toBe(false)
    expect((await counts()).product).toBe(0)
  })

  it('demo.only-into-untouched-store: the load of the demo store stores nothing when an object is refused', async () => {
    const file = join(folder, 'bad.jsonl')
    const objects = [
      { type: 'pricebook', attributes: { name: 'Book' } },
      { type: 'pricebook', attributes: { name: 'Book' }, id: RULE },
    ]
    writeFileSync(file, objects.map((data) => JSON.stringify({ data })).join('\n'))
    await expect(loadDemo(services, file)).rejects.toThrow('A price book with the name already exists')
    expect((await counts()).price_book).toBe(0)
  })

  it('demo.only-into-untouched-store: the next start completes a load of the demo store that was killed before publishing', async () => {
    await loadDemo(services)
    await database.pool.query(
      "UPDATE catalog SET first_published_at = NULL; DELETE FROM release; DELETE FROM idempotency_key; INSERT INTO store_fact VALUES ('demo_to_publish')",
    )
    expect(await loadDemo(services)).toBe(true)
    expect((await counts()).release).toBe(2)
    expect(await loadDemo(services)).toBe(false)
  })

  it('demo.only-into-untouched-store: the demo store is loaded and published once by two servers that start together', async () => {
    await Promise.all([loadDemo(services), loadDemo(servicesOf(database))])
    expect(await counts()).toMatchObject({ product: 60, release: 2 })
  })
})
