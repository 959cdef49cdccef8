/**
 * Readable releases: which releases there are, who may read each, which is the latest of its catalog at an instant, and the state of the
 * catalog rules.
 *
 * A release is public once an activation of it is in effect. One that is scheduled takes effect at its millisecond by the clock of the
 * server that reads it (release.scheduled-at-its-millisecond): nothing runs then, and no statement is sent. Until then, and without an
 * activation for good, as a draft, it is for administrators (release.draft-for-administrators).
 */
import type { CatalogHistory, Release } from '../../domain/catalog/release.ts'
import {
  type Activation,
  type CatalogActivation,
  isInEffect,
  type ReleaseTurn,
  scheduledFor,
} from '../../domain/catalog/release-activation.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { ReleaseRights, ResolvedRelease } from '../../response-cache/cache-policy.ts'

/** Who reads releases, and when. */
export interface ReleaseReader extends ReleaseRights {
  /** Epoch milliseconds, at which the latest releases are the latest: the present, whatever instant the prices are of. */
  readonly now: number
}

/** A release that someone may read; `publishedAt` of a draft is when it was built. */
type ReadableRow = readonly [releaseId: string, catalogId: string, isDraft: boolean, hasRules: boolean, publishedAt: number]

/** What the database has, in the order of activation. Instants are epoch milliseconds. */
export interface ReadableRows {
  readonly readable: readonly ReadableRow[] | null
  readonly activations: readonly (readonly [catalogId: string, releaseId: string, at: number, scheduled: boolean])[] | null
  /** The catalogs that are published or were, the one that was first published longest ago first. */
  readonly catalogs: readonly (readonly [catalogId: string, firstPublishedAt: number, priceHistoryFrom: number | null])[] | null
  /** The state of the catalog rules: another text after each write of one. */
  readonly rules: string
}

/** The releases as one statement found them. */
export class ReadableReleases {
  /** The state of the catalog rules. */
  readonly rules: string
  private readonly catalogs: ReadonlyMap<string, string>
  private readonly byAge: readonly string[]
  private readonly histories: ReadonlyMap<string, CatalogHistory>
  private readonly drafts: ReadonlySet<string>
  private readonly ruled: ReadonlySet<string>
  private readonly published: ReadonlyMap<string, number>
  /** The last one first. */
  private readonly byCatalog: ReadonlyMap<string, readonly CatalogActivation[]>
  private readonly byRelease: ReadonlyMap<string, readonly CatalogActivation[]>

  constructor({ readable, activations, catalogs, rules }: ReadableRows) {
    this.rules = rules
    this.byAge = catalogs?.map(([id]) => id) ?? []
    this.histories = new Map(catalogs?.map(([id, firstPublishedAt, priceHistoryFrom]) => [id, { firstPublishedAt, priceHistoryFrom }]))
    this.catalogs = new Map(readable?.map(([releaseId, catalogId]) => [releaseId, catalogId]))
    this.drafts = new Set(readable?.filter(([, , isDraft]) => isDraft).map(([releaseId]) => releaseId))
    this.ruled = new Set(readable?.filter(([, , , hasRules]) => hasRules).map(([releaseId]) => releaseId))
    this.published = new Map(readable?.map(([releaseId, , , , publishedAt]) => [releaseId, publishedAt]))
    const lastFirst = (activations ?? [])
      .map(([catalogId, releaseId, at, scheduled]) => ({ catalogId, releaseId, at, scheduled }))
      .reverse()
    this.byCatalog = groupBy(lastFirst, ({ catalogId }) => catalogId)
    this.byRelease = groupBy(lastFirst, ({ releaseId }) => releaseId)
  }

  /** The id of a release, by its id or `latest`, that the reader may read; undefined when there is none. A null catalog: any. */
  find(catalogId: string | null, releaseId: string, { now, readsAll }: ReleaseReader): string | undefined {
    if (releaseId === 'latest') return this.byCatalog.get(catalogId ?? '')?.find((one) => isInEffect(one, now))?.releaseId
    const catalog = this.catalogs.get(releaseId)
    if (catalog === undefined || (catalogId !== null && catalog !== catalogId)) return undefined
    return readsAll || this.activationsOf(releaseId).some((one) => isInEffect(one, now)) ? releaseId : undefined
  }

  /**
   * The catalog with a latest release at `now` that was first published longest ago, null for none, and the next instant at which it may be
   * another one, null for never.
   */
  firstCatalog(now: number): { readonly catalogId: string | null; readonly until: number | null } {
    const place = this.byAge.findIndex((id) => this.find(id, 'latest', { now, readsAll: false }) !== undefined)
    const older = place === -1 ? this.byAge : this.byAge.slice(0, place)
    const turns = older.flatMap((id) => this.nextActivation(id, 'latest', now) ?? [])
    return { catalogId: this.byAge[place] ?? null, until: turns.length > 0 ? Math.min(...turns) : null }
  }

  /** Since when a catalog is published, or will be by what is scheduled. */
  historyOf(catalogId: string): CatalogHistory {
    return this.histories.get(catalogId) ?? { firstPublishedAt: null, priceHistoryFrom: null }
  }

  /** Whether there are the same releases and drafts. */
  hasSame({ catalogs, drafts }: ReadableReleases): boolean {
    if (catalogs.size !== this.catalogs.size || drafts.size !== this.drafts.size) return false
    return [...catalogs.keys()].every((id) => this.catalogs.has(id))
  }

  /**
   * Whether a release is still as its index says: a draft that was published has another sequence, and one whose
   * schedule was moved another instant. True for a release that is gone, which requests may be reading.
   */
  hasStayed({ id, isDraft, publishedAt }: Release): boolean {
    return !this.catalogs.has(id) || (isDraft === this.drafts.has(id) && publishedAt === this.published.get(id))
  }

  /** Whether no catalog rule names the catalog of a release; false for a release that was deleted, of which that is not known. */
  isWithoutRules(releaseId: string): boolean {
    return this.catalogs.has(releaseId) && !this.ruled.has(releaseId)
  }

  /** The next instant after `now` at which `find` can return another release; null for none. */
  nextActivation(catalogId: string | null, releaseId: string, now: number): number | null {
    return scheduledFor(releaseId === 'latest' ? (this.byCatalog.get(catalogId ?? '') ?? []) : this.activationsOf(releaseId), now)
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
   * The releases that become the latest of a catalog after `now`, the next one first; of several with one instant the
   * last one does.
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
