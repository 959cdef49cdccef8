import { describe, expect, it } from 'vitest'
import { collationOf } from '../../../src/domain/language/collation.ts'
import { rankNames } from '../../../src/persistence/catalog/name-order-worker.mjs'
import { randomFrom } from '../../support/random-store.ts'

const collations = ['en', 'sv', 'cs', 'de', 'tr', 'ru', 'ja', 'zh-TW', 'fr-CA', 'hu', 'th']
const parts = [
  'a',
  'A',
  'å',
  'Ä',
  'z',
  'ch',
  'h',
  'c',
  'ı',
  'I',
  'dz',
  'Ж',
  'ж',
  '2',
  '10',
  '010',
  ' ',
  '-',
  'é',
  'e\u0301',
]
const more = ['茶', '红', 'あ', 'ア', 'ก', 'o', 'ß', 'ss']

type Names = [language: string, documents: number[], names: string[]][]

describe('search.names-in-order: the ranks of names', () => {
  it('ranks that are made from those of a former release equal the ranks that a sort of all names gives, 2,000 times', () => {
    const random = randomFrom(20261128)
    const word = () => Array.from({ length: 1 + random.below(4) }, () => random.pick([...parts, ...more])).join('')
    for (let round = 0; round < 2_000; round++) {
      const collation = random.pick(collations)
      const all = new Map(['', 'x'].map((language) => [language, Array.from({ length: 24 }, word)]))
      // Some of the documents, whose texts never change; the later release lacks some and has others.
      const some = (): Names =>
        [...all].map(([language, texts]) => {
          const documents = texts.flatMap((_, document) => (random.below(3) > 0 ? [document] : []))
          return [language, documents, documents.map((document) => texts[document] as string)]
        })
      const [before, after] = [some(), some()]
      const former = rankNames(collation, before, [])
      expect(rankNames(collation, after, former)).toEqual(plainRanks(collation, after))
    }
  })
})

describe('search.names-in-order: the collation of a language', () => {
  it.each([
    ['en', ['Size 2', 'Size 10', 'Zorn', 'Ångström', 'Öl'], 'Ångström, Öl, Size 2, Size 10, Zorn'],
    ['sv', ['Size 2', 'Size 10', 'Zorn', 'Ångström', 'Öl'], 'Size 2, Size 10, Zorn, Ångström, Öl'],
    ['cs', ['Cyklo', 'Chata', 'Hora', 'Indie'], 'Cyklo, Hora, Chata, Indie'],
    ['cs-CZ', ['Chata', 'Hora'], 'Hora, Chata'],
    ['de', ['Chata', 'Hora'], 'Chata, Hora'],
    ['xx', ['Zorn', 'Ångström'], 'Ångström, Zorn'],
    ['fr-ca', ['coté', 'côte'], 'côte, coté'],
    ['fr', ['coté', 'côte'], 'coté, côte'],
  ])('names in %s are in its order', (tag, names, expected) => {
    const documents = names.map((_, at) => at)
    const [row] = rankNames(collationOf(tag), [['', documents, names]], [])
    const ranks = row?.[2] ?? []
    expect(
      documents
        .sort((one, other) => (ranks[one] as number) - (ranks[other] as number))
        .map((at) => names[at])
        .join(', '),
    ).toBe(expected)
  })

  it('languages that order alike have one collation, and each other one its own', () => {
    expect(['de', 'de-at', 'en', 'pt-BR', 'fr', 'xx', 'not a tag', ''].map(collationOf)).toEqual(Array(8).fill('en'))
    expect(['sv', 'SV-fi', 'fr-CA', 'cs'].map(collationOf)).toEqual(['sv', 'sv', 'fr-CA', 'cs'])
    const letters = Array.from({ length: 0x250 }, (_, code) => String.fromCodePoint(code))
    for (const language of ['de', 'fr', 'id', 'it', 'nl', 'pt'])
      expect([...letters].sort(new Intl.Collator(language).compare)).toEqual(
        [...letters].sort(new Intl.Collator('en').compare),
      )
  })
})

/** All names in order; equal ones have one rank. */
function plainRanks(collation: string, names: Names): Names | unknown {
  const { compare } = new Intl.Collator(collation, { numeric: true })
  const sorted = names.flatMap(([, , texts]) => texts).sort(compare)
  const ranks = new Map<string, number>()
  let rank = -1
  for (const [at, name] of sorted.entries()) {
    if (at === 0 || compare(sorted[at - 1] as string, name) !== 0) rank++
    ranks.set(name, rank)
  }
  return names.map(([language, documents, texts]) => [language, documents, texts.map((name) => ranks.get(name))])
}
