/** export.import-restores-it: an export, imported into an empty database, gives the same export. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { exportText } from '../../src/export/export.ts'
import { ImportProgress } from '../../src/import/import-progress.ts'
import { catalogToImport, categoryProducts, placesToImport, readCategoryTree } from '../support/category-tree.ts'
import { reset, useDatabase } from '../support/database.ts'
import { times } from '../support/effort.ts'
import { fullStore } from '../support/full-store.ts'
import { runImport } from '../support/import.ts'
import { idOf } from '../support/products.ts'
import { randomFrom, randomStore } from '../support/random-store.ts'
import { servicesOf } from '../support/services.ts'
import { insertProducts, insertStore } from '../support/store.ts'

const samples = process.env.SAMPLE_DATA_DIR
const database = useDatabase()
const services = servicesOf(database)

beforeEach(() => reset(database))

async function exported(): Promise<string> {
  const pieces: string[] = []
  for await (const piece of exportText(database)) pieces.push(piece)
  return pieces.join('')
}

/** Imports an export into the emptied database and exports again; every object must be taken as new. */
async function expectRestored(text: string): Promise<void> {
  await reset(database)
  const { counts, refused } = await runImport(services, text)
  expect(refused).toEqual([])
  expect(Object.values(counts).every(([, updated, unchanged]) => updated === 0 && unchanged === 0)).toBe(true)
  expect(await exported()).toBe(text)
}

const typesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/^\{"data":\{"type":"([^"]*)"/gm)].map(([, type]) => type ?? '')),
]
const idsIn = (text: string): string[] =>
  [...text.matchAll(/^\{"data":\{"type":"[^"]*","id":"([^"]*)"/gm)].map(([, id]) => id ?? '').sort()

describe('an export', () => {
  it('export.import-restores-it: an export of the demo store is restored to the same bytes, from an order in which parents come first', async () => {
    const demo = readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8')
    await runImport(services, demo)
    const text = await exported()
    expect(typesIn(text)).toEqual([
      ...[
        'pricebook',
        'price-modifier',
        'product-price',
        'subscription_product',
        'subscription_plan',
        'subscription_offering',
      ],
      ...['product', 'hierarchy', 'node', 'catalog', 'catalog_rule', 'catalog-release'],
    ])
    const published = (line: string) => line.includes('"type":"catalog-release"')
    expect(text.trimEnd().split('\n').filter(published)).toHaveLength(2)
    expect(idsIn(text).filter((id) => id.startsWith('c0ffee00'))).toEqual(idsIn(demo))
    await expectRestored(text)
    // Where it came from it changes nothing, and publishes nothing again.
    const { counts } = await runImport(services, text)
    expect(Object.values(counts).filter(([created, updated, , refused]) => created || updated || refused)).toEqual([])
  })

  it('export.import-restores-it, catalog-rule.most-matches-win: an export has the oldest rule first, which stays the oldest where it is imported', async () => {
    await runImport(services, readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8'))
    const rule = (id: string) => ({
      type: 'catalog_rule',
      id,
      attributes: { name: 'Rule', catalog_id: demoIds.catalog, tags: ['new'] },
    })
    await runImport(services, [rule(idOf(2)), rule(idOf(1))])
    const text = await exported()
    expect([...text.matchAll(/"type":"catalog_rule","id":"([^"]*)"/g)].map(([, id]) => id).slice(-2)).toEqual([
      idOf(2),
      idOf(1),
    ])
    await expectRestored(text)
  })

  it('export.import-restores-it: an export sets the records whole that have changed since, also where they had no value', async () => {
    const book = { type: 'pricebook', id: idOf(1), attributes: { name: 'Book' } }
    const product = { type: 'product', id: idOf(2), attributes: { name: 'Mug' } }
    await runImport(services, [book, product])
    const text = await exported()
    const said = { alt: 'A mug', width: 3, height: 4, locales: { de: { alt: 'Ein Becher' } } }
    const files = { data: [{ type: 'file', id: idOf(3), ...said }] }
    const changed = {
      ...product,
      attributes: { sku: 'S', locales: { de: { name: 'Becher' } }, tags: ['a'] },
      relationships: { files },
    }
    expect((await runImport(services, [{ ...book, attributes: { description: 'New' } }, changed])).refused).toEqual([])
    expect((await runImport(services, text)).counts).toEqual({ pricebook: [0, 1, 0, 0], product: [0, 1, 0, 0] })
    expect(await exported()).toBe(text)
  })

  it('export.import-restores-it: an export sets what is said of a file, and clears what is said of it since', async () => {
    const data = [{ id: idOf(3), alt: 'A mug', width: 3, locales: { de: { alt: 'Ein Becher' } } }, { id: idOf(4) }]
    const product = { type: 'product', id: idOf(2), attributes: { name: 'Mug' }, relationships: { files: { data } } }
    await runImport(services, [product])
    const text = await exported()
    const [{ id, ...said }] = data as [{ id: string }]
    const since = [
      { id, alt: 'Other', width: 4, height: 4, locales: null },
      { id: idOf(4), ...said, height: 9 },
    ]
    expect((await runImport(services, [{ ...product, relationships: { files: { data: since } } }])).refused).toEqual([])
    expect(await exported()).not.toBe(text)
    await runImport(services, text)
    expect(await exported()).toBe(text)
  })

  it('export.import-restores-it: an export sets the texts for search engines and slugs in languages of products, hierarchies and nodes', async () => {
    const seo = {
      seo_title: 'T',
      seo_description: 'D',
      locales: { de: { slug: 'ort', seo_title: 'Titel', seo_description: 'B' } },
    }
    const parent = { data: { type: 'hierarchy', id: idOf(1) } }
    const objects = (attributes: object) => [
      { type: 'hierarchy', id: idOf(1), attributes: { name: 'H', ...attributes } },
      { type: 'node', id: idOf(2), attributes: { name: 'N', ...attributes }, relationships: { parent } },
      { type: 'product', id: idOf(3), attributes: { name: 'P', ...attributes } },
    ]
    expect((await runImport(services, objects(seo))).refused).toEqual([])
    const text = await exported()
    expect(text.match(/"seo_title":"T","seo_description":"D"/g)).toHaveLength(3)
    expect(text.match(/"slug":"ort","seo_title":"Titel"/g)).toHaveLength(3)
    await runImport(services, objects({ seo_title: null, seo_description: 'E', locales: { de: { seo_title: 'X' } } }))
    expect(await exported()).not.toBe(text)
    await runImport(services, text)
    expect(await exported()).toBe(text)
  })

  it('export.import-restores-it, label.one-per-name: an export has labels, which an import finds by id, or by kind and name', async () => {
    const label = (kind: string, key: string, locales: object | null, id?: string) => ({
      type: 'label',
      ...(id !== undefined && { id }),
      attributes: { kind, key, locales },
    })
    const locales = { de: { name: 'Schwarzer Freitag' }, fr: { name: 'Vendredi noir' } }
    const objects = [
      label('sale', 'Black Friday', locales, idOf(1)),
      label('tag', 'black friday', locales),
      label('attribute', 'watts', null),
    ]
    expect((await runImport(services, objects)).counts).toEqual({ label: [3, 0, 0, 0] })
    expect((await runImport(services, objects)).counts).toEqual({ label: [0, 0, 3, 0] })
    const text = await exported()
    expect(text.match(/"type":"label"/g)).toHaveLength(3)
    const changed = [label('sale', 'Black Friday', { de: { name: 'Anders' } }), label('tag', 'black friday', null)]
    expect((await runImport(services, changed)).counts).toEqual({ label: [0, 2, 0, 0] })
    expect((await runImport(services, text)).counts).toEqual({ label: [0, 2, 1, 0] })
    expect(await exported()).toBe(text)
    await expectRestored(text)
  })

  it('export.import-restores-it: an export takes away the tiers that prices and modifiers got since', async () => {
    const book = { type: 'pricebook', id: idOf(1), attributes: { name: 'Book' } }
    const price = (currency: object) => [
      {
        type: 'product-price',
        id: idOf(2),
        pricebook_id: idOf(1),
        attributes: { sku: 'S', currencies: { USD: currency } },
      },
      {
        ...{ type: 'price-modifier', id: idOf(3), pricebook_id: idOf(1) },
        attributes: { name: 'M', modifier_type: 'price_increment', currencies: { USD: currency } },
      },
    ]
    await runImport(services, [book, ...price({ amount: 100 })])
    const text = await exported()
    expect((await runImport(services, price({ tiers: { ten: { minimum_quantity: 10, amount: 1 } } }))).refused).toEqual(
      [],
    )
    expect((await runImport(services, text)).counts).toMatchObject({
      'product-price': [0, 1, 0, 0],
      'price-modifier': [0, 1, 0, 0],
    })
    expect(await exported()).toBe(text)
  })

  it('export.import-restores-it: an export of stores with every feature and of random records is restored to the same bytes', async () => {
    for (const store of [fullStore(), ...[1, 2, 3, 4].map((seed) => randomStore(randomFrom(seed)))]) {
      await reset(database)
      await insertStore(database, store)
      // It was written without rules: an import leaves out what they refuse, and gives the rest its defaults.
      const raw = await exported()
      await reset(database)
      await runImport(services, raw)
      await expectRestored(await exported())
    }
  })

  it('an export leaves out curated products that were deleted, which an import would refuse, and does not write the node for them', async () => {
    const hierarchy = { type: 'hierarchy', id: idOf(1), attributes: { name: 'Root' } }
    const products = [idOf(3), idOf(4)].map((id) => ({ type: 'product', id, attributes: { name: id } }))
    const attributes = { name: 'Node', curated_products: [idOf(4), idOf(3)] }
    const relationships = { parent: { data: idOf(1) }, products: { data: [idOf(4), idOf(3)] } }
    await runImport(services, [hierarchy, ...products, { type: 'node', id: idOf(2), attributes, relationships }])
    await database.pool.query('DELETE FROM product WHERE id = $1', [idOf(4)])
    const text = await exported()
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').data.attributes.curated_products).toEqual([idOf(3)])
    expect((await runImport(services, text)).counts.node).toEqual([0, 0, 1, 0])
    await expectRestored(text)
  })

  it('an export of an empty store is empty', async () => {
    expect(await exported()).toBe('')
  })

  it('export.of-one-instant: an export lacks what is written while it runs', async () => {
    const books = Array.from({ length: 700 }, (_, at) => ({
      type: 'pricebook',
      id: idOf(at + 1),
      attributes: { name: `Book ${at}`, description: 'x'.repeat(400) },
    }))
    await runImport(services, books)
    const before = await exported()
    const pieces = exportText(database)
    const first = (await pieces.next()).value
    // The embedded database has one connection, so it does this after the export.
    const write = database.pool.query(
      "UPDATE price_book SET description = 'changed'; DELETE FROM price_book WHERE name = 'Book 699'",
    )
    if (database.kind === 'server') await write
    let text = first as string
    for await (const piece of pieces) text += piece
    await write
    expect([text === before, (await exported()) === before]).toEqual([true, false])
  })

  it('an export lets go of its connection when its reader ends early', async () => {
    await runImport(services, [{ type: 'pricebook', attributes: { name: 'Book' } }])
    for (let at = 0; at < 20; at++) for await (const piece of exportText(database)) if (piece) break
    expect(database.pool.totalCount - database.pool.idleCount).toBe(0)
  })
})

describe.runIf(samples)('the sample files [needs sample data]', () => {
  it('export.import-restores-it: an export of price books and subscription products as teams have them is restored to the same bytes', async () => {
    for (const name of ['price-books.json-stream', 'subscriptions.jsonl']) {
      // Their plans have a status, which plans here do not have.
      const progress = new ImportProgress({ stopAtRefusal: false })
      const text = readFileSync(join(samples ?? '', name), 'utf8')
      expect((await runImport(services, text, 'skip', undefined, progress, true)).refused).toEqual([])
    }
    const text = await exported()
    expect(typesIn(text)).toEqual(['pricebook', 'product-price', 'subscription_product', 'subscription_plan'])
    await expectRestored(text)
  })

  it('export.import-restores-it: an export of a published tree of real categories is restored to the same bytes', async () => {
    const { nodes } = readCategoryTree(join(samples ?? '', 'categories.json.gz'))
    const tree = { nodes: new Map([...nodes].slice(0, times(100))), paths: [] }
    await insertProducts(database, categoryProducts(tree))
    const objects = [...placesToImport(tree.nodes.values()), ...catalogToImport(tree, idOf(0xca))]
    expect((await runImport(services, objects)).refused).toEqual([])
    const text = await exported()
    expect(idsIn(text)).toHaveLength(tree.nodes.size + categoryProducts(tree).length + 2)
    await expectRestored(text)
  })
})
