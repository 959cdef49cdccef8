import { beforeAll, describe, expect, it } from 'vitest'
import { loadDemo } from '../../../src/demo/demo-store.ts'
import type { Release } from '../../../src/domain/catalog/release.ts'
import { useDatabase } from '../../support/database.ts'
import { searcher, servicesOf, shopperReader } from '../../support/services.ts'

const database = useDatabase()
const services = servicesOf(database)
const storefront = 'c0ffee00-0009-4000-8000-000000000001'
let release: Release

beforeAll(async () => {
  await loadDemo(services)
  release = (await services.releases.resolve(storefront, 'latest', shopperReader)) as Release
})

/** The SKUs of what a search of the demo store finds, best first, with ties in the order of the release. */
async function find(text: string, acceptLanguage: string | null = null): Promise<string[]> {
  const scores = await services.releases.search.find(release, text, acceptLanguage, searcher)
  const position = (document: number) => release.allProducts.positionOf(document)
  const found = [...scores.documents].sort(
    (left, right) => scores.scoreOf(right) - scores.scoreOf(left) || position(left) - position(right),
  )
  const documents = await services.releases.documents.load(found)
  return documents.map((document) => document?.product.sku ?? '')
}

/** A search, the language of its sender, and the SKUs found first. */
type Row = readonly [text: string, language: string | null, first: readonly string[]]

const exact: readonly Row[] = [
  ['ESP-HOUSE', null, ['ESP-HOUSE']],
  ['esp-house', null, ['ESP-HOUSE']],
  ['House Espresso', null, ['ESP-HOUSE']],
  ['home grinder 54', null, ['GRD-HOME']],
  ['ACC-CUP', null, ['ACC-CUP', 'ACC-CUP-ESP']],
]
const parts: readonly Row[] = [
  ['brw', null, ['BRW-']],
  ['BRW-AI', null, ['BRW-AIR']],
  ['brwair', null, ['BRW-AIR']],
  ['250-B', null, ['ESP-HOUSE-250-B']],
  ['WEAR/SHIRT/M/OAT', null, ['WEAR-SHIRT-M-OAT']],
  ['kettl', null, ['KET-']],
  ['gooseneck ket', null, ['KET-GOOSE']],
  ['1 kg gr', null, ['ESP-HOUSE-1000-G']],
  ['handmühle', 'de', ['GRD-HAND']],
  ['Reise', 'de', ['GRD-HAND']],
  ['decaf zucker', 'de', ['DEC-SUGAR']],
]
const inflected: readonly Row[] = [
  ['kettles', null, ['KET-']],
  ['grinders', null, ['ACC-BRUSH', 'GRD-', 'GRD-', 'GRD-']],
  ['the cups', null, ['SET-CUPS', 'BRW-MOKA', 'ACC-CUP', 'ACC-CUP']],
  ['organic shirt', null, ['WEAR-SHIRT']],
  ['handmühlen', 'de', ['GRD-HAND']],
  ['Haselnüsse', 'de', ['ESP-HOUSE']],
  ['schwarze johannisbeeren', 'de', ['KEN-NYERI']],
]
const languages: readonly Row[] = [
  ['Kenia', 'de', ['KEN-NYERI']],
  ['Keramikfilter', 'de-AT, en;q=0.5', ['BRW-DRIP']],
  ['ceramic dripper', 'de', ['BRW-DRIP']],
  ['äthiopien', 'de', ['ETH-YIRG']],
  ['Athiopien', 'de', ['ETH-YIRG']],
  ['Aethiopien', 'de', ['ETH-YIRG']],
  ['tarrazu', null, ['CRI-TARRAZU']],
  ['éthiopie', 'fr', ['ETH-YIRG']],
]
const mistakes: readonly Row[] = [
  ['grindr', null, ['ACC-BRUSH', 'GRD-']],
  ['shrit', null, ['WEAR-SHIRT']],
  ['decaff', null, ['DEC-SUGAR']],
  ['expresso machin', null, ['ESP-MACH']],
  ['yirgachefe', null, ['ETH-YIRG']],
  ['hausespreso', 'de', ['ESP-HOUSE']],
  ['ACC-TMAPER', null, ['ACC-TAMPER']],
  ['SE-250-8', null, []],
  ['SE-250-B', null, ['ESP-HOUSE-250-B']],
  ['hadnmühle', 'de', ['GRD-HAND']],
  ['kermikfilter', 'de', ['BRW-DRIP']],
  ['johanisbeere', 'de', ['KEN-NYERI']],
  ['mühle', 'de', ['GRD-HAND']],
  ['mühle hand', 'de', ['GRD-HAND']],
  ['BRW-SIPHN vacum canistr', null, []],
]
const nothing: readonly Row[] = [
  ["& | ! ( ) : * ' \\ <->", null, []],
  ['', null, []],
  [' \t\n', null, []],
  ['zzzzzz', null, []],
  ['Keramikfilter', 'fr', []],
  ["'; DROP TABLE product --", null, []],
  ['½ № ﷺ 𝔘 \u0000 \ud800', null, []],
]

async function expectFirst([text, language, first]: Row): Promise<void> {
  const found = await find(text, language)
  if (first.length === 0) expect(found).toEqual([])
  expect(found.slice(0, first.length).map((sku, at) => sku.slice(0, first[at]?.length))).toEqual(first)
}

describe('a search of products', () => {
  it.each(exact)('search.best-place-decides: a search lists an equal SKU first, then an equal name: %s', (...row) =>
    expectFirst(row),
  )
  it.each(parts)('search.last-word-is-a-prefix: the last word of a search is a prefix: %s', (...row) =>
    expectFirst(row),
  )
  it.each(inflected)('search.words-all-match: the words of a search match in another form too: %s', (...row) =>
    expectFirst(row),
  )
  it.each(languages)('search.in-accepted-languages: a search reads the accepted languages: %s (%s)', (...row) =>
    expectFirst(row),
  )
  it.each(mistakes)(
    'search.misspelt-when-nothing-matches, search.misspelt-skus: a search of misspelt words: %s',
    (...row) => expectFirst(row),
  )
  it.each(nothing)('a search finds nothing by a text without words, nor by what no product has: %j (%s)', (...row) =>
    expectFirst(row),
  )

  it('a search counts what it finds as work, and before that the words and SKUs that a misspelt text is compared with, once', async () => {
    const products = release.allProducts.documents.length
    const spent = async (text: string) => {
      const points: number[] = []
      const spend = (more: number): void => void points.push(more)
      const findOnce = () => services.releases.search.find(release, text, null, { ...searcher, spend })
      // A list wants what is found for its filter and for its order at once.
      await Promise.all([findOnce(), findOnce()])
      return points
    }
    const above = expect.toSatisfy((points: number) => points > 0)
    expect(await spent('espresso machine')).toEqual([above])
    expect(await spent('expreso machinne')).toEqual([0, expect.closeTo((2 * products) / 15), above])
    expect(await spent('expreso machinne')).toEqual([])
    expect(await spent('ESP-HOUZE-1')).toEqual([0, expect.closeTo((3 * products) / 15 + products / 4), above])
    expect(await spent('a b c d e f g h i')).toEqual([0])
  })
})
