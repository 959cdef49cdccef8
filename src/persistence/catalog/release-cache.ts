/** Release cache: published releases, their indexes and their documents, in process memory.
 *
 *  A release never changes, so its index (node tree, product order per node), its documents, facets and lists are cached without
 *  expiry, each within a bound of bytes (least recently used first out). Only the set of published releases changes; it is re-read when it
 *  is older than MAX_STALE_MS, so a new release is visible on every server within a second (release.seen-within-a-second). A page of
 *  products costs no statement when everything is cached, otherwise at most two: one for the published releases and a missing index, one
 *  for documents. */
import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { PriceColumn } from '../../domain/catalog/price-column.ts'
import { ProductOrder, type PublicCatalog, Release, type ReleaseNode } from '../../domain/catalog/release.ts'
import type { Locales } from '../../domain/language/locale.ts'
import type { Database } from '../database/database.ts'
import { translateFailure } from '../database/failures.ts'
import { ListingCache } from './listing-cache.ts'
import { NameOrder } from './name-order.ts'
import { PriceColumns } from './price-columns.ts'
import { ProductSearch, type SearchScores } from './product-search.ts'
import { ReleaseDocuments } from './release-documents.ts'
import { FacetStore } from './release-facets.ts'
import { resolveReleases } from './release-sql.ts'

/** Milliseconds after which the set of published releases is re-read before it is used. */
export const MAX_STALE_MS = 1_000
/** Milliseconds after which it is re-read in the background while the current one is still used, so that few requests wait. */
export const REFRESH_AFTER_MS = 600
/** Bytes of all cached indexes. */
export const INDEX_BYTES_MAX = 64 * 1024 * 1024

interface PublishedRow {
  readonly id: string
  readonly catalog_id: string
  readonly latest: boolean
}

interface ResolvedRow {
  readonly published: readonly PublishedRow[] | null
  readonly release: IndexRow | null
}

interface WantedRelease {
  readonly catalogId: string | null
  readonly releaseId: string
}

interface IndexRow {
  readonly id: string
  readonly catalog_id: string
  readonly sequence: number
  readonly published_at: number
  readonly catalog: PublicCatalog
  readonly hierarchy_ids: readonly string[]
  readonly nodes: readonly (Omit<ReleaseNode, 'locales'> & { readonly locales: Locales | null })[] | null
  readonly listings: readonly (readonly [scope: string, curated: number, documents: readonly number[]])[] | null
}

/** The release cache of one process. */
export class ReleaseCache {
  readonly documents: ReleaseDocuments
  readonly facets: FacetStore
  readonly listings = new ListingCache()
  private readonly priceColumns: PriceColumns
  private readonly productSearch: ProductSearch
  private readonly nameOrder: NameOrder
  /** An index larger than the bound is cached too, alone, since the request that resolves it needs it. An empty one counts one byte. */
  private readonly indexes = new LRUCache<string, Release>({
    maxSize: INDEX_BYTES_MAX,
    sizeCalculation: ({ sizeInBytes }) => Math.min(Math.max(sizeInBytes, 1), INDEX_BYTES_MAX),
  })
  private published = new PublishedReleases([])
  private refreshedAt = Number.NEGATIVE_INFINITY
  private invalidatedAt = Number.NEGATIVE_INFINITY
  /** One statement for all releases that are wanted at the same time; requests for the same release share it while it runs. */
  private readonly refreshing = new DataLoader<WantedRelease, Release | null, string>((wanted) => this.read(wanted), { cacheKeyFn })

  /** `elapsed` returns milliseconds since an arbitrary instant and never goes back. */
  constructor(
    private readonly database: Database,
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    this.documents = new ReleaseDocuments(database)
    this.facets = new FacetStore(database)
    this.priceColumns = new PriceColumns(database)
    this.productSearch = new ProductSearch(database)
    this.nameOrder = new NameOrder(database)
  }

  /**
   * The release of a catalog by its id or `latest`; null when it is not published (any more). A null `catalogId` stands for any catalog.
   * Throws Unavailable when the database can't be reached and the cache is too old.
   */
  async resolve(catalogId: string | null, releaseId: string): Promise<Release | null> {
    const cached = this.getCached(catalogId, releaseId)
    return cached !== undefined ? cached : this.refresh({ catalogId, releaseId })
  }

  /** As `resolve`, from memory alone; undefined when the database has to be read. Starts a refresh after REFRESH_AFTER_MS. */
  getCached(catalogId: string | null, releaseId: string): Release | null | undefined {
    const age = this.elapsed() - this.refreshedAt
    if (age >= MAX_STALE_MS) return undefined
    if (age >= REFRESH_AFTER_MS) this.refresh({ catalogId, releaseId }).catch(() => undefined)
    const id = this.published.find(catalogId, releaseId)
    if (id === undefined) return null
    return this.indexes.get(id)
  }

  /** Makes the next `resolve` read the database: called after this server published or deleted a release, so that it shows at once. */
  invalidate(): void {
    this.refreshedAt = Number.NEGATIVE_INFINITY
    this.invalidatedAt = this.elapsed()
    this.refreshing.clearAll()
  }

  /** The prices of a release's products in `currency` over time. One statement when it is not cached. */
  priceColumn(release: Release, currency: string): Promise<PriceColumn> {
    return this.priceColumns.load(release, currency)
  }

  /** The products that match a text, with scores (ProductSearch.find). */
  search(release: Release, text: string, acceptLanguage: string | null): Promise<SearchScores> {
    return this.productSearch.find(release, text, acceptLanguage)
  }

  /** The place of each product in the order by name, by position in the release (NameOrder.ranks). */
  nameRanks(release: Release, acceptLanguage: string | null): Promise<Int32Array> {
    return this.nameOrder.ranks(release, acceptLanguage)
  }

  private refresh(wanted: WantedRelease): Promise<Release | null> {
    return this.refreshing.load(wanted).finally(() => this.refreshing.clear(wanted))
  }

  private async read(wanted: readonly WantedRelease[]): Promise<(Release | null)[]> {
    const startedAt = this.elapsed()
    // Referenced until the statement returns, since the cache may evict them meanwhile.
    const releases = new Map(this.indexes.entries())
    const catalogIds = wanted.map(({ catalogId }) => catalogId)
    const releaseIds = wanted.map(({ releaseId }) => (releaseId === 'latest' ? null : releaseId))
    const rows = await this.database
      .query<ResolvedRow>('releases_resolve', resolveReleases, [catalogIds, releaseIds, [...releases.keys()]])
      .catch((error: unknown) => {
        throw translateFailure(error)
      })
    for (const row of rows) {
      if (!row.release) continue
      const release = readIndex(row.release)
      releases.set(release.id, release)
      this.indexes.set(release.id, release)
    }
    const published = new PublishedReleases(rows.flatMap((row) => row.published ?? []))
    // A statement that started before a later one returned, or before an invalidation, must not replace newer knowledge.
    if (startedAt > this.refreshedAt && startedAt > this.invalidatedAt) {
      this.published = published
      this.refreshedAt = startedAt
    }
    return wanted.map(({ catalogId, releaseId }) => releases.get(published.find(catalogId, releaseId) ?? '') ?? null)
  }
}

const cacheKeyFn = ({ catalogId, releaseId }: WantedRelease): string => `${catalogId} ${releaseId}`

/** The set of published releases, and the latest of each catalog. */
class PublishedReleases {
  private readonly catalogs = new Map<string, string>()
  private readonly latest = new Map<string, string>()

  constructor(rows: readonly PublishedRow[]) {
    for (const { id, catalog_id, latest } of rows) {
      this.catalogs.set(id, catalog_id)
      if (latest) this.latest.set(catalog_id, id)
    }
  }

  /** The id of a published release; undefined when there is none. */
  find(catalogId: string | null, releaseId: string): string | undefined {
    if (releaseId === 'latest') return catalogId === null ? undefined : this.latest.get(catalogId)
    const catalog = this.catalogs.get(releaseId)
    return catalog !== undefined && (catalogId === null || catalog === catalogId) ? releaseId : undefined
  }
}

function readIndex(row: IndexRow): Release {
  const listings = (row.listings ?? []).map(
    ([scope, curated, documents]) => [scope, new ProductOrder(Int32Array.from(documents), curated)] as const,
  )
  const { id, catalog_id, sequence, published_at, catalog, hierarchy_ids, nodes } = row
  return new Release(id, catalog_id, sequence, published_at, catalog, hierarchy_ids, nodes ?? [], new Map(listings))
}
