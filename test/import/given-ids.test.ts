/**
 * Given ids: the id of an object is kept, whatever its type, and identifies the record when the object is imported
 * again (record.given-id-is-kept).
 */
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteRelease } from '../../src/operations/catalog/release.ts'
import { cleanUpReleases } from '../../src/operations/catalog/release-clean-up.ts'
import { RETIRED_RETENTION_MS } from '../../src/persistence/catalog/publish/retention.ts'
import { reset, useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { contextOf } from '../support/price-books.ts'
import { idOf } from '../support/products.ts'
import { servicesOf } from '../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)

beforeEach(() => reset(database))

const rows = async (sql: string): Promise<Record<string, unknown>[]> => (await database.pool.query(sql)).rows
const prices = { USD: { amount: 1 } }
const flags = { can_pause: true, can_resume: true, can_cancel: true, end_behavior: 'roll' }
const terms = { billing_interval_type: 'month', billing_frequency: 1, trial_period: 0, plan_length: 12, ...flags }

/** One object of every type, with its table. */
const objects: readonly (readonly [
  table: string,
  data: { readonly type: string; readonly id: string; readonly [member: string]: unknown },
])[] = [
  ['price_book', { type: 'pricebook', id: idOf(1), attributes: { name: 'Book' } }],
  [
    'product_price',
    { type: 'product-price', id: idOf(2), pricebook_id: idOf(1), attributes: { sku: 'S', currencies: prices } },
  ],
  [
    'price_modifier',
    {
      type: 'price-modifier',
      id: idOf(3),
      pricebook_id: idOf(1),
      attributes: { name: 'm', modifier_type: 'price_equals', currencies: prices },
    },
  ],
  ['subscription_product', { type: 'subscription_product', id: idOf(4), attributes: { name: 'Box' } }],
  ['plan', { type: 'subscription_plan', id: idOf(5), attributes: { name: 'Plan', ...terms } }],
  [
    'offering',
    {
      type: 'subscription_offering',
      id: idOf(6),
      attributes: { name: 'Offering' },
      relationships: { products: { data: [idOf(4)] }, plans: { data: [idOf(5)] } },
    },
  ],
  [
    'subscription',
    {
      type: 'subscription',
      id: idOf(14),
      attributes: {
        ...{ account_id: idOf(15), offering_id: idOf(6), plan_id: idOf(5), currency: 'USD' },
        ...{ name: 'Ada', email: 'ada@example.com' },
        items: [{ product_id: idOf(4), unit_amount: 100, includes_tax: true }],
      },
    },
  ],
  ['product', { type: 'product', id: idOf(7), attributes: { name: 'Mug', sku: 'S', status: 'live' } }],
  ['catalog_node', { type: 'hierarchy', id: idOf(8), attributes: { name: 'Root' } }],
  [
    'catalog_node',
    {
      type: 'node',
      id: idOf(9),
      attributes: { name: 'Node' },
      relationships: { parent: { data: idOf(8) }, products: { data: [idOf(7)] } },
    },
  ],
  [
    'catalog',
    {
      type: 'catalog',
      id: idOf(10),
      attributes: { name: 'Shop', hierarchy_ids: [idOf(8)], pricebook_ids: [{ id: idOf(1), priority: 1 }] },
    },
  ],
  ['catalog_rule', { type: 'catalog_rule', id: idOf(11), attributes: { name: 'Rule', catalog_id: idOf(10) } }],
  [
    'label',
    { type: 'label', id: idOf(16), attributes: { kind: 'tag', key: 'mug', locales: { de: { name: 'Becher' } } } },
  ],
  ['release', { type: 'catalog-release', id: idOf(12), attributes: { catalog_id: idOf(10) } }],
]
const all = objects.map(([, data]) => data)
const release = (id: unknown, catalog_id = idOf(10)) => ({ type: 'catalog-release', id, attributes: { catalog_id } })

describe('the id of an import object', () => {
  it('the id of an import object is kept for every type; importing the same objects again changes and publishes nothing', async () => {
    expect((await runImport(services, all)).refused).toEqual([])
    for (const [table, { id }] of objects)
      expect(await rows(`SELECT id FROM ${table} WHERE id = '${id}'`)).toEqual([{ id }])
    const { fine, counts } = await runImport(services, all)
    expect([fine, Object.values(counts)]).toEqual([true, all.map(() => [0, 0, 1, 0])])
    expect(await rows('SELECT id, sequence, status, product_count FROM release')).toEqual([
      { id: idOf(12), sequence: 1, status: 'published', product_count: 1 },
    ])
  })

  it('the id of an imported release is kept in either letter case, and later changes need a release with another id', async () => {
    await runImport(services, all)
    const renamed = { type: 'product', id: idOf(7), attributes: { name: 'Cup' } }
    const { counts } = await runImport(services, [
      renamed,
      release(idOf(12).toUpperCase()),
      release(idOf(0xab).toUpperCase()),
    ])
    expect(counts).toEqual({ product: [0, 1, 0, 0], 'catalog-release': [1, 0, 1, 0] })
    expect(await rows('SELECT id, sequence FROM release ORDER BY sequence')).toEqual([
      { id: idOf(12), sequence: 1 },
      { id: idOf(0xab), sequence: 2 },
    ])
    expect(await rows("SELECT latest_release(id, 'infinity') AS id FROM catalog")).toEqual([{ id: idOf(0xab) }])
  })

  it('the id of a node is refused when a hierarchy has it, its own too, and that of a hierarchy when a node has it', async () => {
    const hierarchy = (id: number) => ({ type: 'hierarchy', id: idOf(id), attributes: { name: `Root ${id}` } })
    const node = (id: number, parent: number) => ({
      ...{ type: 'node', id: idOf(id), attributes: { name: `Node ${id}` } },
      relationships: { parent: { data: idOf(parent) } },
    })
    const taken = 'data.id: A record with the id already exists (ID_TAKEN)'
    const { counts, refused } = await runImport(services, [
      ...[hierarchy(1), hierarchy(2), node(3, 1)],
      ...[node(1, 1), node(1, 3), node(2, 1), hierarchy(3), node(4, 1)],
    ])
    expect(refused).toEqual([4, 5, 6, 7].map((line) => `${line}: ${taken}`))
    expect(counts).toEqual({ hierarchy: [2, 0, 0, 1], node: [2, 0, 0, 3] })
  })

  it('the id of a release is refused when a release of another catalog has it, or when it is malformed', async () => {
    const other = { type: 'catalog', id: idOf(13), attributes: { name: 'Other', hierarchy_ids: [], pricebook_ids: [] } }
    await runImport(services, [...all, other])
    const { counts, refused } = await runImport(services, [release(idOf(12), idOf(13)), release('x'), release(5)])
    expect(counts).toEqual({ 'catalog-release': [0, 0, 0, 3] })
    expect(refused).toEqual([
      '1: data.id: A record with the id already exists (ID_TAKEN)',
      '2: data.id: must be a UUID (INVALID_FORMAT)',
      '3: data.id: must be a string (INVALID_TYPE)',
    ])
  })

  const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['was deleted', () => deleteRelease(contextOf(services, Date.now()), { releaseId: idOf(12) })],
    [
      'is past RELEASES_KEPT',
      async () => {
        const { config } = services
        await runImport({ ...services, config: { ...config, releasesKept: 1 } }, [release(undefined)])
      },
    ],
  ]
  it.each(ways)(
    'the id of an imported release publishes nothing when its release %s, neither at once nor after its rows are removed',
    async (_, go) => {
      const other = {
        type: 'catalog',
        id: idOf(13),
        attributes: { name: 'Other', hierarchy_ids: [], pricebook_ids: [] },
      }
      await runImport(services, [...all, other])
      await go()
      const again = async () => {
        const { counts, refused } = await runImport(services, [release(idOf(12)), release(idOf(12), idOf(13))])
        return [counts['catalog-release'], refused]
      }
      const untouched = [[0, 0, 1, 1], ['2: data.id: A record with the id already exists (ID_TAKEN)']]
      expect(await rows(`SELECT status FROM release WHERE id = '${idOf(12)}'`)).toEqual([{ status: 'retired' }])
      const releases = await rows('SELECT id FROM release ORDER BY sequence')
      expect(await again()).toEqual(untouched)
      expect(await rows('SELECT id FROM release ORDER BY sequence')).toEqual(releases)
      await cleanUpReleases(database, Date.now() + RETIRED_RETENTION_MS)
      expect(await again()).toEqual(untouched)
      expect(await rows(`SELECT id FROM release WHERE id = '${idOf(12)}'`)).toEqual([])
    },
  )

  it('the id of an imported release is published again when its publish has failed', async () => {
    await runImport(services, all)
    await database.pool.query(
      `UPDATE release SET status = 'failed', published_at = NULL; DELETE FROM published_release`,
    )
    expect((await runImport(services, [release(idOf(12))])).counts).toEqual({ 'catalog-release': [1, 0, 0, 0] })
    expect(await rows('SELECT id, status, sequence FROM release')).toEqual([
      { id: idOf(12), status: 'published', sequence: 2 },
    ])
  })

  it('the id of an imported release is published once by two simultaneous imports', async () => {
    await runImport(services, all.slice(0, -1))
    const results = await Promise.all([1, 2, 3].map(() => runImport(services, [release(idOf(12))])))
    expect(results.map(({ counts }) => String(counts['catalog-release'])).sort()).toEqual([
      '0,0,1,0',
      '0,0,1,0',
      '1,0,0,0',
    ])
    expect(await rows('SELECT id, status FROM release')).toEqual([{ id: idOf(12), status: 'published' }])
  })
})
