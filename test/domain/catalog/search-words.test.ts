import { describe, expect, it } from 'vitest'
import { searchViolations, searchWords, similarAnchors } from '../../../src/domain/catalog/search-words.ts'

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
  ])('search.without-words-finds-nothing: of %j are %j', (text, words) => {
    expect(searchWords(text)).toEqual(words)
  })

  it('search.text-is-limited: counts code points', () => {
    expect(searchViolations('😀'.repeat(200), ['search'])).toEqual([])
    expect(searchViolations('a'.repeat(201), ['search'])).toEqual([
      { code: 'TOO_LONG', path: ['search'], message: 'must have at most 200 characters' },
    ])
  })

  it('search.misspelt-when-nothing-matches: similar words have a third of the word, or begin or end as a short one does', () => {
    expect(similarAnchors('espresso')).toEqual(['%es%', '%pres%', '%so%'])
    expect(similarAnchors('mug')).toEqual(['m%', '%ug'])
    expect(similarAnchors('a'.repeat(42))).toEqual([])
  })
})
