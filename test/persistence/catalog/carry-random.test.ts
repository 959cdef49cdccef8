/** Random publishes, restores, schedules and moves, whose carries are compared with a brute-force merge. */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { documentText } from '../../../src/domain/catalog/document-text.ts'
import type { Release } from '../../../src/domain/catalog/release.ts'
import type { ReleaseSummary } from '../../../src/domain/catalog/release-summary.ts'
import type { ReleaseProduct } from '../../../src/domain/catalog/released-product.ts'
import { analyserOf } from '../../../src/domain/catalog/search-text.ts'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { priceSpans } from '../../../src/domain/pricing/price-spans.ts'
import { publishRelease } from '../../../src/operations/catalog/release.ts'
import { restoreRelease, withdrawRelease } from '../../../src/operations/catalog/release-schedule.ts'
import { InstantOrder } from '../../../src/persistence/catalog/instant-order.ts'
import { textsOf } from '../../../src/persistence/catalog/publish/document-texts.ts'
import { ReleaseWords } from '../../../src/persistence/catalog/publish/release-words.ts'
import { ReleaseCache } from '../../../src/persistence/catalog/release-cache.ts'
import { joinReads } from '../../../src/persistence/database/joined-reads.ts'
import { type Context, createContext } from '../../../src/request/context.ts'
import { type Content, derive, readContent } from '../../support/carry-content.ts'
import { merge } from '../../support/carry-oracle.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { runs } from '../../support/effort.ts'
import { testContext } from '../../support/graph.ts'
import { type Random, randomEdit, randomFrom, randomStore } from '../../support/random-store.ts'
import { insertStore } from '../../support/store.ts'

const database = useDatabase()
const BEGIN = Date.UTC(2026, 5, 1)
const DAY = 86_400_000

function contextAt(now: number): Context {
  const { config, log, viewer } = testContext()
  return createContext(
    { config: { ...config, releasesKept: 100 }, database, releases: new ReleaseCache(database), log },
    { viewer: { ...viewer, expiresAt: now + DAY }, now, requestId: 'test' },
  )
}

const hasMembers = (value: object | null) => Object.keys(value ?? {}).length > 0

/** Without absences that mean nothing. */
function plain({ products, nodes, hierarchyIds, curated }: Content) {
  return {
    products: Object.fromEntries(
      [...products].map(([id, { product, price, options }]) => {
        const locales = hasMembers(product.locales) ? product.locales : null
        return [id, { product: { ...product, locales }, price, options }]
      }),
    ),
    nodes: Object.fromEntries(nodes),
    hierarchyIds,
    curated: Object.fromEntries([...curated].filter(([, ids]) => ids.length > 0)),
  }
}

/**
 * At least the products that become as scheduled, but for what was only updated; at most those that publish and
 * schedule changed.
 */
function earlyProducts(former: Content, latest: Content, scheduled: Content): { least: number; most: number } {
  const ids = new Set([former, latest, scheduled].flatMap(({ products }) => [...products.keys()]))
  const changed = [...ids].filter((id) => {
    const [f, l, s] = [former, latest, scheduled].map(({ products }) => products.get(id))
    return !isDeepStrictEqual(f, l) && !isDeepStrictEqual(f, s)
  })
  const shown = (content: Content, id: string) => {
    const found = content.products.get(id)
    return found && { ...found, product: { ...found.product, updated_at: 0 } }
  }
  const same = changed.filter(
    (id) =>
      isDeepStrictEqual(latest.products.get(id), scheduled.products.get(id)) &&
      !isDeepStrictEqual(shown(former, id), shown(latest, id)),
  )
  return { least: same.length, most: changed.length }
}

async function pending(catalogId: string, now: number): Promise<{ id: string; at: number }[]> {
  const { rows } = await database.pool.query(
    `SELECT release_id AS id, effective_at AS at FROM release_activation
     WHERE catalog_id = $1 AND scheduled AND effective_at > $2 ORDER BY effective_at, id`,
    [catalogId, new Date(now)],
  )
  return rows.map(({ id, at }) => ({ id, at: at.getTime() }))
}

async function latestId(catalogId: string, now: number): Promise<string | null> {
  return (await database.pool.query('SELECT latest_release($1, $2) AS id', [catalogId, new Date(now)])).rows[0].id
}

/** Texts, words and prices of all documents of a release, beside those that its documents ask for. */
async function expectParts(releaseId: string, content: Content): Promise<void> {
  const { rows } = await database.pool.query(
    `SELECT d.product_id, d.body::text AS body, d.name, d.sku, d.slug,
       (SELECT json_object_agg(language, hash) FROM document_search_text t JOIN search_text USING (hash) WHERE t.document_id = d.id) AS texts,
       (SELECT json_object_agg(currency, json_build_object('starts', starts::text[], 'amounts', amounts, 'sales', sales))
        FROM release_document_price p WHERE p.document_id = d.id) AS prices
     FROM release_listing l CROSS JOIN unnest(l.documents) WITH ORDINALITY n (id, rank) JOIN release_document d ON d.id = n.id
     WHERE l.release_id = $1 AND l.scope = $1 ORDER BY n.rank`,
    [releaseId],
  )
  const placesBy = (member: 'updated_at' | 'created_at'): number[] => {
    const all = rows.map(({ product_id }) => content.products.get(product_id)?.product[member] as number)
    const instants = [...new Set(all)].sort((one, other) => one - other)
    return all.map((instant) => instants.indexOf(instant))
  }
  const byUpdate = `SELECT places FROM release_order WHERE release_id = $1 AND field = 'UPDATED_AT'`
  expect((await database.pool.query(byUpdate, [releaseId])).rows).toEqual([{ places: placesBy('updated_at') }])
  const order = new InstantOrder(joinReads(database))
  expect([...(await order.places({ id: releaseId } as Release, 'CREATED_AT'))]).toEqual(placesBy('created_at'))
  const words = new ReleaseWords(undefined)
  for (const row of rows) {
    const { product, price } = content.products.get(row.product_id) as NonNullable<
      ReturnType<typeof content.products.get>
    >
    expect(row.body).toBe(documentText(product, price))
    expect([row.name, row.sku, row.slug]).toEqual([product.name, product.sku, product.slug])
    const texts = searchTextsOf(product)
    expect(row.texts).toEqual(Object.fromEntries(texts.map(({ language, hash }) => [language, hash])))
    for (const { analyse } of texts) words.count(analyse().words, 1)
    const spans = [...priceSpans(compileProduct(price))].map(([currency, { starts, amounts, sales }]) => [
      currency,
      { starts: starts.map(String), amounts: [...amounts], sales: [...sales] },
    ])
    expect(row.prices ?? {}).toEqual(Object.fromEntries(spans))
  }
  const search = await database.pool.query('SELECT words FROM release_search WHERE release_id = $1', [releaseId])
  expect(search.rows.map((row) => countsOf(row.words))).toEqual([countsOf(words.toText())])
}

function searchTextsOf(product: ReleaseProduct) {
  const { name, description, sku, tags, locales } = product
  const codes = { sku, partNumber: product.manufacturer_part_num, upcEan: product.upc_ean }
  return textsOf({ id: 0, name, description, ...codes, tags, locales }, analyserOf(testContext().config.storeLanguage))
}

/** How many names and other texts have each stored word. */
function countsOf(text: string) {
  const { words, names, mentions } = JSON.parse(text)
  return Object.fromEntries(words.split(' ').map((word: string, at: number) => [word, [names[at], mentions[at]]]))
}

describe('carries, compared with a brute-force merge', () => {
  it('release.corrections-carried, release.carried-by-field, release.removal-is-carried, release.carried-tree-holds, release.early-shows-warned: random publishes, restores, schedules and moves leave each scheduled release with what a brute-force merge gives, tell its conflicts, and warn of what is shown early', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        await reset(database)
        const random = randomFrom(seed)
        const { below, chance, pick } = random
        // Few records are edited, so that publishes and schedules meet in them.
        const narrow: Random = {
          ...random,
          pick: (items) => pick(typeof items[0] === 'object' && chance(70) ? items.slice(0, 2) : items),
        }
        const store = randomStore(random)
        await insertStore(database, store)
        const [{ id: catalogId } = { id: '' }] = store.catalogs
        let now = BEGIN
        const known: string[] = []
        const publish = async (at: number | null): Promise<ReleaseSummary> => {
          const release = await publishRelease(contextAt(now), { catalogId, at })
          known.push(release.id)
          return release
        }
        await publish(null)
        for (let step = 0; step < 9; step++) {
          now += 1_000 + (chance(20) ? 2 * DAY : 0)
          for (let edit = below(5); edit >= 0; edit--) await randomEdit(store, database, narrow)
          const before = await pending(catalogId, now)
          const former = await latestId(catalogId, now)
          const later = now + DAY * (1 + below(3))
          const action = pick([
            'publish',
            'publish',
            'schedule',
            'schedule',
            'restore',
            'restore later',
            'withdraw',
          ] as const)
          const contents = new Map<string, Awaited<ReturnType<typeof readContent>>>()
          for (const { id } of before) contents.set(id, await readContent(database, id))
          let carries: ReleaseSummary['carries'] | null = null
          let warnings: ReleaseSummary['warnings'] | null = null
          try {
            if (action === 'publish') ({ carries, warnings } = await publish(null))
            else if (action === 'schedule') await publish(later)
            else if (action === 'withdraw') await withdrawRelease(contextAt(now), { releaseId: pick(known) })
            else {
              const at = action === 'restore' ? null : later
              const { carries: found } = await restoreRelease(contextAt(now), { releaseId: pick(known), at })
              if (at === null) carries = found
            }
          } catch (error) {
            if (!['conflict', 'notFound'].includes((error as { kind: string }).kind)) throw error
            continue
          }
          if (carries === null || former === null) continue
          const latest = (await latestId(catalogId, now)) as string
          const [old, next] = [await readContent(database, former), await readContent(database, latest)]
          const after = await pending(catalogId, now)
          const waiting = before.filter(({ id }) => id !== latest)
          expect(after.map(({ at }) => at)).toEqual(waiting.map(({ at }) => at))
          for (const [place, { id, at }] of waiting.entries()) {
            const { content, conflicts } = merge(old, next, contents.get(id) as Content)
            const carry = carries.find(({ from }) => from === id)
            const heir = after[place] as { id: string }
            if (warnings) {
              const early = warnings.find((one) => one.code === 'SCHEDULED_SHOWN_EARLY' && one.release_id === heir.id)
              const { least, most } = earlyProducts(old, next, contents.get(id) as Content)
              expect(early?.count ?? 0).toBeGreaterThanOrEqual(least)
              expect(early?.count ?? 0).toBeLessThanOrEqual(most)
            }
            const found = await readContent(database, heir.id)
            expect(plain(found)).toEqual(plain(content))
            const { listings, facets } = derive(content)
            expect(found.listings).toEqual(listings)
            // Options of parents that are in no list are known to the publish alone.
            const own = new Set(
              [...content.products.values()]
                .flatMap(({ product }) =>
                  product.parent_id === null ? (product.variations ?? []).flatMap((one) => one.options) : [],
                )
                .map((option) => `childless ${option.id}`),
            )
            const shown = Object.entries(found.facets).filter(
              ([key]) => !key.startsWith('childless ') || own.has(key.split(' ').slice(0, 2).join(' ')),
            )
            expect(Object.fromEntries(shown)).toEqual(facets)
            await expectParts(heir.id, found)
            const told = (carry?.conflicts ?? []).map(
              ({ productId, nodeId, hierarchyId, field, key }) =>
                `${productId ?? nodeId ?? hierarchyId ?? 'catalog'} ${field} ${key}`,
            )
            expect(told.sort()).toEqual(conflicts)
            expect(carry?.at ?? at).toBe(at)
            expect(heir.id !== id).toBe(carry !== undefined && carry.releaseId !== id)
            // The release that was carried has not changed.
            expect(plain(await readContent(database, id))).toEqual(plain(contents.get(id) as Content))
          }
        }
      }),
      // A product that both updated without another difference.
      { ...runs(40), examples: [[-2147483634]] },
    )
  })
})
