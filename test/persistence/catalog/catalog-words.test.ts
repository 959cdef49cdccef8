import { beforeEach, describe, expect, it } from 'vitest'
import type { Release } from '../../../src/domain/catalog/release.ts'
import { analyserOf } from '../../../src/domain/catalog/search-text.ts'
import { deleteRelease, publishRelease } from '../../../src/operations/catalog/release.ts'
import { RETIRED_RETENTION_MS, removeRetired } from '../../../src/persistence/catalog/publish/retention.ts'
import { analyseLatestReleases } from '../../../src/persistence/catalog/release-texts.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { contextOf } from '../../support/price-books.ts'
import { idOf } from '../../support/products.ts'
import { searcher, servicesOf, shopperReader } from '../../support/services.ts'
import { emptyStore, insertStore, type StoreProduct } from '../../support/store.ts'

const database = useDatabase()
const services = servicesOf(database)
const [garden, kitchen] = [idOf(0xc1), idOf(0xc2)]
const now = Date.parse('2026-05-01T00:00:00Z')

function product(number: number, name: string, german?: string): StoreProduct {
  const locales = german === undefined ? {} : { locales: { de: { name: german } } }
  return {
    id: idOf(number),
    name,
    slug: `p-${number}`,
    sku: `P-${number}`,
    status: 'live',
    created_at: now,
    updated_at: now,
    ...locales,
  }
}

/** Two catalogs of a hierarchy each: the garden sells a spade and a rake, the kitchen a spoon, and both a table. */
async function sell(): Promise<void> {
  const store = emptyStore()
  store.products = [
    product(1, 'Spade', 'Spaten'),
    product(2, 'Rake (steel)'),
    product(3, 'Spoon'),
    product(4, 'Table table'),
  ]
  for (const [at, id] of [garden, kitchen].entries()) {
    const [hierarchy, node] = [idOf(0x10 + at), idOf(0x20 + at)]
    const common = { hierarchy_id: hierarchy, created_at: now, updated_at: now }
    store.nodes.push({ id: hierarchy, parent_id: null, name: 'Root', slug: `root-${at}`, ...common })
    store.nodes.push({ id: node, parent_id: hierarchy, name: 'All', slug: `all-${at}`, ...common })
    for (const one of at === 0 ? [1, 2, 4] : [3, 4]) store.attachments.push({ node_id: node, product_id: idOf(one) })
    store.catalogs.push({ id, name: 'Shop', hierarchy_ids: [hierarchy], books: [] })
  }
  await insertStore(database, store)
}

async function publish(catalogId: string): Promise<string> {
  return (await publishRelease(contextOf(services, now), { catalogId })).id
}

interface Counts {
  readonly words: string
  readonly names: readonly number[]
  readonly mentions: readonly number[]
}

/** How often each word is in the texts of a release, by default of the one published last. */
async function counts(
  catalogId: string,
  kind: 'names' | 'mentions',
  releaseId?: string,
): Promise<Record<string, number>> {
  const text = `SELECT s.words FROM release_search s JOIN release r ON r.id = s.release_id
    WHERE r.catalog_id = $1 AND r.status = 'published' AND ($2::uuid IS NULL OR r.id = $2) ORDER BY r.sequence DESC LIMIT 1`
  const { rows } = await database.pool.query(text, [catalogId, releaseId ?? null])
  const found = JSON.parse(rows[0]?.words ?? '{"words":""}') as Counts
  const counted = found.words.split(' ').map((word, at) => [word, found[kind]?.[at] ?? 0] as const)
  return Object.fromEntries(counted.filter(([, count]) => count > 0))
}

/** How often each word is in the names of the release published last. */
const words = (catalogId: string) => counts(catalogId, 'names')

/** How often each word is in tags and descriptions of the release published last, or a stem. */
const mentions = (catalogId: string) => counts(catalogId, 'mentions')

async function find(
  catalogId: string,
  text: string,
  releaseId = 'latest',
  language: string | null = null,
): Promise<number> {
  const release = (await services.releases.resolve(catalogId, releaseId, shopperReader)) as Release
  return (await services.releases.search.find(release, text, language, searcher)).documents.length
}

/** How many stored texts have a word. */
async function texts(word: string): Promise<number> {
  const { rows } = await database.pool.query(`SELECT FROM search_text WHERE search @@ quote_literal($1)::tsquery`, [
    word,
  ])
  return rows.length
}

/** All that one mistake makes of a word: a letter wrong, missing, too much, or swapped with the next. */
function mistakesOf(word: string): string[] {
  const at = Array.from(word, (_, index) => index)
  const made = at.flatMap((index) => {
    const [before, letter, after] = [word.slice(0, index), word.charAt(index), word.slice(index + 1)]
    return [
      `${before}x${after}`,
      before + after,
      `${before}x${letter}${after}`,
      before + after.slice(0, 1) + letter + after.slice(1),
    ]
  })
  return [...new Set([...made, `${word}x`])].filter((one) => one !== word)
}

const describeProduct = (number: number, description: string, tags: readonly string[]) =>
  database.pool.query('UPDATE product SET description = $2, tags = $3 WHERE id = $1', [idOf(number), description, tags])

const rename = (number: number, name: string) =>
  database.pool.query('UPDATE product SET name = $2 WHERE id = $1', [idOf(number), name])

const gardenWords = { rake: 1, spade: 1, spaten: 1, steel: 1, table: 1 }
/** The stems of names that are not in a name themselves. */
const gardenStems = { spat: 1, tabl: 1 }

describe('search.misspelt-when-nothing-matches: the words of a catalog', () => {
  beforeEach(async () => {
    await reset(database)
    await sell()
  })

  it('the words of a catalog are those of the names in its latest release, in all languages', async () => {
    await publish(garden)
    await publish(kitchen)
    expect(await words(garden)).toEqual(gardenWords)
    expect(await words(kitchen)).toEqual({ spoon: 1, table: 1 })
  })

  it('the words of a catalog come and go with the products that have them', async () => {
    await publish(garden)
    await rename(1, 'Shovel')
    await rename(4, 'Table')
    await publish(garden)
    expect(await words(garden)).toEqual({ rake: 1, shovel: 1, spaten: 1, steel: 1, table: 1 })
    await database.pool.query(`UPDATE product SET status = 'draft'`)
    await publish(garden)
    expect(await words(garden)).toEqual({})
  })

  it('the words of a catalog are counted anew after the release that they were counted from was deleted', async () => {
    await publish(garden)
    await rename(2, 'Hoe')
    const releaseId = await publish(garden)
    await deleteRelease(contextOf(services, now), { releaseId })
    await rename(2, 'Rake (steel)')
    await publish(garden)
    expect(await words(garden)).toEqual(gardenWords)
    await deleteRelease(contextOf(services, now), { releaseId: await publish(garden) })
    await removeRetired(database.pool, now + RETIRED_RETENTION_MS)
    await publish(garden)
    expect(await words(garden)).toEqual(gardenWords)
  })

  it('the words of a catalog correct a word that only another catalog has', async () => {
    await publish(garden)
    await publish(kitchen)
    // The garden's name stands in the way of no correction in the kitchen, where it would be a mistake for "spoon".
    await rename(2, 'Spoom')
    await publish(garden)
    expect([await find(kitchen, 'spoom'), await find(garden, 'spoom')]).toEqual([1, 1])
    expect([await find(kitchen, 'spaed'), await find(garden, 'spaed')]).toEqual([0, 1])
  })

  it('the words of a catalog are those of each release as long as it is there, whatever was published since', async () => {
    const releaseIds: string[] = []
    for (const name of ['Spade', 'Shovel', 'Spade', 'Spade']) {
      await rename(1, name)
      releaseIds.push(await publish(garden))
    }
    const counted = (word: string) =>
      Promise.all(releaseIds.map(async (id) => (await counts(garden, 'names', id))[word] ?? 0))
    expect([await counted('spade'), await counted('shovel')]).toEqual([
      [1, 0, 1, 1],
      [0, 1, 0, 0],
    ])
    const found = (text: string) => Promise.all(releaseIds.map((releaseId) => find(garden, text, releaseId)))
    expect([await found('spaed'), await found('shovle')]).toEqual([
      [1, 0, 1, 1],
      [0, 1, 0, 0],
    ])
    const [first, second] = releaseIds as [string, string, string, string]
    for (const releaseId of [first, second]) await deleteRelease(contextOf(services, now), { releaseId })
    await removeRetired(database.pool, now + RETIRED_RETENTION_MS)
    expect([await counted('spade'), await counted('shovel')]).toEqual([
      [0, 0, 1, 1],
      [0, 0, 0, 0],
    ])
    expect(await texts('shovel')).toBe(0)
  })

  it('words that move from names to descriptions, or back, are known as words of names where they are in names', async () => {
    await rename(2, 'Weatherproof rake')
    const releaseIds = [await publish(garden)]
    await rename(2, 'Rake')
    await describeProduct(2, 'It is weatherproof', [])
    releaseIds.push(await publish(garden))
    const found = (text: string) => Promise.all(releaseIds.map((releaseId) => find(garden, text, releaseId)))
    // Two mistakes: found among words of names alone.
    expect([await found('wetherprof'), await found('weatherprof')]).toEqual([
      [1, 0],
      [1, 1],
    ])
  })

  it('the words of a catalog are also the stems of words in names, so that a mistake in a singular finds what is named in the plural', async () => {
    await rename(1, 'Gaming Chairs')
    await rename(2, 'Porch Chair')
    await publish(garden)
    expect([await find(garden, 'gaming chiar'), await find(garden, 'chiar'), await find(garden, 'chiars')]).toEqual([
      1, 2, 2,
    ])
    expect(await mentions(garden)).toMatchObject({ chair: 1, game: 1 })
    await rename(1, 'Spade')
    await publish(garden)
    expect(await mentions(garden)).not.toHaveProperty('game')
    expect(await find(garden, 'chiars')).toBe(1)
  })

  it('the words of a catalog are also the stems in tags and descriptions, in all languages, which come and go with the products that have them', async () => {
    await describeProduct(1, 'The blades of walnuts and the walnut', ['hand-made', 'Gifts'])
    await describeProduct(2, 'Walnut, 20 cm', [])
    await database.pool.query(
      `UPDATE product SET locales = '{"de": {"name": "Spaten", "description": "Aus Nussbäumen"}}' WHERE id = $1`,
      [idOf(1)],
    )
    await publish(garden)
    const german = { aus: 1, nussbaum: 1, nussbaumen: 1, nussbäumen: 1 }
    const others = { and: 1, gifts: 1, handmade: 1, handmad: 1, the: 1, walnuts: 1 }
    expect(await mentions(garden)).toEqual({
      blade: 1,
      blades: 1,
      gift: 1,
      hand: 1,
      made: 1,
      ...german,
      ...gardenStems,
      ...others,
      walnut: 2,
    })
    expect(await words(garden)).toMatchObject(gardenWords)
    await describeProduct(1, 'A blade', [])
    await publish(garden)
    expect(await mentions(garden)).toEqual({ blade: 1, ...german, ...gardenStems, walnut: 1 })
    await database.pool.query('UPDATE product SET description = NULL, locales = NULL')
    await publish(garden)
    expect(await mentions(garden)).toEqual({ tabl: 1 })
    expect(await words(garden)).toEqual({ rake: 1, spade: 1, steel: 1, table: 1 })
  })

  it('the words of a catalog correct every mistake of one letter, in words of names, tags and descriptions', async () => {
    await rename(1, 'Porcelain')
    await describeProduct(2, 'Carved of walnut, with ceramics.', ['weatherproof'])
    await publish(garden)
    const missed: string[] = []
    for (const word of ['porcelain', 'walnut', 'carved', 'ceramics', 'weatherproof']) {
      for (const text of mistakesOf(word)) if ((await find(garden, text)) !== 1) missed.push(text)
    }
    expect(missed).toEqual([])
  })

  it('search.compounds-by-their-parts: the words of a catalog are found by the last part of a compound, more than five of them, before words that differ from its stem', async () => {
    const others = ['Leder', 'Stoff', 'Reise', 'Kamera', 'Laptop']
    await rename(1, others.map((part) => `${part}tasche`).join(' '))
    await rename(2, 'Universalreisetasche')
    await rename(4, 'Disc, tusch')
    await publish(garden)
    expect([await find(garden, 'tasche'), await find(garden, 'tusche')]).toEqual([2, 1])
  })

  it('search.letters-by-language: the words of a catalog match with ae, oe and ue in place of umlauts in German, parts of compounds too', async () => {
    await database.pool.query(
      `UPDATE product SET locales = '{"de": {"name": "Höhenverstellbare Bürostühle"}}' WHERE id = $1`,
      [idOf(1)],
    )
    await publish(garden)
    const texts = ['hoehenverstellbare Buerostuehle', 'hoehenv', 'stuehle', 'buero stuehle', 'buerostuhle']
    const found = (language: string) => Promise.all(texts.map((text) => find(garden, text, 'latest', language)))
    expect([await found('de-AT'), await found('fr')]).toEqual([
      [1, 1, 1, 1, 1],
      [0, 0, 0, 0, 0],
    ])
    await rename(2, 'Toes')
    await rename(4, 'Tos')
    await publish(garden)
    expect([await find(garden, 'toes', 'latest', 'en'), await find(garden, 'toes', 'latest', 'de')]).toEqual([1, 2])
  })

  it('the words of a catalog are not taken for compounds when only two letters come before, and for nothing else when more do', async () => {
    await rename(1, 'Rung')
    await rename(2, 'Spring')
    await publish(garden)
    expect(await find(garden, 'ring')).toBe(1)
    await rename(2, 'Earring')
    await rename(4, 'Keyrings, nosering')
    await publish(garden)
    expect(await find(garden, 'ring')).toBe(2)
  })

  it('search.compounds-by-their-parts: the words of a catalog are found by the two parts of a compound, in either order, whatever else begins or ends with one', async () => {
    await rename(1, 'Kameras, Kameragurt, Kameratuch, Kameraband, Kamerarad, Kameraarm')
    await rename(2, 'Kameraobjektiv')
    await rename(4, 'Objektiv')
    await publish(garden)
    const texts = ['kamera objektiv', 'objektiv kamera', 'kamera gurt', 'kamera table']
    expect(await Promise.all(texts.map((text) => find(garden, text)))).toEqual([1, 1, 1, 0])
  })

  it('the words of a catalog correct nothing that stands in a description as it is', async () => {
    await describeProduct(2, 'A spike', [])
    await rename(1, 'Spoke')
    await publish(garden)
    expect([await find(garden, 'spike'), await find(garden, 'spake')]).toEqual([1, 2])
  })
})

it('search.one-analyser: after an upgrade the latest releases are analysed at the start of a server, others at their first search, so that both find as much as before', async () => {
  await reset(database)
  await sell()
  const first = await publish(garden)
  const latest = await publish(garden)
  await publish(kitchen)
  const counted = await Promise.all([first, latest].map((id) => counts(garden, 'names', id)))
  // As the version before leaves them.
  await database.pool.query('DELETE FROM release_search; DELETE FROM document_search_text; DELETE FROM search_text')
  const steps: string[] = []
  const analyse = () =>
    analyseLatestReleases(database, analyserOf('en'), now, (at, count) => void steps.push(`${at + 1} of ${count}`))
  await analyse()
  expect(steps).toEqual(['1 of 2', '2 of 2'])
  await analyse()
  expect(steps).toHaveLength(2)
  expect(await counts(garden, 'names', latest)).toEqual(counted[1])
  expect(await counts(garden, 'names', first)).toEqual({})
  services.releases.invalidate()
  expect([await find(garden, 'spadr'), await find(garden, 'spaten', first, 'de')]).toEqual([1, 1])
  expect(await counts(garden, 'names', first)).toEqual(counted[0])
})

it('search.one-analyser: a release that is analysed by its first search, or by the order of its names, shows all of it', async () => {
  await reset(database)
  await sell()
  const release = (await services.releases.resolve(garden, await publish(garden), shopperReader)) as Release
  const forget = () =>
    database.pool.query('DELETE FROM release_search; DELETE FROM document_search_text; DELETE FROM search_text')
  await forget()
  const found = await Promise.all(
    ['rake', 'spade', 'spaed'].map((text) => services.releases.search.find(release, text, null, searcher)),
  )
  expect(found.map(({ documents }) => documents.length)).toEqual([1, 1, 1])
  await forget()
  expect(new Set(await services.releases.nameOrder.ranks(release, null)).size).toBe(3)
})

it('search.store-language: the language of texts without a tag decides their stems', async () => {
  await reset(database)
  await sell()
  await rename(1, 'Häuser')
  const german = servicesOf(database, { storeLanguage: 'de' })
  const ids = [await publish(garden), (await publishRelease(contextOf(german, now), { catalogId: garden })).id]
  const isStem = async (id: string) => 'haus' in (await counts(garden, 'mentions', id))
  expect(await Promise.all(ids.map(isStem))).toEqual([false, true])
})
