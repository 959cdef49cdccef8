/**
 * Stems and stop words by language (search.words-all-match, search.stop-words), from libraries that run in this
 * process.
 */
import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as irish } from '@orama/stemmers/irish'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { stopwords as arabicStops } from '@orama/stopwords/arabic'
import { stopwords as bulgarianStops } from '@orama/stopwords/bulgarian'
import { stopwords as danishStops } from '@orama/stopwords/danish'
import { stopwords as dutchStops } from '@orama/stopwords/dutch'
import { stopwords as englishStops } from '@orama/stopwords/english'
import { stopwords as finnishStops } from '@orama/stopwords/finnish'
import { stopwords as frenchStops } from '@orama/stopwords/french'
import { stopwords as germanStops } from '@orama/stopwords/german'
import { stopwords as greekStops } from '@orama/stopwords/greek'
import { stopwords as hungarianStops } from '@orama/stopwords/hungarian'
import { stopwords as italianStops } from '@orama/stopwords/italian'
import { stopwords as norwegianStops } from '@orama/stopwords/norwegian'
import { stopwords as portugueseStops } from '@orama/stopwords/portuguese'
import { stopwords as romanianStops } from '@orama/stopwords/romanian'
import { stopwords as russianStops } from '@orama/stopwords/russian'
import { stopwords as spanishStops } from '@orama/stopwords/spanish'
import { stopwords as swedishStops } from '@orama/stopwords/swedish'
import { stopwords as turkishStops } from '@orama/stopwords/turkish'
import { stopwords as ukrainianStops } from '@orama/stopwords/ukrainian'
import snowball from 'snowball-stemmers'
import { foldCase, withoutAccents } from './fold-text.ts'
import { dutchEnding, nordicEnding, portugueseSingular, spanishSingular } from './regular-forms.ts'

type Stemmer = (word: string) => string

interface Grammar {
  readonly stem: Stemmer
  /** The singular of a plural that the stemmer leaves apart from it; other words as they are. */
  readonly singular: Stemmer
  readonly stopWords: ReadonlySet<string>
  /** Stems of words that were met before: a catalog has the same words again and again. */
  readonly stems: Map<string, readonly string[]>
}

const grammar = (stem: Stemmer, stopWords: readonly string[] = [], singular: Stemmer = (word) => word): Grammar => ({
  stem,
  singular,
  // Many people type them without accents.
  stopWords: new Set(stopWords.map(foldCase).flatMap((word) => [word, withoutAccents(word)])),
  stems: new Map(),
})

const bySnowball = (algorithm: string): Stemmer => {
  const stemmer = snowball.newStemmer(algorithm)
  return (word) => stemmer.stem(word)
}

/** A stemmer, and what its stems have in common beyond it. */
const ending =
  (stem: Stemmer, end: Stemmer): Stemmer =>
  (word) =>
    end(stem(word))

const norse = grammar(ending(norwegian, nordicEnding), norwegianStops)

/** By primary language subtag. */
const grammars: ReadonlyMap<string, Grammar> = new Map([
  ['ar', grammar(arabic, arabicStops)],
  ['bg', grammar(bulgarian, bulgarianStops)],
  ['ca', grammar(bySnowball('catalan'))],
  ['cs', grammar(bySnowball('czech'))],
  ['da', grammar(ending(danish, nordicEnding), danishStops)],
  ['de', grammar(german, germanStops)],
  ['el', grammar(greek, greekStops)],
  ['en', grammar(english, [...englishStops, 'a'])],
  ['es', grammar(spanish, spanishStops, spanishSingular)],
  ['eu', grammar(bySnowball('basque'))],
  ['fi', grammar(finnish, finnishStops)],
  ['fr', grammar(french, frenchStops)],
  ['ga', grammar(irish)],
  ['hu', grammar(hungarian, hungarianStops)],
  ['hy', grammar(armenian)],
  ['it', grammar(italian, italianStops)],
  ['lt', grammar(lithuanian)],
  ['nb', norse],
  ['nl', grammar(ending(dutch, dutchEnding), dutchStops)],
  ['nn', norse],
  ['no', norse],
  ['pt', grammar(portuguese, portugueseStops, portugueseSingular)],
  ['ro', grammar(romanian, romanianStops)],
  ['ru', grammar(russian, russianStops)],
  ['sl', grammar(bySnowball('slovene'))],
  ['sv', grammar(ending(swedish, nordicEnding), swedishStops)],
  ['tr', grammar(turkish, turkishStops)],
  ['uk', grammar(ukrainian, ukrainianStops)],
])

/** Words of a language whose stems are kept; a catalog has hardly more. */
const STEMS_MAX = 50_000

/** The language that decides the stems of a tag: its first subtag. */
export function primaryLanguage(tag: string): string {
  const end = tag.indexOf('-')
  return (end < 0 ? tag : tag.slice(0, end)).toLowerCase()
}

/**
 * The stems of a word of `foldCase` in a language, without accents: those of the word as it is and without accents, as
 * some people type it, and of its singular. None where the language has no stemmer, nor of codes.
 */
export function stemsOf(word: string, language: string): readonly string[] {
  const grammar = grammars.get(language)
  if (!grammar || word.length < 3) return []
  const known = grammar.stems.get(word)
  if (known) return known
  if (/\d/.test(word)) return []
  const spelt = new Set([word, withoutAccents(word)])
  const forms = new Set([...spelt, ...Array.from(spelt, grammar.singular)])
  const stems = [...new Set(Array.from(forms, (form) => withoutAccents(grammar.stem(form))))].filter(Boolean)
  if (grammar.stems.size >= STEMS_MAX) grammar.stems.clear()
  grammar.stems.set(word, stems)
  return stems
}

/** Whether a word of `foldCase` says nothing in a language, such as "the". */
export function isStopWord(word: string, language: string): boolean {
  return grammars.get(language)?.stopWords.has(word) ?? false
}
