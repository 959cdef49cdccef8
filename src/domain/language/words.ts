/**
 * Words of texts (search.one-analyser): a text is cut into chunks without spaces, these into groups that other
 * characters separate, and groups into atoms: words, numbers, and runs of a script without spaces between its words.
 */
import { foldCase, isAscii, lookalike, mayLookAlike, withoutAccents } from './fold-text.ts'
import { hasSigns, signOf, signOfWord, withoutSpacedSigns } from './signs.ts'
import { unitOfWord } from './units.ts'

/** A part of a text that has one kind of characters. */
export interface Atom {
  readonly kind: 'word' | 'number' | 'run'
  /** As `foldCase` spells it; a number as its forms do. */
  readonly exact: string
  /** Without accents. */
  readonly plain: string
  /** With the sign that is written beside it, such as 100%, c++ and 55″. */
  readonly signed?: string
  /** What else it is: 55″ of the inches in 55 inches, kg of kilo in 5 kilo, and Latin letters that look the same. */
  readonly also?: string
}

/** Characters that follow each other without a space; the groups are those without a separator. */
export type Chunk = readonly (readonly Atom[])[]

/** Code points of the longest atom; the rest of a longer one is left out. */
const ATOM_MAX = 100

/** Scripts that write no spaces between words, and Hangul, whose compounds have none. */
const RUN =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u3005\\u30fc'
const JOINERS = "-\\u2010-\\u2015\\u2044/._:@&+#'\\u00b7\\u30fb\\u05f4*%"
const JOINED = `[\\p{L}\\p{M}\\p{N}]+(?:(?:[${JOINERS}]{1,2}|(?<=\\d),(?=\\d))[\\p{L}\\p{M}\\p{N}]+)*`
const ASCII_JOINED = "[a-z0-9]+(?:(?:[-/._:@&+#'*%]{1,2}|(?<=\\d),(?=\\d))[a-z0-9]+)*"
/** Signs that end a chunk. */
const SIGNS = `(?:[+#]+|(?<=\\d)[%"'])?`
const chunks = new RegExp(JOINED, 'gu')
const signedChunks = new RegExp(`#?${JOINED}${SIGNS}`, 'gu')
/** The same for texts of ASCII, in a fifth of the time. */
const asciiChunks = new RegExp(ASCII_JOINED, 'g')
const signedAsciiChunks = new RegExp(`#?${ASCII_JOINED}${SIGNS}`, 'g')
const atoms = new RegExp(
  `\\d+(?:[.,]\\d+)*|[${RUN}]+|(?:(?![\\d${RUN}])[\\p{L}\\p{M}\\p{N}])+|[^\\p{L}\\p{M}\\p{N}]+`,
  'gu',
)
const asciiAtoms = /\d+(?:[.,]\d+)*|[a-z]+|[^a-z0-9]+/g
const run = new RegExp(`^[${RUN}]`, 'u')
/** The last word of a text, with what follows it. */
export const LAST_WORD = new RegExp(`(?:(?![${RUN}])[\\p{L}\\p{M}])+[^\\p{L}\\p{M}\\p{N}]*$`, 'u')
const REPEATED = /^(.)\1{1,2}$/u
const separator = /^[^\p{L}\p{M}\p{N}]/u
/** The whole number before a fraction, as in 8-1/2. */
const MIXED = /(?<![\p{L}\p{N}.,/-])(\d{1,3})-(?=\d{1,2}\/\d)/gu
/** One separator of decimals, or those of thousands. */
const oneNumber = /^\d+[.,]\d+$|^\d{1,3}([.,])\d{3}(?:\1\d{3})+$/

/**
 * Chunks without digits whose atoms are kept, and the characters of the longest: most words of a catalog are in many
 * texts, most numbers in one.
 */
const KEPT_MAX = 50_000
const KEPT_LENGTH_MAX = 40
const kept = new Map<string, Chunk>()

/** The chunks of a text in their order. A `code` has no decimals: its dots separate. */
export function chunksOf(text: string, kind: 'text' | 'code' = 'text'): Chunk[] {
  const folded = foldCase(text)
  const joint = folded.includes('&') ? folded.replace(/\s*&\s*/g, '&') : folded
  if (kind === 'code') return (joint.match(isAscii(joint) ? asciiChunks : chunks) ?? []).map((one) => cut(one, true))
  const found = piecesOf(joint.includes('/') ? joint.replace(MIXED, '$1 ') : joint).map(keptChunk)
  return /\d/.test(joint) ? withNames(found) : found
}

function piecesOf(text: string): readonly string[] {
  if (!hasSigns(text)) return text.match(isAscii(text) ? asciiChunks : chunks) ?? []
  return withoutSpacedSigns(text).match(isAscii(text) ? signedAsciiChunks : signedChunks) ?? []
}

function keptChunk(text: string): Chunk {
  const known = kept.get(text)
  if (known) return known
  const chunk = cut(text, false)
  if (text.length > KEPT_LENGTH_MAX || /\d/.test(text)) return chunk
  if (kept.size >= KEPT_MAX) kept.clear()
  kept.set(text, chunk)
  return chunk
}

function cut(text: string, isCode: boolean): Chunk {
  const isPlain = isAscii(text)
  const groups: Atom[][] = [[]]
  const parts = text.match(isPlain ? asciiAtoms : atoms) ?? []
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] as string
    if (/^\d/.test(part)) addNumber(part, isCode, groups)
    else if ((isPlain ? /^[^a-z]/ : separator).test(part)) {
      if (!isCode) addSign(part, at === parts.length - 1, groups)
      groups.push([])
    } else groups.at(-1)?.push(isPlain ? asciiWord(part) : atomOf(part))
  }
  const found = groups.filter((group) => group.length > 0)
  if (parts[0] === '#') numbered(found[0] as Atom[])
  return isPlain || !mayLookAlike(text) ? found : found.map(withLookalikes)
}

/** Gives the word after # that sign. */
function numbered(group: Atom[]): void {
  const [first] = group as [Atom]
  group[0] = { signed: `#${first.plain}`, ...first }
}

/** A group in which letters beside a number, or one letter repeated, are also the Latin ones that look the same. */
function withLookalikes(group: Atom[]): Atom[] {
  const isNumbered = group.some(({ kind }) => kind === 'number')
  return group.map((atom) => {
    const also = atom.kind === 'word' && (isNumbered || REPEATED.test(atom.plain)) ? lookalike(atom.plain) : null
    return also === null ? atom : { ...atom, also }
  })
}

/** Gives the last word its sign, if these characters are one. */
function addSign(characters: string, isEnd: boolean, groups: readonly Atom[][]): void {
  const group = groups.at(-1) as Atom[]
  const last = group.at(-1)
  const sign = last ? signOf(characters, last.kind === 'number', isEnd) : ''
  if (last && sign !== '') group[group.length - 1] = { ...last, signed: last.plain + sign }
}

/** The chunks, in which a word after a number that names a sign or a unit is that too: the inches in 55 inches. */
function withNames(found: Chunk[]): Chunk[] {
  let number: string | null = null
  for (let at = 0; at < found.length; at++) {
    const chunk = found[at] as Chunk
    for (let place = 0; place < chunk.length; place++) {
      const group = chunk[place] as readonly Atom[]
      for (let index = 0; index < group.length; index++) {
        const atom = group[index] as Atom
        const also = number === null ? undefined : namedBy(atom.plain, number)
        if (also !== undefined) found[at] = withAlso(found[at] as Chunk, place, index, also)
        number = atom.kind === 'number' ? atom.plain : null
      }
    }
  }
  return found
}

function namedBy(word: string, number: string): string | undefined {
  const sign = signOfWord(word)
  return sign === undefined ? unitOfWord(word) : number + sign
}

function withAlso(chunk: Chunk, place: number, index: number, also: string): Chunk {
  const named = (group: readonly Atom[]) => group.map((atom, at) => (at === index ? { ...atom, also } : atom))
  return chunk.map((group, at) => (at === place ? named(group) : group))
}

/** In a text the whole is one number, or each part of it in a group of its own, as in 1.2.3. */
function addNumber(part: string, isCode: boolean, groups: Atom[][]): void {
  if (!isCode && oneNumber.test(part)) groups.at(-1)?.push(number(decimal(part)))
  else
    for (const [at, digits] of part.split(/[.,]/).entries()) {
      if (at > 0) groups.push([])
      groups.at(-1)?.push(number(digits))
    }
}

function atomOf(part: string): Atom {
  const text = part.length <= ATOM_MAX ? part : [...part].slice(0, ATOM_MAX).join('')
  if (run.test(text)) return { kind: 'run', exact: text, plain: text }
  const plain = withoutAccents(text)
  // Marks alone, such as the points of Hebrew, leave nothing.
  return { kind: 'word', exact: text, plain: plain === '' ? text : plain }
}

function asciiWord(part: string): Atom {
  const text = part.slice(0, ATOM_MAX)
  return { kind: 'word', exact: text, plain: text }
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

/** The characters of a run. */
export function charactersOf({ plain }: Atom): string[] {
  return [...plain]
}

/** The atoms as one word, such as m6x20; null where that would say something else, such as 12 for 1/2. */
export function joined(parts: readonly Atom[]): string | null {
  if (parts.length < 2 || parts.some(({ kind }) => kind === 'run')) return null
  const text = parts.map(({ plain }) => plain).join('')
  const isLong = text.length >= JOINED_DIGITS_MIN
  return text.length <= ATOM_MAX && (isLong || parts.some(({ kind }) => kind === 'word')) ? text : null
}

/** Digits of the shortest number that is joined from parts, such as one of a European article. */
const JOINED_DIGITS_MIN = 5

/** All letters and digits of a text, as two equal names or codes have them. Empty without any. */
export function keyOfText(text: string, kind: 'text' | 'code' = 'text'): string {
  return keyOf(chunksOf(text, kind))
}

/** `keyOfText` of a text of these chunks. */
export function keyOf(chunks: readonly Chunk[]): string {
  let key = ''
  for (const chunk of chunks) for (const group of chunk) for (const { plain } of group) key += plain
  return key
}
