import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oneMistakePatterns, searchViolations, searchWords, similarAnchors } from '../../../src/domain/catalog/search-words.ts'

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

  it('search.misspelt-when-nothing-matches: one letter is wrong, missing, too much or swapped with the next', () => {
    expect(new Set(oneMistakePatterns('mug'))).toEqual(
      new Set(['_ug', 'm_g', 'mu_', 'ug', 'mg', 'mu', '_mug', 'm_ug', 'mu_g', 'mug_', 'umg', 'mgu']),
    )
  })

  it('search.misspelt-when-nothing-matches: a word of 41 letters may be one of 40 with one too much, a longer one is no mistake', () => {
    expect(oneMistakePatterns('a'.repeat(41))).toContain('a'.repeat(40))
    expect(oneMistakePatterns('a'.repeat(42))).toEqual([])
  })

  it('search.misspelt-when-nothing-matches: every word that one mistake separates matches an anchor', () => {
    const letter = fc.constantFrom(...'abcä')
    const word = fc.array(letter, { minLength: 3, maxLength: 41 })
    const matches = (one: string, pattern: string) => new RegExp(`^${pattern.replaceAll('%', '.*')}$`, 'u').test(one)
    fc.assert(
      fc.property(word, fc.nat(), letter, fc.constantFrom('wrong', 'missing', 'too much', 'swapped'), (letters, place, other, mistake) => {
        const at = place % letters.length
        const changed = [...letters]
        if (mistake === 'wrong') changed[at] = other
        if (mistake === 'missing') changed.splice(at, 1)
        if (mistake === 'too much') changed.splice(at, 0, other)
        if (mistake === 'swapped' && at > 0) changed.splice(at - 1, 2, letters[at] as string, letters[at - 1] as string)
        const anchors = similarAnchors(letters.join(''))
        expect(anchors.some((anchor) => matches(changed.join(''), anchor))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
    expect(similarAnchors('a'.repeat(42))).toEqual([])
  })
})
