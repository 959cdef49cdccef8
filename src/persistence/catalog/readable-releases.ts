/**
 * Readable releases: which releases there are, who may read each, which is the latest of its catalog at an instant, and
 * the state of the catalog rules.
 *
 * A release is public once one of its activations is in effect. A scheduled release takes effect at its millisecond by
 * the clock of the server that reads it (release.scheduled-at-its-millisecond); this needs no timer and no statement.
 * Until then only administrators read it. A release without activations, a draft, is always theirs alone
 * (release.draft-for-administrators).
 */
import type { CatalogHistory, Release } from '../../domain/catalog/release.ts'
import {
  type Activation,
  type CatalogActivation,
  isInEffect,
  type ReleaseTurn,
  scheduledFor,
} from '../../domain/catalog/release-activation.ts'
import type { ShopperContext } from '../../domain/catalog/rule-choice.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { ReleaseRights, ResolvedRelease } from '../../response-cache/cache-policy.ts'

/** Who reads releases, and when. */
export interface ReleaseReader extends ReleaseRights {
  /**
   * The instant, in epoch milliseconds, that decides which releases are the latest: the present, whatever instant the
   * prices are of.
   */
  readonly now: number
  /**
   * What the reader's token proves to the rules of confidential catalogs; null for administrators and for the server
   * itself, which read all of them (catalog.confidential-by-proof).
   */
  readonly proof: ShopperContext | null
}

/** Which release is looked for. */
type Finder = Pick<ReleaseReader, 'now' | 'readsAll'>

/** A release that someone may read. */
interface ReadableRelease {
  readonly catalogId: string
  readonly isDraft: boolean
  /** Whether a catalog rule names its catalog. */
  readonly hasRules: boolean
  /** For a draft, when it was built. */
  readonly publishedAt: number
}

/** What the database has, in the order of activation. Instants are epoch milliseconds. */
export interface ReadableRows {
  readonly readable:
    | readonly (readonly [id: string, catalogId: string, isDraft: boolean, hasRules: boolean, publishedAt: number])[]
    | null
  readonly activations:
    | readonly (readonly [catalogId: string, releaseId: string, at: number, scheduled: boolean])[]
    | null
  /** The catalogs that are or were published, in the order of their first publication. */
  readonly catalogs:
    | readonly (readonly [catalogId: string, firstPublishedAt: number, priceHistoryFrom: number | null])[]
    | null
  /** The confidential catalogs. */
  readonly confidential: readonly string[] | null
  /** The state of the rules and confidential catalogs, a text that changes with each write of a rule, and with them. */
  readonly rules: string
}

/** The releases as one statement found them. */
export class ReadableReleases {
  /** The state of the catalog rules. */
  readonly rules: string
  private readonly releases: ReadonlyMap<string, ReadableRelease>
  private readonly byAge: readonly string[]
  private readonly confidential: ReadonlySet<string>
  private readonly histories: ReadonlyMap<string, CatalogHistory>
  /** The last one first. */
  private readonly byCatalog: ReadonlyMap<string, readonly CatalogActivation[]>
  private readonly byRelease: ReadonlyMap<string, readonly CatalogActivation[]>

  constructor({ readable, activations, catalogs, confidential, rules = '' }: Partial<ReadableRows> = {}) {
    this.rules = rules
    this.byAge = catalogs?.map(([id]) => id) ?? []
    this.confidential = new Set(confidential)
    this.histories = new Map(
      catalogs?.map(([id, firstPublishedAt, priceHistoryFrom]) => [id, { firstPublishedAt, priceHistoryFrom }]),
    )
    this.releases = new Map(
      readable?.map(([id, catalogId, isDraft, hasRules, publishedAt]) => [
        id,
        { catalogId, isDraft, hasRules, publishedAt },
      ]),
    )
    const lastFirst = (activations ?? [])
      .map(([catalogId, releaseId, at, scheduled]) => ({ catalogId, releaseId, at, scheduled }))
      .reverse()
    this.byCatalog = groupBy(lastFirst, ({ catalogId }) => catalogId)
    this.byRelease = groupBy(lastFirst, ({ releaseId }) => releaseId)
  }

  /**
   * The id of the release that the reader finds by an id or `latest`; undefined when there is none. A null catalog
   * stands for any.
   */
  find(catalogId: string | null, releaseId: string, { now, readsAll }: Finder): string | undefined {
    if (releaseId === 'latest')
      return this.byCatalog.get(catalogId ?? '')?.find((one) => isInEffect(one, now))?.releaseId
    const release = this.releases.get(releaseId)
    if (!release || (catalogId !== null && release.catalogId !== catalogId)) return undefined
    return readsAll || this.activationsOf(releaseId).some((one) => isInEffect(one, now)) ? releaseId : undefined
  }

  /** Whether a catalog is confidential. */
  isConfidential(catalogId: string): boolean {
    return this.confidential.has(catalogId)
  }

  /** The catalog of what a request names, as for `find`; undefined when it has no such release. */
  catalogOf(catalogId: string | null, releaseId: string): string | undefined {
    if (releaseId === 'latest') return catalogId ?? undefined
    const owner = this.releases.get(releaseId)?.catalogId
    return catalogId === null || catalogId === owner ? owner : undefined
  }

  /**
   * The catalog first published longest ago among those with a latest release at `now` that are not confidential, null
   * for none, and the next instant at which it may be another one, null for never.
   */
  firstCatalog(now: number): { readonly catalogId: string | null; readonly until: number | null } {
    const open = this.byAge.filter((id) => !this.confidential.has(id))
    const place = open.findIndex((id) => this.find(id, 'latest', { now, readsAll: false }) !== undefined)
    const older = place === -1 ? open : open.slice(0, place)
    const turns = older.flatMap((id) => this.nextActivation(id, 'latest', now) ?? [])
    return { catalogId: open[place] ?? null, until: turns.length > 0 ? Math.min(...turns) : null }
  }

  /** Since when a catalog is published, or when it will be by its schedule. */
  historyOf(catalogId: string): CatalogHistory {
    return this.histories.get(catalogId) ?? { firstPublishedAt: null, priceHistoryFrom: null }
  }

  /** Whether both have the same releases and drafts. */
  hasSame({ releases }: ReadableReleases): boolean {
    if (releases.size !== this.releases.size) return false
    return [...releases].every(([id, { isDraft }]) => this.releases.get(id)?.isDraft === isDraft)
  }

  /**
   * Whether a release is still as its index says: publishing a draft changes its sequence, moving a schedule its
   * instant. True for a release that is gone, since requests may still be reading it.
   */
  hasStayed({ id, status, publishedAt }: Release): boolean {
    const known = this.releases.get(id)
    return !known || (known.isDraft === (status === 'draft') && known.publishedAt === publishedAt)
  }

  /**
   * Whether the catalog of a release is not confidential and no catalog rule names it; false for a deleted release, of
   * which that is unknown.
   */
  isForEverybody(releaseId: string): boolean {
    const release = this.releases.get(releaseId)
    return release?.hasRules === false && !this.confidential.has(release.catalogId)
  }

  /** The next instant after `now` at which `find` can return another release; null for none. */
  nextActivation(catalogId: string | null, releaseId: string, now: number): number | null {
    return scheduledFor(
      releaseId === 'latest' ? (this.byCatalog.get(catalogId ?? '') ?? []) : this.activationsOf(releaseId),
      now,
    )
  }

  /** Until when `find` returns the same release at `now`, and what may be told of the releases that follow it. */
  validity(catalogId: string | null, releaseId: string, now: number): Omit<ResolvedRelease, 'id'> {
    const turns = releaseId === 'latest' && catalogId !== null ? this.turnsAfter(catalogId, now) : []
    return {
      until: this.nextActivation(catalogId, releaseId, now),
      following: turns.map(({ releaseId: id, at }) => `${at} ${id}`).join(),
    }
  }

  /**
   * The releases that become the latest of a catalog after `now`, the next one first; of several with one instant only
   * the last.
   */
  turnsAfter(catalogId: string, now: number): readonly ReleaseTurn[] {
    const coming = (this.byCatalog.get(catalogId) ?? []).filter((one) => !isInEffect(one, now))
    return coming.filter(({ at }, place) => at !== coming[place - 1]?.at).reverse()
  }

  /** The scheduled activations of a catalog, in effect or not, the last one first. */
  scheduledIn(catalogId: string): readonly CatalogActivation[] {
    return (this.byCatalog.get(catalogId) ?? []).filter(({ scheduled }) => scheduled)
  }

  /** The activations of a release, the last one first. */
  activationsOf(releaseId: string): readonly Activation[] {
    return this.byRelease.get(releaseId) ?? []
  }
}
