/**
 * Release cache: published releases, their indexes and their documents, in process memory.
 *
 * A release never changes, so its index (node tree, product order per node), documents, facets and lists are cached
 * without expiry, each in an LRU cache bounded in bytes. Only the set of published releases and the catalog rules
 * change. What is known of them is read again when it is older than MAX_STALE_MS, so every server sees a new release
 * within a second (release.seen-within-a-second). A page of products takes no statement when everything is cached; how
 * many otherwise says src/graphql/README.md, "Statements of a page".
 */
import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import { DOCUMENT_CACHE_MB, STORE_LANGUAGE } from '../../config/config.ts'
import type { PriceColumn } from '../../domain/catalog/price-snapshot.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { analyserOf } from '../../domain/catalog/search-text.ts'
import { cacheLookups } from '../../lib/metrics.ts'
import type { Database } from '../database/database.ts'
import { type CatalogReader, ConfidentialCatalogs } from './confidential-catalogs.ts'
import { InstantOrder } from './instant-order.ts'
import { ListingCache } from './listing-cache.ts'
import { NameOrder } from './name-order.ts'
import { PriceColumns } from './price-columns.ts'
import { ProductSearch } from './product-search.ts'
import { ReadableReleases, type ReleaseReader } from './readable-releases.ts'
import { ReleaseContents, type ReleaseLookup } from './release-contents.ts'
import { ReleaseDifferences } from './release-differences.ts'
import { ReleaseDocuments } from './release-documents.ts'
import { FacetStore } from './release-facets.ts'
import {
  isServed,
  type Knowledge,
  type KnowledgeEvent,
  standbyMayServe,
  transition,
  unknown,
} from './release-knowledge.ts'
import { ReleaseNames } from './release-names.ts'
import { ReleaseTexts } from './release-texts.ts'
import { Storefronts } from './storefront.ts'

/** Bytes of all cached indexes. */
export const INDEX_BYTES_MAX = 64 * 1024 * 1024

const lookups = cacheLookups('release_indexes')

/** What one statement found: the readable releases, and the indexes that were cached or that it read. */
interface Resolution {
  readonly readable: ReadableReleases
  readonly releases: ReadonlyMap<string, Release>
}

/**
 * `elapsed` returns milliseconds since an arbitrary instant and never goes back; `documentsMb` bounds decoded documents
 * (MiB); `storeLanguage` is that of texts without a tag.
 */
interface Options {
  readonly elapsed?: (() => number) | undefined
  readonly documentsMb?: number
  readonly storeLanguage?: string
}

/** The release cache of one process. */
export class ReleaseCache {
  readonly documents: ReleaseDocuments
  readonly differences: ReleaseDifferences
  readonly facets: FacetStore
  readonly search: ProductSearch
  readonly names: ReleaseNames
  readonly nameOrder: NameOrder
  readonly instantOrder: InstantOrder
  readonly storefronts: Storefronts
  readonly confidential: ConfidentialCatalogs
  readonly listings = new ListingCache()
  private readonly contents: ReleaseContents
  private readonly priceColumns: PriceColumns
  /**
   * An index larger than the bound is cached too, alone, since the request that resolves it needs it. An empty one
   * counts one byte.
   */
  private readonly indexes = new LRUCache<string, Release>({
    maxSize: INDEX_BYTES_MAX,
    sizeCalculation: ({ sizeInBytes }) => Math.min(Math.max(sizeInBytes, 1), INDEX_BYTES_MAX),
  })
  private readonly elapsed: () => number
  private readable = new ReadableReleases()
  /** Whether `readable` may be served. */
  private knowledge: Knowledge = unknown
  private readonly watchers = new Set<() => void>()
  /**
   * One statement for all releases that are wanted at the same time; requests for the same release share it while it
   * runs.
   */
  private readonly refreshing = new DataLoader<ReleaseLookup, Resolution, string>((wanted) => this.read(wanted), {
    cacheKeyFn,
  })

  constructor(
    database: Database,
    {
      elapsed = () => performance.now(),
      documentsMb = DOCUMENT_CACHE_MB,
      storeLanguage = STORE_LANGUAGE,
    }: Options = {},
  ) {
    this.elapsed = elapsed
    this.contents = new ReleaseContents(database)
    const { joinedRead, joinedPriceRead } = this.contents
    this.documents = new ReleaseDocuments(this.contents.database, documentsMb * 1024 * 1024)
    this.differences = new ReleaseDifferences(database)
    this.facets = new FacetStore(joinedRead)
    this.priceColumns = new PriceColumns(joinedPriceRead, database)
    const texts = new ReleaseTexts(joinedRead, database, analyserOf(storeLanguage))
    this.search = new ProductSearch(texts, database.bulkheads.searches)
    this.names = new ReleaseNames(texts)
    this.nameOrder = new NameOrder(texts, database)
    this.instantOrder = new InstantOrder(joinedRead)
    this.storefronts = new Storefronts(database, {
      known: () => ({ readable: this.readable, isYoung: isServed(this.on('wanted')) }),
      read: async (catalogId, now) => (await this.refresh({ catalogId, releaseId: 'latest', now })).readable,
    })
    this.confidential = new ConfidentialCatalogs(this.storefronts, () => this.readable)
  }

  /**
   * The release of a catalog by its id or `latest`; null when the reader finds none, or when the catalog does not exist
   * for the reader (catalog.confidential-by-proof). A null `catalogId` stands for any
   * catalog. Throws Unavailable when the database can't be reached and the cache is too old.
   */
  async resolve(catalogId: string | null, releaseId: string, reader: ReleaseReader): Promise<Release | null> {
    const cached = this.getCached(catalogId, releaseId, reader)
    if (cached !== undefined) return cached
    const { readable, releases } = await this.refresh({ catalogId, releaseId, now: reader.now })
    const id = readable.find(catalogId, releaseId, reader)
    const owner = readable.catalogOf(catalogId, releaseId)
    if (id === undefined || owner === undefined || !(await this.confidential.has(owner, reader, readable))) return null
    // The statement may have run for a request whose `now` is on the other side of an activation.
    return (
      releases.get(id) ?? (await this.refresh({ catalogId, releaseId: id, now: reader.now })).releases.get(id) ?? null
    )
  }

  /** Whether a catalog exists for a reader, published or not (catalog.confidential-by-proof). */
  async hasCatalog(catalogId: string, reader: CatalogReader): Promise<boolean> {
    // Finds what is confidential by now.
    await this.resolve(catalogId, 'latest', { ...reader, readsAll: false, proof: null })
    return this.confidential.has(catalogId, reader)
  }

  /** A release that is in memory, for writes that know by themselves that it may be read. */
  inMemory(id: string): Release | undefined {
    return this.indexes.get(id)
  }

  /** As `resolve`, from memory alone; undefined when the database has to be read. */
  getCached(catalogId: string | null, releaseId: string, reader: ReleaseReader): Release | null | undefined {
    const known = this.on('wanted')
    if (!isServed(known)) return undefined
    if (known.state === 'AGEING') this.refresh({ catalogId, releaseId, now: reader.now }).catch(() => undefined)
    const id = this.readable.find(catalogId, releaseId, reader)
    const owner = this.readable.catalogOf(catalogId, releaseId)
    if (id === undefined || owner === undefined) return null
    const isSeen = this.confidential.hasCached(owner, reader)
    if (!isSeen) return isSeen === undefined ? undefined : null
    return lookups.count(this.indexes.get(id))
  }

  /** The releases as the last statement found them, for what a resolved release needs beside its index. From memory. */
  get known(): ReadableReleases {
    return this.readable
  }

  /**
   * Makes the next request read the database, so that a release or rule that this server has just written shows at
   * once.
   */
  invalidate(): void {
    this.on('written')
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
    const begunAt = this.elapsed()
    const mayUseStandby = standbyMayServe(this.on('begun', begunAt))
    // Held until the statement returns, since the cache may evict them meanwhile.
    const releases = new Map(this.indexes.entries())
    const found = await this.contents.list(wanted, [...releases.keys()], mayUseStandby).catch((error) => {
      this.on('failed')
      throw error
    })
    const isFromStandby = found.readable === null
    const { readAt } = this.on({ begunAt, isFromStandby })
    if (found.readable && readAt === begunAt) this.readable = found.readable
    for (const release of found.indexes) {
      releases.set(release.id, release)
      this.indexes.set(release.id, release)
    }
    // If a later statement overtook this one, its releases count: a request reads them beside the index.
    const { readable } = this
    for (const release of releases.values()) {
      if (isFromStandby || readable.hasStayed(release)) continue
      releases.delete(release.id)
      this.indexes.delete(release.id)
    }
    return wanted.map(() => ({ readable, releases }))
  }

  private on(event: KnowledgeEvent, now = this.elapsed()): Knowledge {
    this.knowledge = transition(this.knowledge, event, now)
    return this.knowledge
  }
}

const cacheKeyFn = ({ catalogId, releaseId }: ReleaseLookup): string => `${catalogId} ${releaseId}`
