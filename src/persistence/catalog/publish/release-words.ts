/** The words of a release, with how many texts have each, so that the next release counts what it has more and less. */
import { KNOWN_WORD_MAX, KNOWN_WORD_MIN } from '../../../domain/catalog/known-words.ts'
import { STEM } from '../../../domain/catalog/search-text.ts'
import { isAscii } from '../../../domain/language/fold-text.ts'

/** The words of one text: those of the name, and those of tags and descriptions. */
export interface WordTally {
  readonly named: readonly string[]
  readonly mentioned: readonly string[]
}

/** Letters alone, of scripts that put spaces between words. */
const WORD =
  /^(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}])+$/u

/** The words among the lexemes of a text; a stem in a name counts as mentioned. */
export function tallyOf(named: readonly string[], mentioned: readonly string[]): WordTally {
  const others = new Set<string>()
  for (const lexeme of mentioned) {
    const word = isStem(lexeme) ? lexeme.slice(STEM.length) : lexeme
    if (isWord(word)) others.add(word)
  }
  for (const lexeme of named)
    if (isStem(lexeme) && isWord(lexeme.slice(STEM.length))) others.add(lexeme.slice(STEM.length))
  return { named: named.filter((lexeme) => !isStem(lexeme) && isWord(lexeme)), mentioned: [...others] }
}

function isStem(lexeme: string): boolean {
  return lexeme.startsWith(STEM)
}

function isWord(lexeme: string): boolean {
  if (lexeme.length < KNOWN_WORD_MIN || lexeme.length > KNOWN_WORD_MAX) return false
  return /^[a-z]+$/.test(lexeme) || (!isAscii(lexeme) && WORD.test(lexeme))
}

/** The text of words as it is stored. */
interface Stored {
  readonly words: string
  readonly names: readonly number[]
  readonly mentions: readonly number[]
}

/** The words of a release, by whether a name has them. */
export function readWords(text: string): Map<string, boolean> {
  const { words, names } = JSON.parse(text) as Stored
  return new Map(words === '' ? [] : words.split(' ').map((word, at) => [word, (names[at] ?? 0) > 0]))
}

/** Words that are counted. */
export class ReleaseWords {
  private readonly counts = new Map<string, [names: number, mentions: number]>()

  /** Begins with the stored words of another release. */
  constructor(text: string | undefined) {
    if (text === undefined) return
    const { words, names, mentions } = JSON.parse(text) as Stored
    if (words !== '')
      for (const [at, word] of words.split(' ').entries()) this.counts.set(word, [names[at] ?? 0, mentions[at] ?? 0])
  }

  count({ named, mentioned }: WordTally, change: number): void {
    for (const word of named) this.of(word)[0] += change
    for (const word of mentioned) this.of(word)[1] += change
  }

  toText(): string {
    const found = [...this.counts].filter(([, [names, mentions]]) => names > 0 || mentions > 0)
    const stored: Stored = {
      words: found.map(([word]) => word).join(' '),
      names: found.map(([, [names]]) => names),
      mentions: found.map(([, [, mentions]]) => mentions),
    }
    return JSON.stringify(stored)
  }

  private of(word: string): [number, number] {
    const known = this.counts.get(word)
    if (known) return known
    const counts: [number, number] = [0, 0]
    this.counts.set(word, counts)
    return counts
  }
}
