import { beforeEach, describe, expect, test } from 'vitest'
import type { Product } from '../../../src/domain/products/product.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { product } from '../../../src/operations/products/product.ts'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { childOf, idOf, makeProduct, optionsOf, variationsOf } from '../../support/products.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const admin = (now = START) => contextOf(server.services, now)

beforeEach(() => reset(database))

const stored = (id: string) => product(admin(), { id })
const gid = (n: number) => globalId('Product', idOf(n))

const FIELDS = `
  name description sku slug status commodityType upcEan manufacturerPartNum tags types externalRef optionKeys owner
  components { key name min max sortOrder options { productId quantity sortOrder default product { name } } }
  customInputs { key name required validationRules { type maxLength } }
  extensions { template fields { key value } }
  variations {
    key name sortOrder locales { language name description }
    options { key name sortOrder description priceModifierNames locales { language name description } } }
  buildRules { default include exclude }
  locales { language name description }
  files { key alt width height locales { language alt } createdAt url }
  mainImage { key alt width height locales { language alt } createdAt url }
  parent { name } createdAt updatedAt`

const call = (name: string, input: object, fields = `product { id ${FIELDS} }`) =>
  server.gql(
    `mutation ($input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) { ${name}(input: $input) { ${fields} userErrors { code path message } } }`,
    { input },
  )

/** `CODE path` of what a mutation was refused for. */
async function refused(name: string, input: object): Promise<string[]> {
  const { data, errors } = await call(name, input, '')
  expect(errors).toBeUndefined()
  return data[name].userErrors.map(({ code, path }: { code: string; path: string[] }) => `${code} ${path.join('.')}`)
}

const full = {
  name: 'Gift box',
  description: 'd',
  sku: 'BOX',
  slug: 'gift',
  status: 'LIVE',
  commodityType: 'PHYSICAL',
  upcEan: '4006381333931',
  manufacturerPartNum: 'M-1',
  tags: ['Gift', 'NEW'],
  externalRef: 'ref',
  components: [
    {
      key: 'main',
      name: 'Main',
      min: 0,
      max: 2,
      sortOrder: 3,
      options: [{ id: gid(1), quantity: 2, sortOrder: 1, default: true }, { id: idOf(2) }],
    },
  ],
  customInputs: [
    { key: 'front', name: 'Engraving', required: true, validationRules: [{ options: { maxLength: 255 } }] },
  ],
  extensions: [
    {
      template: 'care',
      fields: [
        { key: 'wash', value: { degrees: [30] } },
        { key: 'dry', value: null },
      ],
    },
  ],
  variations: [
    {
      key: idOf(80),
      name: 'Size',
      sortOrder: 1,
      locales: [{ language: 'de', name: 'Größe', description: null }],
      options: [
        {
          ...{ key: idOf(81), name: 'S', sortOrder: -1, description: 'small', priceModifierNames: ['minus'] },
          locales: [
            { language: 'de', name: 'K', description: 'klein' },
            { language: 'fr', name: 'P', description: null },
          ],
        },
      ],
    },
  ],
  buildRules: { default: 'EXCLUDE', include: [[idOf(81)]] },
  locales: [{ language: 'de', name: 'Geschenkbox' }],
  files: [
    {
      ...{ key: idOf(90), createdAt: '2026-01-01T01:00:00+01:00', alt: 'A box', width: 640, height: 480 },
      locales: [{ language: 'de', alt: 'Eine Schachtel' }],
    },
  ],
  mainImageId: idOf(91),
}

describe('createProduct (graph.maps-become-lists)', () => {
  test('createProduct stores every member, and returns it', async () => {
    const { data, errors } = await call('createProduct', full)
    expect(errors).toBeUndefined()
    expect(data.createProduct.userErrors).toEqual([])
    const { id: _, ...response } = data.createProduct.product
    const { mainImageId: image, ...rest } = full
    expect(response).toEqual({
      ...rest,
      tags: ['gift', 'new'],
      types: ['BUNDLE'],
      components: [
        {
          ...full.components[0],
          options: [
            { productId: gid(1), quantity: 2, sortOrder: 1, default: true, product: null },
            { productId: gid(2), quantity: 1, sortOrder: null, default: null, product: null },
          ],
        },
      ],
      customInputs: [
        { key: 'front', name: 'Engraving', required: true, validationRules: [{ type: 'string', maxLength: 255 }] },
      ],
      extensions: [
        {
          template: 'care',
          fields: [
            { key: 'dry', value: null },
            { key: 'wash', value: { degrees: [30] } },
          ],
        },
      ],
      buildRules: { default: 'EXCLUDE', include: [[idOf(81)]], exclude: [] },
      locales: [{ language: 'de', name: 'Geschenkbox', description: null }],
      files: [{ ...full.files[0], createdAt: '2026-01-01T00:00:00.000Z', url: null }],
      mainImage: { key: image, alt: null, width: null, height: null, locales: [], createdAt: null, url: null },
      optionKeys: [],
      owner: 'STORE',
      parent: null,
      createdAt: new Date(START).toISOString(),
      updatedAt: new Date(START).toISOString(),
    })
  })

  test('createProduct stores build rules as JSON that publishing reads', async () => {
    const { data } = await call('createProduct', full)
    const [row] = await database.query<Record<string, unknown>>(
      'test-row',
      'SELECT components, component_product_ids, variations, build_rules, files, custom_inputs, extensions, locales, tags, main_image_id FROM product',
    )
    expect(data.createProduct.userErrors).toEqual([])
    expect(row).toEqual({
      components: {
        main: {
          name: 'Main',
          min: 0,
          max: 2,
          sort_order: 3,
          options: [
            { id: idOf(1), type: 'product', quantity: 2, sort_order: 1, default: true },
            { id: idOf(2), type: 'product', quantity: 1, sort_order: null, default: null },
          ],
        },
      },
      component_product_ids: [idOf(1), idOf(2)],
      variations: [
        {
          id: idOf(80),
          name: 'Size',
          sort_order: 1,
          locales: { de: { name: 'Größe' } },
          options: [
            {
              ...{ id: idOf(81), name: 'S', sort_order: -1, description: 'small', price_modifiers: ['minus'] },
              locales: { de: { name: 'K', description: 'klein' }, fr: { name: 'P' } },
            },
          ],
        },
      ],
      build_rules: { default: 'exclude', include: [[idOf(81)]], exclude: [] },
      files: [
        {
          ...{ id: idOf(90), created_at: '2026-01-01T00:00:00.000Z', alt: 'A box', width: 640, height: 480 },
          locales: { de: { alt: 'Eine Schachtel' } },
        },
      ],
      custom_inputs: {
        front: {
          name: 'Engraving',
          validation_rules: [{ type: 'string', options: { max_length: 255 } }],
          required: true,
        },
      },
      extensions: { care: { wash: { degrees: [30] }, dry: null } },
      locales: { de: { name: 'Geschenkbox' } },
      tags: ['gift', 'new'],
      main_image_id: idOf(91),
    })
  })

  test.each<[string, object, string[]]>([
    ['a name too short', { name: '' }, ['TOO_SHORT name']],
    [
      'two options of one component',
      { components: [{ ...full.components[0], options: [{ id: gid(1) }, { id: idOf(1) }] }] },
      ['DUPLICATE components.0.options.1.id'],
    ],
    [
      'an option id of another type',
      { components: [{ ...full.components[0], options: [{ id: globalId('PriceBook', idOf(1)) }] }] },
      ['INVALID_FORMAT components.0.options.0.id'],
    ],
    ['a key twice', { customInputs: [...full.customInputs, ...full.customInputs] }, ['DUPLICATE customInputs.1.key']],
    [
      'max_length (product.custom-input-length)',
      { customInputs: [{ ...full.customInputs[0], validationRules: [{ options: { maxLength: 256 } }] }] },
      ['OUT_OF_RANGE customInputs.0.validationRules.0.options.maxLength'],
    ],
    [
      'a modifier name',
      { variations: [{ name: 'Size', options: [{ name: 'S', priceModifierNames: [''] }] }], buildRules: null },
      ['TOO_SHORT variations.0.options.0.priceModifierNames.0'],
    ],
    ['a build rule', { buildRules: { exclude: [[idOf(99)]] } }, ['NOT_FOUND buildRules.exclude.0.0']],
    ['a language', { locales: [{ language: 'not a tag' }] }, ['INVALID_FORMAT locales.0.language']],
    [
      'a template’s value',
      { extensions: [{ template: 't', fields: [{ key: 'k', value: '\u0000' }] }] },
      ['INVALID_TEXT extensions.0.fields.0.value'],
    ],
    ['a parent that there is not', { parentId: gid(99) }, ['NOT_FOUND parentId']],
    ['a parent id that is none', { parentId: 'x' }, ['INVALID_FORMAT parentId']],
    ['a width of no pixel', { files: [{ key: idOf(90), width: 0 }] }, ['OUT_OF_RANGE files.0.width']],
    [
      'two texts of a language',
      { files: [{ key: idOf(90), locales: [{ language: 'de' }, { language: 'DE' }] }] },
      ['DUPLICATE files.0.locales.1.language'],
    ],
    ['a file key that is none', { files: [{ key: 'x' }] }, ['INVALID_FORMAT files.0.key']],
    [
      'a key that an option has already',
      { variations: [{ key: idOf(81), name: 'Size', options: [{ key: idOf(81), name: 'S' }] }] },
      ['DUPLICATE variations.0.options.0.key'],
    ],
    ['a child’s option without a parent', { optionKeys: [idOf(81)] }, ['INVALID_STRUCTURE optionKeys']],
    [
      'a bundle’s option that is no product',
      { components: [{ key: 'c', name: 'C', options: [{ id: 'x' }] }] },
      ['INVALID_FORMAT components.0.options.0.id'],
    ],
    ['an image id that is none', { mainImageId: 'x' }, ['INVALID_FORMAT mainImageId']],
    ['a tag with a comma', { tags: ['a,b'] }, ['INVALID_FORMAT tags.0']],
  ])('createProduct names %s where the client wrote it, and stores nothing', async (_, given, errors) => {
    expect(await refused('createProduct', { ...full, ...given })).toEqual(errors)
    expect(await database.query('test-count', 'SELECT FROM product')).toEqual([])
  })

  test('write.idempotency-key: createProduct with the same idempotency key and input makes one product', async () => {
    const input = { name: 'Mug', idempotencyKey: 'k' }
    const first = await call('createProduct', input, 'product { id createdAt }')
    server.now = START + 60_000
    const second = await call('createProduct', input, 'product { id createdAt }')
    server.now = START
    expect(second.data).toEqual(first.data)
    expect(await refused('createProduct', { ...input, name: 'Cup' })).toEqual(['IDEMPOTENCY_MISMATCH idempotencyKey'])
  })
})

describe('updateProduct and deleteProduct', () => {
  test('patch.objects-merge: updateProduct keeps the members of build rules that are not named; null clears one, or the rules as a whole', async () => {
    const [S, M] = [idOf(81), idOf(82)]
    const variations = [
      {
        name: 'Size',
        options: [
          { id: S, name: 'S' },
          { id: M, name: 'M' },
        ],
      },
    ]
    const build_rules = { default: 'exclude', include: [[S]], exclude: [[M]] }
    const { id } = await makeProduct(admin(), { variations, build_rules })
    const updated = async (buildRules: object | null) => {
      const { data } = await call(
        'updateProduct',
        { id, buildRules },
        'product { buildRules { default include exclude } }',
      )
      return data.updateProduct.product.buildRules
    }
    expect(await updated({ include: [[M]] })).toEqual({ default: 'EXCLUDE', include: [[M]], exclude: [[M]] })
    expect(await updated({ exclude: null })).toEqual({ default: 'EXCLUDE', include: [[M]], exclude: [] })
    expect(await updated({})).toEqual({ default: 'EXCLUDE', include: [[M]], exclude: [] })
    expect(await updated({ default: null })).toEqual({ default: 'INCLUDE', include: [[M]], exclude: [] })
    expect(await updated(null)).toBeNull()
    expect(await updated({ exclude: [[S]] })).toEqual({ default: 'INCLUDE', include: [], exclude: [[S]] })
  })

  test('updateProduct keeps what is absent, clears by null, and sets values', async () => {
    const { id } = await makeProduct(admin(), {
      description: 'd',
      sku: 'S',
      tags: ['a'],
      locales: { de: { name: 'Becher' } },
    })
    server.now = START + 1000
    const { data } = await call(
      'updateProduct',
      { id, description: null, locales: null, tags: ['b'] },
      'product { sku description tags locales { language } updatedAt }',
    )
    server.now = START
    expect(data.updateProduct.product).toEqual({
      sku: 'S',
      description: null,
      tags: ['b'],
      locales: [],
      updatedAt: new Date(START + 1000).toISOString(),
    })
  })

  test('updateProduct attaches a child to its parent by ids, and detaches it by null', async () => {
    const parent = await makeProduct(admin(), { name: 'Shirt', variations: variationsOf({ Size: [1] }) })
    const { id } = await makeProduct(admin(), { name: 'Small' })
    const joined = await call(
      'updateProduct',
      { id, parentId: globalId('Product', parent.id), optionKeys: [idOf(1)] },
      'product { types parent { name types children { nodes { name } } } }',
    )
    expect(joined.data.updateProduct.product).toEqual({
      types: ['CHILD'],
      parent: { name: 'Shirt', types: ['PARENT'], children: { nodes: [{ name: 'Small' }] } },
    })
    const left = await call('updateProduct', { id, parentId: null }, 'product { types parent { name } optionKeys }')
    expect(left.data.updateProduct.product).toEqual({ types: ['STANDARD'], parent: null, optionKeys: [] })
  })

  test('write.if-updated-at: updateProduct returns the product as it is with STALE', async () => {
    const { id } = await makeProduct(admin(), { name: 'Mug' })
    const { data } = await call('deleteProduct', { id, ifUpdatedAt: '2020-01-01T00:00:00Z' }, 'product { name }')
    expect(data.deleteProduct).toMatchObject({ product: { name: 'Mug' }, userErrors: [{ code: 'STALE' }] })
    expect(await stored(id)).not.toBeNull()
  })

  test('deleteProduct names what refers to the product by IN_USE; otherwise it is deleted', async () => {
    const { id } = await makeProduct(admin(), { name: 'Mug' })
    const box = await makeProduct(admin(), { name: 'Box', components: optionsOf(id) })
    const { data } = await call('deleteProduct', { id }, 'product { name }')
    expect(data.deleteProduct.product).toBeNull()
    expect(data.deleteProduct.userErrors[0].message).toContain('"Box"')
    expect(await refused('deleteProduct', { id: box.id })).toEqual([])
    expect((await call('deleteProduct', { id }, 'product { name }')).data.deleteProduct).toEqual({
      product: { name: 'Mug' },
      userErrors: [],
    })
    expect(await refused('deleteProduct', { id })).toEqual(['NOT_FOUND id'])
  })

  test('buildChildProducts returns the new children', async () => {
    const { id } = await makeProduct(admin(), { name: 'Shirt', variations: variationsOf({ Size: [1, 2] }) })
    const { data } = await call(
      'buildChildProducts',
      { id },
      'built { product { children { totalCount } } children { name optionKeys } }',
    )
    expect(data.buildChildProducts.built).toEqual({
      product: { children: { totalCount: 2 } },
      children: [
        { name: 'Shirt Option 1', optionKeys: [idOf(1)] },
        { name: 'Shirt Option 2', optionKeys: [idOf(2)] },
      ],
    })
  })
})

describe('products in GraphQL', () => {
  const names = async (filter: object): Promise<string[]> => {
    const { data } = await server.gql(
      'query ($filter: ProductFilter) { products(filter: $filter) { nodes { name } totalCount } }',
      {
        filter,
      },
    )
    expect(data.products.totalCount).toBe(data.products.nodes.length)
    return data.products.nodes.map(({ name }: Product) => name)
  }

  test('products of the graph are listed oldest first, and filtered by SKU, status and tag', async () => {
    await makeProduct(admin(START + 2), { name: 'C', sku: 'c', tags: ['Red', 'big'] })
    await makeProduct(admin(START), { name: 'A', sku: 'a', status: 'live', tags: ['red'] })
    await makeProduct(admin(START + 1), { name: 'B', status: 'live' })
    expect(await names({})).toEqual(['A', 'B', 'C'])
    expect(await names({ sku: { eq: 'a' } })).toEqual(['A'])
    expect(await names({ sku: { eq: 'A' } })).toEqual([])
    expect(await names({ sku: { in: ['c', 'a', 'x'] } })).toEqual(['A', 'C'])
    expect(await names({ sku: { in: ['c', 'a'], eq: 'c' } })).toEqual(['C'])
    expect(await names({ sku: { in: [] } })).toEqual([])
    expect(await names({ status: 'LIVE' })).toEqual(['A', 'B'])
    expect(await names({ tag: 'RED' })).toEqual(['A', 'C'])
    expect(await names({ tag: 'red', status: 'DRAFT' })).toEqual(['C'])
    expect(await names({ tag: "'; DROP TABLE product --" })).toEqual([])
  })

  test('products of the graph are walked page by page in both directions, also at equal instants', async () => {
    for (const name of 'ABCDE') await makeProduct(admin(), { name })
    const all = (await server.gql('{ products { nodes { name } } }')).data.products.nodes.map(
      ({ name }: Product) => name,
    )
    const walk = async (first: string, cursor: string, info: string, end: string): Promise<string[]> => {
      const seen: string[] = []
      let at: string | null = null
      for (;;) {
        const { data } = await server.gql(
          `query ($at: String) { products(${first}: 2, ${cursor}: $at) { nodes { name } pageInfo { ${info} ${end} } } }`,
          { at },
        )
        const page = data.products.nodes.map(({ name }: Product) => name)
        if (first === 'first') seen.push(...page)
        else seen.unshift(...page)
        if (!data.products.pageInfo[info]) return seen
        at = data.products.pageInfo[end]
      }
    }
    expect(await walk('first', 'after', 'hasNextPage', 'endCursor')).toEqual(all)
    expect(await walk('last', 'before', 'hasPreviousPage', 'startCursor')).toEqual(all)
  })

  test('products of the graph have edges to their bundles, and to their price in each book', async () => {
    const mug = await makeProduct(admin(), { name: 'Mug', sku: 'M' })
    await makeProduct(admin(START + 1), { name: 'Box', components: optionsOf(mug.id) })
    await makeProduct(admin(START + 2), { name: 'Set', components: optionsOf(mug.id, idOf(9)) })
    const [one, two] = [await makeBook(admin(), 'One'), await makeBook(admin(), 'Two')]
    await makePrice(admin(START + 3), two.id, 'M', { currencies: { EUR: { amount: 2 } } })
    await makePrice(admin(START + 4), one.id, 'M', { currencies: { EUR: { amount: 1 } } })
    const query = `query ($id: ID!, $book: ID!) { product(id: $id) {
      bundles { totalCount nodes { name } } price(priceBookId: $book) { prices { amount { amount } } } prices { priceBook { name } prices { amount { amount } } } } }`
    const { data } = await server.gql(query, { id: mug.id, book: one.id })
    expect(data.product).toEqual({
      bundles: { totalCount: 2, nodes: [{ name: 'Box' }, { name: 'Set' }] },
      price: { prices: [{ amount: { amount: 1 } }] },
      prices: [
        { priceBook: { name: 'Two' }, prices: [{ amount: { amount: 2 } }] },
        { priceBook: { name: 'One' }, prices: [{ amount: { amount: 1 } }] },
      ],
    })
  })

  test('a list of products with its edges runs as many statements for 2 products as for 20', async () => {
    const book = await makeBook(admin(), 'Book')
    for (let n = 0; n < 20; n++) {
      const parent = await makeProduct(admin(START + n), {
        name: `P${n}`,
        sku: `S${n}`,
        status: 'live',
        variations: variationsOf({ Size: [n + 1] }),
      })
      const child = await makeProduct(admin(START + 100), ...childOf(parent.id, n + 1))
      await makeProduct(admin(START + 100), { components: optionsOf(parent.id, child.id) })
      await makePrice(admin(), book.id, `S${n}`)
    }
    const query = (first: number) => `{ products(first: ${first}, filter: { status: LIVE }) { nodes { types
      children(first: 5) { totalCount nodes { name } } bundles(first: 5) { totalCount nodes { components { options { product { name } } } } }
      prices { sku priceBook { name } } price(priceBookId: "${book.id}") { sku } } } }`
    const run = async (first: number) => {
      const { result, count } = await countStatements(database, () => server.gql(query(first)))
      expect(result.errors).toBeUndefined()
      expect(result.data.products.nodes).toHaveLength(first)
      expect(
        result.data.products.nodes.every((one: { bundles: { totalCount: number } }) => one.bundles.totalCount === 1),
      ).toBe(true)
      return count
    }
    // The page; children and bundles, each with totals; prices by SKU, with their books, and by book; options by id.
    expect([await run(2), await run(20)]).toEqual([8, 8])
  })

  test('products of the graph are loaded by id together with their parent and the books of their prices, without further statements', async () => {
    const book = await makeBook(admin(), 'Book', { external_ref: 'book-1', description: 'Of all' })
    const parent = await makeProduct(admin(), { variations: variationsOf({ Size: [1] }) })
    const [attributes, relationships] = childOf(parent.id, 1)
    const child = await makeProduct(admin(START + 1), { ...attributes, sku: 'CHILD' }, relationships)
    await makePrice(admin(), book.id, 'CHILD')
    const of = 'id name externalRef description createdAt updatedAt'
    const query = `{ product(id: "${child.id}") { name parent { id name parent { id } } prices { priceBook { ${of} } } } }`
    const { result, count } = await countStatements(database, () => server.gql(query))
    expect(result.errors).toBeUndefined()
    expect(count).toBe(2)
    const { product } = result.data
    expect(product.parent).toEqual({
      ...(await server.gql(`{ product(id: "${parent.id}") { id name } }`)).data.product,
      parent: null,
    })
    expect(product.prices).toEqual([
      { priceBook: (await server.gql(`{ priceBook(id: "${book.id}") { ${of} } }`)).data.priceBook },
    ])
  })

  test('right.shoppers-see-published-and-own: authored products are refused to shoppers on any path', async () => {
    const { id } = await makeProduct(admin())
    const token = server.shopper
    for (const query of [
      '{ products { totalCount } }',
      `{ product(id: "${id}") { name } }`,
      `{ node(id: "${globalId('Product', id)}") { id } }`,
    ]) {
      const { errors } = await server.gql(query, {}, { token })
      expect(errors.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual(['FORBIDDEN'])
    }
  })
})
