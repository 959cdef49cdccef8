/**
 * Search questions: the text of a search as queries of lexemes (search-text.ts). Only quoted lexemes and operators that
 * are written here are in a query, so no text of a client is ever syntax.
 */
import type { Path, Violation } from '../input/errors.ts'
import { SEARCH_MAX } from '../input/limits.ts'
import { codePoints } from '../input/text.ts'
import { dimensionsOf } from '../language/dimensions.ts'
import { spacedNumbers } from '../language/spaced-numbers.ts'
import { isStopWord, primaryLanguage } from '../language/stems.ts'
import { type Atom, type Chunk, charactersOf, chunksOf, joined } from '../language/words.ts'
import { EQUAL_CODE, EQUAL_NAME, lengthKeyOf, NAME_LENGTH, quoted } from './search-text.ts'
import {
  ANY,
  BEGINNING,
  CHARACTER,
  type QuestionWord,
  runQuery,
  type SearchLanguages,
  WEIGHTS,
  wordQuery,
} from './word-query.ts'

/** What is wrong with the text of a search at `path` (search.text-is-limited). */
export function searchViolations(text: string, path: Path): Violation[] {
  return codePoints(text) > SEARCH_MAX
    ? [{ code: 'TOO_LONG', path, message: `must have at most ${SEARCH_MAX} characters` }]
    : []
}

/** The queries of a search, each as PostgreSQL reads a tsquery. */
export interface SearchQueries {
  /** All places, and names and codes that are equal. */
  readonly anywhere: string
  readonly inTags: string
  readonly inName: string
  /** In the name, the last word whole. */
  readonly wholeInName: string
  /** The name, or one of as many words that are other forms of these. */
  readonly equalName: string
  readonly equalCode: string
  /** Words that need not match; each improves the score when a name, code or tag has it. */
  readonly optional: readonly string[]
  /** In the name, without other forms of the words. */
  readonly asTheyAre: string
}

/** What else may stand for a word: queries as `wordQuery` makes them. */
export type Alternatives = ReadonlyMap<QuestionWord, readonly string[]>

/** A question, cut once. */
export interface SearchQuestion {
  readonly chunks: readonly Chunk[]
  readonly words: readonly QuestionWord[]
  /** All its letters and digits, as in an equal name and an equal code. */
  readonly name: string
  readonly code: string
}

/** The languages of a request that accepts `tags`, in a store whose default texts are in `storeLanguage`. */
export function searchLanguages(tags: readonly string[], storeLanguage: string): SearchLanguages {
  return { tags, stems: [...new Set([primaryLanguage(storeLanguage), ...tags.map(primaryLanguage)])] }
}

/** The question of a text; without chunks it has no word (search.needs-a-word). */
export function questionOf(text: string): SearchQuestion {
  const chunks = chunksOf(text)
  const name = chunks.flat(2).map(({ plain }) => plain)
  const words = chunks.flat(2).filter(({ kind }) => kind === 'word')
  return { chunks, words, name: name.join(''), code: name.join('').replaceAll('.', '') }
}

/** Letters of a word that some write as one with its neighbour. */
const SHORT_WORD_MAX = 2

/** A text that is the same for questions that find the same. */
export function questionKey({ chunks }: SearchQuestion): string {
  const textOf = ({ exact, signed }: Atom): string => signed ?? exact
  return chunks.map((chunk) => chunk.map((group) => group.map(textOf).join('|')).join('-')).join(' ')
}

/**
 * The queries of a question (search.last-word-is-a-prefix, search.numbers-and-units, search.spaced-numbers,
 * search.runs-of-characters).
 */
export function queriesOf(
  question: SearchQuestion,
  languages: SearchLanguages,
  alternatives: Alternatives = new Map(),
): SearchQueries {
  const { chunks } = question
  const isOptional = (chunk: Chunk): boolean => {
    const [atom, ...others] = chunk.flat()
    return others.length === 0 && atom?.kind === 'word' && languages.stems.some((one) => isStopWord(atom.exact, one))
  }
  const optional = chunks.filter(isOptional)
  const isNeeded = (chunk: Chunk) => optional.length === chunks.length || !optional.includes(chunk)
  const others = withNeighbours(chunks.filter(isNeeded), languages, alternatives)
  const goesOn = (chunk: Chunk, at: number) => at === chunks.length - 1 && !endsWithSign(chunk)
  const spaced = spacedNumbers(chunks)
  const measures = dimensionsOf(chunks)
  const written = chunks.map((chunk, at) => {
    const joint = [spaced.get(at)?.before, spaced.get(at - 1)?.after].filter((one) => one !== undefined)
    const spelt = [chunk, ...joint].map((one) => chunkQuery(one, goesOn(chunk, at), languages, others))
    for (const { text, first, last } of measures) if (at >= first && at <= last) spelt.push(quoted(text) + ANY)
    return spelt.length === 1 ? (spelt[0] as string) : `(${spelt.join(' | ')})`
  })
  const query = written.filter((_, at) => isNeeded(chunks[at] as Chunk)).join(' & ')
  const asTheyAre = chunks.filter(isNeeded).map((chunk) => chunkQuery(chunk, false, { tags: [], stems: [] }, new Map()))
  const anywhere = inAnyPlace(query)
  const weighted = (weights: string) => query.replace(WEIGHTS, weights)
  const [equalName, equalCode] = [quoted(EQUAL_NAME + question.name), quoted(EQUAL_CODE + question.code)]
  const whole = query.replaceAll(':*$', ':$')
  const otherForms = `${quoted(NAME_LENGTH + lengthKeyOf(chunks.filter(isNeeded)))} & ${whole.replace(WEIGHTS, 'A')}`
  return {
    anywhere: `(${anywhere}) | ${equalName} | ${equalCode}`,
    inTags: weighted('ABC'),
    inName: weighted('AC'),
    wholeInName: whole.replace(WEIGHTS, 'AC'),
    equalName: `${equalName} | ${otherForms}`,
    equalCode,
    optional: [...written.filter((_, at) => !isNeeded(chunks[at] as Chunk)), ...signedQueries(chunks)].map((one) =>
      one.replaceAll(':*$', ':$').replaceAll('$', 'ABC'),
    ),
    asTheyAre: asTheyAre.join(' & ').replace(WEIGHTS, 'AC'),
  }
}

/**
 * The alternatives, and for a word of one or two letters and its neighbour the one that both make
 * (search.short-words-join).
 */
function withNeighbours(
  chunks: readonly Chunk[],
  languages: SearchLanguages,
  alternatives: Alternatives,
): Alternatives {
  const words = chunks.map((chunk) => chunk.flat()).map(([atom, second]) => (second ? undefined : atom))
  const all = new Map(alternatives)
  for (const [at, after] of words.slice(1).entries()) {
    const before = words[at]
    if (before?.kind !== 'word' || after?.kind !== 'word') continue
    const whole = before.plain + after.plain
    if (Math.min(before.plain.length, after.plain.length) > SHORT_WORD_MAX) continue
    const query = wordQuery({ exact: whole, plain: whole }, languages)
    for (const word of [before, after]) all.set(word, [...(all.get(word) ?? []), query])
  }
  return all
}

/** Words with their signs, which need not match (search.signs-beside-words). */
function signedQueries(chunks: readonly Chunk[]): string[] {
  return chunks.flat(2).flatMap(({ signed }) => (signed === undefined ? [] : [quoted(signed) + ANY]))
}

function endsWithSign(chunk: Chunk): boolean {
  const last = chunk.at(-1)?.at(-1)
  return last?.signed?.startsWith(last.plain) ?? false
}

function inAnyPlace(query: string): string {
  return query.replaceAll(':*$', ':*').replaceAll(':$', '').replaceAll(':*%', ':*ABC')
}

/**
 * Groups between separators are words of their own, in any order, unless all are numbers and single letters, such as
 * 1/2 and H&M (search.separated-parts); what has no separator stands together. Either may be one word.
 */
function chunkQuery(chunk: Chunk, isLast: boolean, languages: SearchLanguages, alternatives: Alternatives): string {
  if (chunk.length > 1 && chunk.every(saysLittle)) return groupQuery(chunk.flat(), isLast, languages, alternatives)
  const groups = chunk.map((group, at) => groupQuery(group, isLast && at === chunk.length - 1, languages, alternatives))
  const all = groups.length === 1 ? (groups[0] as string) : `(${groups.join(' & ')})`
  const whole = chunk.length > 1 ? joined(chunk.flat()) : null
  return whole === null ? all : `(${joinedQuery(whole, isLast, languages)} | ${all})`
}

function saysLittle([atom, second]: readonly Atom[]): boolean {
  return second === undefined && (atom?.kind === 'number' || atom?.plain.length === 1)
}

function groupQuery(group: readonly Atom[], isLast: boolean, languages: SearchLanguages, alternatives: Alternatives) {
  const parts: string[] = []
  let offset = 0
  let previous = 0
  for (const [at, atom] of group.entries()) {
    const isEnd = at === group.length - 1
    for (const [query, place] of atomQueries(atom, isLast && isEnd, isEnd, languages, alternatives)) {
      parts.push(parts.length === 0 ? query : `<${offset + place - previous}> ${query}`)
      previous = offset + place
    }
    offset += atom.kind === 'run' ? charactersOf(atom).length : 1
  }
  const together = parts.length === 1 ? (parts[0] as string) : `(${parts.join(' ')})`
  const whole = joined(group)
  return whole === null ? together : `(${joinedQuery(whole, isLast, languages)} | ${together})`
}

function joinedQuery(whole: string, isLast: boolean, languages: SearchLanguages): string {
  return wordQuery({ exact: whole, plain: whole }, languages, isLast ? BEGINNING : ANY)
}

/** The queries of an atom, each with its place among the positions of the atom. */
function atomQueries(
  atom: Atom,
  isBeginning: boolean,
  isEnd: boolean,
  languages: SearchLanguages,
  alternatives: Alternatives,
): (readonly [query: string, place: number])[] {
  const also = atom.also === undefined ? [] : [quoted(atom.also) + ANY]
  if (atom.kind === 'run') {
    const characters = charactersOf(atom)
    const others = [...also, ...(alternatives.get(atom) ?? [])]
    const character = quoted(atom.plain) + (isEnd ? CHARACTER : ANY)
    const whole = characters.length === 1 ? character : runQuery(characters)
    if (others.length > 0) return [[`(${[whole, ...others].join(' | ')})`, 0]]
    if (characters.length === 1) return [[whole, 0]]
    return characters.slice(1).map((character, at) => [quoted(characters[at] + character) + ANY, at])
  }
  const suffix = isBeginning ? BEGINNING : ANY
  if (atom.kind === 'number') {
    const [whole, decimals] = atom.plain.split('.')
    const parts = decimals === undefined ? '' : ` | ${quoted(whole as string)}${ANY} <-> ${quoted(decimals)}${suffix}`
    return [[parts === '' ? quoted(atom.plain) + suffix : `(${quoted(atom.plain)}${suffix}${parts})`, 0]]
  }
  const others = [...also, ...(alternatives.get(atom) ?? [])]
  return [
    [
      others.length === 0
        ? wordQuery(atom, languages, suffix)
        : `(${[wordQuery(atom, languages, suffix), ...others].join(' | ')})`,
      0,
    ],
  ]
}
