/**
 * What a process knows of releases (release.is-a-snapshot). Pointers (which releases are published, which is latest) are confirmed when the
 * last confirmation is older than a second; skeletons (tree and listings) and documents never change and are kept within bounds. Statements
 * per page: none when all is known, otherwise at most two: one for pointers and skeleton, one for documents.
 */
import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import { ProductOrder, type PublicCatalog, Release, type ReleaseNode } from '../../domain/catalog/release.ts'
import type { Locales } from '../../domain/language/locale.ts'
import type { Database } from '../database/database.ts'
import { translateFailure } from '../database/failures.ts'
import { ReleaseDocuments } from './release-documents.ts'
import { resolveReleases } from './release-sql.ts'

/** release.seen-within-a-second: how old what a process believes of the pointers may be. */
export const MAX_STALE_MS = 1_000
/** From this age on, a reader who can still be answered has them confirmed in passing, so that few ever wait for it. */
export const REFRESH_AFTER_MS = 600
/** Bytes of skeletons kept. */
export const INDEX_BYTES_MAX = 64 * 1024 * 1024
/** Bytes of what filters found. */
export const MATCHES_BYTES_MAX = 4 * 1024 * 1024

interface PublishedRow {
  readonly id: string
  readonly catalog_id: string
  readonly latest: boolean
}

interface ResolvedRow {
  readonly pointers: readonly PublishedRow[] | null
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

/** The documents of a scope that match, in listing order, and where each stands in the unfiltered listing: null for its own index. */
export interface MatchingDocuments {
  readonly documents: Int32Array
  readonly positions: Int32Array | null
}

export class ReleaseCache {
  readonly documents: ReleaseDocuments
  /** What filters found in a scope of a release, which never changes. */
  readonly matches = new LRUCache<string, MatchingDocuments>({ maxSize: MATCHES_BYTES_MAX, sizeCalculation: weightOfMatches })
  /** A release larger than the bound is kept all the same, alone: whoever resolves it needs it. An empty one still counts. */
  private readonly indexes = new LRUCache<string, Release>({
    maxSize: INDEX_BYTES_MAX,
    sizeCalculation: ({ sizeInBytes }) => Math.min(Math.max(sizeInBytes, 1), INDEX_BYTES_MAX),
  })
  private published = new PublishedReleases([])
  private refreshedAt = Number.NEGATIVE_INFINITY
  private invalidatedAt = Number.NEGATIVE_INFINITY
  /** One statement for all releases that are wanted at once, and for all who want the same while it runs. */
  private readonly refreshing = new DataLoader<WantedRelease, Release | null, string>((wanted) => this.read(wanted), { cacheKeyFn })

  /** `elapsed` tells milliseconds since any moment, and only ever more. */
  constructor(
    private readonly database: Database,
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    this.documents = new ReleaseDocuments(database)
  }

  /**
   * The release of the catalog by its id, or its `latest`; null when it is not published (any more). With null for `catalogId` a release
   * by its id, of whatever catalog.
   */
  async resolve(catalogId: string | null, releaseId: string): Promise<Release | null> {
    const known = this.getCached(catalogId, releaseId)
    return known !== undefined ? known : this.refresh({ catalogId, releaseId })
  }

  /** The same without waiting; undefined when only the database can tell. Old knowledge is renewed before it is too old. */
  getCached(catalogId: string | null, releaseId: string): Release | null | undefined {
    const age = this.elapsed() - this.refreshedAt
    if (age >= MAX_STALE_MS) return undefined
    if (age >= REFRESH_AFTER_MS) this.refresh({ catalogId, releaseId }).catch(() => undefined)
    const id = this.published.find(catalogId, releaseId)
    if (id === undefined) return null
    return this.indexes.get(id)
  }

  /**
   * Makes the next reader ask the database: called by whoever published or deleted a release (release.seen-within-a-second: seen at once by
   * its server).
   */
  invalidate(): void {
    this.refreshedAt = Number.NEGATIVE_INFINITY
    this.invalidatedAt = this.elapsed()
    this.refreshing.clearAll()
  }

  private refresh(wanted: WantedRelease): Promise<Release | null> {
    return this.refreshing.load(wanted).finally(() => this.refreshing.clear(wanted))
  }

  private async read(wanted: readonly WantedRelease[]): Promise<(Release | null)[]> {
    const askedAt = this.elapsed()
    // Held meanwhile, since the cache may let go of them when others come.
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
      const release = readSkeleton(row.release)
      releases.set(release.id, release)
      this.indexes.set(release.id, release)
    }
    const pointers = new PublishedReleases(rows.flatMap((row) => row.pointers ?? []))
    // What was asked before a later answer, or before something was published here, must not pass for new.
    if (askedAt > this.refreshedAt && askedAt > this.invalidatedAt) {
      this.published = pointers
      this.refreshedAt = askedAt
    }
    return wanted.map(({ catalogId, releaseId }) => releases.get(pointers.find(catalogId, releaseId) ?? '') ?? null)
  }
}

const cacheKeyFn = ({ catalogId, releaseId }: WantedRelease): string => `${catalogId} ${releaseId}`

/** Which releases are published, and which is the latest of its catalog. */
class PublishedReleases {
  private readonly catalogs = new Map<string, string>()
  private readonly latest = new Map<string, string>()

  constructor(rows: readonly PublishedRow[]) {
    for (const { id, catalog_id, latest } of rows) {
      this.catalogs.set(id, catalog_id)
      if (latest) this.latest.set(catalog_id, id)
    }
  }

  /** The id of the release that is meant. */
  find(catalogId: string | null, releaseId: string): string | undefined {
    if (releaseId === 'latest') return catalogId === null ? undefined : this.latest.get(catalogId)
    const catalog = this.catalogs.get(releaseId)
    return catalog !== undefined && (catalogId === null || catalog === catalogId) ? releaseId : undefined
  }
}

/** Bytes: two for a character of the key, and what an entry costs about. */
function weightOfMatches({ documents, positions }: MatchingDocuments, key: string): number {
  return key.length * 2 + documents.byteLength + (positions?.byteLength ?? 0) + 500
}

function readSkeleton(row: IndexRow): Release {
  const listings = (row.listings ?? []).map(
    ([scope, curated, documents]) => [scope, new ProductOrder(Int32Array.from(documents), curated)] as const,
  )
  const { id, catalog_id, sequence, published_at, catalog, hierarchy_ids, nodes } = row
  return new Release(id, catalog_id, sequence, published_at, catalog, hierarchy_ids, nodes ?? [], new Map(listings))
}
