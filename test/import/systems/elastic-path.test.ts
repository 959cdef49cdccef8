/** Imports of Elastic Path's lists: what the mapping promises is read back by REST and the graph. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../../src/config/project-root.ts'
import { setStoreTimeZone } from '../../../src/domain/input/instant.ts'
import { exportText } from '../../../src/export/export.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { useServer } from '../../support/server.ts'
import { importSystem } from '../../support/systems.ts'

const database = useDatabase()
const server = useServer(database)
const store = join(projectRoot, 'test/import/systems/elastic-path')
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-elastic-path-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => reset(database))

const id = (number: number) => `e1a571c0-0000-4000-8000-${String(number).padStart(12, '0')}`
const [book, members, shirt, red, mug, set] = [id(1), id(2), id(11), id(12), id(14), id(15)]
const [colour, isRed, isBlue] = [id(21), id(22), id(23)]
const [shop, kitchen, mugs, catalog, membersCatalog] = [id(31), id(32), id(33), id(41), id(42)]

const take = (...line: string[]) => importSystem(server.services, '--from', 'elasticpath-pcm', ...line)
const entries = async () => (await database.pool.query('SELECT count(*)::int AS n FROM change')).rows[0].n

/** A copy of the store in which a text of a file is another. */
function changed(file: string, from: string, to: string): string {
  const copy = mkdtempSync(join(folder, 'store-'))
  cpSync(store, copy, { recursive: true })
  const path = join(copy, 'pcm', file)
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
  return copy
}

async function publish(): Promise<void> {
  for (const of of [catalog, membersCatalog]) {
    const { data } = await server.gql(
      `mutation { publishRelease(input: { catalogId: "${of}" }) { release { status } userErrors { message } } }`,
    )
    expect(data.publishRelease.userErrors).toEqual([])
  }
}

async function shown(of: string): Promise<Record<string, Record<string, unknown>>> {
  const { status, body } = await server.rest('GET', `/pcm/catalogs/${of}/releases/latest/hierarchies/${shop}/products`)
  expect(status).toBe(200)
  return Object.fromEntries(body.data.map((one: { attributes: { sku: string } }) => [one.attributes.sku, one]))
}

const created = {
  pricebook: [2, 0, 0, 0],
  'price-modifier': [1, 0, 0, 0],
  product: [5, 0, 0, 0],
  'product-price': [4, 0, 0, 0],
  hierarchy: [1, 0, 0, 0],
  node: [2, 0, 0, 0],
  catalog: [2, 0, 0, 0],
  catalog_rule: [2, 0, 0, 0],
}

describe('import.from-elastic-path: lists of Elastic Path', () => {
  it('import.systems-count-what-is-left: all that corresponds to something is taken, and the rest is counted by kind', async () => {
    expect(await take(store)).toEqual({
      allTaken: true,
      counts: created,
      reported: [],
      ignored: undefined,
      leftOut: {
        'catalog_rule attributes.description': 1,
        'catalog_rule with customer_ids': 1,
        file: 1,
        'product relationships.templates': 1,
        'product-variation-modifier': 1,
      },
    })
  })

  it('import.from-elastic-path: REST shows names, SKUs, prices with tiers and sales, and breadcrumbs as they were there', async () => {
    await take(store)
    await publish()
    const products = await shown(catalog)
    expect(Object.keys(products).sort()).toEqual(['MUG', 'MUG-SET', 'SHIRT', 'SHIRT-BLUE', 'SHIRT-RED'])
    expect(products.MUG).toMatchObject({
      id: mug,
      attributes: {
        name: 'Mug',
        slug: 'mug',
        status: 'live',
        commodity_type: 'physical',
        manufacturer_part_num: '1234-5678-TTTT',
        upc_ean: '12345656',
        tags: ['kitchen', 'gift'],
        extensions: { 'products(size)': { heightMM: 90, dishwasher: true, online: null } },
        custom_inputs: {
          engraving: {
            name: 'Engraving',
            validation_rules: [{ type: 'string', options: { max_length: 50 } }],
            required: false,
          },
        },
        curated_product: true,
        price: { EUR: { amount: 900, includes_tax: true }, USD: { amount: 1200, includes_tax: false } },
      },
      relationships: {
        main_image: { data: { id: id(91) } },
        files: { data: [{ id: id(91), created_at: '2024-01-08T13:36:53.658Z' }] },
      },
      meta: {
        pricebook_id: book,
        original_price: { EUR: { amount: 1000, includes_tax: true } },
        bread_crumbs: { [mugs]: [shop, kitchen] },
      },
    })
    expect(products.SHIRT).toMatchObject({
      id: shirt,
      attributes: {
        external_ref: 'erp-7',
        product_types: ['parent'],
        price: { EUR: { amount: 2500, includes_tax: true } },
        variations: [
          {
            id: colour,
            name: 'Colour',
            sort_order: 1,
            options: [
              { id: isRed, name: 'Red', sort_order: 2, description: 'Red' },
              { id: isBlue, name: 'Blue', sort_order: 1, description: 'Blue' },
            ],
          },
        ],
        variation_matrix: { [isRed]: red, [isBlue]: id(13) },
      },
      meta: { bread_crumbs: { [kitchen]: [shop] } },
    })
    // Of a child without a price of its own the modifier of its option changes the parent's.
    expect(products['SHIRT-RED']).toMatchObject({
      id: red,
      attributes: { product_types: ['child'], base_product_id: shirt, price: { EUR: { amount: 2650 } } },
    })
    expect(products['MUG-SET']).toMatchObject({
      id: set,
      attributes: {
        components: {
          mugs: { name: 'Mugs', min: 1, max: 4, sort_order: 10, options: [{ id: mug, quantity: 4, default: true }] },
        },
      },
    })
    expect((await shown(membersCatalog)).SHIRT).toMatchObject({
      attributes: { price: { EUR: { amount: 2300 } } },
      meta: { pricebook_id: members },
    })
  })

  it('import.from-elastic-path: the list of a price book has tiers, sales and attributes of prices by their ids', async () => {
    await take(store)
    const { body } = await server.rest('GET', `/pcm/pricebooks/${book}/prices?filter=in(sku,MUG,MUG-SET)`)
    expect(body.data).toMatchObject([
      {
        id: id(61),
        attributes: {
          sku: 'MUG',
          external_ref: 'price-mug',
          currencies: {
            EUR: { amount: 1000, includes_tax: true, tiers: { dozen: { minimum_quantity: 12, amount: 850 } } },
            USD: { amount: 1200, includes_tax: false },
          },
          sales: { Winter: { currencies: { EUR: { amount: 900, includes_tax: true } } } },
          admin_attributes: { cost: '4.20' },
          shopper_attributes: { label: 'cosy' },
        },
        meta: { pricebook_id: book },
      },
      {
        id: id(63),
        attributes: {
          sales: {
            Launch: {
              schedule: { valid_from: '2024-03-01T00:00:00.000Z', valid_to: '2024-04-01T00:00:00.000Z' },
              currencies: { EUR: { amount: 3000, includes_tax: true } },
            },
          },
        },
      },
    ])
  })

  it('import.from-elastic-path: rules choose the catalogs that they chose there, and one for customers alone is not taken', async () => {
    await take(store)
    const { data } = await server.gql(
      '{ catalogRules(first: 10, orderBy: { field: NAME }) { nodes { name catalog { name } channels accountIds schedules { validFrom validTo } } } }',
    )
    expect(data.catalogRules.nodes).toEqual([
      {
        name: 'members',
        catalog: { name: 'Members' },
        channels: [],
        accountIds: [globalId('Account', id(81))],
        schedules: [{ validFrom: '2024-01-01T00:00:00.000Z', validTo: null }],
      },
      { name: 'web', catalog: { name: 'Shop' }, channels: ['web'], accountIds: [], schedules: [] },
    ])
  })
})

it('import.from-elastic-path: an instant without an offset is in UTC, whatever the time zone of the store is', async () => {
  const copy = changed('catalogs/rules.json', '"2024-01-01T00:00:00Z"', '"2024-01-01T00:00:00"')
  setStoreTimeZone('Asia/Tokyo')
  try {
    await take(copy)
    const prices = changed(`pricebooks/${book}/prices.json`, '"2024-03-01T00:00:00Z"', '"2024-03-01T00:00:00.000"')
    expect((await take(prices)).counts['product-price']).toEqual([0, 0, 4, 0])
  } finally {
    setStoreTimeZone('UTC')
  }
  const { counts } = await take(store)
  expect(counts.catalog_rule).toEqual([0, 0, 2, 0])
})

describe('the same lists again', () => {
  it('import.repeat-changes-nothing: the second import of another system writes nothing', async () => {
    await take(store)
    const before = await entries()
    const { counts } = await take(store)
    expect(counts).toEqual(
      Object.fromEntries(Object.entries(created).map(([type, [count]]) => [type, [0, 0, count, 0]])),
    )
    expect(await entries()).toBe(before)
  })

  it('import.systems-say-all: what a product and a price lack there by now is cleared, and what only this store knows stays', async () => {
    await take(store)
    await server.gql(`mutation { updateProduct(input: { id: "${mug}", seoTitle: "Mugs" }) { userErrors { message } } }`)
    const winter = /,\s*"sales": \{[\s\S]*?\n {8}\}(?=\s*\n {6}\},\s*"meta")/
    const prices = `pricebooks/${book}/prices.json`
    const [sales = ''] = winter.exec(readFileSync(join(store, 'pcm', prices), 'utf8')) ?? []
    const copy = changed(prices, sales, '')
    for (const file of ['products.2.json', `hierarchies/${shop}/nodes/${mugs}/products.json`]) {
      const path = join(copy, 'pcm', file)
      writeFileSync(path, readFileSync(path, 'utf8').replace('"upc_ean": "12345656",', ''))
    }
    const { counts } = await take(copy)
    expect([counts.product, counts['product-price']]).toEqual([
      [0, 1, 4, 0],
      [0, 1, 3, 0],
    ])
    const { data } = await server.gql(`{ product(id: "${mug}") { upcEan seoTitle manufacturerPartNum } }`)
    expect(data.product).toEqual({ upcEan: null, seoTitle: 'Mugs', manufacturerPartNum: '1234-5678-TTTT' })
  })

  it('import.systems-in-any-order: one stream of pages in the worst order gives the same store', async () => {
    await take(store)
    const exported = async () => {
      let text = ''
      for await (const piece of exportText(database)) text += piece
      return text
    }
    const expected = await exported()
    const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    const pages = files
      .sort()
      .reverse()
      .map((name) => {
        const page = JSON.parse(readFileSync(join(store, name), 'utf8'))
        const self = `/${name.replace(/(\.\d)?\.json$/, '')}`
        return JSON.stringify({ ...page, links: { self, ...page.links } })
      })
    const stream = join(folder, 'stream.jsonl')
    writeFileSync(stream, pages.join('\n'))
    await reset(database)
    expect((await take(stream)).counts).toEqual(created)
    expect(await exported()).toBe(expected)
  })
})

describe('import.systems-name-the-place: what is wrong with lists of Elastic Path', () => {
  it('import.systems-name-the-place: a refused object is named by file, line and place in the list', async () => {
    const copy = changed('products.1.json', '"sku": "SHIRT-BLUE"', '"sku": ""')
    const { allTaken, reported } = await take(copy)
    expect([allTaken, reported]).toEqual([
      false,
      [`${copy}/pcm/products.1.json:1: data.1.attributes.sku: must be 1 to 1024 characters (TOO_SHORT)`],
    ])
  })

  it('import.systems-name-the-place: a file that is cut off is told before anything is written', async () => {
    const copy = changed('hierarchies.json', ']', '')
    const path = join(copy, 'pcm/catalogs.json')
    writeFileSync(path, readFileSync(path, 'utf8').slice(0, 300))
    const { counts, reported } = await take('--on-error', 'stop', copy)
    expect([reported, counts]).toEqual([
      [`${copy}/pcm/catalogs.json:1: the file ends inside an object`],
      { '(unreadable)': [0, 0, 0, 1] },
    ])
  })

  it('import.systems-name-the-place: pages that are missing, errors of the API and other JSON are refused', async () => {
    const copy = changed('products.3.json', '"data"', '"dates"')
    writeFileSync(
      join(copy, 'pcm/error.json'),
      '{"errors": [{"title": "Unauthorized", "detail": "the token has expired", "status": "401"}]}',
    )
    writeFileSync(join(copy, 'pcm/words.json'), '{"data": [{"type": "product"}, "word"]}')
    writeFileSync(join(copy, 'pcm/notes.txt'), 'remember')
    const { reported, leftOut } = await take(copy)
    expect(reported).toEqual([
      `${copy}/pcm/error.json:1: is an error that the API responded with: the token has expired`,
      `${copy}/pcm/products.3.json:1: has no data: it is no list that the API responds with`,
      `${copy}/pcm/words.json:1: data.0: must be an object with a type and an id`,
      `${copy}/pcm/words.json:1: data.1: must be an object with a type and an id`,
      `${copy}/pcm/products.1.json:1: has 4 of the 5 objects of products: further pages must be given too`,
    ])
    expect(leftOut['file that does not end in .json, .jsonl or .ndjson']).toBe(1)
  })

  it('import.systems-name-the-place: a price without a book and a node without a parent are refused', async () => {
    const file = join(folder, 'alone.jsonl')
    const price = { type: 'product-price', id: id(60), attributes: { sku: 'A', currencies: {} } }
    writeFileSync(
      file,
      [price, { type: 'node', id: id(34), attributes: { name: 'A' } }].map((one) => JSON.stringify(one)).join('\n'),
    )
    expect((await take(file)).reported).toEqual([
      `${file}:1: names no price book: neither meta.pricebook_id nor the path of its list does`,
      `${file}:2: names no parent: neither relationships.parent, nor its links, nor the path of its list does`,
    ])
  })

  it('import.systems-name-the-place: prices and sales without prices are refused as those of any import', async () => {
    const file = join(folder, 'prices.jsonl')
    const price = (number: number, attributes: object) => ({
      type: 'product-price',
      id: id(number),
      attributes,
      meta: { pricebook_id: book },
    })
    const data = [price(65, { sku: 'A' }), price(66, { sku: 'B', currencies: {}, sales: { One: 7 } })]
    writeFileSync(file, JSON.stringify({ data }))
    await importSystem(server.services, '--from', 'elasticpath-pcm', join(store, 'pcm/pricebooks.json'))
    expect((await take(file)).reported).toEqual([
      `${file}:1: data.0.attributes.currencies: must be given (REQUIRED)`,
      `${file}:1: data.1.attributes.sales.One: must be an object (INVALID_TYPE)`,
    ])
  })

  it('import.systems-name-the-place: members that have another place there are named by it', async () => {
    const file = join(folder, 'places.jsonl')
    const data = [
      { type: 'product-price', id: id(70), attributes: { sku: 'A', currencies: {} }, meta: { pricebook_id: id(71) } },
      { type: 'product', id: id(72), attributes: { name: 'A', mpn: 7 } },
      { type: 'product', id: id(73), attributes: { name: 'B', manufacturer_part_num: 8 } },
      {
        type: 'product',
        id: id(74),
        attributes: { name: 'C' },
        meta: { variations: [{ id: id(75), name: '', options: [] }] },
      },
      {
        type: 'product',
        id: id(76),
        attributes: { name: 'D' },
        relationships: { base_product: { data: { id: id(77) } } },
      },
      {
        type: 'node',
        id: id(78),
        attributes: { name: 'E' },
        meta: { sort_order: 'first' },
        relationships: { parent: { data: { type: 'hierarchy', id: id(79) } } },
      },
      {
        type: 'node',
        id: id(81),
        attributes: { name: 'G' },
        relationships: { parent: { data: { type: 'hierarchy', id: id(79) } } },
      },
      { type: 'catalog', id: id(80), attributes: { name: 'F', hierarchy_ids: [], pricebook_id: 'none' } },
    ]
    writeFileSync(file, JSON.stringify({ data }))
    expect((await take(file)).reported.map((line) => line.slice(file.length + 4))).toEqual([
      'data.0.meta.pricebook_id: no such price book (NOT_FOUND)',
      'data.1.attributes.mpn: must be a string (INVALID_TYPE)',
      'data.2.attributes.manufacturer_part_num: must be a string (INVALID_TYPE)',
      'data.3.meta.variations.0.name: must be 1 to 1024 characters (TOO_SHORT)',
      'data.4.relationships.base_product.data: no such product (NOT_FOUND)',
      'data.5.meta.sort_order: must be an integer (INVALID_TYPE)',
      'data.6.relationships.parent.data: no such hierarchy or node (NOT_FOUND)',
      'data.7.attributes.pricebook_id: must be a UUID (INVALID_FORMAT)',
    ])
  })

  it('import.refused-file: refused objects of another system are written as objects of this one, to be corrected and imported', async () => {
    const copy = changed('products.1.json', '"sku": "SHIRT-BLUE"', '"sku": ""')
    const refused = join(folder, 'refused.jsonl')
    await take('--refused', refused, copy)
    const text = readFileSync(refused, 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      refused: { at: `${copy}/pcm/products.1.json:1`, problems: [expect.stringContaining('data.1.attributes.sku')] },
      data: { type: 'product', id: id(13), attributes: { sku: '', option_ids: [isBlue] } },
    })
    writeFileSync(refused, text.replace('"sku":""', '"sku":"SHIRT-BLUE"'))
    const again = await importSystem(server.services, refused)
    expect(again.counts).toEqual({ product: [1, 0, 0, 0] })
  })

  it('import.refused-products-left-out: a node is taken without a product that was refused, which names its list there', async () => {
    const hierarchy = `hierarchies/${id(31)}`
    const copy = changed(`${hierarchy}/nodes/${id(33)}/products.json`, '"name": "Mug"', '"name": ""')
    const { counts, reported } = await take(copy)
    const list = `${copy}/pcm/${hierarchy}/nodes/${id(33)}/products.json:1`
    const without = (path: string) =>
      `${copy}/pcm/${hierarchy}/nodes.json:1: data.0.${path}: names product ${id(14)}, which was refused (${list}): the node is taken without it (NOT_FOUND)`
    expect([counts.node, reported]).toEqual([
      [2, 0, 0, 0],
      [
        `${list}: data.0.attributes.name: must be 1 to 1024 characters (TOO_SHORT)`,
        without('relationships.products.data.0'),
        without('attributes.curated_products.0'),
      ],
    ])
  })

  it('import.systems-name-the-place: a file of refused objects in the folder would be read as a list, so it is refused', async () => {
    const copy = changed('products.1.json', '"sku": "SHIRT-BLUE"', '"sku": ""')
    const inside = join(copy, 'refused.jsonl')
    await expect(take('--refused', inside, copy)).rejects.toThrow(
      `--refused ${inside} would be one of the files to import: name one outside of ${copy}`,
    )
    expect((await database.prisma.priceBook.findMany()).length).toBe(0)
  })
})

describe('the options of an import', () => {
  it('import.dry-run-equals-run: a dry run counts what an import of other systems then does, and stores nothing', async () => {
    const dry = await take('--dry-run', store)
    expect([dry.counts, await entries()]).toEqual([created, 0])
    expect(await take(store)).toEqual(dry)
  })

  it('import.resumes-where-it-was: an import that stopped goes on behind what is stored, once the list is corrected', async () => {
    const copy = changed('catalogs/rules.json', '"name": "members"', '"name": ""')
    const stopped = await take('--on-error', 'stop', copy)
    expect([stopped.counts.catalog_rule, stopped.reported]).toEqual([
      [1, 0, 0, 1],
      [`${copy}/pcm/catalogs/rules.json:1: data.1.attributes.name: must be 1 to 1024 characters (TOO_SHORT)`],
    ])
    const path = join(copy, 'pcm/catalogs/rules.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"name": ""', '"name": "members"'))
    const before = await entries()
    const { counts, allTaken, reported } = await take('--on-error', 'stop', '--resume', copy)
    expect([allTaken, counts, reported]).toEqual([true, created, [`Goes on after 18 objects of ${copy}`]])
    expect((await entries()) - before).toBe(1)
  })

  it('import.resumes-where-it-was: an import of a file as data of another system does not go on with one of it as ours', async () => {
    const file = join(folder, 'own.jsonl')
    const book = (name: string) => JSON.stringify({ data: { type: 'pricebook', attributes: { name } } })
    writeFileSync(file, `${book('One')}\n${book('')}`)
    await importSystem(server.services, '--on-error', 'stop', file)
    await expect(take('--resume', file)).rejects.toThrow(
      'The import that --resume goes on with had neither --type nor --from: give the same, or import without --resume',
    )
  })
})
