/** Lists of published products in the graph: order, ranges, facets, pages by number, and walks by cursors. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countStatements, useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { listingPath, publish, publishStore } from '../../support/published.ts'
import { manualClock, useServer } from '../../support/server.ts'
import type { Store, StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })
const NOW = Date.UTC(2026, 5, 1, 12)
const HOUR = 3_600_000
const [catalog, root, inner, leaf, book] = [idOf(0xca), idOf(0x11), idOf(0x12), idOf(0x13), idOf(0xb1)] as const
const sizes = ['S', 'M'].map((name, at) => ({ id: idOf(0x300 + at), name }))

function product(number: number, name: string, given: Partial<StoreProduct> = {}): StoreProduct {
  const created = NOW - 100 * HOUR
  return {
    id: idOf(number),
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    sku: name.toUpperCase(),
    status: 'live',
    created_at: created - ((number * 5) % 7) * 1_000,
    updated_at: created - number * 1_000,
    ...given,
  }
}

/**
 * In default order: Lamp (no price), Chair, Table, Shirt with Shirt S and Shirt M. Table is on sale for an hour from
 * NOW on.
 */
function store(): Store {
  const price = (number: number, sku: string, amount: number, sales: Store['prices'][number]['sales'] = []) => ({
    id: idOf(0x400 + number),
    price_book_id: book,
    sku,
    currencies: { EUR: { amount, includes_tax: true } },
    sales,
  })
  const texts = (name: string) => ({ name, slug: name, created_at: NOW, updated_at: NOW })
  return {
    products: [
      product(1, 'Lamp', { tags: ['home', 'light'], extensions: { fabric: { material: 'steel', weight: 2.5 } } }),
      product(2, 'Chair', { tags: ['home', 'wood'], extensions: { fabric: { material: 'oak' } } }),
      product(3, 'Table', {
        tags: ['home', 'wood', 'large'],
        extensions: { fabric: { material: 'oak', washable: false } },
      }),
      product(4, 'Shirt', { tags: ['wear'], variations: [{ id: idOf(0x310), name: 'Size', options: sizes }] }),
      product(5, 'Shirt S', { parent_id: idOf(4), option_ids: [idOf(0x300)], tags: ['wear'] }),
      product(6, 'Shirt M', { parent_id: idOf(4), option_ids: [idOf(0x301)], tags: ['wear'] }),
    ],
    nodes: [
      { id: root, parent_id: null, hierarchy_id: root, ...texts('root') },
      { id: inner, parent_id: root, hierarchy_id: root, ...texts('inner'), curated_product_ids: [idOf(2)] },
      { id: leaf, parent_id: inner, hierarchy_id: root, ...texts('leaf') },
    ],
    attachments: [
      ...[1, 3, 4, 5, 6].map((number) => ({ node_id: leaf, product_id: idOf(number) })),
      ...[2, 3].map((number) => ({ node_id: inner, product_id: idOf(number) })),
    ],
    books: [{ id: book, name: 'Book' }],
    prices: [
      price(2, 'CHAIR', 300),
      price(3, 'TABLE', 500, [
        {
          name: 'hour',
          from: NOW,
          to: NOW + HOUR,
          bundles: [],
          currencies: { EUR: { amount: 100, includes_tax: true } },
        },
      ]),
      price(4, 'SHIRT', 200),
      price(5, 'SHIRT S', 200),
      price(6, 'SHIRT M', 400),
    ],
    modifiers: [],
    catalogs: [{ id: catalog, name: 'Catalog', hierarchy_ids: [root], books: [{ id: book, priority: 1 }] }],
  }
}

beforeAll(async () => {
  server.now = NOW - 10 * HOUR
  await publishStore(server, store())
})
beforeEach(() => {
  server.now = NOW - HOUR
})

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type AnyResponse = any

const shopper = async () => (await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)).token

async function queryList(fields: string, scope = `hierarchy(id: "${root}")`): Promise<AnyResponse> {
  const query = `{ catalog(id: "${catalog}") { latestRelease { scope: ${scope} { ${fields} } } } }`
  return server.gql(query, {}, { token: await shopper(), headers: { 'x-moltin-currency': 'EUR' } })
}
async function listed(args: string, fields = 'nodes { name }', scope?: string): Promise<AnyResponse> {
  const { data, errors } = await queryList(`products(${args}) { ${fields} }`, scope)
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease.scope.products
}
async function names(args: string, scope?: string): Promise<string[]> {
  return (await listed(args, undefined, scope)).nodes.map(({ name }: { name: string }) => name)
}
async function refusal(args: string, fields = 'nodes { name }') {
  const { errors } = await queryList(`products(${args}) { ${fields} }`)
  const { code, violations } = errors[0].extensions
  return { code, path: violations?.[0].path.join('.'), message: errors[0].message }
}

describe('order and filters', () => {
  it.each([
    ['orderBy: { field: PRICE }', ['Shirt', 'Shirt S', 'Chair', 'Shirt M', 'Table', 'Lamp']],
    ['orderBy: { field: PRICE, direction: DESC }', ['Table', 'Shirt M', 'Chair', 'Shirt', 'Shirt S', 'Lamp']],
    ['orderBy: { field: PRICE, currency: "USD" }', ['Lamp', 'Chair', 'Table', 'Shirt', 'Shirt S', 'Shirt M']],
    ['orderBy: { field: UPDATED_AT }', ['Shirt M', 'Shirt S', 'Shirt', 'Table', 'Chair', 'Lamp']],
    ['groupVariants: true, orderBy: { field: PRICE }', ['Shirt', 'Chair', 'Table', 'Lamp']],
    ['groupVariants: true, orderBy: { field: PRICE, direction: DESC }', ['Table', 'Chair', 'Shirt', 'Lamp']],
    [
      'groupVariants: true, orderBy: { field: PRICE, direction: DESC }, filter: { price: { min: 300 } }',
      ['Table', 'Shirt', 'Chair'],
    ],
    ['filter: { price: { min: 300, max: 400 } }', ['Chair', 'Shirt M']],
    ['filter: { onSale: true }', []],
    [`filter: { options: ["${idOf(0x301)}"] }`, ['Shirt M']],
    [`filter: { options: ["${idOf(0x300)}", "${idOf(0x301)}"] }, groupVariants: true`, ['Shirt']],
    [`filter: { options: ["${idOf(0x300)}", "${idOf(0x3ff)}"] }`, []],
    ['filter: { variations: [{ name: "Size", in: ["S", "L"] }] }', ['Shirt S']],
    ['filter: { extension: [{ template: "fabric", field: "weight", eq: "2.5" }] }', ['Lamp']],
    ['filter: { extension: [{ template: "fabric", field: "washable", in: ["false"] }] }', ['Table']],
    ['filter: { tags: { all: ["HOME", "wood", "large"] } }', ['Table']],
    [
      'filter: { extension: [{ template: "fabric", field: "material", eq: "oak" }, { template: "fabric", field: "washable", eq: "false" }] }',
      ['Table'],
    ],
    ['filter: { variations: [{ name: "Size", in: ["S", "M"] }, { name: "Size", in: ["M"] }] }', ['Shirt M']],
    [
      'filter: { tags: { in: ["home"] }, extension: [{ template: "fabric", field: "material", eq: "oak" }], price: { min: 400 } }',
      ['Table'],
    ],
    ['offset: 2, first: 2', ['Table', 'Shirt']],
    ['offset: 10000', []],
  ])('list.by-the-price-of-the-instant: products(%s) are those of the instant', async (args, expected) => {
    expect(await names(args)).toEqual(expected)
  })

  it('filter.empty-range-finds-nothing: a lowest price above the highest leaves no product, and facets count without it', async () => {
    const fields =
      'totalCount nodes { name } priceRange { min { amount } } facets(keys: [{ tags: true }, { priceSteps: { steps: [400] } }]) { key values { count } }'
    const of = (range: string) => listed(`filter: { price: ${range} }`, fields)
    const [empty, one] = [await of('{ min: 301, max: 300 }'), await of('{ min: 300, max: 300 }')]
    expect(empty).toMatchObject({ totalCount: 0, nodes: [], facets: [{ values: [] }, {}] })
    expect(one.totalCount).toBe(1)
    expect([empty.priceRange, empty.facets[1]]).toEqual([one.priceRange, one.facets[1]])
  })

  it('list.descendants-once: the products of a node are those below it too, its curated products first, or only its own', async () => {
    const node = `nodes(ids: ["${inner}"])`
    const ofNode = async (args: string) => {
      const { data } = await queryList(`products(${args}) { nodes { name } }`, node)
      return data.catalog.latestRelease.scope[0].products.nodes.map(({ name }: { name: string }) => name)
    }
    expect(await ofNode('first: 10')).toEqual(['Chair', 'Lamp', 'Table', 'Shirt', 'Shirt S', 'Shirt M'])
    expect(await ofNode('descendants: false')).toEqual(['Chair', 'Table'])
  })

  it.each([
    ['offset: 10001', 'nodes { name }', 'offset'],
    ['offset: -1', 'nodes { name }', 'offset'],
    ['offset: 1, last: 2', 'nodes { name }', 'offset'],
    ['offset: 1, after: "x"', 'nodes { name }', 'offset'],
    ['filter: { price: { min: 2, currency: "euro" } }', 'nodes { name }', 'filter.price.currency'],
    ['filter: { options: ["red"] }', 'nodes { name }', 'filter.options.0'],
    ['filter: { upcEan: { eq: "\\u0000" } }', 'nodes { name }', 'filter.upcEan'],
    ['orderBy: { field: PRICE, currency: "" }', 'nodes { name }', 'orderBy.currency'],
    [`filter: { tags: { all: [${'"x",'.repeat(21)}] } }`, 'nodes { name }', 'filter.tags.all'],
    ['first: 1', 'facets(keys: [{ priceSteps: { steps: [2, 1] } }]) { key }', 'keys.0.priceSteps.steps'],
    ['first: 1', 'facets(keys: [{ tags: false }]) { key }', 'keys.0'],
    ['first: 1', 'facets(keys: [{ tags: true }, { variation: "Nope" }]) { key }', 'keys.1.variation'],
    ['first: 1', 'facets(keys: [{ extension: { template: "fabric", field: "colour" } }]) { key }', 'keys.0.extension'],
  ])('products(%s) { %s } is refused by an error that names %s', async (args, fields, path) => {
    expect(await refusal(args, fields)).toMatchObject({ code: 'BAD_USER_INPUT', path })
  })

  it('facet.unknown-key-refused: a facet key that the release has but the list lacks is a facet without values', async () => {
    const keys = '[{ variation: "Size" }, { extension: { template: "fabric", field: "weight" } }]'
    const { facets } = await listed(
      'descendants: false',
      `facets(keys: ${keys}) { key values { value } }`,
      `node(by: { id: "${inner}" })`,
    )
    expect(facets).toEqual([
      { key: 'variation:Size', values: [] },
      { key: 'extension:fabric:weight', values: [] },
    ])
    expect(await refusal('first: 1', 'facets(keys: [{ variation: "Nope" }]) { key }')).toMatchObject({
      message: expect.stringContaining('no product of the release has it'),
    })
  })

  it('products refuses a facet key with two members, and an unknown one', async () => {
    for (const key of ['{ tags: true, onSale: true }', '{ colour: true }']) {
      const { errors } = await queryList(`products { facets(keys: [${key}]) { key } }`)
      expect(errors[0].message).toContain('FacetKeyInput')
    }
  })
})

const whole = `totalCount nodes { name price { amount { amount } } } priceRange { min { amount } max { amount } }
  facets(keys: [{ onSale: true }, { priceSteps: { steps: [200, 400] } }]) { values { value count selected } }`

describe('list.by-the-price-of-the-instant: at the very millisecond of a turn, everything in a response is of the same instant', () => {
  const before = {
    order: ['Shirt', 'Shirt S', 'Chair', 'Shirt M', 'Table', 'Lamp'],
    table: 500,
    range: [200, 500],
    sold: 0,
  }
  const during = {
    order: ['Table', 'Shirt', 'Shirt S', 'Chair', 'Shirt M', 'Lamp'],
    table: 100,
    range: [100, 400],
    sold: 1,
  }
  it.each([
    ['right before the start', NOW - 1, before],
    ['at the start', NOW, during],
    ['right before the end', NOW + HOUR - 1, during],
    ['at the end', NOW + HOUR, before],
  ])(
    'at the very millisecond at which a sale turns, everything in a response is of the same instant: %s',
    async (_, now, expected) => {
      // Twice at each of two instants, so that cached responses and lists are read too.
      for (const instant of [now, now, now - 1, now, now + 1, now]) {
        server.now = instant
        if (instant !== now) await listed('orderBy: { field: PRICE }', whole)
        else {
          const { totalCount, nodes, priceRange, facets } = await listed('orderBy: { field: PRICE }', whole)
          expect(nodes.map(({ name }: { name: string }) => name)).toEqual(expected.order)
          expect(nodes.find(({ name }: { name: string }) => name === 'Table').price.amount.amount).toBe(expected.table)
          expect([priceRange.min.amount, priceRange.max.amount]).toEqual(expected.range)
          const count = (facet: number, value: string) =>
            facets[facet].values.find((one: { value: string }) => one.value === value)?.count ?? 0
          expect([count(0, 'true'), count(0, 'false'), totalCount]).toEqual([expected.sold, 6 - expected.sold, 6])
          expect(['..199', '200..399', '400..'].map((value) => count(1, value))).toEqual(
            expected.sold ? [1, 3, 1] : [0, 3, 2],
          )
          expect(await names('filter: { onSale: true }')).toEqual(expected.sold ? ['Table'] : [])
          expect(await names('filter: { price: { max: 199 } }')).toEqual(expected.sold ? ['Table'] : [])
          const path = listingPath(catalog, root, 'sort=price')
          const { body } = await server.rest('GET', path, {
            token: await shopper(),
            headers: { 'x-moltin-currency': 'EUR' },
          })
          expect(body.data.map((item: AnyResponse) => item.attributes.name)).toEqual(expected.order)
        }
      }
    },
  )
})

describe('list.true-until-next-change: validUntil is the next turn of a sale in the list, though no price is selected', () => {
  it.each([
    'products(first: 0) { priceRange { min { amount } } }',
    'products(first: 0) { facets(keys: [{ onSale: true }]) { key } }',
    'products(first: 0) { facets(keys: [{ priceSteps: { steps: [200] } }]) { key } }',
    'products(filter: { onSale: true }) { totalCount }',
    'products(filter: { price: { max: 199 } }) { totalCount }',
  ])('validUntil of a list is the next turn of a sale in it, though no price is selected: %s', async (fields) => {
    const until = async (now: number) => {
      server.now = now
      return (await queryList(fields)).extensions?.validUntil
    }
    expect(await until(NOW - 1)).toBe(new Date(NOW).toISOString())
    expect(await until(NOW)).toBe(new Date(NOW + HOUR).toISOString())
    expect((await until(NOW + HOUR)) ?? null).toBeNull()
  })

  it('validUntil is null for a list by options of variations without prices, which only a publish changes', async () => {
    const { extensions } = await queryList(`products(filter: { options: ["${idOf(0x300)}"] }) { totalCount }`)
    expect(extensions).toEqual({ validUntil: null })
  })

  it('validUntil is null for a list with facets of tags, which end with no sale', async () => {
    server.now = NOW
    expect(
      (await queryList('products(first: 0) { facets(keys: [{ tags: true }]) { key } }')).extensions?.validUntil ?? null,
    ).toBeNull()
  })
})

it('graph.operation-sets-its-context: order, range, facets and filters of a page are those of @inContext(at:)', async () => {
  server.now = NOW - HOUR
  const { token } = await server.issue({ subject: 'admin', role: 'admin' }, server.now)
  const page = async (at: number) => {
    const products = `products(orderBy: { field: PRICE }) { ${whole} } sold: products(filter: { onSale: true }) { nodes { name } }`
    const query = `query @inContext(at: "${new Date(at).toISOString()}", currency: "EUR") { catalog(id: "${catalog}") { latestRelease { hierarchy(id: "${root}") { ${products} } } } }`
    const { products: all, sold } = (await server.gql(query, {}, { token })).data.catalog.latestRelease.hierarchy
    const onSale = all.facets[0].values.find(({ value }: { value: string }) => value === 'true')?.count ?? 0
    return [all.nodes[0].name, all.priceRange.min.amount, onSale, sold.nodes.map(({ name }: { name: string }) => name)]
  }
  const [usual, hour] = [
    ['Shirt', 200, 0, []],
    ['Table', 100, 1, ['Table']],
  ]
  expect(await page(NOW - 1)).toEqual(usual)
  expect(await page(NOW)).toEqual(hour)
  expect(await page(NOW + HOUR - 1)).toEqual(hour)
  expect(await page(NOW + HOUR)).toEqual(usual)
})

describe('facets', () => {
  it('facets say of each kind of value which are selected', async () => {
    const filter =
      '{ onSale: false, price: { min: 200, max: 399 }, productTypes: { eq: STANDARD }, extension: [{ template: "fabric", field: "material", eq: "oak" }] }'
    const keys =
      '[{ onSale: true }, { priceSteps: { steps: [200, 400] } }, { productTypes: true }, { extension: { template: "fabric", field: "material" } }]'
    const { facets } = await listed(`filter: ${filter}`, `facets(keys: ${keys}) { values { value selected } }`)
    const selected = ({ values }: AnyResponse) =>
      values.filter((one: AnyResponse) => one.selected).map((one: AnyResponse) => one.value)
    expect(facets.map(selected)).toEqual([['false'], ['200..399'], ['STANDARD'], ['oak']])
    const none = await listed('first: 1', `facets(keys: ${keys}) { values { value selected } }`)
    expect(none.facets.map(selected)).toEqual([[], [], [], []])
  })

  it('facet.counted-without-own-key: facets are by default tags, types, variations and extension fields, most first, then by value', async () => {
    const { facets } = await listed(
      'filter: { tags: { eq: "home" } }',
      'facets { key label values { value label count selected } }',
    )
    const value = (one: string, count: number, selected = false) => ({ value: one, label: one, count, selected })
    expect(
      facets.map(({ key, values }: AnyResponse) => [key, values.map((one: AnyResponse) => [one.value, one.count])]),
    ).toEqual([
      [
        'tags',
        [
          ['home', 3],
          ['wear', 3],
          ['wood', 2],
          ['large', 1],
          ['light', 1],
        ],
      ],
      ['productTypes', [['STANDARD', 3]]],
      [
        'extension:fabric:material',
        [
          ['oak', 2],
          ['steel', 1],
        ],
      ],
      ['extension:fabric:washable', [['false', 1]]],
      ['extension:fabric:weight', [['2.5', 1]]],
    ])
    expect(facets[0].values[0]).toEqual(value('home', 3, true))
    expect(facets[2].label).toBe('material')
  })

  it('facets count a group once, and know options selected by their ids', async () => {
    const args = `groupVariants: true, filter: { options: ["${idOf(0x300)}"] }`
    const { totalCount, facets } = await listed(
      args,
      'totalCount facets(keys: [{ variation: "Size" }, { tags: true }]) { values { value count selected } }',
    )
    expect(totalCount).toBe(1)
    expect(facets[0].values).toEqual([
      { value: 'M', count: 1, selected: false },
      { value: 'S', count: 1, selected: true },
    ])
    expect(facets[1].values).toEqual([{ value: 'wear', count: 1, selected: false }])
  })

  it('facets know a selected option by the name that it has in the release, whatever other releases call it', async () => {
    const facet = 'facets(keys: [{ variation: "Size" }]) { values { value selected } }'
    const call = async (...called: string[]) => {
      const options = sizes.map((one, at) => ({ ...one, name: called[at] }))
      const variations = JSON.stringify([{ id: idOf(0x310), name: 'Size', options }])
      await database.pool.query('UPDATE product SET variations = $2 WHERE id = $1', [idOf(4), variations])
      await publish(server, catalog)
    }
    await call('M', 'S')
    expect((await listed(`filter: { options: ["${idOf(0x300)}"] }`, facet)).facets[0].values).toEqual([
      { value: 'M', selected: true },
      { value: 'S', selected: false },
    ])
    await call('S', 'M')
  })

  it('a page with facets whose order is not known runs at most three statements, and none when all is known', async () => {
    await publish(server, catalog)
    await names('first: 1')
    const fields = `${whole} all: facets { key }`
    const page = () => listed('filter: { tags: { eq: "home" } }, orderBy: { field: PRICE }', fields)
    const first = await countStatements(database, page)
    expect(first.count).toBeLessThanOrEqual(3)
    server.now += 1
    expect((await countStatements(database, page)).count).toBe(0)
  })
})

describe('list.walk-keeps-release-and-instant: walks', () => {
  const walk = async (args: string, meanwhile: (page: number) => Promise<void>) => {
    const seen: string[] = []
    for (let after = '', page = 0; page < 10; page++) {
      const cursor = after === '' ? '' : `, after: "${after}"`
      const { nodes, pageInfo } = await listed(
        `first: 2, ${args}${cursor}`,
        'nodes { name } pageInfo { hasNextPage endCursor }',
      )
      seen.push(...nodes.map(({ name }: { name: string }) => name))
      if (!pageInfo.hasNextPage) return seen
      after = pageInfo.endCursor
      await meanwhile(page)
    }
    return seen
  }

  it('a walk goes on in its release while others are published, and under a price order at its instant while sales turn', async () => {
    let name = 0
    const seen = await walk('orderBy: { field: PRICE }', async () => {
      server.now = NOW + HOUR / 2
      await database.pool.query('UPDATE product SET updated_at = $1, name = $2 WHERE id = $3', [
        new Date(NOW),
        `Lamp ${name++}`,
        idOf(1),
      ])
      await publish(server, catalog)
    })
    expect(seen).toEqual(['Shirt', 'Shirt S', 'Chair', 'Shirt M', 'Table', 'Lamp'])
    await database.pool.query('UPDATE product SET updated_at = $1, name = $2 WHERE id = $3', [
      new Date(NOW - 101 * HOUR),
      'Lamp',
      idOf(1),
    ])
    await publish(server, catalog)
  })

  it('a cursor of a release that is gone, or of an instant more than 24 hours ago, has expired', async () => {
    const { pageInfo } = await listed('first: 1, orderBy: { field: PRICE }', 'pageInfo { endCursor }')
    const again = `first: 1, orderBy: { field: PRICE }, after: "${pageInfo.endCursor}"`
    server.now += 24 * HOUR
    expect(await names(again)).toHaveLength(1)
    server.now += 1
    expect(await refusal(again)).toMatchObject({ code: 'CURSOR_EXPIRED', path: 'after' })
    server.now = NOW - HOUR
    const gone = withParts(pageInfo.endCursor, (parts) => [idOf(0x999), ...parts.slice(1)])
    expect(await refusal(`first: 1, orderBy: { field: PRICE }, after: "${gone}"`)).toMatchObject({
      code: 'CURSOR_EXPIRED',
      path: 'after',
    })
  })

  it('a cursor of products is refused with a future instant, and under another scope, filter or order', async () => {
    const { pageInfo } = await listed('first: 1, orderBy: { field: PRICE }', 'pageInfo { endCursor }')
    const future = withParts(pageInfo.endCursor, (parts) => [...parts.slice(0, 3), NOW])
    expect(await refusal(`orderBy: { field: PRICE }, after: "${future}"`)).toMatchObject({
      code: 'BAD_USER_INPUT',
      path: 'after',
    })
    for (const args of [
      '',
      'orderBy: { field: PRICE, direction: DESC }, ',
      'orderBy: { field: PRICE }, filter: { onSale: false }, ',
    ]) {
      expect(await refusal(`${args}before: "${pageInfo.endCursor}"`)).toMatchObject({
        code: 'BAD_USER_INPUT',
        path: 'before',
      })
    }
    const { errors } = await queryList(
      `products(orderBy: { field: PRICE }, after: "${pageInfo.endCursor}") { nodes { name } }`,
      `node(by: { id: "${inner}" })`,
    )
    expect(errors[0].extensions.code).toBe('BAD_USER_INPUT')
  })

  it('a release by its id refuses cursors of other releases', async () => {
    const { pageInfo } = await listed('first: 1', 'pageInfo { endCursor }')
    const { id } = await publish(server, catalog)
    const query = `{ catalog(id: "${catalog}") { release(id: "${id}") { hierarchy(id: "${root}") { products(after: "${pageInfo.endCursor}") { nodes { name } } } } } }`
    const { errors } = await server.gql(query, {}, { token: await shopper() })
    expect(errors[0].message).toContain('must be a cursor of this release')
  })
})

function withParts(cursor: string, change: (parts: unknown[]) => unknown[]): string {
  const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  return Buffer.from(JSON.stringify(change(parts))).toString('base64url')
}

describe('the facade', () => {
  beforeAll(async () => {
    server.now = NOW - HOUR
    await database.pool.query('UPDATE product SET updated_at = $1 WHERE id = $2', [new Date(NOW - 101 * HOUR), idOf(1)])
    await publish(server, catalog)
  })

  async function sorted(sort: string, query = ''): Promise<AnyResponse> {
    const { status, body } = await server.rest('GET', listingPath(catalog, root, `sort=${sort}${query}`), {
      token: await shopper(),
      headers: { 'x-moltin-currency': 'EUR' },
    })
    return status === 200
      ? body.data.map((item: AnyResponse) => item.attributes.name)
      : { status, detail: body.errors[0].detail }
  }

  it.each([
    ['name', 'NAME', ['Chair', 'Lamp', 'Shirt', 'Shirt M', 'Shirt S', 'Table']],
    ['-name', 'NAME, direction: DESC', ['Table', 'Shirt S', 'Shirt M', 'Shirt', 'Lamp', 'Chair']],
    ['price', 'PRICE', ['Shirt', 'Shirt S', 'Chair', 'Shirt M', 'Table', 'Lamp']],
    ['-price', 'PRICE, direction: DESC', ['Table', 'Shirt M', 'Chair', 'Shirt', 'Shirt S', 'Lamp']],
    ['updated_at', 'UPDATED_AT', ['Lamp', 'Shirt M', 'Shirt S', 'Shirt', 'Table', 'Chair']],
    ['created_at', 'CREATED_AT', ['Shirt', 'Lamp', 'Shirt S', 'Chair', 'Shirt M', 'Table']],
    ['-created_at', 'CREATED_AT, direction: DESC', ['Table', 'Shirt M', 'Chair', 'Shirt S', 'Lamp', 'Shirt']],
    ['-updated_at', 'UPDATED_AT, direction: DESC', ['Chair', 'Table', 'Shirt', 'Shirt S', 'Shirt M', 'Lamp']],
  ])('REST lists by sort=%s as the graph does by %s, page by page and with a filter', async (sort, field, expected) => {
    expect(await sorted(sort)).toEqual(expected)
    expect(await names(`orderBy: { field: ${field} }`)).toEqual(expected)
    const pages = [0, 2, 4].map((offset) => sorted(sort, `&page[limit]=2&page[offset]=${offset}`))
    expect((await Promise.all(pages)).flat()).toEqual(expected)
    const wanted = expected.filter((name) => name === 'Chair' || name === 'Lamp' || name === 'Shirt S')
    expect(await sorted(sort, '&filter=in(sku,CHAIR,LAMP,SHIRT S)')).toEqual(wanted)
    expect(await names(`orderBy: { field: ${field} }, filter: { sku: { in: ["CHAIR", "LAMP", "SHIRT S"] } }`)).toEqual(
      wanted,
    )
  })

  it('REST refuses an unknown sort by its name', async () => {
    const detail = 'sort: must be one of name, -name, price, -price, updated_at, -updated_at, created_at, -created_at'
    for (const sort of ['popularity', '--name', 'NAME', '']) expect(await sorted(sort)).toEqual({ status: 400, detail })
  })
})
