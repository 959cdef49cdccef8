/** A release as a request names it: by its id, in one catalog or with null in any, or as the latest of a catalog. */
export interface WantedRelease {
  readonly catalogId: string | null
  /** A UUID, or `latest`. */
  readonly releaseId: string
}
