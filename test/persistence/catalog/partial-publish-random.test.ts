/** Random publishes of a few products and nodes alone, beside the releases that they are made of. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { ReleaseCache } from '../../../src/persistence/catalog/release-cache.ts'
import { createContext } from '../../../src/request/context.ts'
import { derive, readContent } from '../../support/carry-content.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { testContext } from '../../support/graph.ts'
import { randomEdit, randomFrom, randomStore } from '../../support/random-store.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()
const BEGIN = Date.UTC(2026, 5, 1)

function contextAt(now: number) {
  const { config, log, viewer } = testContext()
  return createContext(
    { config: { ...config, releasesKept: 100 }, database, releases: new ReleaseCache(database), log },
    { viewer: { ...viewer, expiresAt: now + 86_400_000 }, now, requestId: 'test' },
  )
}

it('release.published-in-part: of random edits a publish of some products and nodes shows just these, with lists and facets of its own content, and a publish of all of them what a whole publish shows', async () => {
  const found = { published: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      await reset(database)
      const random = randomFrom(seed)
      const store = randomStore(random)
      await insertStore(database, store)
      const [{ id: catalogId } = { id: '' }] = store.catalogs
      let now = BEGIN
      let { id: latest } = await publishRelease(contextAt(now), { catalogId })
      for (let step = 0; step < 6; step++) {
        now += 1_000
        for (let edit = random.below(6); edit >= 0; edit--) await randomEdit(store, database, random)
        const draft = await publishRelease(contextAt(now), { catalogId, dryRun: true })
        const [before, authored] = [await readContent(database, latest), await readContent(database, draft.id)]
        const all = [...new Set([...before.products.keys(), ...authored.products.keys()])]
        const allNodes = [...new Set([...before.nodes.keys(), ...authored.nodes.keys()])]
        const isWhole = random.chance(20)
        const only = {
          products: all.filter(() => isWhole || random.chance(30)),
          nodes: allNodes.filter(() => isWhole || random.chance(30)),
        }
        if (only.products.length + only.nodes.length === 0) continue
        try {
          ;({ id: latest } = await publishRelease(contextAt(now), { catalogId, only }))
        } catch (error) {
          expect((error as { kind: string }).kind).toBe('validation')
          expect(isWhole).toBe(false)
          found.refused++
          continue
        }
        found.published++
        const content = await readContent(database, latest)
        const nodes = new Map(
          allNodes.flatMap((id) => {
            const node = (only.nodes.includes(id) ? authored : before).nodes.get(id)
            return node ? [[id, node] as const] : []
          }),
        )
        const withoutHierarchy = (map: ReadonlyMap<string, object>) =>
          Object.fromEntries([...map].map(([id, node]) => [id, { ...node, hierarchy_id: '' }]))
        expect(withoutHierarchy(content.nodes)).toEqual(withoutHierarchy(nodes))
        const products = all.flatMap((id) => {
          const one = (only.products.includes(id) ? authored : before).products.get(id)
          if (!one) return []
          const node_ids = one.product.node_ids.filter((node) => nodes.has(node))
          return node_ids.length > 0 ? [[id, { ...one, product: { ...one.product, node_ids } }] as const] : []
        })
        expect(Object.fromEntries(content.products)).toEqual(Object.fromEntries(products))
        const { listings, facets } = derive(content)
        expect(content.listings).toEqual(listings)
        const shown = (one: Record<string, unknown>) =>
          Object.fromEntries(Object.entries(one).filter(([name]) => !name.startsWith('childless ')))
        expect(shown(content.facets)).toEqual(shown(facets))
        if (isWhole) expect(shown(content.facets)).toEqual(shown(authored.facets))
      }
    }),
    runs(60),
  )
  expect(found.published).toBeGreaterThan(found.refused)
})
