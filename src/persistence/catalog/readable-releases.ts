/**
 * Readable releases: which releases there are, who may read each, and which is the latest of its catalog at an instant.
 *
 * A release is public once an activation of it is in effect. One that is scheduled takes effect at its millisecond by the clock of the
 * server that is asked (release.scheduled-at-its-millisecond): nothing runs then, and no statement is sent. Until then, and without an
 * activation for good, as a draft, it is for administrators.
 */

import { type Activation, isInEffect, scheduledFor } from '../../domain/catalog/release-activation.ts'

/** What the database has, in the order of activation. Instants are epoch milliseconds. */
export interface ReadableRows {
  readonly readable: readonly (readonly [releaseId: string, catalogId: string, isDraft: boolean])[] | null
  readonly activations: readonly (readonly [catalogId: string, releaseId: string, at: number, scheduled: boolean])[] | null
}

interface CatalogActivation extends Activation {
  readonly releaseId: string
}

/** The releases as one statement found them. */
export class ReadableReleases {
  private readonly catalogs: ReadonlyMap<string, string>
  private readonly drafts: ReadonlySet<string>
  /** By catalog, the last one first. */
  private readonly byCatalog = new Map<string, CatalogActivation[]>()
  private readonly byRelease = new Map<string, CatalogActivation[]>()

  constructor({ readable, activations }: ReadableRows) {
    this.catalogs = new Map(readable?.map(([releaseId, catalogId]) => [releaseId, catalogId]))
    this.drafts = new Set(readable?.filter(([, , isDraft]) => isDraft).map(([releaseId]) => releaseId))
    for (const [catalogId, releaseId, at, scheduled] of activations ?? []) {
      const activation = { releaseId, at, scheduled }
      add(this.byCatalog, catalogId, activation)
      add(this.byRelease, releaseId, activation)
    }
  }

  /** The id of a release, by its id or `latest`, that the reader may read; undefined when there is none. A null catalog: any. */
  find(catalogId: string | null, releaseId: string, { now, readsAll }: { now: number; readsAll: boolean }): string | undefined {
    if (releaseId === 'latest') return this.byCatalog.get(catalogId ?? '')?.find((one) => isInEffect(one, now))?.releaseId
    const catalog = this.catalogs.get(releaseId)
    if (catalog === undefined || (catalogId !== null && catalog !== catalogId)) return undefined
    return readsAll || this.activationsOf(releaseId).some((one) => isInEffect(one, now)) ? releaseId : undefined
  }

  /** Whether a release is a draft. */
  isDraft(releaseId: string): boolean {
    return this.drafts.has(releaseId)
  }

  /** The first instant after `now` at which `find` may find another one; null for none. */
  nextActivation(catalogId: string | null, releaseId: string, now: number): number | null {
    return scheduledFor(releaseId === 'latest' ? (this.byCatalog.get(catalogId ?? '') ?? []) : this.activationsOf(releaseId), now)
  }

  /** The activations of a release, the last one first. */
  activationsOf(releaseId: string): readonly Activation[] {
    return this.byRelease.get(releaseId) ?? []
  }
}

function add(lists: Map<string, CatalogActivation[]>, id: string, activation: CatalogActivation): void {
  const list = lists.get(id)
  if (list) list.unshift(activation)
  else lists.set(id, [activation])
}
