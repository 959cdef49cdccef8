/** Which variations and extension fields a publish makes facets. */
import { expect, it } from 'vitest'
import { Release } from '../../../src/domain/catalog/release.ts'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { ReleaseCache } from '../../../src/persistence/catalog/release-cache.ts'
import { readFacets } from '../../../src/persistence/catalog/release-facets.ts'
import { useDatabase } from '../../support/database.ts'
import { contextOf } from '../../support/price-books.ts'
import { idOf } from '../../support/products.ts'
import { servicesOf, shopperReader } from '../../support/services.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()
const [catalog, root, node] = [idOf(0xca), idOf(0x11), idOf(0x12)] as const
const products = 1_001

it('facet.short-values: a field with 1,001 values or with the fewest products of 51 is no facet, nor is a text of 101 characters a value', async () => {
  const rare = Object.fromEntries(Array.from({ length: 49 }, (_, at) => [`rare ${at}`, at]))
  const fieldsOf = (at: number) => ({
    different: at,
    thousand: at % 1_000,
    ...(at < 4 && { text: ['x'.repeat(100), 'x'.repeat(101), 'short', 'short'][at], list: [1], nothing: null }),
    ...(at < 2 && rare),
    ...(at < 1 && { rarest: true }),
  })
  const texts = (name: string) => ({ name, slug: name, created_at: 0, updated_at: 0 })
  await insertStore(database, {
    products: Array.from({ length: products }, (_, at) => ({
      id: idOf(0x1000 + at),
      status: 'live' as const,
      ...texts(`product-${at}`),
      extensions: { book: fieldsOf(at) },
    })),
    nodes: [
      { id: root, parent_id: null, hierarchy_id: root, ...texts('root') },
      { id: node, parent_id: root, hierarchy_id: root, ...texts('node') },
    ],
    attachments: Array.from({ length: products }, (_, at) => ({ node_id: node, product_id: idOf(0x1000 + at) })),
    books: [],
    prices: [],
    modifiers: [],
    catalogs: [{ id: catalog, name: 'Catalog', hierarchy_ids: [root], books: [] }],
  })
  const { id } = await publishRelease(contextOf(servicesOf(database), 0), { catalogId: catalog })
  const releases = new ReleaseCache(database)
  const release = await releases.resolve(null, id, shopperReader)
  const { columns, tooManyValues } = await releases.facets.find(release as NonNullable<typeof release>)
  const field = (name: string) => JSON.stringify(['extension', 'book', name])
  expect([...tooManyValues].sort()).toEqual(['different', 'rare 9', 'rarest'].map(field))
  expect(columns.get(field('thousand'))?.values).toHaveLength(1_000)
  expect([...(columns.get(field('text'))?.values ?? [])].sort()).toEqual(['short', 'x'.repeat(100)])
  expect(['list', 'nothing', 'rarest'].map((name) => columns.has(field(name)))).toEqual([false, false, false])
})

it('a release without products has no facets', async () => {
  const catalog = { name: '', description: null, locales: null }
  const empty = new Release(idOf(1), idOf(2), 1, 0, catalog, [], [], new Map())
  expect((await readFacets(empty, [])).columns.size).toBe(0)
})
