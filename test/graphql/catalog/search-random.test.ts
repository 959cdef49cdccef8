/** Searches over random releases, against a second implementation (test/support/search-oracle.ts). */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { reset, useDatabase } from '../../support/database.ts'
import { idOf } from '../../support/products.ts'
import { publish, publishStore } from '../../support/published.ts'
import { nameMatches } from '../../support/search-oracle.ts'
import { useServer } from '../../support/server.ts'
import { searcher, shopperReader } from '../../support/services.ts'
import { emptyStore, type StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database)
const catalog = idOf(0xc1)

const WORDS = [
  'cup',
  'cups',
  'the',
  'grinder',
  'grinders',
  'Straße',
  'crème',
  'чай',
  '250',
  'g',
  '红茶',
  '茶杯',
  'ยางพารา',
  'for',
  'b',
]
const name = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const SEARCHED = [...WORDS, 'cu', 'strasse', 'creme', 'ЧАЙ', '红', '杯', '250g', 'พารา', 'grind', 'x']
const search = fc.array(fc.constantFrom(...SEARCHED), { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))

function product(at: number, named: string): StoreProduct {
  return { id: idOf(at + 1), name: named, slug: `p-${at}`, status: 'live', created_at: 0, updated_at: 1_000 - at }
}

it('search.words-all-match: searches of random releases find what a plain comparison of names finds, also in the release before', async () => {
  const store = fc.tuple(fc.array(name, { minLength: 1, maxLength: 8 }), name)
  await fc.assert(
    fc.asyncProperty(store, fc.array(search, { minLength: 10, maxLength: 20 }), async ([names, renamed], searches) => {
      await reset(database)
      server.services.releases.invalidate()
      const [hierarchy, node] = [idOf(0xca8), idOf(0xca9)]
      const place = { slug: 's', created_at: 0, updated_at: 0, hierarchy_id: hierarchy }
      const before = await publishStore(server, {
        ...emptyStore(),
        products: names.map((one, at) => product(at, one)),
        nodes: [
          { ...place, id: hierarchy, parent_id: null, name: 'Root' },
          { ...place, id: node, parent_id: hierarchy, name: 'All' },
        ],
        attachments: names.map((_, at) => ({ node_id: node, product_id: idOf(at + 1) })),
        catalogs: [{ id: catalog, name: 'Table', hierarchy_ids: [hierarchy], books: [] }],
      })
      await database.pool.query('UPDATE product SET name = $2 WHERE id = $1', [idOf(1), renamed])
      const after = await publish(server, catalog)
      const { releases } = server.services
      const versions = [
        [before.get(catalog)?.id ?? '', names],
        [after.id, [renamed, ...names.slice(1)]],
      ] as const
      for (const [id, named] of versions) {
        const release = await releases.resolve(catalog, id, shopperReader)
        if (!release) throw new Error('The release is gone')
        for (const text of searches) {
          const expected = named.filter((one) => nameMatches(one, text, 'en'))
          const found = await releases.search.find(release, text, null, searcher)
          const documents = await releases.documents.load([...found.documents])
          // What nothing matches may be corrected.
          if (expected.length > 0)
            expect([text, documents.map((document) => document?.product.name).sort()]).toEqual([text, expected.sort()])
        }
      }
    }),
    { numRuns: 25 },
  )
})
