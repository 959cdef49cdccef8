/** Queries of a word and of a run of characters, as parts of those of a search (search-question.ts). */
import {
  withLastUmlaut,
  withNordicLetters,
  withoutNordicLetters,
  withoutUmlauts,
  withUmlauts,
} from '../language/fold-text.ts'
import { stemsOf } from '../language/stems.ts'
import { quoted, STEM } from './search-text.ts'

/** The languages of a search. */
export interface SearchLanguages {
  /** Tags whose texts are searched beside the default ones, in lower case. */
  readonly tags: readonly string[]
  /** The primary subtags whose stems and stop words count: those of the tags and of the default texts. */
  readonly stems: readonly string[]
}

/** A word of a question that can be misspelt. */
export interface QuestionWord {
  readonly exact: string
  readonly plain: string
}

/** `$` stands for the weights of a place, `*$` for a beginning; a character alone is one also of a whole word. */
export const [ANY, BEGINNING, CHARACTER] = [':$', ':*$', ':*%']
/** The place of `$` and `%` after a lexeme, which itself may end in one. */
export const WEIGHTS = /(?<=:\*?)[$%]/g

/** Two or more characters of a run, which stand together. */
export function runQuery(characters: readonly string[]): string {
  const pairs = characters.slice(1).map((character, at) => quoted(characters[at] + character) + ANY)
  return pairs.length === 1 ? (pairs[0] as string) : `(${pairs.join(' <1> ')})`
}

/** A word as it is, without accents, and as its stems in the languages; any of them may match. */
export function wordQuery(word: QuestionWord, languages: SearchLanguages, suffix = ANY): string {
  const spelt = spellings(word, languages)
  const words = spelt.flatMap(({ exact, plain }) => (exact === plain ? [plain] : [plain, exact]))
  const stems = spelt.flatMap(({ exact }) => languages.stems.flatMap((language) => stemsOf(exact, language)))
  const umlaut = suffix === BEGINNING && languages.stems.includes('de') ? withLastUmlaut(word.plain) : null
  const found = new Set([
    ...words.map((one) => quoted(one) + suffix),
    ...(umlaut === null ? [] : [quoted(umlaut) + BEGINNING]),
    ...stems.flatMap((stem) => (words.includes(stem) ? [] : [quoted(stem) + ANY])),
    ...stems.map((stem) => quoted(STEM + stem) + ANY),
    ...(languages.stems.length > 0 ? [quoted(STEM + word.plain) + ANY] : []),
  ])
  return found.size === 1 ? ([...found][0] as string) : `(${[...found].join(' | ')})`
}

/** The word and, in German, Danish and Norwegian, its spellings with their letters and without them. */
export function spellings(word: QuestionWord, { stems }: SearchLanguages): QuestionWord[] {
  const others: (string | null)[] = []
  if (stems.includes('de')) others.push(withUmlauts(word.plain), withoutUmlauts(word.exact))
  if (stems.some((one) => NORDIC.has(one))) others.push(withNordicLetters(word.plain), withoutNordicLetters(word.exact))
  return [word, ...others.flatMap((one) => (one === null ? [] : [{ exact: one, plain: one }]))]
}

const NORDIC: ReadonlySet<string> = new Set(['da', 'nb', 'nn', 'no'])
