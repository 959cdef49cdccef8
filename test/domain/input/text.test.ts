import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isVisible, lookAlikeForm, nameProblem } from '../../../src/domain/input/text.ts'

const EDGE = 'must not begin or end with white space or a control character'
const BLANK = 'must have a visible character'

describe('text.names-are-visible', () => {
  it.each([
    ['a letter', 'A', undefined],
    ['white space within', 'Café crème', undefined],
    ['a line break within', 'a\nb', undefined],
    ['a joiner at the end of an emoji', '\u2764\ufe0f', undefined],
    ['a sign', '.', undefined],
    ['nothing, which is for the minimum length to refuse', '', undefined],
    ['spaces', '   ', BLANK],
    ['a zero width space', '\u200b', BLANK],
    ['a byte order mark', '\ufeff', BLANK],
    ['a soft hyphen', '\u00ad', BLANK],
    ['a Hangul filler', '\u3164', BLANK],
    ['controls', '\u0001\u0085', BLANK],
    ['an ideographic space', '\u3000', BLANK],
    ['a space before', ' a', EDGE],
    ['a space behind', 'a ', EDGE],
    ['a line break behind', 'a\n', EDGE],
    ['a carriage return before', '\ra', EDGE],
    ['a tab before', '\ta', EDGE],
    ['a no-break space behind', 'a\u00a0', EDGE],
    ['a control behind', 'a\u0007', EDGE],
    ['an escape before', '\u009ba', EDGE],
  ])('which texts are names: %s', (_, text, problem) => {
    expect(nameProblem(text)).toBe(problem)
    expect(isVisible(text)).toBe(text !== '' && problem !== BLANK)
  })

  it('a text that is a name stays one when it is trimmed, and any text between visible characters is a name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) => {
        if (nameProblem(text) === undefined) expect(text.trim()).toBe(text)
        expect(nameProblem(`a${text}b`)).toBeUndefined()
      }),
    )
  })
})

describe('product.skus-look-alike', () => {
  it.each([
    ['case', 'AB-1', 'ab-1'],
    ['white space', 'AB 1', 'AB1'],
    ['white space at an end', 'AB1\u00a0', 'AB1'],
    ['a zero width space', 'AB\u200b1', 'AB1'],
    ['width', 'ＡＢ１', 'AB1'],
    ['normalisation', 'Cafe\u0301', 'Café'],
    ['case beyond ASCII', 'GRÜN', 'grün'],
    ['sharp s', 'GROSS', 'groß'],
    ['the forms of sigma', 'ΟΔΟΣ', 'οδος'],
    ['a ligature', 'ﬁlter', 'FILTER'],
    ['the sign of a unit', '10\u2126', '10Ω'],
  ])('SKUs that differ in %s look alike', (_, one, other) => {
    expect(one).not.toBe(other)
    expect(lookAlikeForm(one)).toBe(lookAlikeForm(other))
  })

  it.each([
    ['a hyphen', 'AB-1', 'AB1'],
    ['an accent', 'Cafe', 'Café'],
    ['a letter and a digit', 'O1', '01'],
    ['another alphabet', 'A', 'А'],
  ])('SKUs that differ in %s do not', (_, one, other) => {
    expect(lookAlikeForm(one)).not.toBe(lookAlikeForm(other))
  })

  it('the form by which SKUs are compared is its own form, and its short way for ASCII gives the same as the long one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(lookAlikeForm(lookAlikeForm(text))).toBe(lookAlikeForm(text))
      }),
      { numRuns: 1000 },
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        // A zero width space keeps the text from the short way.
        expect(lookAlikeForm(text)).toBe(lookAlikeForm(`${text}\u200b`))
      }),
    )
  })
})
