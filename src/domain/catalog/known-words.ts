/**
 * Known words: the words of a release, among which a search looks for what a misspelt word means
 * (search.misspelt-when-nothing-matches, search.compounds-by-their-parts). Pure.
 */
import { stemsOf } from '../language/stems.ts'
import { mistakesBetween } from './mistakes.ts'
import type { SearchQuestion } from './search-question.ts'
import { type QuestionWord, type SearchLanguages, spellings, wordQuery } from './word-query.ts'

/** Letters of the shortest and the longest word that is known, and of the longest that is short. */
export const [KNOWN_WORD_MIN, KNOWN_WORD_MAX] = [3, 40]
const SHORT_MAX = 4

/** The distance of words that a mistake parts from a beginning of the searched word, since it may change a stem. */
const CUT = 4
/** Letters that are cut off a word to find its beginning. */
const CUT_LETTERS = [1, 2, 3]

/** How many words stand for another at most: compounds that end in it, and others. */
const [COMPOUNDS_MAX, OTHERS_MAX] = [20, 5]
/** Letters that a compound has before the word that it ends in, and letters of the shortest such word. */
const [COMPOUND_BEFORE_MIN, COMPOUND_END_MIN] = [3, 4]
/** Letters of an end before which two are enough: filter, of Ölfilter. */
const LONG_END_MIN = 5
/** Letters of the shortest part of two words that are written as one. */
const PART_MIN = 3
/** What joins two words in compounds of Germanic languages. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e']
/** Letters of a word for each mistake that a word of a name may have, and how many those are at most. */
const [LETTERS_PER_MISTAKE, MISTAKES_MAX] = [3, 3]

/** Words of at most three Latin letters mean too many others. */
const isTooShort = (word: string): boolean => word.length < 3 || (word.length === 3 && /\p{Script=Latin}/u.test(word))

interface Close {
  readonly word: string
  /** 0 for a compound that ends in the searched word, 1 for its own spelling, 2 for a stem, else CUT. */
  readonly distance: number
}

/** The words of a release. */
export class KnownWords {
  private readonly byBeginning = new Map<string, string[]>()
  private readonly byEnd = new Map<string, string[]>()
  private readonly short: string[] = []

  /** `words` by whether a name has them. */
  constructor(private readonly words: ReadonlyMap<string, boolean>) {
    for (const word of words.keys()) {
      push(this.byBeginning, word.slice(0, 2), word)
      push(this.byEnd, word.slice(-2), word)
      if (word.length <= SHORT_MAX) this.short.push(word)
    }
  }

  /** Queries of the words that stand for those of the question; none for a word that stands for itself. */
  alternativesOf({ words }: SearchQuestion, languages: SearchLanguages): Map<QuestionWord, string[]> {
    const wanted = words.filter(({ plain }) => plain.length >= KNOWN_WORD_MIN && plain.length <= KNOWN_WORD_MAX + 1)
    const found = wanted.map((word) => this.closeTo(word, languages))
    const counts = new Map<string, number>()
    for (const close of found) for (const { word } of close) counts.set(word, (counts.get(word) ?? 0) + 1)
    const isShared = ({ word }: Close): boolean => (counts.get(word) ?? 0) > 1
    const known = wanted.map((word) => this.isKnown(word, languages))
    const allKnown = known.every(Boolean)
    const alternatives = new Map<QuestionWord, string[]>()
    for (const [at, word] of wanted.entries()) {
      const close = found[at] as readonly Close[]
      const least = Math.min(...close.map(({ distance }) => distance))
      const parts = known[at] && !allKnown ? [] : this.partsOf(word.plain)
      const usable = close.filter(
        (one) => (!known[at] || allKnown || isShared(one)) && isCloseEnough(one, least, word.plain),
      )
      const isCompound = parts.some((pair) => pair.every((one) => one.length >= COMPOUND_END_MIN))
      const similar = least < CUT || isTooShort(word.plain) ? [] : this.similarTo(word.plain)
      const weak = least < CUT ? usable : isCompound ? [] : mostAlike([...usable, ...similar], word.plain)
      const best = bestFirst(weak, word.plain, isShared)
      const queries = best.map((one) => wordQuery({ exact: one, plain: one }, languages))
      queries.push(
        ...parts.map((pair) => `(${pair.map((one) => wordQuery({ exact: one, plain: one }, languages)).join(' & ')})`),
      )
      if (queries.length > 0) alternatives.set(word, queries)
    }
    this.addJoined(words, languages, alternatives)
    return alternatives
  }

  private isKnown(word: QuestionWord, languages: SearchLanguages): boolean {
    return formsOf(word, languages).some(({ form, distance }) => distance < CUT && this.words.has(form))
  }

  /** The words that are a mistake away from a form of the word, begin with it, or end in a form. */
  private closeTo(word: QuestionWord, languages: SearchLanguages): Close[] {
    const distances = new Map<string, number>()
    const add = (found: string, distance: number): void => {
      distances.set(found, Math.min(distance, distances.get(found) ?? distance))
    }
    for (const { form, distance } of formsOf(word, languages)) {
      // The stem of a longer word may be shorter: Hos of Hosen.
      const isLonger = distance === 2 && word.plain.length > COMPOUND_END_MIN
      const shortest = isLonger ? COMPOUND_END_MIN - 1 : COMPOUND_END_MIN
      // The stem of a compound may lack a letter that the stem of its last part has: prydnadskud and kudd.
      const ends = distance === 2 ? new Set([form, form.replace(/(.)\1$/u, '$1')]) : [form]
      if (distance < CUT)
        for (const end of ends) if (end.length >= shortest) for (const one of this.compoundsOf(end)) add(one, 0)
      if (isTooShort(form)) continue
      for (const one of this.near(form))
        if ((distance < CUT || one.length > 3) && mistakesBetween(one, form, 1) <= 1) add(one, distance)
    }
    for (const { plain } of spellings(word, languages)) {
      for (const one of this.byBeginning.get(plain.slice(0, 2)) ?? []) if (one.startsWith(plain)) add(one, 1)
    }
    return Array.from(distances, ([found, distance]) => ({ word: found, distance }))
  }

  /** Words among which are all that are one mistake away: a mistake spares the first two letters or the last two. */
  private *near(form: string): Iterable<string> {
    if (form.length < SHORT_MAX) {
      yield* this.short
      return
    }
    const swapped = form.charAt(0) + form.charAt(2)
    for (const beginning of new Set([form.slice(0, 2), swapped])) yield* this.byBeginning.get(beginning) ?? []
    yield* this.byEnd.get(form.slice(-2)) ?? []
  }

  /** Words of names that several mistakes part from the word, one for every three letters. */
  private similarTo(word: string): Close[] {
    const most = Math.min(Math.floor(word.length / LETTERS_PER_MISTAKE), MISTAKES_MAX)
    if (most < 2) return []
    const candidates = new Set([
      ...(this.byBeginning.get(word.slice(0, 2)) ?? []),
      ...(this.byEnd.get(word.slice(-2)) ?? []),
    ])
    const similar = [...candidates].filter(
      (one) => this.words.get(one) === true && mistakesBetween(one, word, most) <= most,
    )
    return similar.map((one) => ({ word: one, distance: CUT }))
  }

  /** The pairs of words that the word may consist of, as a compound or without its space. */
  private partsOf(word: string): [string, string][] {
    const pairs: [string, string][] = []
    for (let at = PART_MIN; at <= word.length - PART_MIN; at++) {
      const first = word.slice(0, at)
      const seconds = this.endsOf(word.slice(at))
      if (seconds.length === 0) continue
      const link = LINKS.find(
        (one) =>
          first.endsWith(one) &&
          first.length - one.length >= PART_MIN &&
          this.words.has(first.slice(0, first.length - one.length)),
      )
      if (link !== undefined)
        pairs.push(...seconds.map((one): [string, string] => [first.slice(0, first.length - link.length), one]))
    }
    return pairs.slice(0, OTHERS_MAX)
  }

  /** The word, if it is known, else the compounds that end in it: for Schrauber Bohrschrauber. */
  private endsOf(word: string): string[] {
    if (this.words.has(word)) return [word]
    return word.length < COMPOUND_END_MIN ? [] : this.compoundsOf(word)
  }

  private compoundsOf(end: string): string[] {
    const candidates = this.byEnd.get(end.slice(-2)) ?? []
    const before = end.length >= LONG_END_MIN ? COMPOUND_BEFORE_MIN - 1 : COMPOUND_BEFORE_MIN
    return candidates.filter((one) => one.length >= end.length + before && one.endsWith(end))
  }

  /** A word that two neighbours make stands for both. */
  private addJoined(words: readonly QuestionWord[], languages: SearchLanguages, to: Map<QuestionWord, string[]>): void {
    for (const [at, word] of words.slice(1).entries()) {
      const before = words[at] as QuestionWord
      const whole = before.plain + word.plain
      if (!this.isKnown({ exact: whole, plain: whole }, languages)) continue
      for (const one of [before, word])
        to.set(one, [...(to.get(one) ?? []), wordQuery({ exact: whole, plain: whole }, languages)])
    }
  }
}

/** Those that as few mistakes part from the word as any, or one more; each once. */
function mostAlike(close: readonly Close[], word: string): Close[] {
  const mistakes = new Map(close.map((one) => [one.word, mistakesBetween(one.word, word, Number.POSITIVE_INFINITY)]))
  const most = Math.min(...mistakes.values()) + 1
  return Array.from(mistakes, ([one, count]) => ({ word: one, distance: CUT, count })).filter(
    ({ count }) => count <= most,
  )
}

/** A word that compounds end in is not misspelt; it may go on. */
function isCloseEnough({ word, distance }: Close, least: number, wanted: string): boolean {
  return least === 0 ? distance === 0 || word.startsWith(wanted) : distance <= least + 1
}

function bestFirst(close: readonly Close[], word: string, isShared: (one: Close) => boolean): string[] {
  const ranked = close
    .map((one) => ({
      ...one,
      mistakes: mistakesBetween(one.word, word, Number.POSITIVE_INFINITY),
      shared: isShared(one),
    }))
    .sort(
      (left, right) =>
        Number(right.shared) - Number(left.shared) ||
        left.mistakes - right.mistakes ||
        (left.word < right.word ? -1 : 1),
    )
  const compounds = ranked.filter(({ distance }) => distance === 0).slice(0, COMPOUNDS_MAX)
  const others = ranked.filter(({ distance }) => distance > 0).slice(0, OTHERS_MAX)
  return [...compounds, ...others].map((one) => one.word)
}

interface Form {
  readonly form: string
  readonly distance: number
}

function formsOf(word: QuestionWord, languages: SearchLanguages): Form[] {
  const spelt = spellings(word, languages)
  const words = spelt.map(({ plain }) => ({ form: plain, distance: 1 }))
  const stems = spelt.flatMap(({ exact }) =>
    languages.stems.flatMap((language) => stemsOf(exact, language).map((form) => ({ form, distance: 2 }))),
  )
  const cuts = CUT_LETTERS.map((cut) => ({ form: word.plain.slice(0, -cut), distance: CUT }))
  return [...words, ...stems, ...cuts].filter(({ form }) => form.length >= KNOWN_WORD_MIN)
}

function push(map: Map<string, string[]>, key: string, word: string): void {
  const list = map.get(key)
  if (list) list.push(word)
  else map.set(key, [word])
}
