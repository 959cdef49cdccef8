import { beforeAll, describe, expect, it } from 'vitest'
import type { Release } from '../../../src/domain/catalog/release.ts'
import { useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { publishStore } from '../../support/published.ts'
import { useServer } from '../../support/server.ts'
import { shopperReader } from '../../support/services.ts'
import { emptyStore, type StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database)
const catalog = idOf(0xca)
let release: Release

/** Names, the last one updated first, so that the default order is theirs. */
const names: readonly Pick<StoreProduct, 'name' | 'locales'>[] = [
  { name: 'zebra' },
  { name: 'Öl', locales: { fr: { name: 'Huile' } } },
  { name: 'apple', locales: { de: { name: 'Apfel' }, 'de-CH': { description: 'Frisch.' } } },
  { name: 'Oak' },
  { name: 'Zebra', locales: { de: { name: 'Bär' } } },
  { name: 'ozone', locales: { DE: { name: 'Äpfel' } } },
]

beforeAll(async () => {
  const hierarchy = idOf(0x10)
  const node = idOf(0x11)
  const products = names.map((texts, at): StoreProduct => {
    return { id: idOf(at + 1), slug: `p-${at}`, status: 'live', created_at: 0, updated_at: 1000 - at, ...texts }
  })
  const place = { slug: 's', created_at: 0, updated_at: 0, hierarchy_id: hierarchy }
  await publishStore(server, {
    ...emptyStore(),
    products,
    nodes: [
      { ...place, id: hierarchy, parent_id: null, name: 'h' },
      { ...place, id: node, parent_id: hierarchy, name: 'n' },
    ],
    attachments: products.map(({ id }) => ({ node_id: node, product_id: id })),
    catalogs: [{ id: catalog, name: 'c', hierarchy_ids: [hierarchy], books: [] }],
  })
  release = (await server.services.releases.resolve(catalog, 'latest', shopperReader)) as Release
})

/** The default names of the products in the order by name. */
async function inOrder(acceptLanguage: string | null): Promise<string[]> {
  const ranks = await server.services.releases.nameOrder.ranks(release, acceptLanguage)
  const positions = [...ranks.keys()].sort((left, right) => (ranks[left] as number) - (ranks[right] as number) || left - right)
  return positions.map((position) => names[position]?.name ?? '')
}

describe('search.names-in-order: the order by name', () => {
  it('gives equal names equal places, which lists fill in their default order in both directions', async () => {
    expect([...(await server.services.releases.nameOrder.ranks(release, null))]).toEqual([4, 2, 0, 1, 4, 3])
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const list = (direction: string) => `products(first: 3, orderBy: { field: NAME, direction: ${direction} }) { nodes { name } }`
    const { data } = await server.gql(`{ catalog(id: "${catalog}") { latestRelease { ${list('DESC')} } } }`, {}, { token })
    const { nodes } = data.catalog.latestRelease.products
    expect(nodes.map(({ name }: { name: string }) => name)).toEqual(['zebra', 'Zebra', 'ozone'])
  })

  it.each([
    [null, ['apple', 'Oak', 'Öl', 'ozone', 'zebra', 'Zebra']],
    ['en', ['apple', 'Oak', 'Öl', 'ozone', 'zebra', 'Zebra']],
    ['de', ['apple', 'ozone', 'Zebra', 'Oak', 'Öl', 'zebra']],
    ['fr', ['apple', 'Öl', 'Oak', 'ozone', 'zebra', 'Zebra']],
    ['fr, de;q=0.5', ['apple', 'ozone', 'Zebra', 'Öl', 'Oak', 'zebra']],
    // Its texts in de-CH have no name, so the product is shown with the default one.
    ['de-CH', ['ozone', 'apple', 'Zebra', 'Oak', 'Öl', 'zebra']],
    ['de, de-DE;q=0', ['apple', 'ozone', 'Zebra', 'Oak', 'Öl', 'zebra']],
  ])('for Accept-Language %s', async (acceptLanguage, expected) => {
    expect(await inOrder(acceptLanguage)).toEqual(expected)
  })

  it('costs one statement for all languages of a release', async () => {
    let statements = 0
    const { releases } = server.services
    const end = database.onStatement(() => statements++)
    await Promise.all([releases.nameOrder.ranks(release, 'it'), releases.nameOrder.ranks(release, 'fr')])
    end()
    expect(statements).toBe(0)
  })
})
