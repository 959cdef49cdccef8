/**
 * Response cache: whole responses as bytes, for GraphQL and REST. A lookup runs no statement. The cache policy of a
 * response decides whether it is stored.
 *
 * The key holds every part of the request that a response depends on, and the confidential catalogs that the viewer
 * has. Whatever the key, each release that was read is found again for the viewer who asks
 * (catalog.confidential-by-proof). For a response that reads a storefront the key also holds which catalog the rules
 * choose for the shopper, and until when. A cached response is valid from the instant at which it was made until the
 * next price change in it. Every release that it read must still be current (release.is-a-snapshot), and no release
 * that would end it at another instant may have been scheduled or withdrawn since.
 */
import { LRUCache } from 'lru-cache'
import type { Bearing } from '../auth/viewer.ts'
import { cacheLookups } from '../lib/metrics.ts'
import type { ReadRelease, ReadStorefront, ResolvedRelease, StorefrontChoice } from './cache-policy.ts'
import { Doorkeeper } from './doorkeeper.ts'

/** The longest key, in characters, and the longest body, in bytes, that are cached. */
const KEY_MAX = 16 * 1024
const BODY_MAX = 1024 * 1024
/**
 * Bytes of the cache for each key of the doorkeeper. Most responses take more, so the doorkeeper knows more keys than
 * are cached.
 */
const BYTES_PER_RECENT_KEY = 2_500
const lookups = cacheLookups('responses')

/** A response with what its validity depends on. */
export interface CacheableResponse {
  readonly body: Buffer<ArrayBuffer>
  /** Null for POST, which is not conditional. */
  readonly etag: string | null
  /** Epoch milliseconds; `expiresAt` is exclusive. */
  readonly madeAt: number
  readonly expiresAt: number
  readonly releases: readonly ReadRelease[]
  readonly storefronts: readonly ReadStorefront[]
  /** The operation's name for the metrics, since a request that is served from the cache is never parsed. */
  readonly operation?: string | undefined
}

/**
 * Resolves a release for a viewer at an instant, epoch milliseconds, without a statement; undefined when that would
 * need the database.
 */
export type CurrentRelease = (read: ReadRelease, viewer: Bearing, now: number) => ResolvedRelease | undefined

/** The channel and the tags for which a storefront is chosen. */
type StorefrontRead = Pick<ReadStorefront, 'channel' | 'tags'>

/** Chooses the catalog of a viewer's storefront at an instant, as `CurrentRelease` finds a release. */
export type CurrentChoice = (read: StorefrontRead, viewer: Bearing, now: number) => StorefrontChoice | undefined

/** The parts of a request that its response depends on. */
export interface RequestKey {
  readonly request: string
  /** The headers and claims that only storefronts depend on, besides the account. */
  readonly shopperHeaders: string
  /** For whom storefronts are chosen, and what was read is checked again. */
  readonly viewer: Bearing
}

/** The storefronts that the responses to a request with the same headers depend on. */
type StorefrontsRead = readonly StorefrontRead[]

/**
 * The response cache of one process: the latest responses. Together with their keys and the storefronts that they read
 * they take at most `bytes`.
 */
export class ResponseCache {
  private readonly entries: LRUCache<string, CacheableResponse | StorefrontsRead>
  private readonly requested: Doorkeeper

  constructor(
    private readonly currentRelease: CurrentRelease,
    private readonly currentChoice: CurrentChoice,
    bytes: number,
  ) {
    this.requested = new Doorkeeper(Math.ceil(bytes / BYTES_PER_RECENT_KEY))
    this.entries = new LRUCache({ maxSize: bytes, sizeCalculation: bytesOf })
  }

  /** The cached response if it is valid at `now`, epoch milliseconds. */
  find(key: RequestKey, now: number): CacheableResponse | undefined {
    const ofShopper = keyOfShopper(key)
    const storefronts = this.entries.get(ofShopper)
    if (!storefronts || 'body' in storefronts) return lookups.count(this.valid(key, key.request, now))
    const chosen = storefronts.flatMap(({ channel, tags }) => {
      const choice = this.currentChoice({ channel, tags }, key.viewer, now)
      return choice ? { channel, tags, choice } : []
    })
    // If one choice is not known in memory, the database decides.
    return lookups.count(
      chosen.length < storefronts.length ? undefined : this.valid(key, keyOfChoices(ofShopper, chosen), now),
    )
  }

  private valid({ viewer }: RequestKey, key: string, now: number): CacheableResponse | undefined {
    const response = this.entries.get(key)
    if (!response || !('body' in response) || now < response.madeAt) return undefined
    let isCurrent = now < response.expiresAt
    for (const read of response.releases) {
      const release = this.currentRelease(read, viewer, now)
      // The entry stays, since it may still be valid: the request that follows reads the release from the database.
      if (release === undefined) return undefined
      // A release that was scheduled or withdrawn since then changes the instant up to which the response, or a price
      // in it, says that it is true.
      isCurrent &&= read.id === release.id && read.until === release.until && read.following === release.following
    }
    if (isCurrent) return response
    this.entries.delete(key)
    return undefined
  }

  /** Stores a response if its key was requested before (doorkeeper). */
  offer(key: RequestKey, response: CacheableResponse): void {
    const { storefronts } = response
    const ofShopper = keyOfShopper(key)
    const whole = storefronts.length > 0 ? keyOfChoices(ofShopper, storefronts) : key.request
    if (whole.length > KEY_MAX || response.body.length > BODY_MAX || !this.requested.add(whole)) return
    if (storefronts.length > 0)
      this.entries.set(
        ofShopper,
        storefronts.map(({ channel, tags }) => ({ channel, tags })),
      )
    this.entries.set(whole, { ...response, body: ownBytes(response.body) })
  }
}

/** A key takes up to two bytes per character, and an entry about 500 bytes besides. */
function bytesOf(entry: CacheableResponse | StorefrontsRead, key: string): number {
  return key.length * 2 + 500 + ('body' in entry ? entry.body.length : JSON.stringify(entry).length * 2)
}

/** Requests of shoppers with these headers read the same storefronts. */
const keyOfShopper = ({ request, shopperHeaders }: RequestKey): string => `${request}\n${shopperHeaders}`
const keyOfChoices = (key: string, storefronts: readonly ReadStorefront[]): string =>
  [
    key,
    ...storefronts.map(({ channel, tags, choice }) => JSON.stringify([channel, tags, choice.catalogId, choice.until])),
  ].join('\n')

/** A copy with memory of its own: a small Buffer is a slice of Node's pool, which it would keep alive. */
function ownBytes(body: Buffer): Buffer<ArrayBuffer> {
  const own = Buffer.allocUnsafeSlow(body.length)
  body.copy(own)
  return own
}
