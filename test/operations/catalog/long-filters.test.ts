/**
 * filter.clauses-all-hold: what several long clauses have in common, on every page, on both edges
 * (persistence/catalog/release-search.ts).
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { listingPath, publish, publishStore } from '../../support/published.ts'
import { useServer } from '../../support/server.ts'
import { emptyStore, type StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database)
const [hierarchy, other, node, beside, catalog] = [1, 2, 3, 4, 5].map(idOf) as [string, string, string, string, string]
const COUNT = 302
const slugOf = (n: number): number => (n * 7) % COUNT
const numbers = Array.from({ length: COUNT }, (_, n) => n)

/**
 * Products whose order in the listing has nothing to do with that of their ids, SKUs and documents: each third changed
 * after a publish.
 */
const products = numbers.map(
  (n): StoreProduct => ({
    id: idOf(1_000 + n),
    name: `Name ${n}`,
    sku: `S${n}`,
    slug: `slug-${slugOf(n)}`,
    status: 'live',
    tags: [`mod2-${n % 2}`, `mod5-${n % 5}`],
    created_at: 0,
    updated_at: (n * 113) % COUNT,
  }),
)
/** Each tenth is in the release, but in another hierarchy. */
const isListed = (n: number): boolean => n % 10 !== 9

beforeAll(async () => {
  const place = { created_at: 0, updated_at: 0 }
  await publishStore(server, {
    ...emptyStore(),
    products,
    nodes: [
      { id: hierarchy, parent_id: null, hierarchy_id: hierarchy, name: 'Main', slug: 'main', ...place },
      { id: other, parent_id: null, hierarchy_id: other, name: 'Other', slug: 'other', ...place },
      { id: node, parent_id: hierarchy, hierarchy_id: hierarchy, name: 'Node', slug: 'node', ...place },
      { id: beside, parent_id: other, hierarchy_id: other, name: 'Beside', slug: 'beside', ...place },
    ],
    attachments: products.map(({ id }, n) => ({ node_id: isListed(n) ? node : beside, product_id: id })),
    catalogs: [{ id: catalog, name: 'Catalog', hierarchy_ids: [hierarchy, other], books: [] }],
  })
  for (const product of products.filter((_, n) => n % 3 === 0)) {
    product.updated_at += COUNT / 2
    await database.pool.query('UPDATE product SET updated_at = to_timestamp($2 / 1000.0) WHERE id = $1', [
      product.id,
      product.updated_at,
    ])
  }
  await publish(server, catalog)
})

/** list.latest-update-first, of those that are listed and for which `holds`. */
function expected(holds: (n: number) => boolean): (string | null | undefined)[] {
  const found = numbers.filter((n) => isListed(n) && holds(n)).map((n) => products[n] as StoreProduct)
  return found.sort((a, b) => b.updated_at - a.updated_at || (a.id < b.id ? -1 : 1)).map(({ sku }) => sku)
}

/** Every page of the facade's, one after the other. */
async function listed(filter: string): Promise<unknown[]> {
  const skus: unknown[] = []
  for (let offset = 0; ; offset += 17) {
    const query = `filter=${encodeURIComponent(filter)}&page[limit]=17&page[offset]=${offset}`
    const { body } = await server.rest('GET', listingPath(catalog, hierarchy, query), { token: server.shopper })
    skus.push(...body.data.map((item: { attributes: { sku: string } }) => item.attributes.sku))
    if (body.data.length < 17) {
      expect(body.meta.results.total).toBe(skus.length)
      return skus
    }
  }
}

/** Every page of the graph's. */
async function walked(filter: object): Promise<unknown[]> {
  const query = `query ($after: String, $filter: CatalogProductFilter) {
    catalog(id: "${catalog}") { release(id: "latest") { hierarchy(id: "${hierarchy}") {
      products(first: 17, after: $after, filter: $filter) { totalCount pageInfo { hasNextPage endCursor } nodes { sku } } } } } }`
  const skus: unknown[] = []
  for (let after: string | null = null; ; ) {
    const { data, errors } = await server.gql(query, { after, filter }, { token: server.shopper })
    expect(errors).toBeUndefined()
    const { nodes, totalCount, pageInfo } = data.catalog.release.hierarchy.products
    skus.push(...nodes.map(({ sku }: { sku: string }) => sku))
    after = pageInfo.endCursor
    if (!pageInfo.hasNextPage) {
      expect(totalCount).toBe(skus.length)
      return skus
    }
  }
}

const skus = (from: number, to: number) => numbers.slice(from, to).map((n) => `S${n}`)
const slugs = (from: number, to: number) => numbers.slice(from, to).map((n) => `slug-${n}`)
const [low, high] = [skus(0, 200), skus(100, COUNT)]

describe('filter.clauses-all-hold, list.latest-update-first: two long clauses list their intersection, in the order of the listing', () => {
  it('two long clauses on the same field list their intersection, in the order of the listing', async () => {
    const both = expected((n) => n >= 100 && n < 200)
    expect(both.length).toBeGreaterThan(17 * 3)
    expect(await listed(`in(sku,${low}):in(sku,${high})`)).toEqual(both)
    expect(await listed(`in(sku,${high}):in(sku,${low})`)).toEqual(both)
  })

  it('two long clauses on two columns list their intersection, in the order of the listing', async () => {
    const both = expected((n) => n < 200 && slugOf(n) >= 50 && slugOf(n) < 250)
    expect(both.length).toBeLessThan(expected((n) => n < 200).length)
    expect(await listed(`in(sku,${low}):in(slug,${slugs(50, 250)})`)).toEqual(both)
    expect(await walked({ sku: { in: low }, slug: { in: slugs(50, 250) } })).toEqual(both)
  })

  it('two long clauses, one on a column and one on tags, list their intersection, whichever matches more', async () => {
    const few = expected((n) => n < 200 && n % 5 === 1)
    expect(await listed(`in(sku,${low}):eq(tags,mod5-1)`)).toEqual(few)
    expect(await walked({ sku: { in: low }, tags: { eq: 'mod5-1' } })).toEqual(few)
    const many = expected((n) => n < 40 && n % 5 !== 1)
    const others = [0, 2, 3, 4].map((rest) => `mod5-${rest}`)
    expect(await listed(`in(sku,${skus(0, 40)}):in(tags,${others})`)).toEqual(many)
    expect(await walked({ sku: { in: skus(0, 40) }, tags: { in: others } })).toEqual(many)
  })

  it('two long clauses on tags, and clauses on all fields, list their intersection', async () => {
    const tagged = expected((n) => n % 2 === 0 && [0, 1, 3].includes(n % 5))
    expect(tagged.length).toBeGreaterThan(17 * 3)
    expect(await listed('eq(tags,mod2-0):in(tags,mod5-0,mod5-1,mod5-3)')).toEqual(tagged)
    expect(await walked({ tags: { eq: 'mod2-0', in: ['mod5-0', 'mod5-1', 'mod5-3'] } })).toEqual(tagged)
    const all = expected((n) => n >= 100 && n < 200 && n % 2 === 0 && [0, 1, 3].includes(n % 5))
    expect(await listed(`in(sku,${low}):eq(tags,mod2-0):in(sku,${high}):in(tags,mod5-0,mod5-1,mod5-3)`)).toEqual(all)
  })
})
