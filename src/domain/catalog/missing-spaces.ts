/** Spaces that a search lacks around text of scripts with few spaces (search.missing-spaces). Pure. */
import { type Atom, type Chunk, charactersOf } from '../language/words.ts'
import type { Alternatives, SearchQuestion } from './search-question.ts'
import { runQuery } from './word-query.ts'

/** Characters of the shortest parts of a run in scripts that have spaces between some words. */
const HANGUL_PART_MIN = 2
const KANA_PART_MIN = 3
const hangul = /^\p{Script=Hangul}+$/u
const kana = /^[\p{Script=Hiragana}\u30fc]+$/u
/** Particles that Korean writes at the end of a word, and the long vowel that Japanese may leave out there. */
const PARTICLE = /(?<=..)[을를이가은는의에도만로와과ー]$/u

/** The question with a space where such a script begins and ends: 삼성tv is 삼성 and tv. */
export function withSpaces(question: SearchQuestion): SearchQuestion {
  return { ...question, chunks: question.chunks.flatMap((chunk) => (chunk.some(isMixed) ? spaced(chunk) : [chunk])) }
}

function isMixed(group: readonly Atom[]): boolean {
  return group.length > 1 && group.some(isLongRun)
}

function isLongRun(atom: Atom): boolean {
  return atom.kind === 'run' && charactersOf(atom).length > 1
}

function spaced(chunk: Chunk): Chunk[] {
  const parts: Atom[][] = []
  for (const group of chunk)
    for (const [at, atom] of group.entries()) {
      const before = group[at - 1]
      if (before && !isLongRun(before) && !isLongRun(atom)) parts.at(-1)?.push(atom)
      else parts.push([atom])
    }
  return parts.map((part) => [part])
}

/** Queries of what runs may mean that have no space: the two words they begin and end with, and Korean particles. */
export function partsOfRuns({ chunks }: SearchQuestion): Alternatives {
  const found = new Map<Atom, string[]>()
  for (const [atom, second] of chunks.map((chunk) => chunk.flat()))
    if (atom?.kind === 'run' && !second) {
      const queries = partQueries(atom.plain)
      if (queries.length > 0) found.set(atom, queries)
    }
  return found
}

function partQueries(run: string): string[] {
  const characters = [...run.replace(PARTICLE, '')]
  const queries = characters.length < [...run].length ? [runQuery(characters)] : []
  const shortest = hangul.test(run) ? HANGUL_PART_MIN : kana.test(run) ? KANA_PART_MIN : null
  if (shortest === null) return queries
  for (let at = shortest; at <= characters.length - shortest; at++)
    queries.push(`(${runQuery(characters.slice(0, at))} & ${runQuery(characters.slice(at))})`)
  return queries
}
