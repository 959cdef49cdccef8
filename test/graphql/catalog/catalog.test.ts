import { beforeAll, describe, expect, it } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { MAX_STALE_MS } from '../../../src/persistence/catalog/release-knowledge.ts'
import { countStatements, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { idOf } from '../../support/products.ts'
import { publish, publishStore } from '../../support/published.ts'
import { manualClock, startTestServer, useServer } from '../../support/server.ts'
import { insertCatalog, insertProducts, type StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database)
const draft = idOf(0xcafe)
const store = fullStore()
let releaseId = ''

// biome-ignore lint/suspicious/noExplicitAny: responses of every shape
type AnyResponse = any

/** Thirty more products in the clothes, last updated first by number. */
function manyProducts(): StoreProduct[] {
  return Array.from({ length: 30 }, (_, at) => {
    const name = `Mug ${String(at).padStart(2, '0')}`
    return {
      id: idOf(0x800 + at),
      name,
      slug: 'mug',
      status: 'live',
      created_at: 1,
      updated_at: 1000 - at,
      tags: at % 2 === 0 ? ['even'] : [],
    }
  })
}

/** Twenty families that look alike: a parent with a child, and a bundle that has the child as its option. */
function families(): StoreProduct[] {
  return Array.from({ length: 20 }, (_, at) => {
    const [parent, child, bundle, option] = [0, 1, 2, 3].map((kind) => idOf(0x10000 + at * 16 + kind)) as [
      string,
      string,
      string,
      string,
    ]
    const common = { status: 'live', created_at: at, updated_at: at } as const
    const variations = [{ id: idOf(0x20000 + at), name: 'Size', options: [{ id: option, name: 'One' }] }]
    const components = { main: { name: 'Main', min: 1, options: [{ id: child, quantity: 1 }] } }
    return [
      { ...common, id: parent, name: `Parent ${at}`, slug: 'parent', variations, tags: ['family'] },
      { ...common, id: child, name: `Child ${at}`, slug: 'child', parent_id: parent, option_ids: [option] },
      { ...common, id: bundle, name: `Bundle ${at}`, slug: 'bundle', components },
    ]
  }).flat()
}

beforeAll(async () => {
  store.products.push(...families())
  store.attachments.push(...families().map(({ id }) => ({ node_id: ids.sale, product_id: id })))
  store.products.push(...manyProducts())
  store.attachments.push(...manyProducts().map(({ id }) => ({ node_id: ids.clothes, product_id: id })))
  releaseId = (await publishStore(server, store)).get(ids.catalog)?.id ?? ''
  await insertCatalog(database, { id: draft, name: 'Draft', hierarchy_ids: [], books: [] })
})

async function ask(query: string, role: 'admin' | 'shopper' = 'shopper', variables = {}): Promise<AnyResponse> {
  return server.gql(query, variables, { token: server[role] })
}
const codes = (response: AnyResponse) => response.errors?.map((error: AnyResponse) => error.extensions.code)
const mugs = (from: number, to: number) =>
  Array.from(
    { length: Math.abs(to - from) + 1 },
    (_, at) => `Mug ${String(from + (from <= to ? at : -at)).padStart(2, '0')}`,
  )

describe('right.shoppers-see-published-and-own: what a shopper sees of catalogs', () => {
  it('a shopper sees a catalog that was never published neither by id nor in a list', async () => {
    const query = `{ raw: catalog(id: "${draft}") { name } node(id: "${globalId('Catalog', draft)}") { id }
      catalogs { totalCount nodes { name } } }`
    const shopper = await ask(query)
    expect(shopper.data).toEqual({
      raw: null,
      node: null,
      catalogs: { totalCount: 1, nodes: [{ name: 'Coffee store' }] },
    })
    const admin = await ask(query, 'admin')
    expect(admin.data.raw).toEqual({ name: 'Draft' })
    expect(admin.data.catalogs.totalCount).toBe(2)
    expect(
      (await ask(`{ catalog(id: "${draft}") { firstPublishedAt release(id: "latest") { id } } }`, 'admin')).data
        .catalog,
    ).toEqual({
      firstPublishedAt: null,
      release: null,
    })
  })

  it.each(['newest', '', 'Latest', globalId('Catalog', ids.catalog)])(
    'http.paths-and-aliases: a release called "%s" is a bad request that says what is allowed',
    async (id) => {
      const { data, errors } = await ask(`{ catalog(id: "${ids.catalog}") { release(id: "${id}") { id } } }`)
      expect(data.catalog.release).toBeNull()
      expect(errors).toHaveLength(1)
      expect(errors[0]).toMatchObject({
        message: 'id: must be the id of a Release: a global id or a UUID, or `latest`',
        path: ['catalog', 'release'],
        extensions: { code: 'BAD_USER_INPUT', violations: [{ code: 'INVALID_FORMAT', path: ['id'] }] },
      })
    },
  )

  it('a failed publish and the details of a publish are for admins', async () => {
    const failed = idOf(0xfa11)
    await database.pool.query(
      `INSERT INTO release (id, catalog_id, sequence, status, started_at, notes) VALUES ($1, $2, 77, 'failed', now(), '{"error": "no power"}')`,
      [failed, ids.catalog],
    )
    const query = `{ release(id: "${failed}") { status publishedAt productCount hierarchies { name } products { totalCount nodes { name } } }
      catalog(id: "${ids.catalog}") { releases { totalCount nodes { sequence } } release(id: "${failed}") { sequence } } }`
    expect((await ask(query)).data).toEqual({
      release: null,
      catalog: { releases: { totalCount: 1, nodes: [{ sequence: 1 }] }, release: null },
    })
    expect((await ask(query, 'admin')).data).toEqual({
      release: {
        status: 'FAILED',
        publishedAt: null,
        productCount: 0,
        hierarchies: [],
        products: { totalCount: 0, nodes: [] },
      },
      catalog: { releases: { totalCount: 2, nodes: [{ sequence: 77 }, { sequence: 1 }] }, release: { sequence: 77 } },
    })
    for (const field of ['error', 'warningCount', 'warnings { currency }']) {
      expect(codes(await ask(`{ release(id: "${releaseId}") { ${field} } }`))).toEqual(['FORBIDDEN'])
    }
    expect((await ask(`{ release(id: "${failed}") { error } }`, 'admin')).data.release.error).toBe('no power')
    await database.pool.query('DELETE FROM release WHERE id = $1', [failed])
  })

  it('the releases of two catalogs are separate', async () => {
    expect(
      (await ask(`{ catalog(id: "${draft}") { release(id: "${releaseId}") { id } } }`, 'admin')).data.catalog.release,
    ).toBeNull()
  })
})

describe('graph.connections-both-ways: connections of products', () => {
  const clothes = `node(id: "__ID__") { ... on CatalogNode { `
  const list = async (args: string): Promise<AnyResponse> => {
    const response = await ask(
      `{ ${clothes.replace('__ID__', globalId('CatalogNode', `${releaseId}:${ids.clothes}`))} products(${args}) {
        totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { name } } } } } }`,
    )
    if (response.errors) throw new Error(JSON.stringify(response.errors))
    return response.data.node.products
  }
  const namesOf = (page: AnyResponse) => page.edges.map((edge: AnyResponse) => edge.node.name)

  it('connections of products can be walked forward and backward over the same order', async () => {
    const first = await list('first: 8')
    expect([first.totalCount, first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage]).toEqual([35, true, false])
    expect(namesOf(first)).toEqual([
      'Barista shirt',
      'Shirt red S',
      'Shirt red L',
      'Shirt blue S',
      'Gift box',
      'Mug 00',
      'Mug 01',
      'Mug 02',
    ])
    const next = await list(`first: 3, after: "${first.pageInfo.endCursor}"`)
    expect([namesOf(next), next.pageInfo.hasPreviousPage]).toEqual([mugs(3, 5), true])
    const back = await list(`last: 2, before: "${next.pageInfo.startCursor}"`)
    expect(namesOf(back)).toEqual(['Mug 01', 'Mug 02'])
    const last = await list('last: 2')
    expect([namesOf(last), last.pageInfo.hasPreviousPage, last.pageInfo.hasNextPage]).toEqual([
      mugs(28, 29),
      true,
      false,
    ])
    const between = await list(
      `first: 100, after: "${first.pageInfo.endCursor}", before: "${last.pageInfo.startCursor}"`,
    )
    expect(namesOf(between)).toEqual(mugs(3, 27))
    expect(namesOf(await list(`after: "${last.pageInfo.endCursor}"`))).toEqual([])
  })

  it('a filtered connection of products is walked by cursors of that list alone', async () => {
    const filter = 'filter: { tags: { eq: "EVEN" } }'
    const seen: string[] = []
    let after = ''
    for (;;) {
      const page = await list(`first: 4, ${filter}${after}`)
      expect(page.totalCount).toBe(15)
      seen.push(...namesOf(page))
      if (!page.pageInfo.hasNextPage) break
      after = `, after: "${page.pageInfo.endCursor}"`
    }
    expect(seen).toEqual(mugs(0, 29).filter((_, at) => at % 2 === 0))
    // A cursor is of one list: its position means another product in a list of another filter.
    const { edges } = await list('first: 9')
    await expect(list(`first: 2, after: "${edges[8].cursor}", ${filter}`)).rejects.toThrow(
      'with the same filter and order',
    )
  })

  it.each([
    ['name', '{ name: { in: ["Mug 03", "Mug 01"] } }', ['Mug 01', 'Mug 03']],
    ['id', `{ id: { in: ["${idOf(0x802)}", "${idOf(0xbad)}"] } }`, ['Mug 02']],
    ['slug and tag', '{ slug: { eq: "mug" }, tags: { in: ["even"] }, name: { eq: "Mug 02" } }', ['Mug 02']],
    ['types', '{ productTypes: { in: [PARENT, BUNDLE] } }', ['Barista shirt', 'Gift box']],
    ['type', '{ productTypes: { eq: CHILD } }', ['Shirt red S', 'Shirt red L', 'Shirt blue S']],
    ['sku', '{ sku: { eq: "SHIRT" } }', ['Barista shirt']],
    ['no ids', '{ id: { in: [] } }', []],
    ['nothing', '{}', ['Barista shirt']],
  ])('products are filtered by %s', async (_, filter, names) => {
    expect(namesOf(await list(`first: ${Math.max(1, names.length)}, filter: ${filter}`))).toEqual(names)
  })

  it('a connection of products refuses a cursor of another release and a forged one', async () => {
    const { edges } = await list('first: 1')
    const [, ...place] = JSON.parse(Buffer.from(edges[0].cursor, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify([ids.catalog, ...place])).toString('base64url')
    await expect(list(`after: "${forged}"`)).rejects.toThrow('must be a cursor of this release')
    for (const cursor of ['x', `${edges[0].cursor}=`, Buffer.from('[1]').toString('base64url')]) {
      await expect(list(`before: "${cursor}"`)).rejects.toThrow('must be a cursor of this list')
    }
    await expect(list('filter: { name: { eq: "\\u0000" } }')).rejects.toThrow('U+0000')
    await expect(list('filter: { manufacturerPartNum: { in: ["\\u0000"] } }')).rejects.toThrow(
      'filter.manufacturerPartNum: ',
    )
  })

  it('nodes, children and bundles can be walked like products', async () => {
    const walk = async (id: string, field: string) => {
      const query = (after: string) =>
        ask(`{ release(id: "${releaseId}") { product(by: { id: "${id}" }) { list: ${field}(first: 1${after}) {
          pageInfo { hasNextPage endCursor } nodes { name } } } } }`)
      const names: string[] = []
      for (let after = ''; ; ) {
        const { list } = (await query(after)).data.release.product
        names.push(...list.nodes.map(({ name }: AnyResponse) => name))
        if (!list.pageInfo.hasNextPage) return names
        after = `, after: "${list.pageInfo.endCursor}"`
      }
    }
    expect(await walk(ids.machine, 'nodes')).toEqual(['Sale', 'Machines', 'Espresso'])
    expect(await walk(ids.shirt, 'children')).toEqual(['Shirt blue S', 'Shirt red L', 'Shirt red S'])
    expect(await walk(ids.machine, 'bundles')).toEqual(['Starter set', 'Gift box'])
  })
})

describe('statements', () => {
  const listing = (first: number, fields: string) =>
    `{ catalog(id: "${ids.catalog}") { release(id: "latest") { hierarchy(id: "${ids.hierarchy}") { name products(first: ${first}) {
      totalCount nodes { ${fields} } } } } } }`
  const withPrices = `name price { amount { amount } sale { name } changesAt } formatted: price { amount { formatted } originalAmount { formatted } }
    breadCrumbs { node { name } ancestors { name } } curated`

  it('a page of products with prices and breadcrumbs runs two statements with empty caches, one with the release index in the cache, none with the documents too', async () => {
    const elapsed = manualClock()
    const cold = await startTestServer(database, { elapsed })
    const ask = () => countStatements(database, () => cold.gql(listing(20, withPrices)))
    const first = await ask()
    expect(first.result.errors).toBeUndefined()
    expect(first.count, first.statements.join('\n')).toBe(2)
    expect((await ask()).count).toBe(0)
    elapsed.ahead += MAX_STALE_MS
    expect((await ask()).count).toBe(1)
    const rest = () =>
      cold.rest(
        'GET',
        `/pcm/catalogs/${ids.catalog}/releases/latest/hierarchies/${ids.hierarchy}/products?page[limit]=20`,
      )
    expect((await countStatements(database, rest)).count).toBe(0)
    await cold.stop()
  })

  it('the matches of a filter are cached, for every page and viewer', async () => {
    const cold = await startTestServer(database, { elapsed: manualClock(), config: { responseCacheMb: 0 } })
    const page = (filter: string, first: number, token = cold.admin) =>
      countStatements(database, () =>
        cold.gql(listing(first, 'key').replace('products(', `products(filter: { ${filter} }, `), {}, { token }),
      )
    const found = ({ result }: Awaited<ReturnType<typeof page>>) => result.data.catalog.release.hierarchy.products
    const first = await page('tags: { eq: "coffee" }', 20)
    const again = await page('tags: { eq: "coffee" }', 20, cold.shopper)
    expect([first.count, again.count, found(again)]).toEqual([3, 0, found(first)])
    expect(found(first).totalCount).toBeGreaterThan(1)
    expect((await page('tags: { eq: "coffee" }', 1)).count).toBe(0)
    // The first filter by a tag reads those of all tags.
    const none = await page('tags: { eq: "none" }', 20)
    expect([none.count, found(none).totalCount]).toEqual([0, 0])
    expect((await page('tags: { eq: "none" }', 20)).count).toBe(0)
    await cold.stop()
  })

  // One chain of edges per query: whether parallel chains share a statement depends on timing.
  it.each([
    ['children and their parent', 'children(first: 2) { totalCount nodes { name parent { name } } }'],
    [
      'bundles of children',
      'children(first: 2) { nodes { bundles(first: 2) { totalCount nodes { components { options { product { name } } } } } } }',
    ],
    ['the matrix', 'variationMatrix { product { name } }'],
    [
      'products of nodes',
      'nodes(first: 2) { nodes { products(first: 3, filter: { slug: { eq: "child" } }) { totalCount nodes { name } } } }',
    ],
    ['what the publish said', 'release { startedAt }'],
    ['the catalog', 'catalog { name firstPublishedAt }'],
    ['releases of the catalog', 'catalog { releases(first: 2) { nodes { sequence } } }'],
  ])('a page runs as many statements for 2 parents as for 20: %s', async (_, field) => {
    const page = (
      first: number,
    ) => `{ catalog(id: "${ids.catalog}") { release(id: "latest") { hierarchy(id: "${ids.otherHierarchy}") {
      products(first: ${first}, filter: { tags: { eq: "family" }, productTypes: { eq: PARENT } }) { totalCount nodes { name ${field} } } } } } }`
    const counts = []
    for (const first of [2, 20]) {
      const cold = await startTestServer(database, { elapsed: manualClock() })
      const { count, result, statements } = await countStatements(database, () => cold.gql(page(first)))
      expect(result.errors).toBeUndefined()
      expect(result.data.catalog.release.hierarchy.products.nodes).toHaveLength(first)
      counts.push([count, statements.length])
      await cold.stop()
    }
    expect(counts[1]).toEqual(counts[0])
  })

  it('four prices of each product by different arguments run two statements for 2 and for 20 products, and none for further arguments', async () => {
    const prices = (
      at: string,
    ) => `usd: price(currency: "USD") { amount { amount } } eur: price(currency: "EUR", quantity: 3) { amount { amount } }
      later: price(currency: "USD", at: "${at}") { amount { amount } sale { name } } many: price(currency: "EUR", quantity: 12, at: "${at}") { amount { amount } }`
    const responses = []
    for (const first of [2, 20]) {
      const cold = await startTestServer(database, { elapsed: manualClock() })
      const counts = []
      for (const at of ['2026-01-12T12:00:00Z', '2026-02-01T00:00:00Z']) {
        const { count, result } = await countStatements(database, () => cold.gql(listing(first, `sku ${prices(at)}`)))
        expect(result.errors).toBeUndefined()
        responses.push(result.data.catalog.release.hierarchy.products.nodes)
        counts.push(count)
      }
      expect([responses.at(-1).length, counts]).toEqual([first, [2, 0]])
      await cold.stop()
    }
    // Each alias has the result of its own arguments.
    const now = { sku: 'MACHINE', usd: { amount: { amount: 40000 } }, eur: { amount: { amount: 46000 } } }
    const flash = {
      ...now,
      later: { amount: { amount: 30000 }, sale: { name: 'flash' } },
      many: { amount: { amount: 29000 } },
    }
    const list = { ...now, later: { amount: { amount: 50000 }, sale: null }, many: { amount: { amount: 46000 } } }
    const machines = responses.map((nodes) => nodes.find(({ sku }: AnyResponse) => sku === 'MACHINE'))
    expect(machines).toEqual([flash, list, flash, list])
  })

  it('the edges of prices that are for admins are read in batches', async () => {
    const fields = `product { name } prices { priceBook { name } productPrice { sku } sale { sale { name } } modifiers { priceModifier { name } } }`
    const count = async (first: number) => {
      const cold = await startTestServer(database, { elapsed: manualClock() })
      const { count: statements, result } = await countStatements(database, () => cold.gql(listing(first, fields)))
      await cold.stop()
      expect(result.errors).toBeUndefined()
      return statements
    }
    expect(await count(20)).toBe(await count(5))
  })
})

describe('publishRelease and deleteRelease', () => {
  const publishing = (key: string | null = null, catalog = ids.catalog) =>
    ask(
      `mutation ($id: ID!, $key: String) { publishRelease(input: { catalogId: $id, idempotencyKey: $key }) {
        release { id sequence status productCount warnings { code } catalog { release(id: "latest") { sequence } } } userErrors { code path } } }`,
      'admin',
      { id: catalog, key },
    )

  it('publishRelease publishes a release that is the latest, also for the rest of the request', async () => {
    await insertProducts(database, [
      { id: idOf(0x900), name: 'Late', slug: 'late', status: 'live', created_at: 1, updated_at: 2 },
    ])
    const { data, errors } = await publishing()
    expect(errors).toBeUndefined()
    expect(data.publishRelease.userErrors).toEqual([])
    expect(data.publishRelease.release).toMatchObject({
      sequence: 2,
      status: 'PUBLISHED',
      productCount: 100,
      warnings: ['TAX_MIXED', 'TAX_MIXED', ...Array(4).fill('SLUGS_EQUAL')].map((code) => ({ code })),
      catalog: { release: { sequence: 2 } },
    })
    const twice = await ask(
      `mutation { a: publishRelease(input: { catalogId: "${ids.catalog}" }) { release { catalog { release(id: "latest") { sequence } } } }
        b: publishRelease(input: { catalogId: "${ids.catalog}" }) { release { catalog { release(id: "latest") { sequence } } } } }`,
      'admin',
    )
    expect([twice.data.a, twice.data.b].map((payload) => payload.release.catalog.release.sequence)).toEqual([3, 4])
  })

  it('write.idempotency-key: publishRelease returns the first result for a repeated idempotency key', async () => {
    const first = await publishing('key')
    expect((await publishing('key')).data.publishRelease.release.id).toBe(first.data.publishRelease.release.id)
    expect((await publishing('key', draft)).data.publishRelease.userErrors[0].code).toBe('IDEMPOTENCY_MISMATCH')
  })

  it('graph.expected-failures-in-payload: publishRelease has a userError for an unknown id, and is refused to a shopper', async () => {
    expect((await publishing(null, idOf(1))).data.publishRelease).toEqual({
      release: null,
      userErrors: [{ code: 'NOT_FOUND', path: ['catalogId'] }],
    })
    const remove = `mutation { deleteRelease(input: { releaseId: "${idOf(1)}" }) { release { id } userErrors { code path } } }`
    expect((await ask(remove, 'admin')).data.deleteRelease.userErrors).toEqual([
      { code: 'NOT_FOUND', path: ['releaseId'] },
    ])
    expect(codes(await ask(remove))).toEqual(['FORBIDDEN'])
  })

  it('a deleted release is gone at once, and the one before it is the latest again', async () => {
    const { id } = await publish(server, ids.catalog)
    const before = await publish(server, ids.catalog)
    const { data } = await ask(
      `mutation { deleteRelease(input: { releaseId: "${before.id}" }) { release { sequence } userErrors { code } } }`,
      'admin',
    )
    expect(data.deleteRelease).toEqual({ release: { sequence: before.sequence }, userErrors: [] })
    const after = await ask(
      `{ release(id: "${before.id}") { id } catalog(id: "${ids.catalog}") { latestRelease { pinned { id } } } }`,
    )
    expect(after.data).toEqual({
      release: null,
      catalog: { latestRelease: { pinned: { id: globalId('Release', id) } } },
    })
  })
})
