import { beforeAll, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { makeProducts } from '../../support/hierarchies.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const NOBODY = '0199aaaa-0000-7000-8000-00000000dead'

/** Runs a mutation and returns its payload. */
async function mutate(name: string, fields: string, input: object) {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`
  const { data, errors } = await server.gql(
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${fields} userErrors { code path } } }`,
    { input },
  )
  expect(errors).toBeUndefined()
  return data[name]
}

const hierarchyId = async (name: string): Promise<string> =>
  (await mutate('createHierarchy', 'hierarchy { id }', { name })).hierarchy.id
const nodeId = async (parentId: string, name: string, more: object = {}): Promise<string> =>
  (await mutate('createNode', 'node { id }', { parentId, name, ...more })).node.id

let products: string[]
beforeAll(async () => {
  products = await makeProducts(contextOf(server.services, START), 'a', 'b', 'c')
})

describe('hierarchies and nodes in GraphQL', () => {
  it('hierarchy.is-its-root-node: a tree of hierarchies and nodes is created and walked both ways, by global ids and UUIDs', async () => {
    const root = await hierarchyId('Walk')
    const top = await nodeId(root, 'Top', { label: 'New', sortOrder: 3, locales: [{ language: 'de', name: 'Oben' }] })
    const leaf = await nodeId(top, 'Leaf', {
      productIds: [products[0], globalId('Product', products[1] ?? '')],
      curatedProductIds: [products[1]],
    })
    const { data } = await server.gql(
      `query ($root: ID!, $leaf: ID!, $product: ID!) {
        hierarchy(id: $root) { name slug children { totalCount nodes { name label sortOrder locales { language name } children { nodes { name } } } } }
        hierarchyNode(id: $leaf) {
          hierarchy { name } parent { name } ancestors { name } products { nodes { name } totalCount } curatedProducts { name }
        }
        product(id: $product) { nodes { nodes { name hierarchy { name } } } }
        node(id: $leaf) { __typename ... on HierarchyNode { slug } }
      }`,
      { root, leaf, product: products[1] },
    )
    expect(data).toEqual({
      hierarchy: {
        name: 'Walk',
        slug: 'walk',
        children: {
          totalCount: 1,
          nodes: [
            {
              name: 'Top',
              label: 'New',
              sortOrder: 3,
              locales: [{ language: 'de', name: 'Oben' }],
              children: { nodes: [{ name: 'Leaf' }] },
            },
          ],
        },
      },
      hierarchyNode: {
        hierarchy: { name: 'Walk' },
        parent: { name: 'Top' },
        ancestors: [{ name: 'Top' }],
        products: { nodes: [{ name: 'b' }, { name: 'a' }], totalCount: 2 },
        curatedProducts: [{ name: 'b' }],
      },
      product: { nodes: { nodes: [{ name: 'Leaf', hierarchy: { name: 'Walk' } }] } },
      node: { __typename: 'HierarchyNode', slug: 'leaf' },
    })
  })

  it('nodes are moved, and products attached, detached and curated', async () => {
    const [root, other] = [await hierarchyId('From'), await hierarchyId('To')]
    const [a, b] = [await nodeId(root, 'A'), await nodeId(root, 'B')]
    const moved = await mutate('moveNode', 'node { parent { name } hierarchy { name } }', { id: a, parentId: b })
    expect(moved).toEqual({ node: { parent: { name: 'B' }, hierarchy: { name: 'From' } }, userErrors: [] })
    expect(await mutate('moveNode', 'node { id }', { id: b, parentId: a })).toEqual({
      node: null,
      userErrors: [{ code: 'CYCLE', path: ['parentId'] }],
    })
    await mutate('moveNode', 'node { id }', { id: b, parentId: other })
    const { data } = await server.gql(
      'query ($id: ID!) { hierarchyNode(id: $id) { parent { name } hierarchy { name } } }',
      { id: a },
    )
    expect(data.hierarchyNode).toEqual({ parent: { name: 'B' }, hierarchy: { name: 'To' } })

    const fields = 'node { products { nodes { name } } curatedProducts { name } }'
    const attached = await mutate('attachProducts', fields, {
      nodeId: a,
      productIds: products.map((id) => globalId('Product', id)),
    })
    expect(attached.node.products.nodes).toEqual([{ name: 'c' }, { name: 'b' }, { name: 'a' }])
    const detached = await mutate('detachProducts', fields, { nodeId: a, productIds: [products[1]] })
    expect(detached.node.products.nodes).toEqual([{ name: 'c' }, { name: 'a' }])
    const curated = await mutate('curateProducts', fields, { nodeId: a, productIds: [products[0], products[2]] })
    expect(curated.node.curatedProducts).toEqual([{ name: 'a' }, { name: 'c' }])
    expect(
      await mutate('attachProducts', 'node { id }', { nodeId: a, productIds: [products[0], NOBODY, 'x'] }),
    ).toEqual({
      node: null,
      userErrors: [{ code: 'INVALID_FORMAT', path: ['productIds', '2'] }],
    })
  })

  it('mutations of hierarchies and nodes report broken rules with their path in the input', async () => {
    const root = await hierarchyId('Paths')
    await nodeId(root, 'Same')
    const bad = {
      parentId: root,
      name: '',
      slug: 'no spaces',
      curatedProductIds: ['x'],
      locales: [{ language: 'not a tag' }],
      productIds: ['y'],
    }
    expect((await mutate('createNode', 'node { id }', bad)).userErrors).toEqual([
      { code: 'TOO_SHORT', path: ['name'] },
      { code: 'INVALID_FORMAT', path: ['slug'] },
      { code: 'INVALID_FORMAT', path: ['locales', '0', 'language'] },
      { code: 'INVALID_FORMAT', path: ['curatedProductIds', '0'] },
      { code: 'INVALID_FORMAT', path: ['productIds', '0'] },
    ])
    expect((await mutate('createNode', 'node { id }', { parentId: root, name: 'Same' })).userErrors).toEqual([
      { code: 'NAME_TAKEN', path: ['name'] },
    ])
    expect((await mutate('createNode', 'node { id }', { parentId: NOBODY, name: 'Lost' })).userErrors).toEqual([
      { code: 'NOT_FOUND', path: ['parentId'] },
    ])
    expect((await mutate('deleteHierarchy', 'hierarchy { id }', { id: root })).userErrors).toEqual([
      { code: 'IN_USE', path: ['id'] },
    ])
  })

  it('write.if-updated-at: an update of a node with an old ifUpdatedAt changes nothing and returns the current node', async () => {
    const parentId = await hierarchyId('Stale')
    const { id, updatedAt } = (await mutate('createNode', 'node { id updatedAt }', { parentId, name: 'Node' })).node
    const input = { id, description: 'one', ifUpdatedAt: updatedAt }
    expect(await mutate('updateNode', 'node { description }', input)).toMatchObject({
      node: { description: 'one' },
      userErrors: [],
    })
    expect(await mutate('updateNode', 'node { description }', { ...input, description: 'two' })).toEqual({
      node: { description: 'one' },
      userErrors: [{ code: 'STALE', path: ['ifUpdatedAt'] }],
    })
  })

  it('lists of 2 and of 20 nodes with their edges run the same number of statements', async () => {
    const counts: number[] = []
    for (const size of [2, 20]) {
      const root = await hierarchyId(`Count ${size}`)
      for (let index = 0; index < size; index++)
        await nodeId(await nodeId(root, `Top ${index}`), 'Leaf', { productIds: products })
      const query = `query ($id: ID!) { hierarchy(id: $id) { children(first: 20) { nodes { hierarchy { name } children(first: 2) { totalCount nodes {
        parent { name } ancestors { name } products(first: 3) { totalCount nodes { nodes(first: 3) { nodes { name } } } } } } } } } }`
      const { result, count } = await countStatements(database, () => server.gql(query, { id: root }))
      expect(result.data.hierarchy.children.nodes).toHaveLength(size)
      counts.push(count)
    }
    // The hierarchy, its children, their children with totals and hierarchies, parents, ancestors, products with
    // totals, their nodes.
    expect(counts[1]).toBe(counts[0])
    expect(counts[0]).toBeLessThanOrEqual(10)
  })

  it('nodes are paged forward and back', async () => {
    const root = await hierarchyId('Pages')
    for (const name of ['1', '2', '3']) await nodeId(root, name)
    const page = async (args: string) => {
      const { data } = await server.gql(
        `{ hierarchy(id: "${root}") { children(${args}) { nodes { name } pageInfo { endCursor startCursor } } } }`,
      )
      const { nodes, pageInfo } = data.hierarchy.children
      return { names: nodes.map(({ name }: { name: string }) => name), ...pageInfo }
    }
    const first = await page('first: 2')
    expect(first.names).toEqual(['1', '2'])
    expect((await page(`first: 2, after: "${first.endCursor}"`)).names).toEqual(['3'])
    const last = await page('last: 2')
    expect(last.names).toEqual(['2', '3'])
    expect((await page(`last: 2, before: "${last.startCursor}"`)).names).toEqual(['1'])
  })
})

describe('catalogs and rules in GraphQL', () => {
  it('catalog.highest-book-prices: a catalog is created and updated, with edges to its books, hierarchies and rules, and back', async () => {
    const root = await hierarchyId('Shop root')
    const book = await makeBook(contextOf(server.services, START), 'Shop book')
    const priceBooks = [{ id: globalId('PriceBook', book.id), priority: 9_007_199_254_740_991 }]
    const fields = `catalog { id name settings { name hierarchies { name catalogs { nodes { name } } } priceBooks { priority priceBook { name catalogs { totalCount nodes { name } } } } } }`
    const created = await mutate('createCatalog', fields, { name: 'Shop', hierarchyIds: [root], priceBooks })
    expect(created.userErrors).toEqual([])
    expect(created.catalog.settings).toEqual({
      name: 'Shop',
      hierarchies: [{ name: 'Shop root', catalogs: { nodes: [{ name: 'Shop' }] } }],
      priceBooks: [
        {
          priority: 9_007_199_254_740_991,
          priceBook: { name: 'Shop book', catalogs: { totalCount: 1, nodes: [{ name: 'Shop' }] } },
        },
      ],
    })
    const { id } = created.catalog
    const twice = await mutate('updateCatalog', 'catalog { id }', { id, priceBooks: [...priceBooks, ...priceBooks] })
    expect(twice.userErrors).toEqual([{ code: 'DUPLICATE', path: ['priceBooks', '1'] }])
    expect(
      (await mutate('updateCatalog', 'catalog { settings { name hierarchies { name } } }', { id, name: 'Store' }))
        .catalog.settings,
    ).toEqual({
      name: 'Store',
      hierarchies: [{ name: 'Shop root' }],
    })

    const rule = { name: 'Club', catalogId: id, tags: ['member'], schedules: [{ validFrom: '2026-01-01T00:00:00Z' }] }
    const ruled = await mutate(
      'createCatalogRule',
      'catalogRule { id catalog { name } tags channels schedules { validFrom validTo } }',
      rule,
    )
    expect(ruled.catalogRule).toMatchObject({
      catalog: { name: 'Store' },
      tags: ['member'],
      channels: [],
      schedules: [{ validFrom: '2026-01-01T00:00:00.000Z', validTo: null }],
    })
    expect((await mutate('deleteCatalog', 'settings { name }', { id })).userErrors).toEqual([
      { code: 'IN_USE', path: ['id'] },
    ])
    const { data } = await server.gql(
      `query ($id: ID!) { catalog(id: $id) { rules { totalCount nodes { name } } } catalogRules(filter: { name: { eq: "Club" } }) { totalCount } }`,
      { id },
    )
    expect(data).toEqual({
      catalog: { rules: { totalCount: 1, nodes: [{ name: 'Club' }] } },
      catalogRules: { totalCount: 1 },
    })
    const emptied = await mutate('updateCatalogRule', 'catalogRule { tags schedules { validFrom } }', {
      id: ruled.catalogRule.id,
      tags: null,
      schedules: [],
    })
    expect(emptied.catalogRule).toEqual({ tags: [], schedules: [] })
    await mutate('deleteCatalogRule', 'catalogRule { id }', { id: ruled.catalogRule.id })
    expect((await mutate('deleteCatalog', 'settings { name }', { id })).settings).toEqual({ name: 'Store' })
  })

  it('write.idempotency-key: the same idempotency key and input create one catalog', async () => {
    const input = { name: 'Once', hierarchyIds: [], priceBooks: [], idempotencyKey: 'once' }
    const first = await mutate('createCatalog', 'catalog { id }', input)
    expect(await mutate('createCatalog', 'catalog { id }', input)).toEqual(first)
  })

  it('right.shoppers-see-published-and-own: shoppers see nothing of authored catalogs and rules on any path', async () => {
    const root = await hierarchyId('Hidden')
    const ask = async (query: string) =>
      (await server.gql(query, {}, { token: server.shopper })).errors?.[0]?.extensions?.code
    const queries = [
      '{ hierarchies { totalCount } }',
      `{ hierarchy(id: "${root}") { name } }`,
      `{ node(id: "${root}") { id } }`,
      '{ catalogRules { totalCount } }',
    ]
    for (const query of queries) expect(await ask(query)).toBe('FORBIDDEN')
    expect(await ask('mutation { createHierarchy(input: { name: "x" }) { userErrors { code } } }')).toBe('FORBIDDEN')
  })
})
