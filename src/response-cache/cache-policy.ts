/** Which release a request got: by the id that it named, or as the catalog's `latest`; `id` is null where there was none. */
export interface ReadRelease {
  readonly catalogId: string | null
  readonly releaseId: string
  readonly id: string | null
}

/**
 * Cache policy of one response: whether it may be sent again, until when, and while which releases are the current ones.
 *
 * The code that reads something for the response reports it here. A response for which nothing was reported is not storable, nor is one
 * that depends on anything besides releases, the instant and what its key holds (response-cache.ts).
 */
export class CachePolicy {
  /** Epoch milliseconds: from then on the response may be another one. */
  expiresAt = Number.POSITIVE_INFINITY
  readonly releases: ReadRelease[] = []
  private barred = false

  isStorable(now: number): boolean {
    return !this.barred && this.releases.length > 0 && now < this.expiresAt
  }

  readRelease(release: ReadRelease): void {
    this.releases.push(release)
  }

  /** Something in the response changes at the instant (epoch milliseconds); null: never. */
  expireAt(instant: number | null): void {
    if (instant !== null && instant < this.expiresAt) this.expiresAt = instant
  }

  /** The response depends on records, on the viewer's subject or account, or on anything else that may differ at the next request. */
  doNotStore(): void {
    this.barred = true
  }
}
