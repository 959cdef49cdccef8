import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DocumentBody, decodeDocument } from '../../../src/domain/catalog/document-codec.ts'
import type { ReleasePricing } from '../../../src/domain/pricing/price-record.ts'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { ReleaseCache } from '../../../src/persistence/catalog/release-cache.ts'
import type { Database } from '../../../src/persistence/database/database.ts'
import { type Context, createContext } from '../../../src/request/context.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { NOW, testContext } from '../../support/graph.ts'
import { type ExpectedRelease, expectedRelease, hiddenCurrencies } from '../../support/publish-oracle.ts'
import { randomEdit, randomFrom, randomStore } from '../../support/random-store.ts'
import { shopperReader } from '../../support/services.ts'
import { insertStore, type Store } from '../../support/store.ts'

const database = useDatabase()

/** A process that has seen nothing yet. */
function freshContext(): Context {
  const { config, log, viewer } = testContext()
  return createContext(
    { config: { ...config, releasesKept: 2 }, database, releases: new ReleaseCache(database), log },
    { viewer, now: NOW, requestId: 'test' },
  )
}

/** What a release holds, read back through the same store that serves readers, and the raw bodies of its documents. */
async function readRelease(releaseId: string): Promise<ExpectedRelease> {
  const release = await new ReleaseCache(database).resolve(null, releaseId, shopperReader)
  if (!release) throw new Error('the release is not published')
  const rows = await database.query<{ id: number; productId: string; body: DocumentBody }>(
    'test-documents',
    'SELECT id, product_id AS "productId", body FROM release_document WHERE id = ANY ($1::int[])',
    [[...release.allProducts.documents]],
  )
  const productOf = new Map(rows.map(({ id, productId }) => [id, productId]))
  const named = (documents: Iterable<number>) =>
    [...documents].map((document) => productOf.get(document) ?? `document ${document}`)
  const listings = new Map([['all', named(release.allProducts.documents)]])
  const curated = new Map<string, number>()
  for (const { id, parentId } of release.nodes.values()) {
    const listing = release.productOrder(id)
    if (listing.documents.length === 0) continue
    listings.set(id, named(listing.documents))
    if (parentId !== null) curated.set(id, listing.curated)
  }
  const facets = await database.query<{ key: string; documents: number[] }>(
    'test-facets',
    `SELECT field || ' ' || value AS key, documents FROM release_facet WHERE release_id = $1`,
    [release.id],
  )
  return {
    nodeIds: [...release.nodes.keys()],
    listings,
    curated,
    bodies: new Map(rows.map(({ productId, body }) => [productId, decodeDocument(body)])),
    facets: new Map(facets.map(({ key, documents }) => [key, new Set(named(documents))])),
  }
}

/** Orders that mean nothing made one, and empty the same as absent. */
function plain(release: ExpectedRelease) {
  const bodies = [...release.bodies].map(
    ([id, { product, price }]) => [id, { product, price: plainUnit(price) }] as const,
  )
  return {
    ...release,
    listings: Object.fromEntries(release.listings),
    curated: Object.fromEntries(release.curated),
    bodies: Object.fromEntries(bodies),
    facets: Object.fromEntries([...release.facets].map(([key, ids]) => [key, [...ids].sort()])),
  }
}

function plainUnit(unit: ReleasePricing): unknown {
  const byName = (left: { name: string }, right: { name: string }) => (left.name < right.name ? -1 : 1)
  const row = (one: ReleasePricing['own']) => one && { ...one, sales: [...one.sales].sort(byName) }
  return {
    id: unit.id,
    own: row(unit.own),
    base: row(unit.base),
    modifier_names: unit.modifier_names ?? [],
    modifiers: [...(unit.modifiers ?? [])].sort(byName),
    components: unit.components ?? null,
    options: Object.fromEntries(Object.entries(unit.options ?? {}).map(([id, option]) => [id, plainUnit(option)])),
  }
}

async function documentCount({ pool }: Database): Promise<number> {
  return Number((await pool.query('SELECT count(*) FROM release_document')).rows[0].count)
}

async function publishAll(store: Store): Promise<void> {
  for (const catalog of store.catalogs) {
    const { id, warnings } = await publishRelease(freshContext(), { catalogId: catalog.id })
    expect(plain(await readRelease(id))).toEqual(plain(expectedRelease(store, catalog)))
    const hidden = warnings
      .filter(({ code }) => code === 'CURRENCY_HIDDEN_BY_BOOK')
      .map((one) => [`${one.price_book_id} ${one.currency}`, one.product_id, one.count])
    const expected = Object.entries(hiddenCurrencies(store, catalog)).map(([key, [first, ...others]]) => [
      key,
      first,
      1 + others.length,
    ])
    expect(hidden.toSorted()).toEqual(expected.toSorted())
  }
}

describe('publishing, compared with a naive oracle', () => {
  it('release.is-a-snapshot, release.freezes-every-needed-price, release.freezes-all-that-prices, price-book.hidden-currency-warned: a release has the content of the store after random edits, warns of each currency that a book hides, and unchanged content makes no new documents', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 0, max: 5 }), async (seed, edits) => {
        await reset(database)
        const random = randomFrom(seed)
        const store = randomStore(random)
        await insertStore(database, store)
        await publishAll(store)
        for (let edit = 0; edit < edits; edit++) {
          await randomEdit(store, database, random)
          await publishAll(store)
        }
        const before = await documentCount(database)
        await publishAll(store)
        expect(await documentCount(database)).toBe(before)
      }),
      runs(4),
    )
  })
})
