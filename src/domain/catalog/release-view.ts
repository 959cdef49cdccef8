/**
 * Views of releases. A view says whether its release was found as the latest of its catalog; the release itself is the
 * same either way.
 */
import type { Release } from './release.ts'
import type { ReleaseRecord, ReleaseSummary } from './release-summary.ts'

/** A readable release, with the way in which it was found. */
export interface ReleaseView {
  readonly release: Release
  /**
   * Whether it was found as the latest, so that ids name whichever release of the catalog is the latest
   * (graph.latest-or-pinned-ids).
   */
  readonly isLatest: boolean
}

/**
 * A release of any status in one shape. Parts that were not read with it are absent, and are read on demand. A readable
 * release comes with its contents; one from a list or a write comes with the record of its publish.
 */
export interface AnyRelease
  extends ReleaseRecord,
    Partial<ReleaseView>,
    Partial<Omit<ReleaseSummary, keyof ReleaseRecord>> {}

/** A release with its contents. */
export function anyRelease({ release, isLatest }: ReleaseView): AnyRelease {
  const { id, catalogId, sequence, status, startedAt } = release
  return {
    id,
    catalogId,
    sequence,
    status,
    startedAt,
    publishedAt: status === 'draft' ? null : release.publishedAt,
    productCount: release.allProducts.documents.length,
    nodeCount: release.nodes.size,
    release,
    isLatest,
  }
}
