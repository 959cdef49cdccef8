/**
 * Search texts: what a search compares of a product's texts in one language, as lexemes with their places
 * (search.one-analyser). Pure; the database stores and compares them as they are.
 */
import { dimensionsOf } from '../language/dimensions.ts'
import { spacedNumbers } from '../language/spaced-numbers.ts'
import { primaryLanguage, stemsOf } from '../language/stems.ts'
import { type Atom, type Chunk, charactersOf, chunksOf, joined, keyOf } from '../language/words.ts'

/** The version of the analyser. Raise it with every change of what it makes of a text. */
const VERSION = 5

/** What analyses texts: the same texts make the same index on every server that names it so. */
export interface Analyser {
  readonly id: string
  /** The language of texts without a tag. */
  readonly storeLanguage: string
}

/** The analyser of a store whose texts without a tag are in `storeLanguage` (search.store-language). */
export function analyserOf(storeLanguage: string): Analyser {
  return { id: `${VERSION}-${primaryLanguage(storeLanguage)}`, storeLanguage }
}

/** The texts of a product in a language; codes and tags are with the default texts alone. */
export interface ProductTexts {
  readonly name: string
  readonly description: string | null
  readonly codes: readonly string[]
  readonly tags: readonly string[]
}

/** What is stored of texts. */
export interface SearchText {
  /** A tsvector as PostgreSQL writes it. */
  readonly lexemes: string
  /** The name as it is, by which products are in order. */
  readonly name: string
  /** The first code, an SKU, as letters and digits; empty without one. */
  readonly codeKey: string
  /** The lexemes in the name, and those in tags and the description. */
  readonly words: { readonly named: readonly string[]; readonly mentioned: readonly string[] }
}

/** The places of words: name, tags, codes, description. */
type Place = 'A' | 'B' | 'C' | 'D'

/** Characters of a description that are searched. */
const DESCRIPTION_SEARCHED_MAX = 20_000
/** The last position of a word; PostgreSQL counts no further than 16,383. */
const POSITIONS_MAX = 16_000
/** Positions between two texts, so that no run goes from one into the next. */
const GAP = 10
/** Parts of the longest code whose ends are words too. */
const CODE_PARTS_MAX = 12

/** What stands before a stem, an equal name, an equal code and the length of a name, so that they are no words. */
export const [STEM, EQUAL_NAME, EQUAL_CODE, NAME_LENGTH] = ['~', '=n:', '=c:', '=l:']

/** Analyses the texts of a product. `language` is a primary subtag. */
export function searchTextOf({ name, description, codes, tags }: ProductTexts, language: string): SearchText {
  const index = new LexemeIndex(language)
  const named = chunksOf(name)
  const coded = codes.map((code) => chunksOf(code, 'code'))
  index.add(named, 'A')
  for (const chunks of coded) index.addCode(chunks)
  for (const tag of tags) index.add(chunksOf(tag), 'B')
  index.add(chunksOf((description ?? '').slice(0, DESCRIPTION_SEARCHED_MAX)), 'D')
  index.mark(EQUAL_NAME, keyOf(named))
  index.mark(NAME_LENGTH, lengthKeyOf(named))
  const codeKeys = coded.map(keyOf)
  for (const key of codeKeys) index.mark(EQUAL_CODE, key)
  return { lexemes: index.toString(), name, codeKey: codeKeys[0] ?? '', words: index.words() }
}

/** How many words a text has, the characters of a run counted as words. */
export function lengthKeyOf(chunks: readonly Chunk[]): string {
  let length = 0
  for (const chunk of chunks)
    for (const group of chunk) for (const atom of group) length += atom.kind === 'run' ? charactersOf(atom).length : 1
  return String(length)
}

/** A lexeme as PostgreSQL reads it. */
export function quoted(lexeme: string): string {
  const isPlain = !lexeme.includes("'") && !lexeme.includes('\\')
  return isPlain ? `'${lexeme}'` : `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`
}

/** The positions of a lexeme as PostgreSQL writes them; whether one is in the name, one in tags or the description. */
interface Found {
  places: string
  isNamed: boolean
  isMentioned: boolean
}

class LexemeIndex {
  private readonly found = new Map<string, Found>()
  private position = 1

  constructor(private readonly language: string) {}

  add(chunks: readonly Chunk[], place: Place): void {
    const spaced = spacedNumbers(chunks)
    for (const [at, chunk] of chunks.entries()) {
      this.addChunk(chunk, place)
      const number = spaced.get(at)
      if (number === undefined) continue
      // Next to what stands before it, and next to what follows it.
      for (const end of [-1, number.rest - 1]) this.put(number.text, this.position + end, place)
    }
    // Next to nothing.
    for (const { text } of dimensionsOf(chunks)) this.put(text, this.position + GAP / 2, place)
    this.position += GAP
  }

  /** A code is found by each end of it without separators: that of ESP-HOUSE-250 by `house250`. */
  addCode(chunks: readonly Chunk[]): void {
    for (const chunk of chunks) {
      const parts = chunk.flat()
      if (parts.length <= CODE_PARTS_MAX)
        for (const at of parts.keys()) this.put(joined(parts.slice(at)), this.position + at, 'C')
      this.addChunk(chunk, 'C')
    }
    this.position += GAP
  }

  mark(marker: string, key: string): void {
    if (key !== '') this.found.set(marker + key, { places: '', isNamed: false, isMentioned: false })
  }

  toString(): string {
    const lexemes: string[] = []
    for (const [lexeme, { places }] of this.found) lexemes.push(places ? `${quoted(lexeme)}:${places}` : quoted(lexeme))
    return lexemes.join(' ')
  }

  words(): SearchText['words'] {
    const [named, mentioned]: [string[], string[]] = [[], []]
    for (const [lexeme, { isNamed, isMentioned }] of this.found) {
      if (isNamed) named.push(lexeme)
      if (isMentioned) mentioned.push(lexeme)
    }
    return { named, mentioned }
  }

  private addChunk(chunk: Chunk, place: Place): void {
    const start = this.position
    for (const group of chunk) {
      this.put(joined(group), this.position, place)
      for (const atom of group) this.addAtom(atom, place)
    }
    if (chunk.length < 2) return
    const whole = joined(chunk.flat())
    this.put(whole, start, place)
    if (whole !== null) for (const stem of stemsOf(whole, this.language)) this.putStem(stem, whole, start, place)
  }

  private addAtom(atom: Atom, place: Place): void {
    const { exact, plain, signed, also } = atom
    if (also !== undefined) this.put(also, this.position, place)
    if (atom.kind === 'run') {
      this.addRun(charactersOf(atom), place)
      return
    }
    this.put(plain, this.position, place)
    if (exact !== plain) this.put(exact, this.position, place)
    // Where its name would be: 55″ stands as inches in 55 inches.
    if (signed !== undefined) this.put(signed, this.position + 1, place)
    if (atom.kind === 'word')
      for (const stem of stemsOf(exact, this.language)) this.putStem(stem, plain, this.position, place)
    this.position += 1
  }

  /** Pairs of neighbours, and the last character alone; the others begin a pair. */
  private addRun(characters: readonly string[], place: Place): void {
    for (const [at, character] of characters.entries()) {
      this.put(character + (characters[at + 1] ?? ''), this.position, place)
      this.position += 1
    }
  }

  /** A stem that is its own word is found as that. */
  private putStem(stem: string, word: string, position: number, place: Place): void {
    if (stem !== word) this.put(STEM + stem, position, place)
  }

  private put(lexeme: string | null, position: number, place: Place): void {
    if (lexeme === null || position > POSITIONS_MAX) return
    const added = place === 'D' ? String(position) : position + place
    const known = this.found.get(lexeme)
    if (known) {
      known.places += `,${added}`
      known.isMentioned ||= place === 'B' || place === 'D'
    } else
      this.found.set(lexeme, { places: added, isNamed: place === 'A', isMentioned: place === 'B' || place === 'D' })
  }
}
