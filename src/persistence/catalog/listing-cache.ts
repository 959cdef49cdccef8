/** Listing cache: the parts of listings of releases in process memory. Each part is an LRU cache bounded in bytes. */
import { LRUCache } from 'lru-cache'
import type { CountedFacet } from '../../domain/catalog/facet.ts'
import { type ListingScope, type ScopeName, scopeOf } from '../../domain/catalog/listing-scope.ts'
import { type PriceColumn, type PriceSnapshot, snapshotOf, withOrder } from '../../domain/catalog/price-snapshot.ts'
import type { Release } from '../../domain/catalog/release.ts'
import type { Effort } from '../../lib/effort.ts'
import { SingleFlight } from '../../lib/single-flight.ts'
import { type Valid, ValidityCache } from './validity-cache.ts'

const MEGABYTE = 1024 * 1024
/** Bytes of all cached scopes, price snapshots, lists and facets. */
const SCOPES_BYTES_MAX = 8 * MEGABYTE
const PRICES_BYTES_MAX = 24 * MEGABYTE
const LISTS_BYTES_MAX = 8 * MEGABYTE
const FACET_COUNTS_BYTES_MAX = 4 * MEGABYTE

/** The documents of a list, in its order. */
export interface ListedDocuments extends Valid {
  readonly documents: Int32Array
}

/** A request for the prices of a scope. */
interface WantedPrices {
  /** Names release, scope and currency. */
  readonly key: string
  readonly scope: ListingScope
  readonly column: PriceColumn
  readonly instant: number
  /** Whether their order is wanted too. */
  readonly isOrdered: boolean
}

/** The cache of one process. */
export class ListingCache {
  readonly lists = new ValidityCache<ListedDocuments>(
    'lists',
    LISTS_BYTES_MAX,
    ({ documents }) => documents.byteLength + 200,
  )
  readonly facets = new ValidityCache<CountedFacet & Valid>(
    'facet_counts',
    FACET_COUNTS_BYTES_MAX,
    ({ values }) => 300 + 150 * values.length,
  )
  private readonly prices = new ValidityCache<PriceSnapshot>(
    'price_orders',
    PRICES_BYTES_MAX,
    ({ amounts, onSale, changes, ascending }) =>
      amounts.byteLength + onSale.byteLength + changes.byteLength + (ascending?.byteLength ?? 0) + 500,
  )
  private readonly computing = new SingleFlight<string, PriceSnapshot>()
  private readonly scopes = new LRUCache<string, ListingScope>({
    maxSize: SCOPES_BYTES_MAX,
    // Ranks take 4 bytes each, the pairs that find a position 8 (ProductOrder).
    sizeCalculation: ({ order, ranks }) =>
      Math.min(SCOPES_BYTES_MAX, order.documents.byteLength + ranks.byteLength * 3 + 500),
  })

  /** The scope of a hierarchy, a node or the release (scopeOf). */
  scope(release: Release, name: ScopeName): ListingScope {
    const key = `${release.id} ${name.scope ?? ''} ${name.descendants}`
    const cached = this.scopes.get(key)
    if (cached) return cached
    const found = scopeOf(release, name)
    this.scopes.set(key, found)
    return found
  }

  /**
   * The prices of a scope at an instant. Concurrent requests for the same prices wait for the first; its failure does
   * not fail them.
   */
  async pricesOf(wanted: WantedPrices, effort: Effort): Promise<PriceSnapshot> {
    const { key, instant, isOrdered } = wanted
    for (;;) {
      const found = this.prices.find(key, instant)
      if (found && (!isOrdered || found.ascending)) return found
      const running = this.computing.get(key)
      if (!running) return this.computing.run(key, () => this.compute(wanted, effort))
      await running.catch(() => undefined)
    }
  }

  private async compute(wanted: WantedPrices, effort: Effort): Promise<PriceSnapshot> {
    const { key, scope, column, instant, isOrdered } = wanted
    const at = { column, documents: scope.order.documents, instant }
    let snapshot = this.prices.find(key, instant)
    snapshot ??= await snapshotOf(at, this.prices.before(key, instant), effort)
    if (isOrdered && !snapshot.ascending) snapshot = await withOrder(snapshot, effort)
    this.prices.add(key, snapshot)
    return snapshot
  }
}
