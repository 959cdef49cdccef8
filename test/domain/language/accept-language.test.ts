import { describe, expect, test } from 'vitest'
import {
  acceptedLanguages,
  HEADER_MAX,
  languageKey,
  shownLanguages,
} from '../../../src/domain/language/accept-language.ts'
import { LANGUAGE_TAG_MAX } from '../../../src/domain/language/locale.ts'

describe('language.best-accepted-tag: the Accept-Language header', () => {
  test.each<[string | null, string[], string[]]>([
    [null, [], []],
    ['', [], []],
    ['de', ['de'], []],
    ['de-CH, fr', ['de-CH', 'fr'], []],
    ['de;q=0.5, fr;q=0.501, en', ['en', 'fr', 'de'], []],
    ['de;q=0.5, fr;q=0.5', ['de', 'fr'], []],
    [' de ; q = 0.1 ,fr', ['fr', 'de'], []],
    ['de;q=0, fr;q=0.000, en;q=0.001', ['en'], ['de', 'fr']],
    ['*, de;q=0.1', ['de'], []],
    ['*;q=0', [], []],
    ['de;q=1.1, fr;q=2, en;q=0.0001, it;q=, es;q=x, pt', ['pt'], []],
    ['de_CH, toolongtag, é, de--CH, nl', ['nl'], []],
  ])('the Accept-Language header %j is parsed', (header, accepted, excluded) => {
    expect(acceptedLanguages(header)).toMatchObject({ accepted, excluded })
    expect(acceptedLanguages(header)).toMatchObject({ accepted, excluded })
  })

  test('of an Accept-Language header at most 50 ranges are read, and further ones are ignored', () => {
    const header = (count: number) => `${Array.from({ length: count - 1 }, () => 'de').join()},fr`
    expect(acceptedLanguages(header(50)).accepted.at(-1)).toBe('fr')
    expect(acceptedLanguages(header(51)).accepted.at(-1)).toBe('de')
  })

  test(`an Accept-Language header of ${HEADER_MAX} characters is parsed, a longer one is malformed and not cached`, () => {
    const header = (length: number) => 'de'.padEnd(length, ' ')
    expect(acceptedLanguages(header(HEADER_MAX)).accepted).toEqual(['de'])
    expect(acceptedLanguages(header(HEADER_MAX + 1)).accepted).toEqual([])
    // The header is not cached.
    expect(acceptedLanguages(header(HEADER_MAX + 1))).toBe(acceptedLanguages(null))
  })

  test(`a language tag of ${LANGUAGE_TAG_MAX} characters is parsed, a longer one is malformed`, () => {
    const tag = (length: number) => 'de'.padEnd(length, '-a')
    expect(acceptedLanguages(`${tag(LANGUAGE_TAG_MAX + 1)}, fr`).accepted).toEqual(['fr'])
    expect(acceptedLanguages(`${tag(LANGUAGE_TAG_MAX - 1)}, fr`).accepted).toEqual([tag(LANGUAGE_TAG_MAX - 1), 'fr'])
  })

  test('an Accept-Language header gives the order of look-up: each range, then its truncations', () => {
    const wanted = (header: string) => [...acceptedLanguages(header).lookupOrder.keys()]
    expect(wanted('xx-Hant-CN-x-private1, XX, de-CH-1901;q=0.1')).toEqual([
      'xx-hant-cn-x-private1',
      'xx-hant-cn',
      'xx-hant',
      'xx',
      'de-ch-1901',
      'de-ch',
      'de-latn-ch',
      'de',
      'de-de',
      'de-latn',
      'de-latn-de',
    ])
    expect(wanted('fr;q=0, *')).toEqual([])
  })

  test('two Accept-Language headers have the same key exactly if both mean the same', () => {
    expect(languageKey('fr;q=0.4, de')).toBe(languageKey('de;q=0.9,fr;q=0.1,*'))
    expect(languageKey(undefined)).toBe(languageKey('!!'))
    expect(new Set(['de', 'fr', 'de,fr', 'fr,de', 'de,fr;q=0', '', 'de;q=0'].map(languageKey)).size).toBe(7)
  })
})

describe('language.default-text-in-its-turn: languages in which a text may be shown', () => {
  test.each<[header: string | null, storeLanguage: string, shown: string | null]>([
    [null, 'en', null],
    ['de', 'en', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en', 'en-US,en'],
    ['sv-SE, sv;q=0.9, en;q=0.8', 'sv', 'sv-SE,sv'],
    ['sv-SE, sv;q=0.9, en;q=0.8', 'en', 'sv-SE,sv,en'],
    ['fr, de-AT, en, de;q=0.1', 'de-CH', 'fr,de-AT,de'],
    ['fr, de', 'en', 'fr,de'],
    ['en;q=0, de, fr', 'en', 'de,fr,en;q=0'],
    ['no, en', 'nb', 'no'],
    ['iw-IL, en', 'he', 'iw-IL'],
    ['!!, ,', 'en', ''],
  ])('of %j in a store in %s: %j', (header, storeLanguage, shown) => {
    expect(shownLanguages(header, storeLanguage)).toBe(shown)
    expect(shownLanguages(header, storeLanguage)).toBe(shown)
  })
})
