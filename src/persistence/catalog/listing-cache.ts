/**
 * Listing cache: what listings of releases are made of, in process memory; each part within a bound of bytes (least recently used first
 * out).
 */
import { LRUCache } from 'lru-cache'
import type { CountedFacet } from '../../domain/catalog/facet.ts'
import { orderByKey, type Pause } from '../../domain/catalog/listing-order.ts'
import { type ListingScope, orderWithDescendants, scopeOf } from '../../domain/catalog/listing-scope.ts'
import type { PriceColumn } from '../../domain/catalog/price-column.ts'
import { advance, changedBy, emptySnapshot, type PriceSnapshot, readPrices, withValidity } from '../../domain/catalog/price-snapshot.ts'
import type { Release } from '../../domain/catalog/release.ts'
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

/** How a computation that may take long lets others run, and counts itself as work; a point is about five microseconds. */
export interface Effort {
  readonly pause: Pause
  readonly spend: (points: number) => void
}

/** Products whose prices are read, or changed at one turn, without a pause: about five milliseconds. */
const CHUNK = 10_000
/** Products per point: reading a price takes about a quarter of a microsecond, sorting it as much. */
const PRICES_PER_POINT = 20

/** The prices of a scope that are wanted. */
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
  readonly lists = new ValidityCache<ListedDocuments>('lists', LISTS_BYTES_MAX, ({ documents }) => documents.byteLength + 200)
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
    // The ranks of an order and what finds a position in it.
    sizeCalculation: ({ order, ranks }) => Math.min(SCOPES_BYTES_MAX, order.documents.byteLength + ranks.byteLength * 3 + 500),
  })

  /** The scope of a hierarchy, a node or the release; with `descendants` that of a node has the products below it too. */
  scope(release: Release, id: string, descendants: boolean): ListingScope {
    const key = `${release.id} ${id} ${descendants}`
    const cached = this.scopes.get(key)
    if (cached) return cached
    const isInner = descendants && release.nodes.get(id)?.parentId != null && release.childrenOf(id).length > 0
    const found = scopeOf(release, isInner ? orderWithDescendants(release, id) : release.productOrder(id))
    this.scopes.set(key, found)
    return found
  }

  /** The prices of a scope at an instant. Requests that want the same at once wait for the first, which does not depend on its end. */
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

  private async compute(wanted: WantedPrices, { pause, spend }: Effort): Promise<PriceSnapshot> {
    const { key, scope, column, instant, isOrdered } = wanted
    const { documents } = scope.order
    let snapshot = this.prices.find(key, instant)
    const before = snapshot ? undefined : this.prices.before(key, instant)
    const changed = before && changedBy(before, instant)
    if (before && changed && changed.length <= CHUNK) {
      spend((changed.length * 4) / PRICES_PER_POINT + documents.length / 1_000)
      snapshot = advance(before, changed, column, documents, instant)
    } else if (!snapshot) {
      spend(documents.length / PRICES_PER_POINT)
      const read = emptySnapshot(documents.length, instant)
      for (let start = 0; start < documents.length; start += CHUNK) {
        readPrices(read, column, documents, instant, start, Math.min(start + CHUNK, documents.length))
        await pause()
      }
      snapshot = withValidity(read)
    }
    if (isOrdered && !snapshot.ascending) {
      spend(documents.length / PRICES_PER_POINT)
      const positions = documents.map((_, position) => position)
      snapshot = { ...snapshot, ascending: await orderByKey(positions, snapshot.amounts, pause) }
    }
    this.prices.add(key, snapshot)
    return snapshot
  }
}
