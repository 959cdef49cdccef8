/** Suggestions: what a text that is being typed may become (search.suggests-while-typing). Pure. */
import { localize } from '../language/language.ts'
import { type Atom, charactersOf, chunksOf } from '../language/words.ts'
import type { ReleaseNode } from './release.ts'

/** The maximum number of suggestions of each kind. */
export const SUGGESTIONS_MAX = 20
/** Names of found products in which a beginning is completed. */
export const NAMES_COMPLETED = 50

/** The words of a text that is being typed; the last one may go on. Null while it is too short for suggestions. */
export function typedWords(text: string): Atom[] | null {
  const words = chunksOf(text).flat(2)
  const [only, second] = words
  if (!only) return null
  if (second || only.kind === 'run') return words
  return charactersOf(only).length > 1 ? words : null
}

/** Whether a name has all that is typed, its last word as a beginning. */
function hasTyped(typed: readonly Atom[], words: readonly Atom[]): boolean {
  const goesOn = (word: Atom, wanted: Atom, isLast: boolean): boolean => {
    if (wanted.kind === 'run') return word.plain.includes(wanted.plain)
    return isLast ? word.plain.startsWith(wanted.plain) : word.plain === wanted.plain
  }
  return typed.every((wanted, at) => words.some((word) => goesOn(word, wanted, at === typed.length - 1)))
}

/** How well a name goes on from what is typed: 0 begins with it, 1 has it; null for neither. */
function fitOf(typed: readonly Atom[], name: string): 0 | 1 | null {
  const words = chunksOf(name).flat(2)
  if (!hasTyped(typed, words)) return null
  const begins = typed.every((wanted, at) => words[at]?.plain.startsWith(wanted.plain))
  return begins ? 0 : 1
}

/**
 * How well a node's names go on from what is typed: 0 and 1 by the name that is shown, 2 and 3 by the default one
 * alone.
 */
export function nodeFit(typed: readonly Atom[], node: ReleaseNode, acceptLanguage: string | null): number | null {
  const shown = fitOf(typed, localize(node, acceptLanguage).name)
  if (shown !== null) return shown
  const other = fitOf(typed, node.name)
  return other === null ? null : other + 2
}

/** Names of a product: the default one, and those of other languages by tag. */
interface NamedProduct {
  readonly name: string
  readonly locales?: Readonly<Record<string, { readonly name?: string | null }>> | null
}

/** Whether a name in another language than the `shown` one alone has what is typed. */
export function isOfAnotherLanguage(typed: readonly Atom[], { name, locales }: NamedProduct, shown: string): boolean {
  const has = (text: string | null | undefined): boolean => text != null && hasTyped(typed, chunksOf(text).flat(2))
  return !has(shown) && [name, ...Object.values(locales ?? {}).map((locale) => locale.name)].some(has)
}

/**
 * The typed text with its last word completed by words of the names that have its other words, each once, in the order
 * of the names. Scripts without spaces between words have no words to complete.
 */
export function completions(typed: readonly Atom[], text: string, names: readonly string[], first: number): string[] {
  const last = typed.at(-1)
  if (last?.kind !== 'word') return []
  const before = text
    .trimEnd()
    .replace(/[\p{L}\p{M}\p{N}]+$/u, '')
    .trimStart()
  const found = new Map<string, string>()
  for (const name of names) {
    if (!hasTyped(typed, chunksOf(name).flat(2))) continue
    for (const word of name.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
      const [[[atom] = []] = []] = chunksOf(word)
      if (!atom?.plain.startsWith(last.plain) || found.has(atom.plain)) continue
      found.set(atom.plain, before + atom.exact)
      if (found.size === first) return [...found.values()]
    }
  }
  return [...found.values()]
}
