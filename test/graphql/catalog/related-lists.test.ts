/**
 * The lists of a published product: its children and bundles, filtered and ordered as every list of products, and its
 * nodes in an order.
 */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countStatements, useDatabase } from '../../support/database.ts'
import { fullStore, ids, winter } from '../../support/full-store.ts'
import { type NamedPage, namedPageFields, namesOf, walkNames } from '../../support/named-list.ts'
import { publish, publishStore } from '../../support/published.ts'
import { manualClock, START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })
beforeAll(async () => {
  await publishStore(server, fullStore())
})
beforeEach(() => {
  server.now = START
})

async function send(selection: string) {
  const { token } = await server.issue({ subject: 'one', role: 'shopper' }, Math.floor(server.now / 1_000) * 1_000)
  return server.gql(`{ catalog(id: "${ids.catalog}") { latestRelease { ${selection} } } }`, {}, { token })
}

const argumentsOf = (given: readonly string[]) => (given.length === 0 ? '' : `(${given.join(', ')})`)
const listOf = (field: string, given: readonly string[]) => `${field}${argumentsOf(given)} { ${namedPageFields} }`

/** A list of a product. */
async function ask(id: string, field: string, ...given: string[]): Promise<NamedPage> {
  const { data, errors } = await send(`product(by: { id: "${id}" }) { ${listOf(field, given)} }`)
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease.product[field]
}

/** All pages of one item of a list. */
const walk = (id: string, field: string, given: readonly string[], backward: boolean): Promise<string[]> =>
  walkNames(backward, (cursor) => {
    const bound = cursor === undefined ? [] : [`${backward ? 'before' : 'after'}: "${cursor}"`]
    return ask(id, field, backward ? 'last: 1' : 'first: 1', ...bound, ...given)
  })

const [red, large, blue] = ['Shirt red S', 'Shirt red L', 'Shirt blue S'] as const
const orderBy = (field: string, more = '') => `orderBy: { field: ${field}${more} }`

describe.each([
  ['children', ids.shirt, [blue, large, red]],
  ['bundles', ids.machine, ['Starter set', 'Gift box']],
] as const)('CatalogProduct.%s', (field, id, own) => {
  it(`CatalogProduct.${field} come in their own order, and descending in its reverse`, async () => {
    expect(namesOf(await ask(id, field))).toEqual(own)
    expect(namesOf(await ask(id, field, orderBy('DEFAULT', ', direction: DESC')))).toEqual([...own].reverse())
  })

  it.each([
    [],
    ['filter: { search: "shirt red" }'],
    ['filter: { search: "box" }'],
    ['filter: { onSale: true }'],
    ['filter: { price: { min: 2100, currency: "USD" } }'],
    ['filter: { price: { max: 9900, currency: "USD" } }'],
    ['filter: { sku: { in: ["GIFT", "SHIRT-RED-S"] } }'],
    ['filter: { name: { contains: "e" }, sku: { startsWith: "S" } }'],
    [`filter: { options: ["${ids.red}"] }`],
    [`filter: { options: ["${ids.small}", "${ids.blue}"] }`],
    ['filter: { tags: { all: ["coffee"] } }'],
  ])(
    `CatalogProduct.${field} with a filter are those that match, in the order in which the release lists them, on every page: %s`,
    async (...filter) => {
      for (const now of [START, winter.to]) {
        server.now = now
        for (const order of [
          ...['NAME', 'PRICE', 'UPDATED_AT'].map((one) => orderBy(one)),
          orderBy('PRICE', ', direction: DESC, currency: "USD"'),
        ]) {
          const given = [...filter, order]
          const { data } = await send(listOf('products', ['first: 100', ...given]))
          const expected = namesOf(data.catalog.latestRelease.products).filter((name) =>
            (own as readonly string[]).includes(name),
          )
          const page = await ask(id, field, ...given)
          expect([namesOf(page), page.totalCount]).toEqual([expected, expected.length])
          for (const backward of [false, true]) expect(await walk(id, field, given, backward)).toEqual(expected)
        }
      }
    },
  )

  it(`list.walk-keeps-release-and-instant: a walk of CatalogProduct.${field} goes on in its release when another one is published`, async () => {
    const { endCursor } = (await ask(id, field, 'first: 1')).pageInfo
    await database.pool.query(`UPDATE product SET status = 'draft' WHERE name = $1`, [own[1]])
    await publish(server, ids.catalog)
    const rest = await ask(id, field, `after: "${endCursor}"`)
    await database.pool.query(`UPDATE product SET status = 'live' WHERE name = $1`, [own[1]])
    expect([namesOf(rest), namesOf(await ask(id, field))]).toEqual([
      own.slice(1),
      own.filter((name) => name !== own[1]),
    ])
    await publish(server, ids.catalog)
  })

  it(`CatalogProduct.${field} refuse cursors of another filter or order, and what every list of products refuses, by the name of the argument`, async () => {
    const { endCursor } = (await ask(id, field, 'first: 1', orderBy('NAME'))).pageInfo
    for (const [given, path] of [
      [[`after: "${endCursor}"`], ['after']],
      [[`after: "${endCursor}"`, orderBy('PRICE')], ['after']],
      [[`after: "${endCursor}"`, orderBy('NAME'), 'filter: { onSale: false }'], ['after']],
      [[orderBy('RELEVANCE')], ['orderBy', 'field']],
      [['filter: { price: { min: 2, currency: "euro" } }'], ['filter', 'price', 'currency']],
      [['first: 101'], ['first']],
    ] as const) {
      const { errors } = await send(`product(by: { id: "${id}" }) { ${listOf(field, given)} }`)
      expect(errors?.[0].extensions, String(given)).toMatchObject({
        code: 'BAD_USER_INPUT',
        violations: [{ path: expect.arrayContaining([...path]) }],
      })
    }
  })
})

describe('the children of a parent', () => {
  it('the children of a parent can be ordered by the price of this moment, and filtered by it', async () => {
    expect(namesOf(await ask(ids.shirt, 'children', orderBy('PRICE', ', currency: "USD"')))).toEqual([blue, large, red])
    expect(namesOf(await ask(ids.shirt, 'children', 'filter: { price: { min: 2001, currency: "USD" } }'))).toEqual([
      large,
      red,
    ])
    expect(namesOf(await ask(ids.shirt, 'children', 'filter: { onSale: true }', orderBy('NAME')))).toEqual([large])
    expect(namesOf(await ask(ids.beans, 'children', 'filter: { onSale: true }'))).toEqual([])
  })

  it('the children of a parent have the facets and the price range that a filter leaves, each facet without its own part (facet.counted-without-own-key)', async () => {
    const fields =
      'facets(keys: [{ variation: "Colour" }, { variation: "Size" }]) { key values { value count } } priceRange(currency: "USD") { min { amount } max { amount } }'
    const { data, errors } = await send(
      `product(by: { id: "${ids.shirt}" }) { children(filter: { options: ["${ids.small}"] }) { ${fields} } }`,
    )
    expect(errors).toBeUndefined()
    expect(data.catalog.latestRelease.product.children).toEqual({
      facets: [
        {
          key: 'variation:Colour',
          values: [
            { value: 'Blue', count: 1 },
            { value: 'Red', count: 1 },
          ],
        },
        {
          key: 'variation:Size',
          values: [
            { value: 'Large', count: 1 },
            { value: 'Small', count: 2 },
          ],
        },
      ],
      priceRange: { min: { amount: 2000 }, max: { amount: 2999 } },
    })
  })
})

it('list.by-the-price-of-the-instant: a response with bundles by price is true until a price among them changes, one without for good', async () => {
  const untilOf = async (given: string) =>
    (await send(`product(by: { id: "${ids.machine}" }) { bundles${given} { nodes { sku } } }`)).extensions.validUntil
  expect(await untilOf('')).toBeNull()
  expect(await untilOf(`(${orderBy('NAME')})`)).toBeNull()
  expect(await untilOf(`(${orderBy('PRICE', ', currency: "USD"')})`)).toBe(new Date(winter.to).toISOString())
  expect(await untilOf('(filter: { price: { max: 1, currency: "USD" } })')).toBe(new Date(winter.to).toISOString())
})

it('the lists of all products of a page take one statement, and none more for a filter and an order that are known', async () => {
  const price = 'filter: { price: { min: 1, currency: "USD" } }, orderBy: { field: PRICE, currency: "USD" }'
  const run = async (first: number, field: string, given: string) => {
    const query = `products(first: ${first}) { nodes { list: ${field}${given} { totalCount nodes { name } } } }`
    await send(query)
    const { result, count } = await countStatements(database, () => send(query))
    expect(result.errors).toBeUndefined()
    return count
  }
  for (const field of ['children', 'bundles']) {
    for (const given of ['', `(${price})`])
      expect([await run(2, field, given), await run(100, field, given)]).toEqual([1, 1])
  }
})

describe('CatalogProduct.nodes', () => {
  const [espresso, machines, sale] = ['Espresso', 'Machines', 'Sale'] as const

  it.each([
    ['', [sale, machines, espresso]],
    [orderBy('NAME'), [espresso, machines, sale]],
    [orderBy('NAME', ', direction: DESC'), [sale, machines, espresso]],
    [orderBy('UPDATED_AT'), [machines, espresso, sale]],
    [orderBy('UPDATED_AT', ', direction: DESC'), [sale, espresso, machines]],
    [orderBy('SORT_ORDER'), [espresso, machines, sale]],
    [orderBy('SORT_ORDER', ', direction: DESC'), [espresso, machines, sale]],
  ])(
    'node.children-in-order: CatalogProduct.nodes are walked forward and backward in one order: %s',
    async (order, expected) => {
      const given = order === '' ? [] : [order]
      const page = await ask(ids.machine, 'nodes', ...given)
      expect([namesOf(page), page.totalCount]).toEqual([expected, 3])
      for (const backward of [false, true]) expect(await walk(ids.machine, 'nodes', given, backward)).toEqual(expected)
    },
  )

  it('CatalogProduct.nodes refuse cursors of the nodes of another product', async () => {
    const { endCursor } = (await ask(ids.machine, 'nodes', 'first: 1')).pageInfo
    const { errors } = await send(
      `product(by: { id: "${ids.shirt}" }) { ${listOf('nodes', [`after: "${endCursor}"`])} }`,
    )
    expect(errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', violations: [{ path: ['after'] }] })
  })

  it('CatalogProduct.nodes refuse cursors of another order', async () => {
    const { endCursor } = (await ask(ids.machine, 'nodes', 'first: 1', orderBy('NAME'))).pageInfo
    for (const given of [[], [orderBy('SORT_ORDER')]]) {
      const { errors } = await send(
        `product(by: { id: "${ids.machine}" }) { ${listOf('nodes', [`after: "${endCursor}"`, ...given])} }`,
      )
      expect(errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', violations: [{ path: ['after'] }] })
    }
  })
  it('CatalogProduct.nodes refuse cursors from before a publish as expired', async () => {
    const { endCursor } = (await ask(ids.machine, 'nodes', 'first: 1')).pageInfo
    await publish(server, ids.catalog)
    const { errors } = await send(
      `product(by: { id: "${ids.machine}" }) { ${listOf('nodes', [`after: "${endCursor}"`])} }`,
    )
    expect(errors[0].extensions).toMatchObject({ code: 'CURSOR_EXPIRED', violations: [{ path: ['after'] }] })
  })
})
