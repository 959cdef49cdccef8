import { beforeAll, describe, expect, it } from 'vitest'
import type { Release } from '../../../src/domain/catalog/release.ts'
import { useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { publishStore } from '../../support/published.ts'
import { startTestServer, useServer } from '../../support/server.ts'
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
  { name: 'Größe 10', locales: { sv: { name: 'Ål 10' } } },
  { name: 'Größe 2', locales: { sv: { name: 'zon 2' } } },
  { name: 'zebra' },
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
  const positions = [...ranks.keys()].sort(
    (left, right) => (ranks[left] as number) - (ranks[right] as number) || left - right,
  )
  return positions.map((position) => names[position]?.name ?? '')
}

describe('search.names-in-order: the order by name', () => {
  it('the order by name gives equal names equal places, which lists fill in their default order in both directions', async () => {
    expect([...(await server.services.releases.nameOrder.ranks(release, null))]).toEqual([6, 4, 0, 3, 8, 5, 2, 1, 6])
    const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
    const list = (direction: string) =>
      `products(first: 3, orderBy: { field: NAME, direction: ${direction} }) { nodes { slug } }`
    const { data } = await server.gql(
      `{ catalog(id: "${catalog}") { latestRelease { ${list('DESC')} } } }`,
      {},
      { token },
    )
    const { nodes } = data.catalog.latestRelease.products
    expect(nodes.map(({ slug }: { slug: string }) => slug)).toEqual(['p-4', 'p-0', 'p-8'])
  })

  it.each([
    [null, ['apple', 'Größe 2', 'Größe 10', 'Oak', 'Öl', 'ozone', 'zebra', 'zebra', 'Zebra']],
    ['en', ['apple', 'Größe 2', 'Größe 10', 'Oak', 'Öl', 'ozone', 'zebra', 'zebra', 'Zebra']],
    ['de', ['apple', 'ozone', 'Zebra', 'Größe 2', 'Größe 10', 'Oak', 'Öl', 'zebra', 'zebra']],
    ['fr', ['apple', 'Größe 2', 'Größe 10', 'Öl', 'Oak', 'ozone', 'zebra', 'zebra', 'Zebra']],
    ['fr, de;q=0.5', ['apple', 'ozone', 'Zebra', 'Größe 2', 'Größe 10', 'Öl', 'Oak', 'zebra', 'zebra']],
    // Who accepts English first sees the default names.
    ['en-US, en;q=0.9, de;q=0.8', ['apple', 'Größe 2', 'Größe 10', 'Oak', 'Öl', 'ozone', 'zebra', 'zebra', 'Zebra']],
    // Its texts in de-CH have no name, so the product is shown with the default one.
    ['de-CH', ['ozone', 'apple', 'Zebra', 'Größe 2', 'Größe 10', 'Oak', 'Öl', 'zebra', 'zebra']],
    ['de, de-DE;q=0', ['apple', 'ozone', 'Zebra', 'Größe 2', 'Größe 10', 'Oak', 'Öl', 'zebra', 'zebra']],
    // Swedish has Å and Ö after Z: "zon 2", "Ål 10", "Öl".
    ['sv', ['apple', 'Oak', 'ozone', 'zebra', 'zebra', 'Zebra', 'Größe 2', 'Größe 10', 'Öl']],
  ])('the order by name for Accept-Language %s', async (acceptLanguage, expected) => {
    expect(await inOrder(acceptLanguage)).toEqual(expected)
  })

  it('the order by name costs no statement for languages that order alike, and two for a process that has it not', async () => {
    const counted = async (on: typeof server, ...languages: string[]) => {
      let statements = 0
      const end = database.onStatement(() => statements++)
      await Promise.all(languages.map((language) => on.services.releases.nameOrder.ranks(release, language)))
      end()
      return statements
    }
    expect(await counted(server, 'it', 'fr')).toBe(0)
    const other = await startTestServer(database)
    expect(await counted(other, 'it', 'fr', 'de')).toBe(2)
    await other.stop()
  })

  it('the order by name stays as it was stored, whatever another version of ICU would make of it', async () => {
    const before = await inOrder('de')
    await database.pool.query(`UPDATE release_name_order SET icu = '1.0'`)
    const other = await startTestServer(database)
    const ranks = await other.services.releases.nameOrder.ranks(release, 'de')
    expect([...ranks]).toEqual([...(await server.services.releases.nameOrder.ranks(release, 'de'))])
    expect(await inOrder('de')).toEqual(before)
    await other.stop()
  })
})
