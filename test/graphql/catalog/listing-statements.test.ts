/** Statements of the pages that storefronts are made of, after a publish and when all is known. */
import { beforeAll, describe, expect, it } from 'vitest'
import { countStatements, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { publish, publishStore } from '../../support/published.ts'
import { manualClock, useServer } from '../../support/server.ts'
import { idOf, makeProduct } from '../../support/subscriptions.ts'

const database = useDatabase()
const server = useServer(database, { elapsed: manualClock() })

beforeAll(async () => {
  await publishStore(server, fullStore())
  for (const [index, sku] of ['BEANS', 'SHIRT-RED-S', 'SHIRT-RED-S'].entries()) {
    await makeProduct({ services: server.services, now: server.now }, idOf('product', index), {
      name: `${sku} ${index}`,
      sku,
    })
  }
})

const range = 'priceRange { min { amount } max { amount } }'
const page = (args: string, fields: string) =>
  `{ storefront { latestRelease { products(first: 5${args}) { totalCount ${fields} nodes { name price { amount { amount } } } } } } }`
const byPrice = ', orderBy: { field: PRICE }'

const search = ', filter: { search: "machine" }'
const facets = 'facets { key values { value count } }'
const facetsByPrice = `facets(keys: [${['EUR', 'GBP'].map((of) => `{ priceSteps: { steps: [1000], currency: "${of}" } }`)}]) { key }`
const misspelt = ', filter: { search: "machinne" }'
const mixed = ', filter: { price: { min: 1, currency: "USD" } }, orderBy: { field: PRICE, currency: "EUR" }'

describe('the statements of a storefront page, what is published and its index among them', () => {
  it.each([
    ['in the default order', page('', ''), 1],
    ['by price', page(byPrice, ''), 2],
    ['by price with facets and a price range', page(byPrice, `${facets} ${range}`), 2],
    ['of a search', page(search, ''), 2],
    ['of a search by price with a price range', page(`${search}${byPrice}`, range), 2],
    ['of a search with facets', page(search, facets), 2],
    ['of a search with facets and a price range', page(search, `${facets} ${range}`), 2],
    [
      'of a search by name, a parent for its children, with facets',
      page(`${search}, orderBy: { field: NAME }, groupVariants: true`, facets),
      5,
    ],
    ['of some codes by price with facets', page(`, filter: { sku: { in: ["BEANS"] } }${byPrice}`, facets), 3],
    ['of those with a part of a name', page(', filter: { name: { contains: "e" } }', ''), 2],
    [
      'of these by price with facets and a price range',
      page(`, filter: { sku: { startsWith: "S" } }${byPrice}`, `${facets} ${range}`),
      3,
    ],
    ['of a misspelt search', page(misspelt, ''), 4],
    ['of a misspelt search by price with a price range', page(`${misspelt}${byPrice}`, range), 4],
    ['by price in one currency of those with a price in another', page(mixed, range), 2],
    [
      'of these with the range of a currency that nothing has a price in',
      page(mixed, 'priceRange(currency: "GBP") { min { amount } }'),
      2,
    ],
    ['with a price range and facets by prices of two other currencies', page('', `${range} ${facetsByPrice}`), 2],
  ])(
    'a storefront page %s runs as many statements as src/graphql/README.md says after a publish, and none when all is known',
    async (_, query, most) => {
      const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
      const ask = async () => {
        const { result, count, statements } = await countStatements(database, () => server.gql(query, {}, { token }))
        expect(result.errors).toBeUndefined()
        expect(result.data.storefront.latestRelease.products.totalCount).toBeGreaterThan(0)
        return { count, statements }
      }
      await ask()
      await publish(server, ids.catalog)
      const { count, statements } = await ask()
      expect(count, statements.join('\n')).toBe(most)
      server.now += 1
      expect((await ask()).count).toBe(0)
      // A product that was changed is read too.
      await database.pool.query(
        "UPDATE product SET name = name || 'x', description = 'machine' WHERE parent_id IS NULL",
      )
      await publish(server, ids.catalog)
      expect((await ask()).count).toBe(most + 1)
    },
  )
})

describe('the statements of a page of product cards', () => {
  const plans = { subscriptionProducts: [{ name: 'SHIRT-RED-S 1' }, { name: 'SHIRT-RED-S 2' }] }
  const parent = { parent: { name: expect.stringMatching(/^Barista shirt/) } }

  it.each([
    ['subscriptionProducts', 'subscriptionProducts { name }', plans, { known: 1, published: 2, changed: 3 }],
    ['parent', 'parent { name }', parent, { known: 1, published: 2, changed: 3 }],
    [
      'both',
      'subscriptionProducts { name } parent { name }',
      { ...plans, ...parent },
      { known: 2, published: 3, changed: 4 },
    ],
  ])(
    'a page of product cards with %s: one statement for each, for three cards as for all',
    async (_, fields, shirt, expected) => {
      const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
      const ask = async (first: number) => {
        const query = `{ storefront { latestRelease { products(first: ${first}) { nodes { sku ${fields} } } } } }`
        const { result, count } = await countStatements(database, () => server.gql(query, {}, { token }))
        expect(result.errors).toBeUndefined()
        return { nodes: result.data.storefront.latestRelease.products.nodes, count }
      }
      const { nodes } = await ask(100)
      expect(nodes[2]).toEqual({ sku: 'SHIRT-RED-S', ...shirt })
      for (const first of [3, 100]) expect((await ask(first)).count).toBe(expected.known)
      await publish(server, ids.catalog)
      expect((await ask(100)).count).toBe(expected.published)
      await database.pool.query("UPDATE product SET name = name || 'x'")
      await publish(server, ids.catalog)
      expect((await ask(100)).count).toBe(expected.changed)
    },
  )
})
