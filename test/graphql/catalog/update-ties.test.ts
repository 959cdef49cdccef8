/** The order of published products by last update where several were updated in the same millisecond. */
import { beforeAll, describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { listingPath, publish, publishStore } from '../../support/published.ts'
import { useServer } from '../../support/server.ts'
import { emptyStore, type Store } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database, { config: { responseCacheMb: 0 } })
const [catalog, root, shelf] = [idOf(0xca), idOf(0x11), idOf(0x12)] as const
const AT = Date.UTC(2026, 0, 1)

/** A, C, D and E were updated at one instant, B a millisecond later, F one before; D and F are curated on the shelf. */
function store(): Store {
  const updated = { A: AT, B: AT + 1, C: AT, D: AT, E: AT, F: AT - 1 }
  const texts = (name: string) => ({ name, slug: name, created_at: AT, updated_at: AT })
  return {
    ...emptyStore(),
    products: Object.entries(updated).map(([name, updated_at], at) => ({
      ...texts(name),
      ...{ id: idOf(1 + at), status: 'live' as const, updated_at },
    })),
    nodes: [
      { id: root, parent_id: null, hierarchy_id: root, ...texts('root') },
      { id: shelf, parent_id: root, hierarchy_id: root, ...texts('shelf'), curated_product_ids: [idOf(4), idOf(6)] },
    ],
    attachments: [1, 2, 3, 4, 5, 6].map((number) => ({ node_id: shelf, product_id: idOf(number) })),
    catalogs: [{ id: catalog, name: 'Catalog', hierarchy_ids: [root], books: [] }],
  }
}

beforeAll(() => publishStore(server, store()))

async function listed(scope: string, args = ''): Promise<string> {
  const { data, errors } = await server.gql(
    `{ catalog(id: "${catalog}") { latestRelease { scope: ${scope} { products${args} { nodes { name } } } } } }`,
  )
  expect(errors).toBeUndefined()
  return data.catalog.latestRelease.scope.products.nodes.map(({ name }: { name: string }) => name).join('')
}
const by = (direction: string) => `(orderBy: { field: UPDATED_AT, direction: ${direction} })`

describe('list.equal-instants-by-default: products that were updated in one millisecond', () => {
  const ofShelf = `node(by: { id: "${shelf}" })`
  const ofRoot = `hierarchy(id: "${root}")`
  const expected: [string, string, string][] = [
    [ofShelf, '', 'DFBACE'],
    [ofShelf, by('ASC'), 'FDACEB'],
    [ofShelf, by('DESC'), 'BDACEF'],
    [ofRoot, '', 'BACDEF'],
    [ofRoot, by('ASC'), 'FACDEB'],
    [ofRoot, by('DESC'), 'BACDEF'],
  ]

  it.each(expected)(
    'by last update %s%s lists equal ones in the default order, curated first',
    async (scope, args, names) => {
      expect(await listed(scope, args)).toBe(names)
    },
  )

  it('by last update REST lists equal ones in the default order, in both directions', async () => {
    for (const [sort, names] of [
      ['updated_at', 'FACDEB'],
      ['-updated_at', 'BACDEF'],
    ]) {
      const { body } = await server.rest('GET', listingPath(catalog, root, `sort=${sort}`))
      expect(body.data.map((one: { attributes: { name: string } }) => one.attributes.name).join('')).toBe(names)
    }
  })

  it('by last update a release without stored places is ordered by its documents', async () => {
    await publish(server, catalog)
    await database.pool.query('DELETE FROM release_order')
    for (const [scope, args, names] of expected) expect(await listed(scope, args)).toBe(names)
  })
})
