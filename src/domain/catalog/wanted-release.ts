/** A release as a request names it: one by its id, of a catalog or with null of any, or the latest one of a catalog. */
export interface WantedRelease {
  readonly catalogId: string | null
  /** A UUID, or `latest`. */
  readonly releaseId: string
}
