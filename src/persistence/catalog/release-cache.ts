/** Release cache: published releases, their indexes and their documents, in process memory.
 *
 *  A release never changes, so its index (node tree, product order per node), its documents, facets and lists are cached without expiry,
 *  each within a bound of bytes (least recently used first out). Only the set of published releases changes, and the rules that choose
 *  among catalogs; what is known of them is re-read when it is older than MAX_STALE_MS, so a new release is visible on every server
 *  within a second (release.seen-within-a-second). A page of products costs no statement when everything is cached, otherwise at most
 *  two: one for the published releases and a missing index, one for documents. */
import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import { DOCUMENT_CACHE_MB } from '../../config/config.ts'
import type { PriceColumn } from '../../domain/catalog/price-column.ts'
import type { Release } from '../../domain/catalog/release.ts'
import type { WantedRelease } from '../../domain/catalog/wanted-release.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import { cacheLookups } from '../../lib/metrics.ts'
import type { Database } from '../database/database.ts'
import { ListingCache } from './listing-cache.ts'
import { NameOrder } from './name-order.ts'
import { PriceColumns } from './price-columns.ts'
import { ProductSearch } from './product-search.ts'
import { ReadableReleases, type ReadableRows, type ReleaseReader } from './readable-releases.ts'
import { ReleaseContents } from './release-contents.ts'
import { ReleaseDifferences } from './release-differences.ts'
import { ReleaseDocuments } from './release-documents.ts'
import { FacetStore } from './release-facets.ts'
import { type IndexRow, readIndex } from './release-index.ts'
import { Storefronts } from './storefront.ts'

/** Milliseconds after which the set of published releases is re-read before it is used. */
export const MAX_STALE_MS = 1_000
/** Milliseconds after which it is re-read in the background while the current one is still used, so that few requests wait. */
const REFRESH_AFTER_MS = 600
/** Bytes of all cached indexes. */
export const INDEX_BYTES_MAX = 64 * 1024 * 1024

const lookups = cacheLookups('release_indexes')

interface ResolvedRow extends Partial<ReadableRows> {
  readonly release: IndexRow | null
}

interface ReleaseLookup extends WantedRelease {
  readonly now: number
}

/** What one statement found: the set of readable releases, and all indexes that were or are cached. */
interface Resolution {
  readonly readable: ReadableReleases
  readonly releases: ReadonlyMap<string, Release>
}

/** `elapsed` returns milliseconds since an arbitrary instant and never goes back; `documentsMb` bounds decoded documents (MiB). */
interface Options {
  readonly elapsed?: (() => number) | undefined
  readonly documentsMb?: number
}

/** The release cache of one process. */
export class ReleaseCache {
  readonly documents: ReleaseDocuments
  readonly differences: ReleaseDifferences
  readonly facets: FacetStore
  readonly search: ProductSearch
  readonly nameOrder: NameOrder
  readonly storefronts: Storefronts
  readonly listings = new ListingCache()
  private readonly contents: ReleaseContents
  private readonly priceColumns: PriceColumns
  /** An index larger than the bound is cached too, alone, since the request that resolves it needs it. An empty one counts one byte. */
  private readonly indexes = new LRUCache<string, Release>({
    maxSize: INDEX_BYTES_MAX,
    sizeCalculation: ({ sizeInBytes }) => Math.min(Math.max(sizeInBytes, 1), INDEX_BYTES_MAX),
  })
  private readonly elapsed: () => number
  private readable = new ReadableReleases({ readable: null, activations: null, catalogs: null, rules: '' })
  /** When the statement that found `readable` started. */
  private readAt = Number.NEGATIVE_INFINITY
  /** As `readAt`, and in the infinite past after an invalidation. */
  private refreshedAt = Number.NEGATIVE_INFINITY
  private invalidatedAt = Number.NEGATIVE_INFINITY
  private readonly watchers = new Set<() => void>()
  /** One statement for all releases that are wanted at the same time; requests for the same release share it while it runs. */
  private readonly refreshing = new DataLoader<ReleaseLookup, Resolution, string>((wanted) => this.read(wanted), { cacheKeyFn })

  constructor(database: Database, { elapsed = () => performance.now(), documentsMb = DOCUMENT_CACHE_MB }: Options = {}) {
    this.elapsed = elapsed
    this.contents = new ReleaseContents(database)
    const { joinedRead, joinedPriceRead } = this.contents
    this.documents = new ReleaseDocuments(this.contents.database, documentsMb * 1024 * 1024)
    this.differences = new ReleaseDifferences(database)
    this.facets = new FacetStore(joinedRead)
    this.priceColumns = new PriceColumns(joinedPriceRead, database)
    this.search = new ProductSearch(joinedRead, database.bulkheads.searches)
    this.nameOrder = new NameOrder(joinedRead)
    this.storefronts = new Storefronts(database, {
      known: () => ({ readable: this.readable, isYoung: this.elapsed() - this.refreshedAt < MAX_STALE_MS }),
      read: async (catalogId, now) => (await this.refresh({ catalogId, releaseId: 'latest', now })).readable,
    })
  }

  /**
   * The release of a catalog by its id or `latest`; null when the reader finds none (any more). A null `catalogId` stands for any catalog.
   * Throws Unavailable when the database can't be reached and the cache is too old.
   */
  async resolve(catalogId: string | null, releaseId: string, reader: ReleaseReader): Promise<Release | null> {
    const cached = this.getCached(catalogId, releaseId, reader)
    if (cached !== undefined) return cached
    const { readable, releases } = await this.refresh({ catalogId, releaseId, now: reader.now })
    const id = readable.find(catalogId, releaseId, reader)
    if (id === undefined) return null
    // A request that shares the statement may be on the other side of an activation.
    return releases.get(id) ?? (await this.refresh({ catalogId, releaseId: id, now: reader.now })).releases.get(id) ?? null
  }

  /** As `resolve`, from memory alone; undefined when the database has to be read. Starts a refresh after REFRESH_AFTER_MS. */
  getCached(catalogId: string | null, releaseId: string, reader: ReleaseReader): Release | null | undefined {
    const age = this.elapsed() - this.refreshedAt
    if (age >= MAX_STALE_MS) return undefined
    if (age >= REFRESH_AFTER_MS) this.refresh({ catalogId, releaseId, now: reader.now }).catch(() => undefined)
    const id = this.readable.find(catalogId, releaseId, reader)
    if (id === undefined) return null
    return lookups.count(this.indexes.get(id))
  }

  /** The releases as the last statement found them, for what a resolved release needs beside its index. From memory. */
  get known(): ReadableReleases {
    return this.readable
  }

  /** Makes the next request read the database, so that a release or rule that this server has just written shows at once. */
  invalidate(): void {
    this.refreshedAt = Number.NEGATIVE_INFINITY
    this.invalidatedAt = this.elapsed()
    this.refreshing.clearAll()
    for (const watcher of this.watchers) watcher()
  }

  /** Calls `watcher` at each `invalidate`, until the returned function is called. */
  onInvalidate(watcher: () => void): () => void {
    this.watchers.add(watcher)
    return () => this.watchers.delete(watcher)
  }

  /** The prices of a release's products in `currency` over time. One statement when it is not cached. */
  priceColumn(release: Release, currency: string, spend: (points: number) => void): Promise<PriceColumn> {
    return this.priceColumns.load(release, currency, spend)
  }

  private refresh(wanted: ReleaseLookup): Promise<Resolution> {
    return this.refreshing.load(wanted).finally(() => this.refreshing.clear(wanted))
  }

  private async read(wanted: readonly ReleaseLookup[]): Promise<Resolution[]> {
    const startedAt = this.elapsed()
    // Referenced until the statement returns, since the cache may evict them meanwhile.
    const releases = new Map(this.indexes.entries())
    const catalogIds = wanted.map(({ catalogId }) => catalogId)
    const releaseIds = wanted.map(({ releaseId }) => (releaseId === 'latest' ? null : releaseId))
    const instants = wanted.map(({ now }) => formatInstant(now))
    const values = [catalogIds, releaseIds, instants, [...releases.keys()]]
    const { rows, isFromStandby } = await this.contents.list<ResolvedRow>(values, this.refreshedAt > this.invalidatedAt)
    const [{ readable: ids = null, activations = null, catalogs = null, rules = '' } = {}] = rows
    const found = isFromStandby ? this.readable : new ReadableReleases({ readable: ids, activations, catalogs, rules })
    await this.contents.cover(found, this.readable)
    // A statement that started before a later one must not replace what that found. One that an invalidation overtook may: its request
    // needs what is known of its release, and the next request reads again.
    if (!isFromStandby && startedAt >= this.readAt) {
      this.readable = found
      this.readAt = startedAt
    }
    // Of a later statement, if one overtook this one: a request reads what is known beside its release from there.
    const { readable } = this
    for (const row of rows) {
      if (!row.release) continue
      const release = readIndex(row.release)
      releases.set(release.id, release)
      this.indexes.set(release.id, release)
    }
    for (const release of releases.values()) {
      if (isFromStandby || readable.hasStayed(release)) continue
      releases.delete(release.id)
      this.indexes.delete(release.id)
    }
    if (startedAt > this.refreshedAt && startedAt > this.invalidatedAt) this.refreshedAt = isFromStandby ? this.elapsed() : startedAt
    return wanted.map(() => ({ readable, releases }))
  }
}

const cacheKeyFn = ({ catalogId, releaseId }: ReleaseLookup): string => `${catalogId} ${releaseId}`
