/**
 * Suggestions: what a text that is being typed may become (search.suggests-while-typing,
 * search.completes-the-last-word). Pure.
 */
import { type Atom, charactersOf, chunksOf, LAST_WORD } from '../language/words.ts'

/** The maximum number of suggestions of each kind. */
export const SUGGESTIONS_MAX = 20
/** Names of found products in which a beginning is completed. */
export const NAMES_COMPLETED = 50

/** The words of a text that is being typed; the last one may go on. Null while it is too short for suggestions. */
export function typedWords(text: string): Atom[] | null {
  const words = chunksOf(text).flat(2)
  const last = words.pop()
  if (!last) return null
  // No word of a name has a sign, so that a search finds what has it (search.signs-beside-words).
  const isSigned = last.signed?.startsWith(last.plain) ?? false
  const typed = isSigned ? { ...last, plain: last.signed as string } : last
  const isLong = words.length > 0 || typed.kind === 'run' || charactersOf(typed).length > 1
  return isLong ? [...words, typed] : null
}

/** Whether a name has all that is typed, its last word as a beginning. */
function hasTyped(typed: readonly Atom[], words: readonly Atom[]): boolean {
  const goesOn = (word: Atom, wanted: Atom, isLast: boolean): boolean => {
    if (wanted.kind === 'run') return word.plain.includes(wanted.plain)
    return isLast ? word.plain.startsWith(wanted.plain) : word.plain === wanted.plain
  }
  return typed.every((wanted, at) => words.some((word) => goesOn(word, wanted, at === typed.length - 1)))
}

/** What is added to the fit of a name in another language than the one that is shown. */
export const OTHER_LANGUAGE = 3

/**
 * How well a name goes on from what is typed (search.suggestions-best-first): 0 is equal, 1 begins with it, 2 has its
 * words; null for none of these.
 */
export function fitOf(typed: readonly Atom[], words: readonly Atom[]): 0 | 1 | 2 | null {
  return hasTyped(typed, words) ? fitOfNamed(typed, words.length, (at) => words[at] as Atom) : null
}

/** As `fitOf`, of a name that has what is typed, and so many words. */
export function fitOfNamed(typed: readonly Atom[], count: number, wordAt: (at: number) => Atom): 0 | 1 | 2 {
  if (count < typed.length || !typed.every(({ plain }, at) => wordAt(at).plain.startsWith(plain))) return 2
  return count === typed.length && typed.every(({ plain }, at) => wordAt(at).plain === plain) ? 0 : 1
}

/**
 * The typed text with its last word completed by words of the names that have its other words, each once, in the order
 * of the names. Scripts without spaces between words have no words to complete.
 */
export function completions(
  typed: readonly Atom[],
  text: string,
  names: readonly (readonly Atom[])[],
  first: number,
): string[] {
  const last = typed.at(-1)
  if (last?.kind !== 'word') return []
  const before = text.replace(LAST_WORD, '').trimStart()
  // Without a space between, a word goes on that follows the former one in a name: the gb of 128gb.
  const former = /\S$/.test(before) ? typed.at(-2)?.plain : undefined
  const isTyped = new Set(typed.slice(0, -1).map(({ plain }) => plain))
  const found = new Map<string, string>()
  const goesOn = ({ kind, plain }: Atom, previous: Atom | undefined): boolean =>
    kind === 'word' && plain.startsWith(last.plain) && (former === undefined || previous?.plain === former)
  for (const words of names.filter((one) => hasTyped(typed, one)))
    for (const [at, word] of words.entries())
      if (goesOn(word, words[at - 1]) && !found.has(word.plain) && !isTyped.has(word.plain))
        found.set(word.plain, before + word.exact.replace(/σ$/, 'ς'))
  return [...found.values()].slice(0, first)
}
