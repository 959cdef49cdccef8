/**
 * Confidential catalogs: the one place that decides for whom a catalog exists (catalog.confidential-by-proof). The
 * release cache asks it before it gives a release to a reader, so every way that leads to a release passes it.
 */
import type { ResolvedRelease } from '../../response-cache/cache-policy.ts'
import type { ReadableReleases, ReleaseReader } from './readable-releases.ts'
import type { Storefronts } from './storefront.ts'

/** By whom and when a catalog is wanted. */
export type CatalogReader = Pick<ReleaseReader, 'now' | 'proof'>

/** A catalog that exists for the reader, and the instant from which on it may not, null for never. */
interface Seen {
  readonly until: number | null
}

const ever: Seen = { until: null }

/** The confidential catalogs of one process. */
export class ConfidentialCatalogs {
  constructor(
    private readonly storefronts: Storefronts,
    /** What was found last. */
    private readonly known: () => ReadableReleases,
  ) {}

  /** Whether a catalog exists for a reader. Statements as of `Storefronts.given`. */
  async has(catalogId: string, reader: CatalogReader, readable = this.known()): Promise<boolean> {
    const cached = this.seen(catalogId, reader, readable)
    if (cached !== undefined) return cached !== null
    const { proof, now } = reader
    return proof === null || (await this.storefronts.given(proof, now)).has(catalogId)
  }

  /** As `has`, from memory alone; undefined when the database has to be read. */
  hasCached(catalogId: string, reader: CatalogReader): boolean | undefined {
    const seen = this.seen(catalogId, reader, this.known())
    return seen === undefined ? undefined : seen !== null
  }

  /** The confidential catalogs of a reader; null for all. Statements as of `Storefronts.given`. */
  async idsFor({ proof, now }: CatalogReader): Promise<readonly string[] | null> {
    return proof && [...(await this.storefronts.given(proof, now)).keys()]
  }

  /**
   * The confidential catalogs of a reader as a text, for the keys of cached responses; empty too while they are not
   * known, since what a cached response read is checked again for each reader.
   */
  keyFor({ proof, now }: CatalogReader): string {
    return proof === null ? '' : [...(this.storefronts.givenCached(proof, now)?.keys() ?? [])].sort().join()
  }

  /**
   * Until when the release cache gives the same release to a reader, and what may be told of the releases that follow
   * it; of a catalog that does not exist for the reader what is told of an id that was never given.
   */
  validity(catalogId: string | null, releaseId: string, { proof, now }: CatalogReader): Omit<ResolvedRelease, 'id'> {
    const readable = this.known()
    const owner = readable.catalogOf(catalogId, releaseId)
    const seen = owner === undefined ? null : this.seen(owner, { proof, now }, readable)
    if (seen === null) return { until: null, following: '' }
    // What the reader has is not known any more, so the response is not stored.
    if (seen === undefined) return { until: now, following: '' }
    const { until, following } = readable.validity(catalogId, releaseId, now)
    const bounds = [until, seen.until].filter((bound) => bound !== null)
    return { until: bounds.length > 0 ? Math.min(...bounds) : null, following }
  }

  /** Null: it does not exist for the reader. Undefined: the database has to be read. */
  private seen(catalogId: string, { proof, now }: CatalogReader, readable: ReadableReleases): Seen | null | undefined {
    if (proof === null || !readable.isConfidential(catalogId)) return ever
    const given = this.storefronts.givenCached(proof, now)
    if (given === undefined) return undefined
    const until = given.get(catalogId)
    return until === undefined ? null : { until }
  }
}
