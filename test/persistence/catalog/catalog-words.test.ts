import { beforeEach, describe, expect, it } from 'vitest'
import type { Release } from '../../../src/domain/catalog/release.ts'
import { deleteRelease, publishRelease } from '../../../src/operations/catalog/release.ts'
import { cleanUpReleases } from '../../../src/operations/catalog/release-clean-up.ts'
import { RETIRED_RETENTION_MS, removeRetired } from '../../../src/persistence/catalog/publish/retention.ts'
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
  return { id: idOf(number), name, slug: `p-${number}`, sku: `P-${number}`, status: 'live', created_at: now, updated_at: now, ...locales }
}

/** Two catalogs of a hierarchy each: the garden sells a spade and a rake, the kitchen a spoon, and both a table. */
async function sell(): Promise<void> {
  const store = emptyStore()
  store.products = [product(1, 'Spade', 'Spaten'), product(2, 'Rake (steel)'), product(3, 'Spoon'), product(4, 'Table table')]
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

/** How often each word is in the names of the release published last. */
async function words(catalogId: string): Promise<Record<string, number>> {
  const text = 'SELECT word, occurrences FROM catalog_word WHERE catalog_id = $1 AND until IS NULL AND occurrences <> 0 ORDER BY word'
  const { rows } = await database.pool.query(text, [catalogId])
  return Object.fromEntries(rows.map(({ word, occurrences }) => [word, occurrences]))
}

async function find(catalogId: string, text: string, releaseId = 'latest', language: string | null = null): Promise<number> {
  const release = (await services.releases.resolve(catalogId, releaseId, shopperReader)) as Release
  return (await services.releases.search.find(release, text, language, searcher)).documents.length
}

/** How often each word is a stem in the texts of the release published last. */
async function mentions(catalogId: string): Promise<Record<string, number>> {
  const text = 'SELECT word, mentions FROM catalog_word WHERE catalog_id = $1 AND until IS NULL AND mentions <> 0 ORDER BY word'
  const { rows } = await database.pool.query(text, [catalogId])
  return Object.fromEntries(rows.map(({ word, mentions }) => [word, mentions]))
}

/** All that one mistake makes of a word: a letter wrong, missing, too much, or swapped with the next. */
function mistakesOf(word: string): string[] {
  const at = Array.from(word, (_, index) => index)
  const made = at.flatMap((index) => {
    const [before, letter, after] = [word.slice(0, index), word.charAt(index), word.slice(index + 1)]
    return [`${before}x${after}`, before + after, `${before}x${letter}${after}`, before + after.slice(0, 1) + letter + after.slice(1)]
  })
  return [...new Set([...made, `${word}x`])].filter((one) => one !== word)
}

const describeProduct = (number: number, description: string, tags: readonly string[]) =>
  database.pool.query('UPDATE product SET description = $2, tags = $3 WHERE id = $1', [idOf(number), description, tags])

const rename = (number: number, name: string) => database.pool.query('UPDATE product SET name = $2 WHERE id = $1', [idOf(number), name])

/** The rows of a word, with the places of their releases among `releaseIds`; null for the end of what goes on. */
async function runsOf(word: string, releaseIds: readonly string[]): Promise<(readonly [number, number | null])[]> {
  const { rows } = await database.pool.query('SELECT id, sequence FROM release')
  const places = new Map(rows.map(({ id, sequence }) => [sequence, releaseIds.indexOf(id)]))
  const { rows: runs } = await database.pool.query('SELECT since, until FROM catalog_word WHERE word = $1 ORDER BY since', [word])
  return runs.map(({ since, until }) => [places.get(since) ?? -1, until === null ? null : (places.get(until) ?? -1)])
}

const gardenWords = { rake: 1, spade: 1, spaten: 1, steel: 1, table: 2 }
/** The stems of names that are not in a name themselves. */
const gardenStems = { spat: 1, tabl: 2 }

describe('search.misspelt-when-nothing-matches: the words of a catalog', () => {
  beforeEach(async () => {
    await reset(database)
    await sell()
  })

  it('are those of the names in its release published last, in all languages', async () => {
    await publish(garden)
    await publish(kitchen)
    expect(await words(garden)).toEqual(gardenWords)
    expect(await words(kitchen)).toEqual({ spoon: 1, table: 2 })
  })

  it('come and go with the products that have them', async () => {
    await publish(garden)
    await rename(1, 'Shovel')
    await rename(4, 'Table')
    await publish(garden)
    expect(await words(garden)).toEqual({ rake: 1, shovel: 1, spaten: 1, steel: 1, table: 1 })
    await database.pool.query(`UPDATE product SET status = 'draft'`)
    await publish(garden)
    expect(await words(garden)).toEqual({})
  })

  it('are counted anew after the release that they were counted from was deleted', async () => {
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

  it('correct a word that only another catalog has', async () => {
    await publish(garden)
    await publish(kitchen)
    // The garden's name stands in the way of no correction in the kitchen, where it would be a mistake for "spoon".
    await rename(2, 'Spoom')
    await publish(garden)
    expect([await find(kitchen, 'spoom'), await find(garden, 'spoom')]).toEqual([1, 1])
    expect([await find(kitchen, 'spaed'), await find(garden, 'spaed')]).toEqual([0, 1])
  })

  it('are those of each release as long as it is there, whatever was published since', async () => {
    const releaseIds: string[] = []
    for (const name of ['Spade', 'Shovel', 'Spade', 'Spade']) {
      await rename(1, name)
      releaseIds.push(await publish(garden))
    }
    expect(await runsOf('spade', releaseIds)).toEqual([
      [0, 1],
      [2, null],
    ])
    expect(await runsOf('shovel', releaseIds)).toEqual([[1, 2]])
    const found = (text: string) => Promise.all(releaseIds.map((releaseId) => find(garden, text, releaseId)))
    expect([await found('spaed'), await found('shovle')]).toEqual([
      [1, 0, 1, 1],
      [0, 1, 0, 0],
    ])
    const [first, second] = releaseIds as [string, string, string, string]
    for (const releaseId of [first, second]) await deleteRelease(contextOf(services, now), { releaseId })
    await removeRetired(database.pool, now + RETIRED_RETENTION_MS)
    releaseIds.push(await publish(garden))
    expect([await runsOf('spade', releaseIds), await runsOf('shovel', releaseIds)]).toEqual([[[2, null]], []])
  })

  it('that move from names to descriptions, or back, are known as words of names where they are in names', async () => {
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
    expect(await runsOf('weatherproof', releaseIds)).toEqual([
      [0, 1],
      [1, null],
    ])
  })

  it('are also the stems of words in names, so that a mistake in a singular finds what is named in the plural', async () => {
    await rename(1, 'Gaming Chairs')
    await rename(2, 'Porch Chair')
    await publish(garden)
    expect([await find(garden, 'gaming chiar'), await find(garden, 'chiar'), await find(garden, 'chiars')]).toEqual([1, 2, 2])
    expect(await mentions(garden)).toMatchObject({ chair: 1, game: 1 })
    await rename(1, 'Spade')
    await publish(garden)
    expect(await mentions(garden)).not.toHaveProperty('game')
    expect(await find(garden, 'chiars')).toBe(1)
  })

  it('are also the stems in tags and descriptions, in all languages, which come and go with the products that have them', async () => {
    await describeProduct(1, 'The blades of walnuts and the walnut', ['hand-made', 'Gifts'])
    await describeProduct(2, 'Walnut, 20 cm', [])
    await database.pool.query(`UPDATE product SET locales = '{"de": {"name": "Spaten", "description": "Aus Nussbäumen"}}' WHERE id = $1`, [
      idOf(1),
    ])
    await publish(garden)
    expect(await mentions(garden)).toEqual({ blade: 1, gift: 1, hand: 1, made: 1, nussbaum: 1, ...gardenStems, walnut: 2 })
    expect(await words(garden)).toMatchObject(gardenWords)
    await describeProduct(1, 'A blade', [])
    await publish(garden)
    expect(await mentions(garden)).toEqual({ blade: 1, nussbaum: 1, ...gardenStems, walnut: 1 })
    await database.pool.query('UPDATE product SET description = NULL, locales = NULL')
    await publish(garden)
    expect(await mentions(garden)).toEqual({ tabl: 2 })
    expect(await words(garden)).toEqual({ rake: 1, spade: 1, steel: 1, table: 2 })
  })

  it('correct every mistake of one letter, in words of names, tags and descriptions', async () => {
    await rename(1, 'Porcelain')
    await describeProduct(2, 'Carved of walnut, with ceramics.', ['weatherproof'])
    await publish(garden)
    const missed: string[] = []
    for (const word of ['porcelain', 'walnut', 'carved', 'ceramics', 'weatherproof']) {
      for (const text of mistakesOf(word)) if ((await find(garden, text)) !== 1) missed.push(text)
    }
    expect(missed).toEqual([])
  })

  it('are found by the last part of a compound, more than five of them, before words that differ from its stem', async () => {
    const others = ['Leder', 'Stoff', 'Reise', 'Kamera', 'Laptop']
    await rename(1, others.map((part) => `${part}tasche`).join(' '))
    await rename(2, 'Universalreisetasche')
    await rename(4, 'Disc, tusch')
    await publish(garden)
    expect([await find(garden, 'tasche'), await find(garden, 'tusche')]).toEqual([2, 1])
  })

  it('search.words-all-match: match with ae, oe and ue in place of umlauts in German, parts of compounds too', async () => {
    await database.pool.query(`UPDATE product SET locales = '{"de": {"name": "Höhenverstellbare Bürostühle"}}' WHERE id = $1`, [idOf(1)])
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

  it('are not taken for compounds when only two letters come before', async () => {
    await rename(1, 'Rung')
    await rename(2, 'Spring')
    await publish(garden)
    expect(await find(garden, 'ring')).toBe(1)
    await rename(2, 'Earring')
    await publish(garden)
    expect(await find(garden, 'ring')).toBe(2)
  })

  it('are found by the two parts of a compound, in either order, whatever else begins or ends with one', async () => {
    await rename(1, 'Kameras, Kameragurt, Kameratuch, Kameraband, Kamerarad, Kameraarm')
    await rename(2, 'Kameraobjektiv')
    await rename(4, 'Objektiv')
    await publish(garden)
    const texts = ['kamera objektiv', 'objektiv kamera', 'kamera gurt', 'kamera table']
    expect(await Promise.all(texts.map((text) => find(garden, text)))).toEqual([1, 1, 1, 0])
  })

  it('correct nothing that stands in a description as it is', async () => {
    await describeProduct(2, 'A spike', [])
    await rename(1, 'Spoke')
    await publish(garden)
    expect([await find(garden, 'spike'), await find(garden, 'spake')]).toEqual([1, 2])
  })
})

it('are counted at the start of a server where an upgrade wants them counted anew, so that misspelt searches find as much as before', async () => {
  await reset(database)
  await sell()
  await publish(garden)
  const counted = [await words(garden), await mentions(garden)]
  // As a migration leaves them: counted in another way, and never since.
  await database.pool.query(`UPDATE catalog SET words_release_id = NULL; DELETE FROM catalog_word WHERE word <> 'rake'`)
  services.releases.invalidate()
  expect(await find(garden, 'spadr')).toBe(0)
  expect(await cleanUpReleases(database, now)).toBe(true)
  expect([await words(garden), await mentions(garden)]).toEqual(counted)
  expect(await find(garden, 'spadq')).toBe(1)
  // Only once, and never in a catalog that is not published.
  await database.pool.query(`DELETE FROM catalog_word`)
  await cleanUpReleases(database, now)
  expect(await words(garden)).toEqual({})
  expect(await words(kitchen)).toEqual({})
})
