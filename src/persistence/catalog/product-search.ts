/**
 * Product search: which documents of a release match a text, and how well, cached within bounded memory. A release never changes, so what
 * a search found never expires.
 *
 * SQL (search-sql.ts), since Prisma has neither ranks of a full-text search nor trigrams. */
import { LRUCache } from 'lru-cache'
import type { Release } from '../../domain/catalog/release.ts'
import { SearchScores } from '../../domain/catalog/search-scores.ts'
import { searchWords, similarAnchors, withUmlauts } from '../../domain/catalog/search-words.ts'
import { searchedLanguages } from '../../domain/language/language.ts'
import { cacheLookups } from '../../lib/metrics.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import type { Bulkhead } from '../database/bulkhead.ts'
import { throwTranslated } from '../database/failures.ts'
import type { JoinedRead } from '../database/joined-reads.ts'
import { searchDocuments, searchSimilarDocuments } from './search-sql.ts'

/** Bytes of all cached results. A result of more is not cached. */
const SEARCHES_BYTES_MAX = 16 * 1024 * 1024

/** Words of a search that may be misspelt. */
const SIMILAR_WORDS_MAX = 8
/** Words of the catalog, of which there are hardly more than products, that a word of a search is compared with, per point of work. */
const WORDS_PER_POINT = 15
/** SKUs that a misspelt one is compared with, per point. No index serves, since any part of it may be wrong. */
const SKUS_PER_POINT = 4

/** Documents that a search finds and ranks, of any release, per point: three microseconds each. */
const FOUND_PER_POINT = 1.5
/** Points of what a search finds at most, so that a word that all products have can be searched for in any store. */
const FOUND_POINTS_MAX = 20_000

/** The request that searches. */
export interface Searcher {
  /** Whose turn it takes: the subject of the request's token. */
  readonly owner: string
  readonly spend: (points: number) => void
  /** Throws when the request has ended or exceeded a limit: what it still waits for is not searched. */
  readonly assertActive: () => void
}

const lookups = cacheLookups('searches')

/** The sequence that stands for that of a draft, which has the words of the release published last: no word ends before it. */
const LAST_SEQUENCE = 2 ** 31 - 1

const none = new SearchScores(new Int32Array(), new Float32Array())

interface Found {
  readonly scores: SearchScores
  /** The number of documents of any release that were found and ranked. */
  readonly ranked: number
}

/** The searches of one process. */
export class ProductSearch {
  private readonly cache = new LRUCache<string, SearchScores>({
    maxSize: SEARCHES_BYTES_MAX,
    sizeCalculation: ({ documents }, key) => documents.length * 8 + key.length * 2 + 500,
  })
  private readonly searches = new SingleFlight<string, SearchScores>()

  constructor(
    private readonly query: JoinedRead,
    private readonly turns: Bulkhead,
  ) {}

  /**
   * What matches `text` in the default texts or in those of the languages that `acceptLanguage` accepts. A misspelt word is looked for only
   * when nothing has the words as they are (search.misspelt-when-nothing-matches); that and what is found are work of `searcher`. One
   * statement for a search that is not cached, two when nothing has its words.
   */
  async find(release: Release, text: string, acceptLanguage: string | null, searcher: Searcher): Promise<SearchScores> {
    const words = searchWords(text)
    if (words.length === 0 || release.allProducts.documents.length === 0) return none
    const languages = searchedLanguages(acceptLanguage)
    const key = [release.id, release.sequence, languages.join(), words.join(' ')].join('\n')
    const umlauts = languages.some((language) => /^de\b/.test(language)) ? words.map(withUmlauts) : []
    const hasUmlauts = umlauts.some((word) => word !== null)
    const run = (name: string, sql: typeof searchDocuments, values: readonly unknown[]) =>
      hasUmlauts
        ? this.run(release, `${name}_with_umlauts`, sql.withUmlauts, [...values, umlauts])
        : this.run(release, name, sql.plain, values)
    const exact = await this.once(key, searcher, () => run('product_search', searchDocuments, [words, languages]))
    if (exact.documents.length > 0 || words.length > SIMILAR_WORDS_MAX) return exact
    const similarKey = `similar\n${key}`
    const mayBeCode = words.some((word) => /\p{N}/u.test(word))
    const products = release.allProducts.documents.length
    if (!this.cache.has(similarKey) && !this.searches.get(similarKey))
      searcher.spend((words.length * products) / WORDS_PER_POINT + (mayBeCode ? products / SKUS_PER_POINT : 0))
    return this.once(similarKey, searcher, () => {
      const values = [
        words,
        languages,
        JSON.stringify(words.map(similarAnchors)),
        mayBeCode,
        release.catalogId,
        release.isDraft ? LAST_SEQUENCE : release.sequence,
      ]
      return run('product_search_similar', searchSimilarDocuments, values)
    })
  }

  /** What is cached, or another request finds, or else what `search` finds in turn. */
  private async once(key: string, { owner, spend, assertActive }: Searcher, search: () => Promise<Found>): Promise<SearchScores> {
    for (;;) {
      const cached = lookups.count(this.cache.get(key))
      if (cached) return cached
      const running = this.searches.get(key)
      if (!running) break
      // The other request may have ended before its turn.
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

  private async run(release: Release, name: string, sql: string, values: readonly unknown[]): Promise<Found> {
    const rows = await this.query(name, sql, values).catch(throwTranslated)
    const [documents, scores] = JSON.parse(rows[0]?.body ?? '') as [documents: number[], scores: number[]]
    const isListed = documents.map((document) => release.allProducts.positionOf(document) >= 0)
    const listed = (_: number, at: number) => isListed[at] === true
    const found = new SearchScores(Int32Array.from(documents.filter(listed)), Float32Array.from(scores.filter(listed)))
    return { scores: found, ranked: documents.length }
  }
}
