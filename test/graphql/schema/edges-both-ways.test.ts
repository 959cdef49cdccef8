/** Edges both ways: every edge between node types has an edge back. */
import { type GraphQLObjectType, getNamedType, isInterfaceType, isObjectType } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { hidden, insertHiddenStore, seen } from '../../support/hidden-store.ts'
import { mutate } from '../../support/mutations.ts'
import { recordTables } from '../../support/node-tables.ts'
import { manualClock, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock(), config: { responseCacheMb: 0 } })

/** From a place in a tree to all below it, as deep as the store has them. */
const below = [
  'children(first: 10)',
  'children(first: 10).children(first: 10)',
  'children(first: 10).children(first: 10).children(first: 10)',
]

/**
 * A type, a way from it to others, and the ways from each of those that together lead back to it. Connections are meant
 * by their nodes.
 */
const pairs: [type: string, there: string, back: string | string[]][] = [
  ['PriceBook', 'prices', 'priceBook'],
  ['PriceBook', 'price(sku: "ETH-YIRG")', 'priceBook'],
  ['PriceBook', 'modifiers', 'priceBook'],
  ['PriceBook', 'catalogs', 'settings.priceBooks.priceBook'],
  ['ProductPrice', 'priceBook', 'prices'],
  ['ProductPrice', 'product', 'prices'],
  ['ProductPrice', 'sales', 'productPrice'],
  ['Sale', 'productPrice', 'sales'],
  ['PriceModifier', 'priceBook', 'modifiers'],
  ['Product', 'prices', 'product'],
  ['Product', `price(priceBookId: "${seen.book}")`, 'product'],
  ['Product', 'children', 'parent'],
  ['Product', 'parent', 'children'],
  ['Product', 'bundles', 'components.options.product'],
  ['Product', 'components.options.product', 'bundles'],
  ['Product', 'nodes', 'products'],
  ['Product', `catalogProduct(catalogId: "${seen.catalog}")`, 'product'],
  ['Hierarchy', 'children', 'hierarchy'],
  ['Hierarchy', 'catalogs', 'settings.hierarchies'],
  ['Hierarchy', `catalogHierarchy(catalogId: "${seen.catalog}")`, 'authored'],
  ['HierarchyNode', 'hierarchy', below],
  ['HierarchyNode', 'parent', 'children'],
  ['HierarchyNode', 'children', 'parent'],
  ['HierarchyNode', 'ancestors', below],
  ['HierarchyNode', 'products', 'nodes'],
  ['HierarchyNode', 'curatedProducts', 'nodes'],
  ['HierarchyNode', `catalogNode(catalogId: "${seen.catalog}")`, 'authored'],
  ['Catalog', 'rules', 'catalog'],
  ['Catalog', 'releases', 'catalog'],
  ['Catalog', 'release(id: "latest")', 'catalog'],
  ['Catalog', 'latestRelease', 'catalog'],
  ['Catalog', 'settings', 'catalog'],
  ['Catalog', 'settings.hierarchies', 'catalogs'],
  ['Catalog', 'settings.priceBooks.priceBook', 'catalogs'],
  ['CatalogRule', 'catalog', 'rules'],
  ['Release', 'catalog', 'releases'],
  ['Release', 'pinned', 'pinned'],
  ['Release', 'hierarchies', 'release'],
  ['Release', 'products', 'release'],
  ['Release', `hierarchy(id: "${seen.hierarchy}")`, 'release'],
  ['Release', `nodes(ids: ["${seen.hierarchy.replace('07', '08')}"])`, 'release'],
  ['Release', 'product(by: { sku: "ETH-YIRG" })', 'release'],
  ['Release', `node(by: { id: "${seen.hierarchy}" })`, 'release'],
  ['CatalogHierarchy', 'release', 'hierarchies'],
  ['CatalogHierarchy', 'children', 'hierarchy'],
  ['CatalogHierarchy', 'products', 'nodes.hierarchy'],
  ['CatalogHierarchy', 'authored', `catalogHierarchy(catalogId: "${seen.catalog}")`],
  ['CatalogNode', 'release', below.map((way) => `hierarchies.${way}`)],
  ['CatalogNode', 'hierarchy', below],
  ['CatalogNode', 'parent', 'children'],
  ['CatalogNode', 'ancestors', below],
  ['CatalogNode', 'children', 'parent'],
  ['CatalogNode', 'products(descendants: false)', 'nodes'],
  ['CatalogNode', 'authored', `catalogNode(catalogId: "${seen.catalog}")`],
  ['CatalogProduct', 'release', 'products'],
  ['CatalogProduct', 'catalog', 'release(id: "latest").products'],
  ['CatalogProduct', 'product', `catalogProduct(catalogId: "${seen.catalog}")`],
  ['CatalogProduct', 'parent', 'children'],
  ['CatalogProduct', 'children', 'parent'],
  ['CatalogProduct', 'bundles', 'components.options.product'],
  ['CatalogProduct', 'components.options.product', 'bundles'],
  ['CatalogProduct', 'nodes', 'products'],
  ['SubscriptionProduct', 'offerings', 'products'],
  ['Plan', 'offerings', 'plans'],
  ['Plan', 'subscriptions', 'plan.current'],
  ['Offering', 'plans', 'offerings'],
  ['Offering', 'products', 'offerings'],
  ['Offering', 'subscriptions', 'offering.current'],
  ['AccountSubscription', 'account', 'subscriptions'],
  ['AccountSubscription', 'offering.current', 'subscriptions'],
  ['AccountSubscription', 'plan.current', 'subscriptions'],
  ['AccountSubscription', 'state', 'subscription'],
  ['AccountSubscription', 'states', 'subscription'],
  ['SubscriptionState', 'subscription', 'states'],
  ['Account', 'subscriptions', 'account'],
]

/**
 * Edges that need keys of one product, or whose way back begins at a catalog: tested in
 * catalog-product-variants.test.ts. Those of releases to come: release-schedule.test.ts. The draft, which only
 * administrators read: draft.test.ts.
 */
const elsewhere: ReadonlySet<string> = new Set([
  'CatalogProduct.variant',
  'CatalogProduct.subscriptionProducts',
  'Catalog.scheduledReleases',
  'Catalog.draft',
  'Release.carriedInto',
])

const release = `'latest:${seen.catalog}'`
const tables: Readonly<Record<string, string>> = {
  ...recordTables,
  CatalogHierarchy: `SELECT ${release} || ':' || id AS id FROM catalog_node WHERE parent_id IS NULL`,
  CatalogNode: `SELECT ${release} || ':' || id AS id FROM catalog_node WHERE parent_id IS NOT NULL`,
  CatalogProduct: `SELECT ${release} || ':' || id AS id FROM product`,
  Release: `SELECT latest_release('${seen.catalog}', 'infinity')::text AS id`,
}

beforeAll(async () => {
  const { subscription } = await insertHiddenStore(server)
  for (const name of ['pauseSubscription', 'resumeSubscription']) {
    expect(await mutate(server, name, { id: subscription.own }, 'subscription { id }')).toMatchObject({
      userErrors: [],
    })
  }
})

/** The fields of a type; those of an object that stands for an interface here are the interface's. */
const fieldOf = (type: string, name: string) => {
  const found = schema.getType(type)
  const field = isObjectType(found) || isInterfaceType(found) ? found.getFields()[name] : undefined
  if (!field) throw new Error(`${type} has no ${name}`)
  return field
}
const isConnection = (type: string, name: string) => getNamedType(fieldOf(type, name).type).name.endsWith('Connection')
const targetOf = (type: string, name: string): string => {
  const response = getNamedType(fieldOf(type, name).type).name
  return isConnection(type, name) ? getNamedType(fieldOf(response, 'nodes').type).name : response
}
const nameOf = (step: string): string => step.split('(')[0] as string

/** Selects what `inner` says of the type at the end of the way. */
function select(type: string, way: string, inner: (type: string) => string, first = 100): string {
  const [step = '', ...rest] = way.split('.')
  const name = nameOf(step)
  const next = targetOf(type, name)
  const end = rest.length === 0 ? inner(next) : select(next, rest.join('.'), inner, first)
  if (!isConnection(type, name)) return `${step} { ${end} }`
  return `${step.includes('(') ? step : `${step}(first: ${first})`} { nodes { ${end} } }`
}

/** The value at the end of a path in a response. */
function follow(from: unknown, way: string): Record<string, unknown>[] {
  return way.split('.').reduce<Record<string, unknown>[]>(
    (items, step) =>
      items.flatMap((item) => {
        const value = item[nameOf(step)] as { nodes?: unknown } | null
        const found = value && 'nodes' in value ? value.nodes : value
        return (Array.isArray(found) ? found : [found]).filter((one) => one !== null)
      }),
    [from as Record<string, unknown>],
  )
}

async function ask(text: string, variables: Record<string, unknown> = {}) {
  const { data, errors } = await server.gql(text, variables)
  expect(errors).toBeUndefined()
  return data
}

/** Some records of the type from which the way leads anywhere. */
async function starts(type: string, there: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(tables[type] as string)
  const ids = rows.map(({ id }) => globalId(type, id))
  const found: string[] = []
  for (let at = 0; at < ids.length && found.length < 4; at += 50) {
    const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${type} { id ${select(type, there, () => '__typename', 1)} } } }`
    const { nodes } = await ask(query, { ids: ids.slice(at, at + 50) })
    found.push(
      ...nodes.filter((node: unknown) => node && follow(node, there).length > 0).map(({ id }: { id: string }) => id),
    )
  }
  return found.slice(0, 4)
}

describe('edges both ways', () => {
  it.each(pairs)('%s is the edge %s, and leads back', async (type, there, back) => {
    const ways = [back].flat()
    const from = await starts(type, there)
    expect(from.length).toBeGreaterThan(0)
    const goBack = (end: string) => ways.map((way) => select(end, way, () => '... on Node { id }')).join(' ')
    for (const id of from) {
      const { node } = await ask(
        `query ($id: ID!) { node(id: $id) { ... on ${type} { ${select(type, there, goBack)} } } }`,
        { id },
      )
      for (const item of follow(node, there)) {
        expect(ways.flatMap((way) => follow(item, way)).map((found) => found.id)).toContain(id)
      }
    }
  })

  it('every edge between node types is tested here', () => {
    const kinds = schema.getPossibleTypes(schema.getType('Node') as never) as readonly GraphQLObjectType[]
    const nouns = new Set([...kinds.map(({ name }) => name), 'CatalogTreeNode'])
    const edges = kinds.flatMap((kind) =>
      Object.keys(kind.getFields())
        .filter((name) => nouns.has(targetOf(kind.name, name)))
        .map((name) => `${kind.name}.${name}`),
    )
    const walked = new Set(pairs.map(([type, there]) => `${type}.${nameOf(there.split('.')[0] as string)}`))
    expect(edges.filter((edge) => !walked.has(edge) && !elsewhere.has(edge))).toEqual([])
    expect(edges.length).toBeGreaterThan(50)
  })
})

describe('statements', () => {
  const some = async (type: string, count: number) =>
    (await database.query<{ id: string }>(`test-${type}`, tables[type] as string, []))
      .map(({ id }) => globalId(type, id))
      .slice(0, count)
  const catalogId = `catalogId: "${seen.catalog}"`

  // The records themselves, and what they lead to. Documents and releases are cached, and the set of published releases
  // is not re-read while the clock stands.
  it.each([
    ['ProductPrice', 'product { name }', 2],
    ['Product', `catalogProduct(${catalogId}) { slug }`, 2],
    ['HierarchyNode', `catalogNode(${catalogId}) { slug }`, 1],
    ['CatalogNode', 'authored { name }', 1],
    ['CatalogHierarchy', 'authored { name }', 1],
  ])('edges run as many statements for 2 of %s as for 20, each with %s', async (type, edge, expected) => {
    const run = async (count: number) => {
      const query = () => ask(`query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${type} { ${edge} } } }`, { ids })
      const ids = await some(type, count)
      await query()
      const { result, count: statements } = await countStatements(database, query)
      expect(result.nodes).toHaveLength(ids.length)
      return statements
    }
    expect([await run(2), await run(20)]).toEqual([expected, expected])
  })

  it('ProductPrice.product is null where no product has the SKU', async () => {
    const query = `{ priceBook(id: "${hidden(1)}") { prices { nodes { sku product { id } } } } }`
    expect((await ask(query)).priceBook.prices.nodes).toEqual([{ sku: 'HIDDEN-SKU', product: null }])
  })

  it('edges to records that the latest release does not have are null', async () => {
    const edges = (catalog: string) => `{
      product(id: "${hidden(4)}") { catalogProduct(catalogId: "${catalog}") { id } }
      hierarchy(id: "${hidden(8)}") { catalogHierarchy(catalogId: "${catalog}") { id } }
      hierarchyNode(id: "${hidden(9)}") { catalogNode(catalogId: "${catalog}") { id } }
    }`
    const nothing = {
      product: { catalogProduct: null },
      hierarchy: { catalogHierarchy: null },
      hierarchyNode: { catalogNode: null },
    }
    // A catalog without the record, one that was never published, and none at all.
    for (const catalog of [seen.catalog, hidden(10), hidden(99)]) expect(await ask(edges(catalog))).toEqual(nothing)
    const { errors } = await server.gql(`{ product(id: "${hidden(4)}") { catalogProduct(catalogId: "x") { id } } }`)
    expect(errors[0].extensions.code).toBe('BAD_USER_INPUT')
  })
})
