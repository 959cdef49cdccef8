import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { idOf } from '../../support/products.ts'
import { publish, publishStore } from '../../support/published.ts'
import { useServer } from '../../support/server.ts'
import { attach, insertPrices, insertProducts, linkCatalog } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database)
const store = fullStore()

beforeAll(async () => {
  await publishStore(server, store)
})

/** Every listing and node of a release as a shopper reads them, but for the release's own instant. */
async function whole(releaseId: string): Promise<unknown[]> {
  const nodes = [ids.machines, ids.espresso, ids.clothes, ids.sale, ids.beans].join(',')
  const answers = []
  for (const hierarchy of [ids.hierarchy, ids.otherHierarchy]) {
    for (const query of ['page[limit]=100', `filter=in(id,${nodes})`]) {
      const path = `/pcm/catalogs/${ids.catalog}/releases/${releaseId}/hierarchies/${hierarchy}/products?${query}`
      const { status, body } = await server.rest('GET', path, { headers: { 'accept-language': 'de' } })
      answers.push({ status, data: body.data })
    }
  }
  return JSON.parse(JSON.stringify(answers).replace(/"published_at":"[^"]*"/g, '"published_at":""'))
}

const sql = (text: string, ...values: unknown[]) => database.pool.query(text, values)

/** Each is seen in the next release, and in none before. */
const edits: [string, () => Promise<unknown>][] = [
  ['the name of a product', () => sql('UPDATE product SET name = $2 WHERE id = $1', ids.machine, 'Machine')],
  [
    'the texts in other languages',
    () => sql(`UPDATE product SET locales = '{"de": {"name": "Kaffeebohnen"}}' WHERE id = $1`, ids.beans),
  ],
  ['the tags of a product', () => sql(`UPDATE product SET tags = '{new}' WHERE id = $1`, ids.beans)],
  ['a product that becomes a draft', () => sql(`UPDATE product SET status = 'draft' WHERE id = $1`, ids.redSmall)],
  ['an option that becomes a draft', () => sql(`UPDATE product SET status = 'draft' WHERE id = $1`, ids.cup)],
  ['and live again', () => sql(`UPDATE product SET status = 'live' WHERE id = ANY ($1)`, [ids.cup, ids.redSmall])],
  [
    'the update of a product, by which it is listed',
    () => sql(`UPDATE product SET updated_at = now() WHERE id = $1`, ids.gift),
  ],
  [
    'a new child',
    () =>
      insertProducts(database, [{ ...(store.products[3] as object), id: idOf(0x1a1), name: 'Shirt red XL' } as never]),
  ],
  [
    'the options of a child',
    () => sql('UPDATE product SET option_ids = $2 WHERE id = $1', ids.redLarge, [ids.large, ids.red]),
  ],
  [
    'the modifiers of an option',
    () =>
      sql(
        `UPDATE product SET variations = jsonb_set(variations, '{0,options,1,price_modifiers}', '["fixed"]') WHERE id = $1`,
        ids.shirt,
      ),
  ],
  [
    'the components of a bundle',
    () => sql(`UPDATE product SET components = jsonb_set(components, '{cup,max}', '3') WHERE id = $1`, ids.breakfast),
  ],
  [
    'a list price',
    () =>
      sql(`UPDATE product_price SET currencies = '{"USD": {"amount": 700, "includes_tax": false}}' WHERE sku = 'CUP'`),
  ],
  [
    'a price in a higher book',
    () =>
      insertPrices(database, [
        {
          id: idOf(0x4a1),
          price_book_id: ids.premium,
          sku: 'BEANS',
          currencies: { USD: { amount: 999, includes_tax: false } },
          sales: [],
        },
      ]),
  ],
  [
    'a price that is gone, by which a lower book is heard',
    () => sql(`DELETE FROM product_price WHERE id = $1`, idOf(0x402)),
  ],
  [
    'the base’s price',
    () =>
      sql(`UPDATE product_price SET currencies = jsonb_set(currencies, '{USD,amount}', '9000') WHERE sku = 'SHIRT'`),
  ],
  // As operations write it: a sale changes with its product price.
  [
    'a sale',
    async () => {
      await sql(`UPDATE sale SET currencies = '{"USD": {"amount": 1, "includes_tax": false}}' WHERE name = 'always'`)
      await sql(`UPDATE product_price SET updated_at = now() WHERE sku = 'SHIRT'`)
    },
  ],
  ['a price modifier', () => sql(`UPDATE price_modifier SET modifier_type = 'price_increment' WHERE name = 'fixed'`)],
  ['a price modifier that is gone', () => sql(`DELETE FROM price_modifier WHERE name = 'dyed'`)],
  [
    'the priorities of books',
    () =>
      linkCatalog(database, {
        ...catalog(),
        books: [
          { id: ids.premium, priority: 1 },
          { id: ids.book, priority: 2 },
        ],
      }),
  ],
  [
    'a book that is gone',
    async () => {
      await linkCatalog(database, { ...catalog(), books: [{ id: ids.book, priority: 1 }] })
      await sql('DELETE FROM price_book WHERE id = $1', ids.premium)
    },
  ],
  ['the name of a node', () => sql('UPDATE catalog_node SET name = $2 WHERE id = $1', ids.machines, 'Devices')],
  [
    'the update of a node, by which it is listed',
    () => sql('UPDATE catalog_node SET updated_at = now() WHERE id = $1', ids.machines),
  ],
  [
    'a node that moves, and with it the breadcrumbs',
    () => sql('UPDATE catalog_node SET parent_id = $2 WHERE id = $1', ids.espresso, ids.clothes),
  ],
  ['curated products', () => sql(`UPDATE catalog_node SET curated_product_ids = '{}' WHERE id = $1`, ids.espresso)],
  ['an attachment', () => attach(database, [{ node_id: ids.clothes, product_id: ids.beans }])],
  ['an attachment that is gone', () => sql('DELETE FROM node_product WHERE product_id = $1', ids.manual)],
  ['a product that is deleted', () => sql('DELETE FROM product WHERE id = $1', ids.gift)],
  [
    'a hierarchy that leaves the catalog',
    () =>
      linkCatalog(database, { ...catalog(), hierarchy_ids: [ids.hierarchy], books: [{ id: ids.book, priority: 1 }] }),
  ],
]

function catalog() {
  const [first] = store.catalogs
  if (!first) throw new Error('no catalog')
  return first
}

describe('release.is-a-snapshot, release.freezes-all-that-prices: an edit shows in the next release and in no earlier one', () => {
  it.each(edits)('an edit shows in the next release and in no earlier one: %s', async (_, edit) => {
    const { id } = await publish(server, ids.catalog)
    const old = await whole(id)
    await edit()
    expect(await whole(id)).toEqual(old)
    expect(await whole('latest')).toEqual(old)
    await publish(server, ids.catalog)
    expect(await whole('latest')).not.toEqual(old)
    expect(await whole(id)).toEqual(old)
  })

  it('a publish without an edit makes no document and lists the same', async () => {
    const count = async () => (await sql('SELECT count(*) FROM release_document')).rows[0]
    await publish(server, ids.catalog)
    const [documents, listing] = [await count(), await whole('latest')]
    await publish(server, ids.catalog)
    expect([await count(), await whole('latest')]).toEqual([documents, listing])
  })

  it('an edit of one product makes documents only of the products that contain it', async () => {
    const made = async () => Number((await sql('SELECT max(id) FROM release_document')).rows[0].max)
    const first = await made()
    await sql('UPDATE product SET description = $2 WHERE id = $1', ids.machine, 'Another')
    await publish(server, ids.catalog)
    const { rows } = await sql('SELECT product_id FROM release_document WHERE id > $1 ORDER BY product_id', first)
    expect(rows.map(({ product_id }) => product_id)).toEqual([ids.machine, ids.starter])
  })
})
