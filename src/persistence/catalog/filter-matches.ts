/** Filter matches: the documents that a filter selects in one product order of a release, cached within bounded memory.
 *
 *  A release never changes, so a match never expires; the least recently used ones are evicted. */
import { LRUCache } from 'lru-cache'
import type { Release } from '../../domain/catalog/release.ts'
import type { FilterClause } from '../../domain/input/filter.ts'

/** Bytes of all cached matches. */
export const MATCHES_BYTES_MAX = 4 * 1024 * 1024

/** The matching documents in the order of their scope, and the position of each in the unfiltered order; null: each has its own index. */
export interface MatchingDocuments {
  readonly documents: Int32Array
  readonly positions: Int32Array | null
}

/** Finds the documents for which every clause holds; it may return documents of other releases as well. */
export type SearchDocuments = () => Promise<ReadonlySet<number>>

/** The cache of one process. */
export class FilterMatches {
  private readonly cache = new LRUCache<string, MatchingDocuments>({ maxSize: MATCHES_BYTES_MAX, sizeCalculation: matchBytes })

  /**
   * What matches `clauses` in the order of `scope`, a hierarchy, a node or the release. `search` runs only for a match that is not
   * cached.
   */
  async find(release: Release, scope: string, clauses: readonly FilterClause[], search: SearchDocuments): Promise<MatchingDocuments> {
    const order = release.productOrder(scope)
    if (clauses.length === 0 || order.documents.length === 0) return { documents: order.documents, positions: null }
    const key = `${release.id} ${scope} ${JSON.stringify(clauses)}`
    const cached = this.cache.get(key)
    if (cached) return cached
    const found = await search()
    const positions = Int32Array.from([...found].map((document) => order.positionOf(document)).filter((position) => position >= 0)).sort()
    const matches = { documents: positions.map((position) => order.documents[position] as number), positions }
    this.cache.set(key, matches)
    return matches
  }
}

/** Approximate bytes of an entry: two for a character of the key, the arrays, and a fixed overhead. */
function matchBytes({ documents, positions }: MatchingDocuments, key: string): number {
  return key.length * 2 + documents.byteLength + (positions?.byteLength ?? 0) + 500
}
