/**
 * Product search: which documents of a release match a text, and how well, cached within bounded memory. A release
 * never changes, so results never expire.
 *
 * SQL (search-sql.ts), since Prisma has no full-text ranks.
 */
import { LRUCache } from 'lru-cache'
import { SearchScores } from '../../domain/catalog/listing-columns.ts'
import { partsOfRuns, withSpaces } from '../../domain/catalog/missing-spaces.ts'
import type { Release } from '../../domain/catalog/release.ts'
import {
  type Alternatives,
  queriesOf,
  questionKey,
  questionOf,
  type SearchQuestion,
  searchLanguages,
} from '../../domain/catalog/search-question.ts'
import type { SearchLanguages } from '../../domain/catalog/word-query.ts'
import { searchedLanguages } from '../../domain/language/language.ts'
import { cacheLookups } from '../../lib/metrics.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Bulkhead } from '../database/bulkhead.ts'
import type { ReleaseTexts } from './release-texts.ts'
import { ReleaseVocabulary } from './release-vocabulary.ts'
import { searchDocuments } from './search-sql.ts'

/** Bytes of all cached results. A larger result is not cached. */
const SEARCHES_BYTES_MAX = 16 * 1024 * 1024

/** A search of more words is not corrected. */
const SIMILAR_WORDS_MAX = 8
/**
 * Words of the catalog that a searched word is compared with, per point of work. A catalog has hardly more words than
 * products.
 */
const WORDS_PER_POINT = 15
/** SKUs that a misspelt one is compared with, per point. No index helps, since any part of it may be wrong. */
const SKUS_PER_POINT = 4

/** Documents that a search finds and ranks, of any release, per point: three microseconds each. */
const FOUND_PER_POINT = 1.5
/** Maximum points for what a search finds, so that a word that all products have can be searched for in any store. */
const FOUND_POINTS_MAX = 20_000

/** The request that searches. */
export interface Searcher {
  /** The owner of its turn in the bulkhead: the subject of the request's token. */
  readonly owner: string
  readonly spend: (points: number) => void
  /** Throws when the request has ended or exceeded a limit, so that its waiting searches do not run. */
  readonly assertActive: () => void
}

const lookups = cacheLookups('searches')

const none = new SearchScores(new Int32Array(), new Float32Array())

interface Found {
  readonly scores: SearchScores
  /** The number of documents of any release that were found and ranked. */
  readonly ranked: number
}

const nothing: Found = { scores: none, ranked: 0 }

/** The searches of one process. */
export class ProductSearch {
  private readonly cache = new LRUCache<string, SearchScores>({
    maxSize: SEARCHES_BYTES_MAX,
    sizeCalculation: ({ documents }, key) => documents.length * 8 + key.length * 2 + 500,
  })
  private readonly searches = new SingleFlight<string, SearchScores>()

  private readonly vocabulary: ReleaseVocabulary

  constructor(
    private readonly texts: ReleaseTexts,
    private readonly turns: Bulkhead,
  ) {
    this.vocabulary = new ReleaseVocabulary(texts)
  }

  /**
   * The documents that match `text` in the default texts or in a language that `acceptLanguage` accepts. Misspelt words
   * are corrected only when nothing has the words as they are (search.misspelt-when-nothing-matches). The correction
   * and the results count as work of `searcher`. One statement for a search that is not cached; when nothing has its
   * words, one more and those that read the words and codes of the release.
   */
  async find(release: Release, text: string, acceptLanguage: string | null, searcher: Searcher): Promise<SearchScores> {
    const question = questionOf(text)
    if (question.chunks.length === 0 || release.allProducts.documents.length === 0) return none
    const { storeLanguage } = this.texts.analyser
    const languages = searchLanguages(searchedLanguages(acceptLanguage), storeLanguage)
    const key = [release.id, languages.tags.join(), questionKey(question)].join('\n')
    const exact = await this.once(key, searcher, () => this.run(release, question, languages))
    const words = question.chunks.flat().length
    if (exact.documents.length > 0 || words > SIMILAR_WORDS_MAX) return exact
    const similarKey = `similar\n${key}`
    const mayBeCode = /\p{N}/u.test(question.code)
    const products = release.allProducts.documents.length
    if (!this.cache.has(similarKey) && !this.searches.get(similarKey))
      searcher.spend((words * products) / WORDS_PER_POINT + (mayBeCode ? products / SKUS_PER_POINT : 0))
    return this.once(similarKey, searcher, () => this.findSimilar(release, question, languages, mayBeCode))
  }

  /** The cached result, the result of a running search, or else that of `search`, run in turn. */
  private async once(
    key: string,
    { owner, spend, assertActive }: Searcher,
    search: () => Promise<Found>,
  ): Promise<SearchScores> {
    for (;;) {
      const cached = lookups.count(this.cache.get(key))
      if (cached) return cached
      const running = this.searches.get(key)
      if (!running) break
      // It fails if its request ended before its turn.
      const found = await running.catch(() => null)
      if (found) return found
      assertActive()
    }
    return this.searches.run(key, () =>
      this.turns.run(owner, async () => {
        assertActive()
        const { scores, ranked } = await search()
        this.cache.set(key, scores)
        spend(Math.min(ranked / FOUND_PER_POINT, FOUND_POINTS_MAX))
        return scores
      }),
    )
  }

  private async findSimilar(
    release: Release,
    question: SearchQuestion,
    languages: SearchLanguages,
    mayBeCode: boolean,
  ): Promise<Found> {
    const [words, codes] = await Promise.all([
      this.vocabulary.words(release),
      mayBeCode ? this.vocabulary.codes(release) : null,
    ])
    const spaced = withSpaces(question)
    const alternatives = new Map([...words.alternativesOf(question, languages), ...partsOfRuns(spaced)])
    const isOther = alternatives.size > 0 || spaced.chunks.length > question.chunks.length
    const found = isOther ? await this.run(release, spaced, languages, alternatives) : nothing
    const similar = codes?.similarTo(question.code) ?? new Map<number, number>()
    return { scores: withCodes(found.scores, similar), ranked: found.ranked + similar.size }
  }

  private async run(
    release: Release,
    question: SearchQuestion,
    languages: SearchLanguages,
    alternatives?: Alternatives,
  ): Promise<Found> {
    const queries = queriesOf(question, languages, alternatives)
    const { anywhere, inTags, inName, wholeInName, equalName, equalCode, optional, asTheyAre } = queries
    const values = [languages.tags, anywhere, inTags, inName, wholeInName, equalName, equalCode, optional, asTheyAre]
    const rows = await this.texts.read(
      release,
      'product_search',
      searchDocuments,
      values,
      ([row]) => row?.key === 'true',
    )
    const [documents, scores] = JSON.parse(rows[0]?.body ?? '') as [documents: number[], scores: number[]]
    const isListed = documents.map((document) => release.allProducts.positionOf(document) >= 0)
    const listed = (_: number, at: number) => isListed[at] === true
    const found = new SearchScores(Int32Array.from(documents.filter(listed)), Float32Array.from(scores.filter(listed)))
    return { scores: found, ranked: documents.length }
  }
}

/** The documents that a search found, and those whose codes are similar to it. */
function withCodes(found: SearchScores, similar: ReadonlyMap<number, number>): SearchScores {
  if (similar.size === 0) return found
  const scores = new Map(Array.from(found.documents, (document) => [document, found.scoreOf(document)]))
  for (const [document, score] of similar) scores.set(document, Math.max(score, scores.get(document) ?? 0))
  const documents = Int32Array.from(scores.keys()).sort()
  return new SearchScores(
    documents,
    Float32Array.from(documents, (document) => scores.get(document) ?? 0),
  )
}
