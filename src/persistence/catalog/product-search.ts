/**
 * Product search: which documents of a release match a text, and how well, cached within bounded memory.
 *
 *  A release never changes, so what a search found never expires; the least recently used ones are evicted. */
import { LRUCache } from 'lru-cache'
import type { Release } from '../../domain/catalog/release.ts'
import { oneMistakePatterns, searchWords } from '../../domain/catalog/search-words.ts'
import { searchedLanguages } from '../../domain/language/language.ts'
import type { Database } from '../database/database.ts'
import { translateFailure } from '../database/failures.ts'
import { searchDocuments, searchSimilarDocuments } from './search-sql.ts'

/** Bytes of all cached results. A result of more is not cached. */
export const SEARCHES_BYTES_MAX = 16 * 1024 * 1024

/** Words of a search that may be misspelt; each is compared with every word of all names. */
const SIMILAR_WORDS_MAX = 8

/** The score of each document found; the higher, the better it matches. */
export type SearchScores = ReadonlyMap<number, number>

interface FoundRow {
  readonly documents: readonly number[]
  readonly scores: readonly number[]
}

const none: SearchScores = new Map()

/** The searches of one process. */
export class ProductSearch {
  private readonly cache = new LRUCache<string, SearchScores>({
    maxSize: SEARCHES_BYTES_MAX,
    sizeCalculation: ({ size }, key) => size * 40 + key.length * 2 + 500,
  })
  private readonly running = new Map<string, Promise<SearchScores>>()

  constructor(private readonly database: Database) {}

  /**
   * What matches `text` in the default texts or in those of the languages that `acceptLanguage` accepts. A misspelt word is looked for
   * only when nothing has the words as they are. One statement for a search that is not cached, two when nothing has its words.
   */
  async find(release: Release, text: string, acceptLanguage: string | null): Promise<SearchScores> {
    const words = searchWords(text)
    if (words.length === 0 || release.allProducts.documents.length === 0) return none
    const languages = searchedLanguages(acceptLanguage)
    const key = [release.id, languages.join(), words.join(' ')].join('\n')
    const cached = this.cache.get(key)
    if (cached) return cached
    const running = this.running.get(key) ?? this.read(release, words, languages).finally(() => this.running.delete(key))
    this.running.set(key, running)
    const found = await running
    this.cache.set(key, found)
    return found
  }

  private async read(release: Release, words: readonly string[], languages: readonly string[]): Promise<SearchScores> {
    const found = await this.run(release, 'product_search', searchDocuments, [words, languages])
    if (found.size > 0 || words.length > SIMILAR_WORDS_MAX) return found
    const patterns = JSON.stringify(words.map(oneMistakePatterns))
    const mayBeCode = words.some((word) => /\p{N}/u.test(word))
    return this.run(release, 'product_search_similar', searchSimilarDocuments, [words, languages, patterns, mayBeCode])
  }

  private async run(release: Release, name: string, sql: string, values: readonly unknown[]): Promise<SearchScores> {
    const rows = await this.database.query<FoundRow>(name, sql, values).catch((error: unknown) => {
      throw translateFailure(error)
    })
    const { documents, scores } = rows[0] as FoundRow
    const found = new Map<number, number>()
    for (const [at, document] of documents.entries()) {
      if (release.allProducts.positionOf(document) >= 0) found.set(document, scores[at] as number)
    }
    return found
  }
}
