/** Nodes by path and products by key, and the menu of a release. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MENU_ENTRIES_MAX, menuOf, nodeByPath } from '../../../src/domain/catalog/menu.ts'
import { Release, type ReleaseNode } from '../../../src/domain/catalog/release.ts'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { COST_MAX } from '../../../src/graphql/server/cost-tree.ts'
import { COST_HEADER } from '../../../src/graphql/server/server.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { idOf } from '../../support/products.ts'
import { publishStore } from '../../support/published.ts'
import { manualClock, START, useServer } from '../../support/server.ts'
import type { StoreNode } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { config: { responseCacheMb: 0 }, elapsed: manualClock() })

const large = idOf(0xca2)
const largeRoot = idOf(0x10000)

const largeNode = (id: string, parent_id: string | null): StoreNode => ({
  ...{ id, parent_id, hierarchy_id: largeRoot, name: id, slug: id, created_at: 0, updated_at: 0 },
})

/** A hierarchy with MENU_ENTRIES_MAX - 1 nodes below it, one below the first of them, and one below that one. */
function largeTree(): StoreNode[] {
  const second = Array.from({ length: MENU_ENTRIES_MAX - 1 }, (_, index) => idOf(0x20000 + index))
  const [third, fourth] = [idOf(0x30000), idOf(0x40000)]
  return [
    largeNode(largeRoot, null),
    ...second.map((id) => largeNode(id, largeRoot)),
    largeNode(third, second[0] ?? ''),
    largeNode(fourth, third),
  ]
}

beforeAll(async () => {
  const store = fullStore()
  const catalogs = [...store.catalogs, { id: large, name: 'Large', hierarchy_ids: [largeRoot], books: [] }]
  await publishStore(server, { ...store, nodes: [...store.nodes, ...largeTree()], catalogs })
})
beforeEach(() => {
  server.now = START
})

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type Any = any

async function ask(fields: string, variables: object = {}, declared = ''): Promise<Any> {
  const { token } = await server.issue({ subject: 'one', role: 'shopper' }, server.now)
  const query = `query ($catalog: ID!${declared}) { catalog(id: $catalog) { latestRelease { ${fields} } } }`
  return server.gql(query, { catalog: ids.catalog, ...variables }, { token })
}
const found = async (fields: string): Promise<Any> => {
  const { data, errors } = await ask(fields)
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease
}
const latestId = (type: string, id: string) => globalId(type, `latest:${ids.catalog}:${id}`)

describe('node.path-of-slugs: node(by:)', () => {
  test('node(by:) finds a node by its path, a hierarchy by a path of one, and both by id', async () => {
    const one = await found(`
      node: node(by: { path: ["shop", "machines", "espresso"] }) { __typename id name }
      hierarchy: node(by: { path: ["shop"] }) { __typename id name }
      raw: node(by: { id: "${ids.espresso}" }) { name } global: node(by: { id: "${latestId('CatalogHierarchy', ids.hierarchy)}" }) { name }`)
    expect(one).toEqual({
      node: { __typename: 'CatalogNode', id: latestId('CatalogNode', ids.espresso), name: 'Espresso' },
      hierarchy: { __typename: 'CatalogHierarchy', id: latestId('CatalogHierarchy', ids.hierarchy), name: 'Shop' },
      raw: { name: 'Espresso' },
      global: { name: 'Shop' },
    })
  })

  test('slug.exact-first: node(by:) finds a path in another case, product(by:) a slug', async () => {
    const one = await found(`node(by: { path: ["SHOP", "Machines", "espressO"] }) { name }
      exact: product(by: { slug: "espresso-machine" }) { name } other: product(by: { slug: "Espresso-MaChine" }) { name }`)
    expect(one).toEqual({
      node: { name: 'Espresso' },
      exact: { name: 'Espresso machine' },
      other: { name: 'Espresso machine' },
    })
  })

  test('slug.exact-first: no letter beyond A to Z is taken for another', async () => {
    // The Kelvin sign, whose small letter is k.
    for (const by of ['node(by: { path: ["\u212a"] })', 'product(by: { slug: "\u212a" })'])
      expect(Object.values(await found(`${by} { id }`))).toEqual([null])
  })

  test('node(by:) is null for a part of a path, a node without its hierarchy, and an unknown id', async () => {
    const paths = [['machines'], ['shop', 'espresso'], ['shop', 'machines', 'espresso', 'more'], ['']]
    for (const path of paths)
      expect(await found(`node(by: { path: ${JSON.stringify(path)} }) { id }`)).toEqual({ node: null })
    expect(await found(`node(by: { id: "${ids.unknown}" }) { id }`)).toEqual({ node: null })
  })

  test('node(by:) takes a path of 100, and refuses one of 101 and an empty one by name', async () => {
    const queryPath = (length: number) =>
      ask('node(by: $by) { id }', { by: { path: Array(length).fill('shop') } }, ', $by: CatalogNodeKey!')
    expect((await queryPath(100)).data.catalog.latestRelease).toEqual({ node: null })
    for (const [length, code] of [
      [101, 'TOO_MANY'],
      [0, 'REQUIRED'],
    ] as const) {
      expect((await queryPath(length)).errors[0].extensions).toMatchObject({
        code: 'BAD_USER_INPUT',
        violations: [{ code, path: ['by', 'path'] }],
      })
    }
  })

  test.each([
    ['node', 'CatalogNodeKey', { id: ids.espresso, path: ['shop'] }],
    ['node', 'CatalogNodeKey', {}],
    ['node', 'CatalogNodeKey', { id: null }],
    ['product', 'CatalogProductKey', { id: ids.machine, sku: 'MACHINE' }],
    ['product', 'CatalogProductKey', { sku: null }],
  ])('%s by other than exactly one key is refused, in a variable too', async (field, type, by) => {
    for (let times = 0; times < 4; times++) {
      const { data, errors } = await ask(`${field}(by: $by) { id }`, { by }, `, $by: ${type}!`)
      expect(data?.catalog ?? null).toBeNull()
      expect(errors[0].extensions.code).toBe('BAD_USER_INPUT')
    }
  })
})

describe('menu.depth-first, menu.siblings-by-sort-order: menu', () => {
  test('menu lists hierarchies and nodes with their levels in one field and without a statement', async () => {
    const query = 'menu(depth: 3) { level parentIndex childCount node { slug } }'
    await found(query)
    const { result, count } = await countStatements(database, () => found(query))
    expect(count).toBe(0)
    const lines = result.menu.map((one: Any) => [one.node.slug, one.level, one.parentIndex, one.childCount])
    expect(lines).toEqual([
      ['shop', 1, null, 2],
      ['clothes', 2, 0, 0],
      ['machines', 2, 0, 1],
      ['espresso', 3, 2, 0],
      ['offers', 1, null, 1],
      ['sale', 2, 4, 0],
    ])
  })

  test('menu has two levels by default, and begins below the node whose field it is', async () => {
    expect((await found('menu { node { slug } }')).menu).toHaveLength(5)
    const { node } = await found('node(by: { path: ["shop"] }) { menu(depth: 1) { level parentIndex node { slug } } }')
    expect(node.menu.map((one: Any) => [one.node.slug, one.level, one.parentIndex])).toEqual([
      ['clothes', 1, null],
      ['machines', 1, null],
    ])
  })

  test.each([0, 11, -1])('menu refuses a depth of %s by name', async (depth) => {
    const { errors } = await ask(`menu(depth: ${depth}) { level }`)
    expect(errors[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      violations: [{ code: 'OUT_OF_RANGE', path: ['depth'] }],
    })
  })
})

/** A menu of the latest release of a catalog, or below a node of it, with its cost. */
async function menu(catalog: string, args: string, fields = 'level', below?: string) {
  const field = `menu(${args}) { ${fields} }`
  const inRelease = below === undefined ? field : `node(by: { id: "${below}" }) { ${field} }`
  const query = `{ catalog(id: "${catalog}") { latestRelease { ${inRelease} } } }`
  const { data, errors, extensions } = await server.gql(query, {}, { headers: { [COST_HEADER]: '1' } })
  if (errors !== undefined) return errors
  const { latestRelease: release } = data.catalog
  return { entries: (release.menu ?? release.node.menu).length, cost: extensions.cost }
}

describe('menu.depth-first: a menu', () => {
  test('a menu costs a point for each entry that is there, and one more for its node', async () => {
    // Beforehand: three points each for the catalog and the release, and ten entries.
    const [entries, nodes] = [3 + 3 + 10, 3 + 3 + 2 * 10].map((figure) => ({ figure, limit: COST_MAX }))
    expect(await menu(ids.catalog, 'depth: 1')).toEqual({ entries: 2, cost: { ...entries, spent: 2 } })
    expect(await menu(ids.catalog, 'depth: 3')).toEqual({ entries: 6, cost: { ...entries, spent: 6 } })
    expect(await menu(ids.catalog, 'depth: 3', 'level node { name }')).toEqual({
      entries: 6,
      cost: { ...nodes, spent: 12 },
    })
    expect(await menu(large, 'depth: 1', 'level node { name }')).toEqual({ entries: 1, cost: { ...nodes, spent: 2 } })
    expect(await menu(large, 'depth: 2', 'level node { name }')).toEqual({
      entries: 5_000,
      cost: { ...nodes, spent: 10_000 },
    })
  })

  test('a menu of 5,000 entries is shown, and one of more is refused at its depth', async () => {
    const refused = [
      {
        message: 'depth: must be less here, since the menu has more than 5000 entries',
        path: ['catalog', 'latestRelease', 'menu'],
        locations: expect.anything(),
        extensions: {
          code: 'BAD_USER_INPUT',
          violations: [
            {
              code: 'TOO_MANY',
              path: ['depth'],
              message: 'must be less here, since the menu has more than 5000 entries',
            },
          ],
        },
      },
    ]
    expect(await menu(large, 'depth: 2')).toMatchObject({ entries: 5_000 })
    expect(await menu(large, 'depth: 3')).toEqual(refused)
    expect(await menu(large, 'depth: 1', 'level', largeRoot)).toMatchObject({ entries: 4_999 })
    expect(await menu(large, 'depth: 2', 'level', largeRoot)).toMatchObject({ entries: 5_000 })
    const below = { ...refused[0], path: ['catalog', 'latestRelease', 'node', 'menu'] }
    expect(await menu(large, 'depth: 3', 'level', largeRoot)).toEqual([below])
  })
})

function releaseOf(nodes: readonly Partial<ReleaseNode>[]): Release {
  const catalog = { name: '', description: null, locales: null }
  const base = {
    parentId: null,
    hierarchyId: 'h',
    description: null,
    label: null,
    sortOrder: null,
    locales: null,
    createdAt: 0,
    updatedAt: 0,
  }
  const whole = nodes.map((node) => ({ ...base, name: node.id, slug: node.id, ...node }) as ReleaseNode)
  return new Release(idOf(1), idOf(2), 1, 0, catalog, ['h'], whole, new Map())
}

describe('menuOf', () => {
  const inEnglish = { acceptLanguage: null, storeLanguage: 'en' }

  test('menu.siblings-by-sort-order: siblings of a menu are ordered highest first, then those without sort order, ties by name, as their language orders names', () => {
    const siblings = [
      { id: 'none b' },
      { id: 'low', sortOrder: -5 },
      { id: 'same ä 10', sortOrder: 7 },
      { id: 'none a' },
      { id: 'high', sortOrder: 2_147_483_647 },
      { id: 'Same z', sortOrder: 7 },
      { id: 'Same Ä 9', sortOrder: 7 },
      { id: 'zero', sortOrder: 0 },
    ].map((node) => ({ ...node, parentId: 'h' }))
    const menu = menuOf(releaseOf([{ id: 'h' }, ...siblings]), null, 2, inEnglish) ?? []
    expect(menu.map(({ node }) => node.id)).toEqual([
      'h',
      'high',
      'Same Ä 9',
      'same ä 10',
      'Same z',
      'zero',
      'low',
      'none a',
      'none b',
    ])
  })

  test('menu.depth-first: a menu has at most 5,000 entries, and a node whose children are left out still counts them', () => {
    const below = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `n${index}`, parentId: 'h' }))
    const full = releaseOf([{ id: 'h' }, ...below(MENU_ENTRIES_MAX - 1)])
    expect(menuOf(full, null, 2, inEnglish)).toHaveLength(MENU_ENTRIES_MAX)
    const more = releaseOf([{ id: 'h' }, ...below(MENU_ENTRIES_MAX)])
    expect(menuOf(more, null, 2, inEnglish)).toBeNull()
    expect(menuOf(more, null, 1, inEnglish)).toMatchObject([{ level: 1, parent: null, childCount: MENU_ENTRIES_MAX }])
  })

  test('node.path-of-slugs: of two hierarchies with one slug the first of the catalog is meant', () => {
    const release = releaseOf([
      { id: 'h', slug: 'same' },
      { id: 'x', parentId: 'h', slug: 'x' },
    ])
    expect(nodeByPath(release, ['same', 'x'])?.id).toBe('x')
    expect(nodeByPath(release, ['same', 'y'])).toBeUndefined()
    expect(nodeByPath(release, [])).toBeUndefined()
  })

  test('slug.exact-first: of nodes whose slugs differ in case alone the one that the path names exactly is meant', () => {
    const release = releaseOf([
      { id: 'h', slug: 'shop' },
      { id: 'Tea', parentId: 'h' },
      { id: 'tea', parentId: 'h' },
      { id: 'below Tea', parentId: 'Tea', slug: 'cup' },
      { id: 'below tea', parentId: 'tea', slug: 'Cup' },
      { id: 'deep', parentId: 'below Tea', slug: 'x' },
    ])
    const at = (...path: string[]) => nodeByPath(release, path)?.id
    expect([at('shop', 'Tea'), at('shop', 'tea'), at('SHOP', 'tea'), at('shop', 'TEA')]).toEqual([
      'Tea',
      'tea',
      'tea',
      'Tea',
    ])
    expect([at('shop', 'Tea', 'cup'), at('shop', 'tea', 'Cup'), at('shop', 'tea', 'cup')]).toEqual([
      'below Tea',
      'below tea',
      'below tea',
    ])
    // Only below the other is there such a node.
    expect(at('shop', 'tea', 'cup', 'x')).toBe('deep')
    expect(at('shop', 'tea', 'mug')).toBeUndefined()
  })
})
