/**
 * Search words: the text of a search as words of letters and digits (search.words-all-match). Everything else in its text separates words,
 * operators of query languages too.
 */
import type { Path, Violation } from '../input/errors.ts'
import { SEARCH_MAX } from '../input/limits.ts'
import { codePoints } from '../input/text.ts'

/**
 * Letters of the longest word of a name that a publish stores for the correction of mistakes (persistence/catalog/publish/search-texts.ts).
 */
const KNOWN_WORD_MAX = 40

/** From this number of letters on, a third of a word is long enough to look for similar words. */
const SHORT_WORD = 6

/** What is wrong with the text of a search at `path` (search.text-is-limited). */
export function searchViolations(text: string, path: Path): Violation[] {
  return codePoints(text) > SEARCH_MAX ? [{ code: 'TOO_LONG', path, message: `must have at most ${SEARCH_MAX} characters` }] : []
}

/** The words of a search in their order; without any it finds nothing (search.needs-a-word). */
export function searchWords(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .replace(/['\u2019]/g, '')
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
}

/**
 * Patterns of SQL's LIKE that find words similar to `word`, so that few words are compared by trigrams: they contain one of its thirds, or,
 * for a short word, its beginning or its end. None for a word that is longer than all stored ones.
 */
export function similarAnchors(word: string): string[] {
  const letters = [...word]
  const { length } = letters
  const part = (from: number, to = length) => letters.slice(from, to).join('')
  if (length > KNOWN_WORD_MAX + 1) return []
  if (length >= SHORT_WORD) {
    const third = Math.floor(length / 3)
    return [part(0, third), part(third, length - third), part(length - third)].map((one) => `%${one}%`)
  }
  const half = length < 5 ? 1 : 2
  return [`${part(0, half)}%`, `%${part(half)}`]
}

/**
 * The word with the vowels of folded texts, "u" for "ü", in place of ae, oe and ue within it, by which umlauts are typed where keyboards
 * have none (search.words-all-match); null when it has none of them. Those of "neue" and "Quelle" are no umlauts.
 */
export function withUmlauts(word: string): string | null {
  const folded = word.replace(/([ao]|(?<![aeoq])u)e(?=.)/giu, '$1')
  return folded === word ? null : folded
}
