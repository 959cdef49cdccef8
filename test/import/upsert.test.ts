import { beforeEach, describe, expect, it } from 'vitest'
import { reset, useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)

beforeEach(() => reset(database))

const A = '0199aaaa-0000-7000-8000-00000000000a'
const B = '0199aaaa-0000-7000-8000-00000000000b'
const book = (attributes: object, more: object = {}) => ({ type: 'pricebook', ...more, attributes })
const price = (attributes: object, more: object = {}) => ({
  type: 'product-price',
  pricebook_external_ref: 'b',
  ...more,
  attributes: { currencies: { USD: { amount: 5 } }, ...attributes },
})
const product = (attributes: object, more: object = {}) => ({
  type: 'product',
  ...more,
  attributes: { name: 'Thing', ...attributes },
})
const plan = (attributes: object, more: object = {}) => ({
  type: 'subscription_plan',
  ...more,
  attributes: {
    name: 'Plan',
    billing_interval_type: 'month',
    billing_frequency: 1,
    trial_period: 0,
    plan_length: 12,
    end_behavior: 'roll',
    can_pause: true,
    can_resume: true,
    can_cancel: true,
    ...attributes,
  },
})
const rows = async (sql: string): Promise<Record<string, unknown>[]> => (await database.pool.query(sql)).rows

describe('import.first-given-key-decides: upsert', () => {
  it('import.first-given-key-decides: an import keeps a given id, and finds the record by it whatever else has changed', async () => {
    expect((await runImport(services, [book({ name: 'One', external_ref: 'r' }, { id: A })])).counts).toEqual({
      pricebook: [1, 0, 0, 0],
    })
    const again = await runImport(services, [book({ name: 'Two', external_ref: 's' }, { id: A.toUpperCase() })])
    expect(again.counts).toEqual({ pricebook: [0, 1, 0, 0] })
    expect(await rows('SELECT id, name, external_ref FROM price_book')).toEqual([
      { id: A, name: 'Two', external_ref: 's' },
    ])
  })

  it('history.entry-for-every-write: an import leaves an entry of the subject `import` for each record, an update with the record before', async () => {
    await runImport(services, [book({ name: 'One', external_ref: 'b' }), price({ sku: 'S' })])
    await runImport(services, [price({ sku: 'S', currencies: { USD: { amount: 6 } } })])
    const amount = (state: string) => `${state} -> 'currencies' -> 'USD' -> 'amount' AS ${state}`
    const entries = `SELECT topic, operation, subject, role, ${amount('before')}, ${amount('after')} FROM change ORDER BY id`
    const by = { operation: 'import', subject: 'import', role: 'admin' }
    expect(await rows(entries)).toEqual([
      { topic: 'price_book', ...by, before: null, after: null },
      { topic: 'product_price', ...by, before: null, after: 5 },
      { topic: 'product_price', ...by, before: 5, after: 6 },
    ])
  })

  it('import.first-given-key-decides: an unknown id of an imported object is a new record, which may conflict, whatever its external_ref', async () => {
    await runImport(services, [book({ name: 'One', external_ref: 'r' }, { id: A })])
    const { counts, refused } = await runImport(services, [book({ name: 'Other', external_ref: 'r' }, { id: B })])
    expect(counts).toEqual({ pricebook: [0, 0, 0, 1] })
    expect(refused).toEqual([
      '1: data.attributes.external_ref: A price book with the external_ref already exists (EXTERNAL_REF_TAKEN)',
    ])
  })

  it('import.first-given-key-decides: the external_ref of an imported object precedes the natural key', async () => {
    await runImport(services, [book({ name: 'One', external_ref: 'r' }), book({ name: 'Two' })])
    const { counts, refused } = await runImport(services, [
      book({ name: 'Two', external_ref: 'r' }),
      book({ name: 'Two', external_ref: 'q' }),
    ])
    expect(counts).toEqual({ pricebook: [0, 0, 0, 2] })
    expect(refused).toEqual([
      '1: data.attributes.name: A price book with the name already exists (NAME_TAKEN)',
      '2: data.attributes.name: A price book with the name already exists (NAME_TAKEN)',
    ])
  })

  it('import.first-given-key-decides: an import finds books and modifiers by name, products and prices by SKU', async () => {
    const modifier = (book: string, amount: number) => ({
      type: 'price-modifier',
      pricebook_external_ref: book,
      attributes: { name: 'large', modifier_type: 'price_increment', currencies: { USD: { amount } } },
    })
    const both = [book({ name: 'One', external_ref: 'b' }), book({ name: 'Two', external_ref: 'c' })]
    await runImport(services, [...both, product({ sku: 'S' }), price({ sku: 'S' }), modifier('b', 1)])
    const { counts } = await runImport(services, [
      book({ name: 'One', description: 'changed' }),
      product({ sku: 'S', description: 'changed' }),
      price({ sku: 'S', currencies: { USD: { amount: 6 } } }),
      price({ sku: 'S' }, { pricebook_external_ref: 'c' }),
      modifier('b', 2),
      modifier('c', 2),
    ])
    expect(counts).toEqual({
      pricebook: [0, 1, 0, 0],
      product: [0, 1, 0, 0],
      'product-price': [1, 1, 0, 0],
      'price-modifier': [1, 1, 0, 0],
    })
  })

  it('import.first-given-key-decides: an import finds the external_ref of a price in its book only (price-book.external-ref-once-per-book)', async () => {
    await runImport(services, [book({ name: 'One', external_ref: 'b' }), book({ name: 'Two', external_ref: 'c' })])
    const { counts } = await runImport(services, [
      price({ sku: 'S', external_ref: 'r' }),
      price({ sku: 'T', external_ref: 'r' }, { pricebook_external_ref: 'c' }),
      price({ sku: 'U', external_ref: 'r' }),
    ])
    expect(counts).toEqual({ 'product-price': [2, 1, 0, 0] })
    expect(await rows('SELECT sku FROM product_price ORDER BY sku')).toEqual([{ sku: 'T' }, { sku: 'U' }])
  })

  it('import.first-given-key-decides: an import creates an object without a key at each import', async () => {
    await runImport(services, [plan({})])
    expect((await runImport(services, [plan({})])).counts).toEqual({ subscription_plan: [1, 0, 0, 0] })
    expect(await rows('SELECT count(*)::int AS count FROM plan')).toEqual([{ count: 2 }])
  })

  it('import.first-given-key-decides: an import refuses an object whose key matches several records', async () => {
    await runImport(services, [plan({ external_ref: 'p' }, { id: A }), plan({ external_ref: 'p' }, { id: B })])
    const { counts, refused } = await runImport(services, [plan({ external_ref: 'p', name: 'Which?' })])
    expect(counts).toEqual({ subscription_plan: [0, 0, 0, 1] })
    expect(refused).toEqual(['1: data.attributes.external_ref: means more than one stored record (INVALID_VALUE)'])
  })

  it('an import refuses __proto__ as a key of any map', async () => {
    const own = (value: unknown) => JSON.parse(`{"__proto__":${JSON.stringify(value)}}`)
    const { refused } = await runImport(services, [
      book({ name: 'One', external_ref: 'b' }),
      price({ sku: 'A', currencies: { USD: { amount: 5, tiers: own({ minimum_quantity: 2 }) } } }),
      price({ sku: 'A', sales: own({}), shopper_attributes: own('x') }),
      product({ extensions: own({ a: 1 }) }),
    ])
    expect(refused).toEqual([
      '2: data.attributes.currencies.USD.tiers.__proto__: its key must not be __proto__ (INVALID_VALUE)',
      '3: data.attributes.sales.__proto__: its key must not be __proto__ (INVALID_VALUE)',
      '3: data.attributes.shopper_attributes.__proto__: its key must not be __proto__ (INVALID_VALUE)',
      '4: data.attributes.extensions.__proto__: its key must not be __proto__ (INVALID_VALUE)',
    ])
  })

  it('import.absent-fields-stay: an import keeps absent attributes and clears null ones', async () => {
    await runImport(services, [
      plan({ external_ref: 'p', description: 'kept' }),
      product({ sku: 'S', description: 'gone', tags: ['a'] }),
    ])
    await runImport(services, [
      { type: 'subscription_plan', attributes: { external_ref: 'p', name: 'Renamed' } },
      { type: 'product', attributes: { sku: 'S', description: null } },
    ])
    expect(await rows('SELECT name, description FROM plan')).toEqual([{ name: 'Renamed', description: 'kept' }])
    expect(await rows('SELECT name, description, tags FROM product')).toEqual([
      { name: 'Thing', description: null, tags: ['a'] },
    ])
  })

  it('patch.objects-merge, import.absent-fields-stay: an import keeps the build rules that an object does not name', async () => {
    const variations = [{ id: B, name: 'Size', options: [{ id: A, name: 'S' }] }]
    await runImport(services, [product({ sku: 'S', variations, build_rules: { default: 'exclude', include: [[A]] } })])
    await runImport(services, [{ type: 'product', attributes: { sku: 'S', build_rules: { exclude: [[A]] } } }])
    const merged = { default: 'exclude', include: [[A]], exclude: [[A]] }
    expect(await rows('SELECT build_rules FROM product')).toEqual([{ build_rules: merged }])
  })

  it('import.repeat-changes-nothing: an import writes nothing for an object that equals the stored record', async () => {
    const all = [
      book({ name: 'One', external_ref: 'b' }),
      price({ sku: 'S', sales: { one: {} } }),
      product({ sku: 'S' }),
      plan({ external_ref: 'p' }),
    ]
    await runImport(services, all)
    const stamps = () =>
      rows(
        'SELECT b.version, p.version AS pv, q.version AS qv, l.version AS lv, p.updated_at FROM price_book b, product_price p, product q, plan l',
      )
    const before = await stamps()
    expect((await runImport(services, all)).counts).toEqual({
      pricebook: [0, 0, 1, 0],
      'product-price': [0, 0, 1, 0],
      product: [0, 0, 1, 0],
      subscription_plan: [0, 0, 1, 0],
    })
    expect(await stamps()).toEqual(before)
  })

  it('import.batches-equal-single-objects: an import imports prices that share keys in one stream as it would one by one', async () => {
    const { counts, refused } = await runImport(services, [
      book({ name: 'One', external_ref: 'b' }),
      price({ sku: 'S', external_ref: 'r' }),
      price({ sku: 'S', currencies: { USD: { amount: 6 } } }),
      price({ sku: 'T', external_ref: 'r' }),
      price({ sku: 'S' }, { id: A }),
      price({ sku: 'T' }, { id: B }),
      price({ sku: 'U', external_ref: 'u' }),
    ])
    expect(counts).toEqual({ pricebook: [1, 0, 0, 0], 'product-price': [3, 2, 0, 1] })
    expect(refused).toEqual(['6: data.attributes.sku: The price already exists (PRICE_EXISTS)'])
    expect(await rows('SELECT sku, external_ref FROM product_price ORDER BY sku')).toEqual([
      { sku: 'S', external_ref: null },
      { sku: 'T', external_ref: 'r' },
      { sku: 'U', external_ref: 'u' },
    ])
  })

  it('input.fields-by-type: an import requires a book for prices and modifiers, and refuses unknown ones', async () => {
    const { refused } = await runImport(services, [
      price({ sku: 'S' }, { pricebook_external_ref: undefined }),
      price({ sku: 'S' }),
      price({ sku: 'S' }, { pricebook_external_ref: undefined, pricebook_id: A }),
      price({ sku: 'S' }, { pricebook_external_ref: undefined, pricebook_id: 'x' }),
    ])
    expect(refused).toEqual([
      '1: data.pricebook_id: must be given (REQUIRED)',
      '2: data.pricebook_external_ref: no such price book (NOT_FOUND)',
      '3: data.pricebook_id: no such price book (NOT_FOUND)',
      '4: data.pricebook_id: must be a UUID (INVALID_FORMAT)',
    ])
  })
})

describe('input.fields-by-type: catalogs by import', () => {
  const shop = [
    book({ name: 'Book', external_ref: 'b' }),
    product({ sku: 'S', external_ref: 's', status: 'live' }),
    price({ sku: 'S' }),
    { type: 'hierarchy', attributes: { name: 'Root', external_ref: 'h' } },
    {
      type: 'node',
      attributes: { name: 'Node', curated_products: [{ type: 'product', external_ref: 's' }] },
      relationships: {
        parent: { data: { type: 'hierarchy', external_ref: 'h' } },
        products: { data: [{ type: 'product', external_ref: 's' }] },
      },
    },
    {
      type: 'catalog',
      attributes: {
        name: 'Shop',
        external_ref: 'c',
        hierarchy_ids: [{ type: 'hierarchy', external_ref: 'h' }],
        pricebook_ids: [{ external_ref: 'b', priority: 1 }],
      },
    },
    {
      type: 'catalog_rule',
      attributes: { name: 'Rule', external_ref: 'r', catalog_id: { type: 'catalog', external_ref: 'c' } },
    },
    { type: 'catalog-release', attributes: { catalog_id: { type: 'catalog', external_ref: 'c' } } },
  ]

  it('import.first-given-key-decides: an imported node is found by its name among siblings, and each run publishes', async () => {
    expect((await runImport(services, shop)).refused).toEqual([])
    const { counts } = await runImport(services, shop)
    expect(counts).toEqual({
      pricebook: [0, 0, 1, 0],
      product: [0, 0, 1, 0],
      'product-price': [0, 0, 1, 0],
      hierarchy: [0, 0, 1, 0],
      node: [0, 0, 1, 0],
      catalog: [0, 0, 1, 0],
      catalog_rule: [0, 0, 1, 0],
      'catalog-release': [1, 0, 0, 0],
    })
    expect(await rows('SELECT status, product_count, node_count FROM release ORDER BY sequence')).toEqual([
      { status: 'published', product_count: 1, node_count: 2 },
      { status: 'published', product_count: 1, node_count: 2 },
    ])
  })

  it('record.references-by-id-or-ref: an import of catalogs reports unknown references at their paths, and continues', async () => {
    const { fine, counts, refused } = await runImport(services, [
      ...shop.slice(3),
      { type: 'catalog-release', attributes: { catalog_id: A } },
      { type: 'catalog-release', attributes: {} },
    ])
    expect([fine, counts]).toEqual([
      false,
      {
        hierarchy: [1, 0, 0, 0],
        node: [0, 0, 0, 1],
        catalog: [0, 0, 0, 1],
        catalog_rule: [0, 0, 0, 1],
        'catalog-release': [0, 0, 0, 3],
      },
    ])
    expect(refused).toEqual([
      '2: data.attributes.curated_products.0: no such product (NOT_FOUND)',
      '3: data.attributes.pricebook_ids.0: no such price book (NOT_FOUND)',
      '4: data.attributes.catalog_id: no such catalog (NOT_FOUND)',
      '5: data.attributes.catalog_id: no such catalog (NOT_FOUND)',
      '6: data.attributes.catalog_id: no such catalog (NOT_FOUND)',
      '7: data.attributes.catalog_id: must be given (REQUIRED)',
    ])
  })
})

describe('import.bad-objects-named-by-line: bad objects', () => {
  const text = [
    '{"data":{"type":"pricebook","attributes":{"name":"One"}}}',
    '{"data":5}',
    '{}',
    '{"data":{"type":"pricebooks"}}',
    'x',
    '{"data":{"type":"pricebook","attributes":{"name":"Two"}}}',
  ]

  it('import.bad-objects-named-by-line: bad objects of an import are reported with their line, and passed over with skip', async () => {
    const { fine, counts, refused } = await runImport(services, text.join('\n'))
    expect([fine, counts]).toEqual([false, { pricebook: [2, 0, 0, 0], '(unreadable)': [0, 0, 0, 4] }])
    expect(refused).toEqual([
      '2: data: must be an object (INVALID_TYPE)',
      '3: data: must be given (REQUIRED)',
      expect.stringMatching(/^4: data\.type: must be one of pricebook, .*catalog-release \(INVALID_VALUE\)$/),
      '5: is not a JSON object',
    ])
  })

  it('import.exit-code-and-counts: a bad object ends an import with stop; no later object is written, even of the same batch', async () => {
    const one = (name: string) => ({ data: book({ name, external_ref: name }) })
    const all = [
      one('b'),
      { data: price({ sku: 'S' }) },
      { data: price({ sku: '' }) },
      { data: price({ sku: 'T' }) },
      one('c'),
    ]
    const { fine, counts, refused } = await runImport(
      services,
      all.map((object) => JSON.stringify(object, null, 1)).join('\n'),
      'stop',
    )
    expect([fine, counts]).toEqual([false, { pricebook: [1, 0, 0, 0], 'product-price': [1, 0, 0, 1] }])
    expect(refused).toEqual([
      expect.stringMatching(/^2[0-9]: data\.attributes\.sku: must be 1 to 1024 characters \(TOO_SHORT\)$/),
    ])
    expect(await rows('SELECT sku FROM product_price')).toEqual([{ sku: 'S' }])
  })

  it('bad objects do not affect the valid objects of their batch, whatever their position', async () => {
    const names = Array.from({ length: 60 }, (_, index) => (index % 7 === 3 ? '' : `Book ${index}`))
    const { counts, refused } = await runImport(
      services,
      names.map((name) => book({ name })),
    )
    expect(counts).toEqual({ pricebook: [51, 0, 0, 9] })
    expect(refused.map((line) => Number.parseInt(line, 10))).toEqual([4, 11, 18, 25, 32, 39, 46, 53, 60])
  })
})
