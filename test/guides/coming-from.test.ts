/**
 * The guides for whoever comes from another system: their scripts make lines of that system's data which the import
 * takes, and what they name here exists.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildSchema, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { reset, useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { codeBlocks, readPage, tableRows } from '../support/markdown.ts'
import { useServer } from '../support/server.ts'
import { importSystem } from '../support/systems.ts'

const elasticPath = readPage('src/guides/coming-from-elastic-path.md')
const shopify = readPage('src/guides/coming-from-shopify.md').replaceAll(/^ {3}/gm, '')
const folder = mkdtempSync(join(tmpdir(), 'coming-from-'))
afterAll(() => rmSync(folder, { recursive: true }))

const database = useDatabase()
const server = useServer(database)
beforeEach(() => reset(database))
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Runs a script of a page in a folder of its own, and returns what it prints. */
async function run(page: string, name: string, args: readonly string[], environment: Record<string, string> = {}) {
  writeFileSync(join(folder, name), codeBlocks(page, 'js')[0] ?? '')
  const env = { ...process.env, ...environment }
  const { stdout } = await promisify(execFile)(process.execPath, [name, ...args], { cwd: folder, env })
  return stdout
}

const id = (number: number) => `c0ffee00-1111-4000-8000-${String(number).padStart(12, '0')}`
const [parent, red, blue, plain] = [id(1), id(2), id(3), id(4)]
const [colour, isRed, isBlue] = [id(11), id(12), id(13)]
const [book, hierarchy, node, inner, modifier] = [id(21), id(31), id(32), id(33), id(51)]
const [catalog, oneBookCatalog] = [id(41), id(42)]
const noFiles = { files: { data: [], links: { self: '/products' } }, main_image: { data: null } }
const timestamps = { created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-01T00:00:00Z' }
const product = (own: string, sku: string | undefined, more: object = {}, attributes: object = {}) => ({
  type: 'product',
  id: own,
  attributes: {
    name: `Product ${sku}`,
    slug: `p-${own}`,
    sku,
    mpn: 'M-1',
    status: 'live',
    commodity_type: 'physical',
    ...attributes,
  },
  relationships: noFiles,
  meta: { ...timestamps, owner: 'store', product_types: ['standard'], variation_matrix: {} },
  ...more,
})
const category = (own: string, name: string, parent?: string) => ({
  type: 'node',
  id: own,
  attributes: { name, slug: name.toLowerCase(), description: '' },
  relationships: {
    children: { data: [], links: {} },
    products: { data: [], links: {} },
    ...(parent && { parent: { data: { type: 'node', id: parent } } }),
  },
  meta: { ...timestamps, owner: 'store' },
})

/** Lists as the documentation of Elastic Path shows them, by their paths. */
const lists: Record<string, object[]> = {
  pricebooks: [{ type: 'pricebook', id: book, attributes: { name: 'Retail', description: 'All', ...timestamps } }],
  [`pricebooks/${book}/modifiers`]: [
    {
      type: 'price-modifier',
      id: modifier,
      attributes: {
        name: 'red',
        modifier_type: 'price_increment',
        currencies: { EUR: { amount: 100, includes_tax: true } },
      },
    },
  ],
  [`pricebooks/${book}/prices`]: [
    {
      type: 'product-price',
      id: id(61),
      attributes: {
        sku: 'PLAIN',
        currencies: {
          EUR: { amount: 1000, includes_tax: true, tiers: { ten: { minimum_quantity: 10, amount: 900 } } },
        },
        sales: { winter: { currencies: { EUR: { amount: 800, includes_tax: true } } } },
        ...timestamps,
      },
      meta: { owner: 'store', pricebook_id: book },
    },
    {
      type: 'product-price',
      id: id(62),
      attributes: { sku: 'SHIRT-RED', currencies: { EUR: { amount: 2000, includes_tax: true } } },
    },
  ],
  // The child stands before its parent.
  products: [
    product(red, 'SHIRT-RED', {
      relationships: { ...noFiles, base_product: { data: { type: 'product', id: parent } } },
    }),
    product(blue, 'SHIRT-BLUE', {
      relationships: { ...noFiles, base_product: { data: { type: 'product', id: parent } } },
    }),
    product(parent, 'SHIRT', {
      meta: {
        owner: 'store',
        variation_matrix: { [isRed]: red, [isBlue]: blue },
        variations: [
          {
            id: colour,
            name: 'Colour',
            sort_order: 5,
            options: [
              { id: isRed, name: 'Red', description: 'Red', sort_order: 2, modifiers: [] },
              { id: isBlue, name: 'Blue', description: 'Blue', sort_order: 1 },
            ],
          },
        ],
      },
    }),
    product(plain, 'PLAIN', {}, { extensions: { 'products(care)': { wash: 30 } }, tags: ['new'] }),
    // More than a page.
    ...Array.from({ length: 120 }, (_, index) => product(id(1000 + index), `MANY-${index}`)),
  ],
  variations: [{ type: 'product-variation', id: colour, attributes: { name: 'Colour', sort_order: 5 } }],
  [`variations/${colour}/options`]: [
    { type: 'product-variation-option', id: isRed, attributes: { name: 'Red', description: 'Red', sort_order: 2 } },
  ],
  [`variations/${colour}/options/${isRed}/modifiers`]: [
    { type: 'product-variation-modifier', id: id(52), attributes: { type: 'price', reference_name: 'red' } },
  ],
  hierarchies: [
    { type: 'hierarchy', id: hierarchy, attributes: { name: 'Clothes', slug: 'clothes', description: '' } },
  ],
  [`hierarchies/${hierarchy}/nodes`]: [category(inner, 'Linen', node), category(node, 'Shirts')],
  [`hierarchies/${hierarchy}/nodes/${node}/products`]: [{ type: 'product', id: plain }],
  [`hierarchies/${hierarchy}/nodes/${inner}/products`]: [{ type: 'product', id: parent }],
  catalogs: [
    {
      type: 'catalog',
      id: catalog,
      attributes: {
        name: 'Shop',
        description: '',
        owner: 'store',
        hierarchy_ids: [hierarchy],
        pricebook_ids: [{ id: book, priority: 1 }],
        ...timestamps,
      },
      relationships: { releases: { links: {} }, rules: { links: {} } },
    },
    {
      type: 'catalog',
      id: oneBookCatalog,
      attributes: { name: 'One book', hierarchy_ids: [hierarchy], pricebook_id: book, owner: 'store', ...timestamps },
      relationships: { releases: { links: {} }, rules: { links: {} } },
    },
  ],
  'catalogs/rules': [
    {
      type: 'catalog_rule',
      id: id(71),
      attributes: {
        name: 'web',
        description: 'Web',
        catalog_id: catalog,
        customer_ids: [id(81)],
        channels: ['web'],
        ...timestamps,
      },
    },
  ],
}

test('the script for Elastic Path reads all pages of a store, and the import takes them as they are', async () => {
  const asked: (string | undefined)[] = []
  const stub = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://stub')
    asked.push(req.headers.authorization)
    const offset = Number(searchParams.get('page[offset]'))
    const data = lists[pathname.replace('/pcm/', '')]?.slice(offset, offset + Number(searchParams.get('page[limit]')))
    res.writeHead(data ? 200 : 404).end(JSON.stringify({ data }))
  })
  await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve))
  stops.push(() => void stub.close())
  const EP_URL = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`
  const printed = await run(elasticPath, 'from-elastic-path.mjs', [], { EP_URL, EP_TOKEN: 'theirs' })
  expect(new Set(asked)).toEqual(new Set(['Bearer theirs']))

  writeFileSync(join(folder, 'store.jsonl'), printed)
  const take = () => importSystem(server.services, '--from', 'elasticpath-pcm', join(folder, 'store.jsonl'))
  const { counts, reported, leftOut } = await take()
  expect(reported).toEqual([])
  expect(counts).toEqual({
    pricebook: [1, 0, 0, 0],
    'price-modifier': [1, 0, 0, 0],
    'product-price': [2, 0, 0, 0],
    product: [124, 0, 0, 0],
    hierarchy: [1, 0, 0, 0],
    node: [2, 0, 0, 0],
    catalog: [2, 0, 0, 0],
  })
  expect(leftOut).toEqual({ 'catalog_rule with customer_ids': 1 })
  for (const of of [catalog, oneBookCatalog])
    await server.gql(`mutation { publishRelease(input: { catalogId: "${of}" }) { userErrors { message } } }`)
  const path = `/pcm/catalogs/${catalog}/releases/latest/hierarchies/${hierarchy}/products`
  const { body } = await server.rest('GET', `${path}?filter=in(sku,PLAIN,SHIRT-RED)`)
  const ofOneBook = await server.rest('GET', `${path.replace(catalog, oneBookCatalog)}?filter=in(sku,PLAIN,SHIRT-RED)`)
  const pricesOf = (page: typeof body) =>
    page.data.map(({ attributes }: { attributes: Record<string, unknown> }) => [attributes.sku, attributes.price])
  expect(pricesOf(ofOneBook.body)).toEqual(pricesOf(body))
  const shown = Object.fromEntries(
    body.data.map(({ id: own, attributes, relationships, meta }: Record<string, Record<string, unknown>>) => [
      attributes?.sku,
      [own, attributes?.price, (relationships?.parent as { data?: object })?.data, meta?.bread_crumbs],
    ]),
  )
  expect(shown).toMatchObject({
    PLAIN: [plain, { EUR: { amount: 800, includes_tax: true } }, undefined, { [node]: [hierarchy] }],
    'SHIRT-RED': [red, { EUR: { amount: 2000 } }, { id: parent }, {}],
  })
  const { data } = await server.gql(
    `{ catalog(id: "${catalog}") { release(id: "latest") { product(by: { sku: "SHIRT" }) { variations { name options { name } } variationMatrix { product { sku } } } } } }`,
  )
  expect(data.catalog.release.product).toEqual({
    variations: [{ name: 'Colour', options: [{ name: 'Red' }, { name: 'Blue' }] }],
    variationMatrix: expect.arrayContaining([{ product: { sku: 'SHIRT-RED' } }, { product: { sku: 'SHIRT-BLUE' } }]),
  })

  const again = await take()
  expect(Object.values(again.counts).every(([created, updated]) => created === 0 && updated === 0)).toBe(true)
})

test('the script for Shopify makes products, variants, reduced prices and collections of the lines that its guide shows', async () => {
  const [lines = ''] = codeBlocks(shopify, 'jsonl')
  writeFileSync(join(folder, 'shopify.jsonl'), lines)
  const printed = await run(shopify, 'from-shopify.mjs', ['shopify.jsonl', 'EUR'])
  const { counts, refused } = await runImport(server.services, printed)
  expect(refused).toEqual([])
  expect(counts).toMatchObject({ product: [4, 0, 0, 0], 'product-price': [3, 0, 0, 0], node: [2, 0, 0, 0] })

  const query = `{ catalogs(first: 1) { nodes { latestRelease { products(first: 10, orderBy: { field: NAME }) { nodes {
    name slug sku price(currency: "EUR") { amount { amount } list { amount { amount } } sale { name } includesTax }
    breadCrumbs { node { name } ancestors { name } } variations { name options { name } } } } } } } }`
  const { nodes } = (await server.gql(query)).data.catalogs.nodes[0].latestRelease.products
  const crumbs = (name: string) => [{ node: { name }, ancestors: [{ name: 'Collections' }] }]
  expect(nodes).toEqual([
    {
      name: 'Gift card box',
      slug: 'gift-card-box',
      sku: '21',
      price: { amount: { amount: 500 }, list: { amount: { amount: 500 } }, sale: null, includesTax: true },
      breadCrumbs: crumbs('Other'),
      variations: [],
    },
    {
      name: 'Linen shirt',
      slug: 'linen-shirt',
      sku: null,
      price: null,
      breadCrumbs: crumbs('New in'),
      variations: [{ name: 'Size', options: [{ name: 'S' }, { name: 'M' }] }],
    },
    expect.objectContaining({
      sku: 'SHIRT-M',
      price: { amount: { amount: 5990 }, list: { amount: { amount: 5990 } }, sale: null, includesTax: true },
    }),
    expect.objectContaining({
      sku: 'SHIRT-S',
      price: {
        amount: { amount: 4990 },
        list: { amount: { amount: 5990 } },
        sale: { name: 'Reduced' },
        includesTax: true,
      },
    }),
  ])

  const again = await runImport(server.services, printed.replace(/^.*"catalog-release".*\n/m, ''))
  expect(Object.values(again.counts).every(([created, updated]) => created === 0 && updated === 0)).toBe(true)
})

/** The names of all fields, arguments and members of inputs of the graph. */
const known = new Set(
  Object.values(buildSchema(readPage('schema.graphql')).getTypeMap()).flatMap((type) => {
    if (isInputObjectType(type)) return Object.keys(type.getFields())
    if (!isObjectType(type) && !isInterfaceType(type)) return []
    return Object.values(type.getFields()).flatMap(({ name, args }) => [name, ...args.map((one) => one.name)])
  }),
)
const quoted = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

test('what the guides name of the graph in their tables exists', () => {
  const cells = [elasticPath, shopify]
    .flatMap((page) => tableRows(page).flatMap((row) => quoted(row.at(-1) ?? '')))
    .filter((code) => /^[a-z]+([A-Z]\w+|[( ].*[({].*)$/.test(code) && !/^npm|=/.test(code))
  const names = cells.flatMap((code) => code.replaceAll(/"[^"]*"/g, '').match(/[a-z]\w*/g) ?? [])
  expect(names.length).toBeGreaterThan(45)
  expect(names.filter((name) => !known.has(name))).toEqual([])
})

test('the paths that the guide for Elastic Path calls the same are served', () => {
  const { paths } = JSON.parse(readPage('src/rest/openapi.json')) as { paths: Record<string, object> }
  const served = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{id}')}`),
    ),
  )
  const same = tableRows(elasticPath).filter(([, here = '']) => here.startsWith('the same'))
  const named = same.flatMap(([theirs = '']) => quoted(theirs)).filter((code) => code.includes('/'))
  const calls = named.flatMap((code) => {
    const [methods = '', path = ''] = code.split(' ')
    return methods.split(',').map((method) => `${method} ${path}`)
  })
  expect(calls.length).toBeGreaterThanOrEqual(8)
  expect(calls.filter((call) => !served.has(call))).toEqual([])
})
