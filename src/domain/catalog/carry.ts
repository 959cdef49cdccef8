/** Carries: what a publish at once brings into a scheduled release, and what stays there (release.carries-are-told). */
import type { Release } from './release.ts'
import type { FieldConflict } from './three-way-merge.ts'

/** The maximum number of conflicts that a carry names; their total number is stored too. */
export const CONFLICTS_MAX = 100

/** A field that stays as scheduled, or a product or node whose removal was carried over a scheduled change. */
export interface CarryConflict extends FieldConflict {
  /** Raw id; absent for a conflict at anything but a product. */
  readonly productId?: string
  /** Raw id; absent for a conflict at anything but a node below a hierarchy. */
  readonly nodeId?: string
  /** Raw id; absent for a conflict at anything but a hierarchy. */
  readonly hierarchyId?: string
}

/** What a publish at once did to one scheduled release, or would do. Ids are raw. */
export interface Carry {
  /** The release that was scheduled. */
  readonly from: string
  /** The release that has its place now; `from` before the publish, and where nothing is carried. */
  readonly releaseId: string
  /** The latest release before the publish; absent where it was not stored yet. */
  readonly former?: string
  /** The instant for which it is scheduled, epoch milliseconds. */
  readonly at: number
  /** Products of the release that change. */
  readonly productCount: number
  /** Hierarchies and nodes of the release that change. */
  readonly nodeCount: number
  /** The first CONFLICTS_MAX. */
  readonly conflicts: readonly CarryConflict[]
  readonly conflictCount: number
}

/** What a publish at once already shows of a scheduled release (release.early-shows-warned). */
export interface ShownEarly {
  /** Raw ids of the products at which it does, those that it takes off included. */
  readonly productIds: readonly string[]
  /** Hierarchies and nodes at which it does. */
  readonly nodeCount: number
  /** Whether it does in the texts of the catalog, or in labels. */
  readonly texts: boolean
}

/** A product that a publish changed: the numbers of its documents, 0 in a release that lacks it. */
export interface ChangedProduct {
  readonly productId: string
  readonly former: number
  readonly latest: number
}

/** What a publish changes in the latest release. */
export interface LatestChange {
  readonly former: Release
  readonly latest: Release
  readonly changed: readonly ChangedProduct[]
}

/** A document, and what decides its places in lists. */
export interface PlacedDocument {
  readonly number: number
  readonly productId: string
  readonly updatedAt: number
  readonly nodeIds: readonly string[]
}

/** A product that becomes another one in a release: its document before, 0 for none, and after, null for none. */
export interface CarriedProduct {
  readonly productId: string
  readonly before: number
  readonly after: PlacedDocument | null
}
