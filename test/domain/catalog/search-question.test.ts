import { describe, expect, it } from 'vitest'
import { questionKey, questionOf, searchViolations } from '../../../src/domain/catalog/search-question.ts'
import { withoutUmlauts, withUmlauts } from '../../../src/domain/language/fold-text.ts'

describe('the words of a search', () => {
  it.each([
    ['Blue mugs', 'blue mugs'],
    ['AB-1234/RED', 'ab-1234-red'],
    ["men's", 'men-s'],
    ['men’s', 'men-s'],
    ['Käse', 'käse'],
    ['Ka\u0308se', 'käse'],
    ['緑茶 100g', '緑茶 100|g'],
    ['ｶﾒﾗ カメラ', 'かめら かめら'],
    ['1½ 1,5l 1.500', '1 1-2 1.5|l 1500'],
    ['H&M H & M', 'h-m h-m'],
    ['H₂O mm² oﬃce ΚΑΦΈΣ İstanbul', 'h|2|o mm|2 office καφέσ istanbul'],
    ['٣٥ 40×60', '35 40|x|60'],
    ['C++ c# 100 % #5 55″ 27 " 6′', 'c++ c# 100% #5 55″ 27″ 6′'],
    ['A+B 5% - "Red" 3\' 50%+', 'a-b 5% red 3′ 50%'],
    ["& | ! ( ) : * '", ''],
    ['', ''],
  ])('search.needs-a-word: the words of the search text %j are %j', (text, words) => {
    expect(questionKey(questionOf(text))).toBe(words)
  })

  it.each(['', '!!!', '& |', ' ', '\t\n', '%_', '\u0000', "''", 'a', '& 1', '緑'])(
    'search.needs-a-word: the search text %j is accepted',
    (text) => {
      expect(searchViolations(text, ['search'])).toEqual([])
    },
  )

  it('search.text-is-limited: the length of a search text is counted in code points', () => {
    expect(searchViolations('𐐷'.repeat(200), ['search'])).toEqual([])
    expect(searchViolations('a'.repeat(201), ['search'])).toEqual([
      { code: 'TOO_LONG', path: ['search'], message: 'must have at most 200 characters' },
    ])
  })

  it.each([
    ['kuehlschraenke', 'kuhlschranke'],
    ['oefen', 'ofen'],
    ['ueber', 'uber'],
    ['feuerloescher', 'feuerloscher'],
    ['neue', null],
    ['quelle', null],
    ['bauen', null],
    ['blue', null],
    ['kühl', null],
  ])(
    'search.letters-by-language: the search word %s is folded to %s where ae, oe and ue are umlauts',
    (word, folded) => {
      expect(withUmlauts(word)).toBe(folded)
    },
  )

  it('search.letters-by-language: umlauts of a search are also written as ae, oe and ue', () => {
    expect([withoutUmlauts('büroküche'), withoutUmlauts('bürocafé'), withoutUmlauts('kuche')]).toEqual([
      'buerokueche',
      'buerocafe',
      null,
    ])
  })
})
