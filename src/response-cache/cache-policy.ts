/** Cache policy: whether one response may be cached, until when, and which releases it depends on. */
import type { WantedRelease } from '../domain/catalog/wanted-release.ts'

/** Release rights: `readsAll` is true for administrators, who also see drafts and scheduled releases. */
export interface ReleaseRights {
  readonly readsAll: boolean
}

/** Which release a catalog's id and `latest` or a release's id lead to. */
export interface ResolvedRelease {
  /** Null when there is none. */
  readonly id: string | null
  /** Epoch milliseconds at which it is another one by itself, since one is scheduled; null for never. */
  readonly until: number | null
  /** Another text when other releases are scheduled to follow it as the latest, of whose prices a response may tell. */
  readonly following?: string | undefined
}

/** A release that a request read: `releaseId` as the request named it, which may be `latest`, and what it was resolved to. */
export interface ReadRelease extends WantedRelease, ReleaseRights, ResolvedRelease {}

/** The catalog that the rules choose for a shopper, null for none, and the instant at which it may be another one, null for never. */
export interface StorefrontChoice {
  readonly catalogId: string | null
  /** Epoch milliseconds. */
  readonly until: number | null
}

/** A storefront that a request read: the channel and the tags, of the headers or of the request's text, and the choice. */
export interface ReadStorefront {
  readonly channel: string | null
  readonly tags: readonly string[]
  readonly choice: StorefrontChoice
}

/**
 * What one response was made of. The code that reads something for the response reports it here. A response for which nothing was reported
 * is not storable, nor is one that depends on anything besides releases, the catalogs that the rules choose, the instant and what its key
 * holds (response-cache.ts).
 */
export class CachePolicy {
  /** Epoch milliseconds; from this instant on the response may change. */
  expiresAt = Number.POSITIVE_INFINITY
  readonly releases: ReadRelease[] = []
  readonly storefronts: ReadStorefront[] = []
  private barred = false

  /** Whether the response may be stored at `now`, epoch milliseconds. */
  isStorable(now: number): boolean {
    return !this.barred && this.releases.length > 0 && now < this.expiresAt
  }

  /** Reports a release that the response depends on. */
  readRelease(release: ReadRelease): void {
    this.releases.push(release)
    this.expireAt(release.until)
  }

  /** Reports a storefront that the response depends on, and with it account, channel and tags of the shopper. */
  readStorefront(storefront: ReadStorefront): void {
    this.storefronts.push(storefront)
    this.expireAt(storefront.choice.until)
  }

  /** Reports that something in the response changes at `instant`, epoch milliseconds; null for never. */
  expireAt(instant: number | null): void {
    if (instant !== null && instant < this.expiresAt) this.expiresAt = instant
  }

  /** Reports that the response depends on records, the viewer's subject or account, or anything else that may differ next time. */
  doNotStore(): void {
    this.barred = true
  }
}
