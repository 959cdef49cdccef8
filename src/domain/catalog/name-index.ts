/**
 * Name index: an inverted index of names and SKUs, in which a text is looked up while it is being typed
 * (search.suggests-while-typing). Names are added, never removed. Pure.
 */
import type { Effort } from '../../lib/effort.ts'
import { groupBy } from '../../lib/group-by.ts'
import { acceptedWithDefault, type RequestLanguages } from '../language/language.ts'
import { type Atom, chunksOf } from '../language/words.ts'
import { fitOf, fitOfNamed, OTHER_LANGUAGE } from './suggestion.ts'
import { TextOrder, WordList } from './word-list.ts'

/** What has names, by a number of the caller's. */
export interface Named {
  readonly id: number
  /** The default name by '', others by their tags in lower case. */
  readonly names: readonly (readonly [language: string, name: string])[]
  /** The letters and digits of its SKU; empty without one. */
  readonly code: string
}

/** What is looked up. */
export interface Typed extends RequestLanguages {
  readonly words: readonly Atom[]
  /** All letters and digits of the text. */
  readonly code: string
}

/** The order of each thing among those that fit equally well, by its number in the index; -1 for what is left out. */
export type Orders = Int32Array

/** Names that are compared between two pauses, and per point of work. */
const [NAMES_AT_ONCE, NAMES_PER_POINT] = [5_000, 50]
/** Marks are counted up from one look-up to the next, and begin anew here. */
const MARKS_MAX = 2 ** 30
/** What takes memory: a thing, a name of it beside its words, each word of that, and each different word. */
const [THING_BYTES, NAME_BYTES, NAME_WORD_BYTES, WORD_BYTES] = [150, 40, 22, 250]

/** The index. Numbers are smaller than arrays and objects: 100,000 products with two names of five words take 80 MB. */
export class NameIndex {
  private readonly languages: string[] = []
  private readonly things = new Map<number, number>()
  /** By thing: its id and its first name; its names follow each other. */
  private readonly ids: number[] = []
  private readonly firstNames: number[] = []
  /** By name: its thing, its language and its first word; its words follow each other. */
  private readonly thingOf: number[] = []
  private readonly languageOf: number[] = []
  private readonly firstWords: number[] = []
  private readonly wordOf: number[] = []
  private readonly words = new WordList()
  /** By thing; empty without one. */
  private readonly codes: string[] = []
  private readonly codeOrder = new TextOrder((thing) => this.codes[thing] as string)
  /** By name: how many words of the last look-up it has, from the mark of that on. */
  private marks = new Int32Array()
  private lastMark = 0

  get size(): number {
    return this.ids.length
  }

  /** An estimate. */
  get bytes(): number {
    const words = this.wordOf.length * NAME_WORD_BYTES + this.words.size * WORD_BYTES
    return this.ids.length * THING_BYTES + this.thingOf.length * NAME_BYTES + words
  }

  has(id: number): boolean {
    return this.things.has(id)
  }

  /** Adds what it doesn't have yet. */
  add(all: readonly Named[]): void {
    for (const { id, names, code } of all) {
      if (this.things.has(id)) continue
      const thing = this.ids.push(id) - 1
      this.things.set(id, thing)
      this.firstNames.push(this.thingOf.length)
      for (const [language, name] of names) this.addName(thing, this.languageNumber(language), chunksOf(name).flat(2))
      this.codes.push(code)
      if (code !== '') this.codeOrder.add(thing)
    }
  }

  /** The orders for `find`; ids that have the same order stand for one thing. */
  ordersBy(orderOf: (id: number) => number): Orders {
    return Int32Array.from(this.ids, orderOf)
  }

  /** The orders of what goes on from what is typed, the best first, each once. */
  async find(typed: Typed, orders: Orders, effort: Effort): Promise<number[]> {
    const ranks = this.ranksOf(typed)
    const best = new BestFits()
    const coded = typed.code === '' ? [] : this.codeOrder.beginningWith(typed.code)
    await inSlices([coded], effort, (thing) => best.take(orders[thing] ?? -1, this.codes[thing] === typed.code ? 0 : 2))
    const fitOfName = this.fitIn(typed.words)
    await inSlices(this.namesWith(typed.words), effort, (name) => {
      const thing = this.thingOf[name] as number
      const order = orders[thing] ?? -1
      if (order < 0 || ranks[this.languageOf[name] as number] === undefined) return
      const fit = fitOfName(name)
      if (fit !== null) best.take(order, name === this.shownName(thing, ranks) ? fit : fit + OTHER_LANGUAGE)
    })
    return best.orders()
  }

  /** The words of the name of `id` that is shown to who accepts these languages; none for an unknown id. */
  shownWords(id: number, languages: RequestLanguages): Atom[] {
    const thing = this.things.get(id)
    return thing === undefined ? [] : this.wordsOf(this.shownName(thing, this.ranksOf(languages)))
  }

  private addName(thing: number, language: number, words: readonly Atom[]): void {
    const name = this.thingOf.push(thing) - 1
    this.languageOf.push(language)
    this.firstWords.push(this.wordOf.length)
    for (const word of words) this.wordOf.push(this.words.add(word, name))
  }

  private languageNumber(language: string): number {
    const known = this.languages.indexOf(language)
    return known < 0 ? this.languages.push(language) - 1 : known
  }

  /** The rank of each language that is accepted, the best 0, with that of the default names. Others are left out. */
  private ranksOf(languages: RequestLanguages): (number | undefined)[] {
    const accepted = acceptedWithDefault(this.languages.filter(Boolean), languages)
    return this.languages.map((language) => {
      const rank = accepted.indexOf(language)
      return rank < 0 ? undefined : rank
    })
  }

  private shownName(thing: number, ranks: readonly (number | undefined)[]): number {
    const rankOf = (name: number): number => ranks[this.languageOf[name] as number] ?? Number.POSITIVE_INFINITY
    let shown = this.firstNames[thing] as number
    const end = this.firstNames[thing + 1] ?? this.thingOf.length
    for (let name = shown + 1; name < end; name++) if (rankOf(name) < rankOf(shown)) shown = name
    return shown
  }

  private wordsOf(name: number): Atom[] {
    return Array.from({ length: this.wordCount(name) }, (_, at) => this.wordAt(name, at))
  }

  private wordCount(name: number): number {
    return (this.firstWords[name + 1] ?? this.wordOf.length) - (this.firstWords[name] as number)
  }

  private wordAt(name: number, at: number): Atom {
    return this.words.wordAt(this.wordOf[(this.firstWords[name] as number) + at] as number)
  }

  /** The fit of a name among `namesWith` what is typed, which may lack it only where a run is typed. */
  private fitIn(typed: readonly Atom[]): (name: number) => number | null {
    if (typed.some(({ kind }) => kind === 'run')) return (name) => fitOf(typed, this.wordsOf(name))
    let looked = 0
    const wordAt = (at: number): Atom => this.wordAt(looked, at)
    return (name) => {
      looked = name
      return fitOfNamed(typed, this.wordCount(name), wordAt)
    }
  }

  /** The names that have each of the words, as far as pairs of characters tell. */
  private namesWith(typed: readonly Atom[]): Lists {
    const countOf = (lists: Lists): number => lists.reduce((sum, { length }) => sum + length, 0)
    const byWord = typed
      .map((word, at) => this.words.holdersOf(word, at === typed.length - 1))
      .sort((one, other) => countOf(one) - countOf(other))
    const [rarest = [], ...others] = byWord
    if (others.length === 0) return rarest
    const mark = this.nextMark(byWord.length)
    for (const names of rarest) for (const name of names) this.marks[name] = mark
    const found = others.map((lists, at) => this.marked(lists, mark + at))
    return [found.at(-1) ?? []]
  }

  /** Those that have the mark, which get the next one. */
  private marked(lists: Lists, mark: number): number[] {
    const found: number[] = []
    for (const names of lists) {
      for (const name of names) {
        if (this.marks[name] !== mark) continue
        this.marks[name] = mark + 1
        found.push(name)
      }
    }
    return found
  }

  private nextMark(words: number): number {
    if (this.marks.length < this.thingOf.length || this.lastMark > MARKS_MAX) {
      this.marks = new Int32Array(this.thingOf.length)
      this.lastMark = 0
    }
    const mark = this.lastMark + 1
    this.lastMark += words
    return mark
  }
}

/** The best fit of each order. */
class BestFits {
  private readonly fits = new Map<number, number>()

  take(order: number, fit: number): void {
    if (order >= 0 && fit < (this.fits.get(order) ?? Number.POSITIVE_INFINITY)) this.fits.set(order, fit)
  }

  /** The orders, those that fit best first. */
  orders(): number[] {
    const byFit = groupBy(this.fits, ([, fit]) => fit)
    const fits = [...byFit.keys()].sort((one, other) => one - other)
    return fits.flatMap((fit) => Array.from(Int32Array.from(byFit.get(fit) ?? [], ([order]) => order).sort()))
  }
}

/** Lists of numbers, each rising. */
type Lists = readonly (readonly number[])[]

/** Calls `look` with each number. */
async function inSlices(lists: Lists, effort: Effort, look: (number: number) => void): Promise<void> {
  let count = 0
  for (const numbers of lists) {
    for (const number of numbers) {
      look(number)
      if (++count % NAMES_AT_ONCE !== 0) continue
      effort.spend(NAMES_AT_ONCE / NAMES_PER_POINT)
      await effort.pause()
    }
  }
  effort.spend((count % NAMES_AT_ONCE) / NAMES_PER_POINT)
}
