/** The index of names, against the comparison of each name. */
import { expect, it } from 'vitest'
import { type Named, NameIndex } from '../../../src/domain/catalog/name-index.ts'
import { fitOf, typedWords } from '../../../src/domain/catalog/suggestion.ts'
import { shownLanguages } from '../../../src/domain/language/accept-language.ts'
import { localize } from '../../../src/domain/language/language.ts'
import { chunksOf, keyOfText } from '../../../src/domain/language/words.ts'
import { times } from '../../support/effort.ts'
import { randomFrom } from '../../support/random-store.ts'

const parts = [
  'Cof',
  'fee',
  'cup',
  'Éclair',
  'über',
  'ß',
  '茶杯',
  '红',
  'ชา',
  ' ',
  ' ',
  ' ',
  '-',
  '&',
  "'",
  '3',
  '2.5',
  'H₂O',
]
const languages = ['de', 'de-at', 'fr']
const effort = { pause: () => undefined, spend: () => undefined }
const wordsOf = (name: string) => chunksOf(name).flat(2)

function typedOf(text: string, acceptLanguage: string | null) {
  const words = typedWords(text)
  return words && { words, code: keyOfText(text, 'code'), acceptLanguage, storeLanguage: 'en' }
}

/** The ids that fit, the best first, by comparing each name. */
function plainly(all: readonly Named[], typed: NonNullable<ReturnType<typeof typedOf>>): number[] {
  const fits = all.flatMap(({ id, names, code }) => {
    const name = names[0]?.[1] ?? ''
    const others = Object.fromEntries(names.slice(1).map(([tag, own]) => [tag, { name: own }]))
    const shown = localize(
      { name, description: null, locales: others } as never,
      shownLanguages(typed.acceptLanguage, typed.storeLanguage),
    )
    const accepted = names.filter(([tag]) => {
      const one = { name, description: null, locales: { [tag]: { name: 'x' } } } as never
      return tag === '' || localize(one, typed.acceptLanguage).language !== null
    })
    const ofNames = accepted.flatMap(([tag, own]) => {
      const fit = fitOf(typed.words, wordsOf(own))
      return fit === null ? [] : [tag === (shown.language ?? '') ? fit : fit + 3]
    })
    const ofCode = typed.code !== '' && code.startsWith(typed.code) ? [code === typed.code ? 0 : 2] : []
    const fit = Math.min(...ofNames, ...ofCode)
    return Number.isFinite(fit) ? [[fit, id] as const] : []
  })
  return fits.sort((one, other) => one[0] - other[0] || one[1] - other[1]).map(([, id]) => id)
}

it('search.suggestions-best-first: the index finds what a comparison of every name finds, in its order', async () => {
  let found = 0
  for (let seed = 1; seed <= times(4_000); seed++) {
    const random = randomFrom(seed)
    const text = (): string =>
      random.pick(parts.slice(0, 9)) + Array.from({ length: random.below(5) }, () => random.pick(parts)).join('')
    const all = Array.from({ length: random.below(12) + 1 }, (_, id): Named => {
      const others = languages.filter(() => random.chance(40)).map((tag) => [tag, text()] as const)
      return { id, names: [['', text()], ...others], code: random.chance(50) ? keyOfText(text(), 'code') : '' }
    })
    const index = new NameIndex()
    const split = random.below(all.length + 1)
    index.add(all.slice(0, split))
    index.add(all)
    const [, name = ''] = random.pick(random.pick(all).names)
    const typing = random.chance(50) ? text() : name.slice(0, random.below(name.length) + 2)
    const typed = typedOf(
      typing,
      random.pick([null, 'de', 'de-AT, fr;q=0.5', 'fr, de;q=0.2', '*', 'en', 'de, en, fr', 'en-GB, fr']),
    )
    if (!typed) continue
    const expected = plainly(all, typed)
    found += expected.length
    expect(
      await index.find(
        typed,
        index.ordersBy((id) => id),
        effort,
      ),
      `seed ${seed}`,
    ).toEqual(expected)
  }
  expect(found).toBeGreaterThan(times(4_000) / 2)
})

it('names that stand for one thing are found once, at their best place, and others are left out', async () => {
  const index = new NameIndex()
  const names = ['Tea cup', 'Cup', 'Cups of tea', 'Cup of coffee', 'Cupboard']
  index.add(names.map((name, id) => ({ id, names: [['', name]], code: `c${id}` })))
  const places = [7, 7, 3, 4, -1]
  const orders = index.ordersBy((id) => places[id] as number)
  const find = async (text: string) => index.find(typedOf(text, null) as never, orders, effort)
  expect([await find('cup'), await find('tea cu'), await find('c3'), await find('cupb')]).toEqual([
    [7, 3, 4],
    [7, 3],
    [4],
    [],
  ])
})
