import { describe, expect, it, onTestFinished } from 'vitest'
import { decodeDocument } from '../../../src/domain/catalog/document-codec.ts'
import { readMigrations } from '../../../src/persistence/database/migrations.ts'
import { useDatabase } from '../../support/database.ts'

const { pool } = useDatabase()

const currencies = { EUR: { amount: 900, includes_tax: true, tiers: { case: { minimum_quantity: 6, amount: 800 } } } }
const row = {
  id: 'price',
  book: 'book',
  currencies,
  sales: [
    { name: 'spring', from: 1, to: null, bundles: [], currencies },
    { name: 'autumn', from: null, to: 2, bundles: ['bundle'], currencies: {} },
  ],
  shopper_attributes: { finish: null },
}
const components = { cup: { name: 'Cup', options: [{ id: 'option' }] } }
const plain = { modifier_names: [], modifiers: [] }
const modified = {
  modifier_names: ['large', 'large'],
  modifiers: [
    { name: 'large', type: 'price_increment', currencies },
    { name: 'huge', type: 'price_equals', currencies: {} },
  ],
}
const leaf = { id: 'leaf', own: { ...row, sales: [] }, base: null, ...plain }
const option = { id: 'option', own: null, base: null, ...plain, components, options: { leaf } }
const bundle = { id: 'bundle', own: row, base: null, ...plain, components, options: { option, leaf } }
const child = { id: 'child', own: null, base: row, ...modified }

/** A document of the migration is older than texts for search engines. */
function withoutSeoTexts({
  product: { seo_title, seo_description, ...product },
  ...rest
}: ReturnType<typeof decodeDocument>) {
  expect([seo_title, seo_description]).toEqual([null, null])
  return { product, ...rest }
}

const product = {
  id: 'bundle',
  name: 'Bundle',
  description: null,
  sku: 'B-1',
  slug: 'bundle',
  commodity_type: 'physical',
  upc_ean: '1',
  manufacturer_part_num: '2',
  tags: ['a', 'b'],
  external_ref: 'ref',
  components,
  custom_inputs: { text: { name: 'Text' } },
  extensions: { 'products(x)': { y: 1 } },
  locales: { de: { name: 'Bündel' } },
  variations: [{ id: 'v', name: 'Size', options: [] }],
  build_rules: { default: 'include' },
  parent_id: null,
  option_ids: ['o'],
  files: [{ id: 'file', created_at: '2026-01-01T00:00:00.000Z' }],
  main_image_id: 'image',
  children: [
    { id: 'one', option_ids: ['o'] },
    { id: 'two', option_ids: [] },
  ],
  node_ids: ['node'],
  created_at: 1,
  updated_at: 2,
}

/** As bodies were before the migration: each unit with all its members, those that it has not null. */
const named = (unit: object): object => ({
  components: null,
  options: null,
  ...unit,
  ...('options' in unit && {
    options: Object.fromEntries(Object.entries(unit.options as object).map(([id, one]) => [id, named(one)])),
  }),
})

describe('the migration of release documents from members by name to members by position', () => {
  it('the migration of release documents to members by position keeps their content, with nested bundles and modifiers', async () => {
    const migration = readMigrations().find(({ name }) => name.endsWith('_documents_by_place'))
    const bodies = [
      { product, price: bundle },
      { product: { ...product, children: null, components: null }, price: child },
      {
        product: { ...product, children: null, files: null, node_ids: [] },
        price: { id: 'unpriced', own: null, base: null, ...plain },
      },
    ]
    const client = await pool.connect()
    onTestFinished(async () => {
      await client.query('SET search_path TO DEFAULT; DROP SCHEMA scratch CASCADE')
      client.release()
    })
    await client.query('CREATE SCHEMA scratch; SET search_path TO scratch')
    await client.query(`CREATE TABLE release_document (id serial PRIMARY KEY, fingerprint uuid DEFAULT gen_random_uuid(), body json);
      CREATE UNIQUE INDEX release_document_fingerprint_key ON release_document (fingerprint)`)
    for (const { product, price } of bodies)
      await client.query('INSERT INTO release_document (body) VALUES ($1)', [
        JSON.stringify({ ...product, price: named(price) }),
      ])

    await client.query(migration?.sql ?? '')
    const { rows } = await client.query('SELECT body FROM release_document ORDER BY id')
    expect(rows.map(({ body }) => withoutSeoTexts(decodeDocument(body)))).toEqual(bodies)
    const left = await client.query("SELECT proname FROM pg_proc WHERE pronamespace = 'scratch'::regnamespace")
    expect(left.rows).toEqual([])
  })
})
