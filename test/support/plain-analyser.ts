/**
 * The analyser in its plain way, without any of the shortcuts for texts of ASCII or for words that were met before:
 * what `searchTextOf` makes of texts is compared with it.
 */
import {
  EQUAL_CODE,
  EQUAL_NAME,
  NAME_LENGTH,
  type ProductTexts,
  type SearchText,
  STEM,
} from '../../src/domain/catalog/search-text.ts'
import { dimensionsOf } from '../../src/domain/language/dimensions.ts'
import { foldCase, lookalike, withoutAccents } from '../../src/domain/language/fold-text.ts'
import { signOf, signOfWord, withoutSpacedSigns } from '../../src/domain/language/signs.ts'
import { spacedNumbers } from '../../src/domain/language/spaced-numbers.ts'
import { stemsOf } from '../../src/domain/language/stems.ts'
import { unitOfWord } from '../../src/domain/language/units.ts'
import { type Atom, type Chunk, joined } from '../../src/domain/language/words.ts'

/** Code points of the longest atom; the rest of a longer one is left out. */
const ATOM_MAX = 100

/** Scripts that write no spaces between words, and Hangul, whose compounds have none. */
const RUN =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u3005\\u30fc'
const JOINERS = "-\\u2010-\\u2015\\u2044/._:@&+#'\\u00b7\\u30fb\\u05f4*%"
const chunks = new RegExp(
  `#?[\\p{L}\\p{M}\\p{N}]+(?:(?:[${JOINERS}]{1,2}|(?<=\\d),(?=\\d))[\\p{L}\\p{M}\\p{N}]+)*(?:[+#]+|(?<=\\d)[%"'])?`,
  'gu',
)
const atoms = new RegExp(
  `\\d+(?:[.,]\\d+)*|[${RUN}]+|(?:(?![\\d${RUN}])[\\p{L}\\p{M}\\p{N}])+|[^\\p{L}\\p{M}\\p{N}]+`,
  'gu',
)
const run = new RegExp(`^[${RUN}]`, 'u')
/** One separator of decimals, or those of thousands. */
const oneNumber = /^\d+[.,]\d+$|^\d{1,3}([.,])\d{3}(?:\1\d{3})+$/

function chunksOf(text: string, isCode = false): Chunk[] {
  const folded = foldCase(text).replace(/\s*&\s*/g, '&')
  const mixed = folded.replace(/(?<![\p{L}\p{N}.,/-])(\d{1,3})-(?=\d{1,2}\/\d)/gu, '$1 ')
  const found = (isCode ? folded : withoutSpacedSigns(mixed)).match(chunks) ?? []
  const all = found.map((one) => cut(one, isCode))
  if (isCode) return all
  const atomsInOrder = all.flat(2)
  const alsoOf = new Map<Atom, string>()
  for (const [at, atom] of atomsInOrder.slice(1).entries()) {
    const number = atomsInOrder[at] as Atom
    if (number.kind !== 'number') continue
    const sign = signOfWord(atom.plain)
    const also = sign === undefined ? unitOfWord(atom.plain) : number.plain + sign
    if (also !== undefined) alsoOf.set(atom, also)
  }
  const named = (atom: Atom): Atom => (alsoOf.has(atom) ? { ...atom, also: alsoOf.get(atom) as string } : atom)
  return all.map((chunk) => chunk.map((group) => group.map(named)))
}

function cut(text: string, isCode: boolean): Chunk {
  const groups: Atom[][] = [[]]
  const parts = text.match(atoms) ?? []
  for (const [at, part] of parts.entries()) {
    if (!/[\p{L}\p{M}\p{N}]/u.test(part)) {
      const last = groups.at(-1)?.pop()
      const sign = last && !isCode ? signOf(part, last.kind === 'number', at === parts.length - 1) : ''
      if (last) groups.at(-1)?.push(sign === '' ? last : { ...last, signed: last.plain + sign })
      groups.push([])
    } else if (!/^\d/.test(part)) groups.at(-1)?.push(atomOf(part))
    else if (!isCode && oneNumber.test(part)) groups.at(-1)?.push(number(decimal(part)))
    else
      for (const [place, digits] of part.split(/[.,]/).entries()) {
        if (place > 0) groups.push([])
        groups.at(-1)?.push(number(digits))
      }
  }
  const filled = groups.filter((group) => group.length > 0)
  const first = filled[0]?.[0]
  if (first && parts[0] === '#' && !isCode) filled[0]?.splice(0, 1, { signed: `#${first.plain}`, ...first })
  return filled.map((group) => {
    const isNumbered = group.some(({ kind }) => kind === 'number')
    return group.map((atom) => {
      const also = isNumbered || /^(.)\1{1,2}$/u.test(atom.plain) ? lookalike(atom.plain) : null
      return also === null || atom.kind !== 'word' ? atom : { ...atom, also }
    })
  })
}

function atomOf(part: string): Atom {
  const text = [...part].slice(0, ATOM_MAX).join('')
  if (run.test(text)) return { kind: 'run', exact: text, plain: text }
  const plain = withoutAccents(text)
  // Marks alone, such as the points of Hebrew, leave nothing.
  return { kind: 'word', exact: text, plain: plain === '' ? text : plain }
}

function number(text: string): Atom {
  const short = text.slice(0, ATOM_MAX)
  return { kind: 'number', exact: short, plain: short }
}

/** Thousands without separators, and decimals after a dot without zeros at their end: 1,50 is 1.5. */
function decimal(text: string): string {
  if (/^[1-9]\d{0,2}(?:[.,]\d{3})+$/.test(text)) return text.replace(/[.,]/g, '')
  return text.replace(',', '.').replace(/\.?0+$/, '')
}

const keyOf = (text: string, isCode = false): string =>
  chunksOf(text, isCode)
    .flat(2)
    .map(({ plain }) => plain)
    .join('')

const lengthOf = (text: string): number =>
  chunksOf(text)
    .flat(2)
    .reduce((sum, { kind, plain }) => sum + (kind === 'run' ? [...plain].length : 1), 0)

const quoted = (lexeme: string): string => `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`

type Place = 'A' | 'B' | 'C' | 'D'

/** What `searchTextOf` has to make of the texts. */
export function plainSearchText({ name, description, codes, tags }: ProductTexts, language: string): SearchText {
  const index = new LexemeIndex(language)
  index.add(name, 'A')
  for (const code of codes) index.addCode(code)
  for (const tag of tags) index.add(tag, 'B')
  index.add((description ?? '').slice(0, 20_000), 'D')
  index.mark(EQUAL_NAME, keyOf(name))
  index.mark(NAME_LENGTH, String(lengthOf(name)))
  for (const code of codes) index.mark(EQUAL_CODE, keyOf(code, true))
  return { lexemes: index.toString(), name, codeKey: keyOf(codes[0] ?? '', true), words: index.words() }
}

class LexemeIndex {
  private readonly places = new Map<string, string>()
  private position = 1

  constructor(private readonly language: string) {}

  add(text: string, place: Place): void {
    const all = chunksOf(text)
    for (const [at, chunk] of all.entries()) {
      this.addChunk(chunk, place)
      const number = spacedNumbers(all).get(at)
      this.put(number?.text ?? null, this.position - 1, place)
      this.put(number?.text ?? null, this.position - 1 + (number?.rest ?? 0), place)
    }
    for (const { text } of dimensionsOf(all)) this.put(text, this.position + 5, place)
    this.position += 10
  }

  /** A code is found by each end of it without separators: that of ESP-HOUSE-250 by `house250`. */
  addCode(text: string): void {
    for (const chunk of chunksOf(text, true)) {
      const parts = chunk.flat()
      if (parts.length <= 12) for (const at of parts.keys()) this.put(joined(parts.slice(at)), this.position + at, 'C')
      this.addChunk(chunk, 'C')
    }
    this.position += 10
  }

  mark(marker: string, key: string): void {
    if (key !== '') this.places.set(marker + key, '')
  }

  toString(): string {
    return Array.from(this.places, ([lexeme, places]) => quoted(lexeme) + (places && `:${places}`)).join(' ')
  }

  words(): SearchText['words'] {
    const [named, mentioned]: [string[], string[]] = [[], []]
    for (const [lexeme, places] of this.places) {
      if (places.includes('A')) named.push(lexeme)
      if (/B|\d$|\d,/.test(places)) mentioned.push(lexeme)
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
    this.put(atom.also ?? null, this.position, place)
    if (atom.kind === 'run') {
      this.addRun([...atom.plain], place)
      return
    }
    const { exact, plain } = atom
    this.put(plain, this.position, place)
    if (exact !== plain) this.put(exact, this.position, place)
    this.put(atom.signed ?? null, this.position + 1, place)
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
    if (lexeme === null || position > 16_000) return
    const known = this.places.get(lexeme)
    const added = place === 'D' ? String(position) : `${position}${place}`
    this.places.set(lexeme, known ? `${known},${added}` : added)
  }
}
