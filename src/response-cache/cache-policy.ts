/** Cache policy: whether one response may be cached, until when, and which releases it depends on. */
import type { WantedRelease } from '../domain/catalog/wanted-release.ts'

/** Release rights: `readsAll` is true for administrators, who also see drafts and scheduled releases. */
export interface ReleaseRights {
  readonly readsAll: boolean
}

/** The release that a catalog's id with `latest`, or a release's id, resolves to. */
export interface ResolvedRelease {
  /** Null when there is no release. */
  readonly id: string | null
  /** Epoch milliseconds at which a scheduled release takes its place; null for never. */
  readonly until: number | null
  /**
   * Identifies the releases that are scheduled to follow as the latest. A response may tell of their prices, so it is
   * outdated when they change.
   */
  readonly following?: string | undefined
}

/**
 * A release that a request read: `releaseId` as the request named it, which may be `latest`, and the release that it
 * was resolved to.
 */
export interface ReadRelease extends WantedRelease, ReleaseRights, ResolvedRelease {}

/**
 * The catalog that the rules choose for a shopper, null for none, and the instant from which on they may choose another
 * one, null for never.
 */
export interface StorefrontChoice {
  readonly catalogId: string | null
  /** Epoch milliseconds. */
  readonly until: number | null
}

/** A storefront that a request read: channel and tags, from headers or from the text of the request, and the choice. */
export interface ReadStorefront {
  readonly channel: string | null
  readonly tags: readonly string[]
  readonly choice: StorefrontChoice
}

/**
 * What one response was made of. The code that reads something for the response reports it here. A response is not
 * storable when nothing was reported for it. Nor is it when it depends on anything but releases, the catalogs that the
 * rules choose, the instant, and what its key holds (response-cache.ts).
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

  /**
   * Reports that the response depends on records, on the viewer's subject or account, or on anything else that may
   * differ next time.
   */
  doNotStore(): void {
    this.barred = true
  }
}
