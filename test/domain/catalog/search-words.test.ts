import { describe, expect, it } from 'vitest'
import { searchViolations, searchWords, similarAnchors, withUmlauts } from '../../../src/domain/catalog/search-words.ts'

describe('the words of a search', () => {
  it.each([
    ['Blue mugs', ['Blue', 'mugs']],
    ['AB-1234/RED', ['AB', '1234', 'RED']],
    ["men's", ['mens']],
    ['men’s', ['mens']],
    ['Käse', ['Käse']],
    ['Ka\u0308se', ['Käse']],
    ['緑茶 100g', ['緑茶', '100g']],
    ["& | ! ( ) : * '", []],
    ['', []],
  ])('search.needs-a-word: of %j are %j', (text, words) => {
    expect(searchWords(text)).toEqual(words)
  })

  it.each(['', '!!!', '& |', ' ', '\t\n', '%_', '\u0000', "''", 'a', '& 1', '緑'])('search.needs-a-word: %j is taken', (text) => {
    expect(searchViolations(text, ['search'])).toEqual([])
  })

  it('search.text-is-limited: counts code points', () => {
    expect(searchViolations('𐐷'.repeat(200), ['search'])).toEqual([])
    expect(searchViolations('a'.repeat(201), ['search'])).toEqual([
      { code: 'TOO_LONG', path: ['search'], message: 'must have at most 200 characters' },
    ])
  })

  it('search.misspelt-when-nothing-matches: similar words have a third of the word, or begin or end as a short one does', () => {
    expect(similarAnchors('espresso')).toEqual(['%es%', '%pres%', '%so%'])
    expect(similarAnchors('mug')).toEqual(['m%', '%ug'])
    expect(similarAnchors('a'.repeat(42))).toEqual([])
  })

  it.each([
    ['Kuehlschraenke', 'Kuhlschranke'],
    ['oefen', 'ofen'],
    ['UEBER', 'UBER'],
    ['feuerloescher', 'feuerloscher'],
    ['neue', null],
    ['quelle', null],
    ['bauen', null],
    ['blue', null],
    ['Kühl', null],
  ])('search.words-all-match: %s is folded to %s where ae, oe and ue are umlauts', (word, folded) => {
    expect(withUmlauts(word)).toBe(folded)
  })
})
