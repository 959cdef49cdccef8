/**
 * Response cache: whole responses as bytes, for GraphQL and REST.
 *
 * The key holds every part of the request that a response depends on. A cached response is valid from the instant at which it was made
 * until the next price change in it, as long as every release that it read is still current according to the release cache
 * (release.is-a-snapshot). A lookup runs no statement. The cache policy of a response decides whether it is stored.
 */
import { LRUCache } from 'lru-cache'
import { cacheLookups } from '../lib/metrics.ts'
import type { ReadRelease } from './cache-policy.ts'
import { Doorkeeper } from './doorkeeper.ts'

/** Bytes of all cached responses and their keys. */
export const CACHE_BYTES = 24 * 1024 * 1024
/** Longest key, in characters, and longest body, in bytes, that are cached. */
const KEY_MAX = 16 * 1024
const BODY_MAX = 1024 * 1024
/** Size of the doorkeeper, in keys. */
const RECENT_KEYS = 10_000
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
  /** The operation's name, for the metrics: a request that is answered from the cache is never parsed. */
  readonly operation?: string | undefined
}

/**
 * Resolves a release at an instant, epoch milliseconds, without a statement: null when there is none, undefined when that would need the
 * database.
 */
export type CurrentRelease = (read: ReadRelease, now: number) => { readonly id: string } | null | undefined

/** The response cache of one process, an LRU within CACHE_BYTES. */
export class ResponseCache {
  private readonly responses: LRUCache<string, CacheableResponse>
  private readonly requested = new Doorkeeper(RECENT_KEYS)

  constructor(
    private readonly currentRelease: CurrentRelease,
    bytes = CACHE_BYTES,
  ) {
    // A key takes up to two bytes per character, and an entry about 500 bytes besides.
    this.responses = new LRUCache({ maxSize: bytes, sizeCalculation: ({ body }, key) => key.length * 2 + body.length + 500 })
  }

  /** The cached response if it is valid at `now`, epoch milliseconds. */
  find(key: string, now: number): CacheableResponse | undefined {
    return lookups.count(this.valid(key, now))
  }

  private valid(key: string, now: number): CacheableResponse | undefined {
    const response = this.responses.get(key)
    if (!response || now < response.madeAt) return undefined
    let isCurrent = now < response.expiresAt
    for (const read of response.releases) {
      const release = this.currentRelease(read, now)
      // The entry stays, since it may still be valid: the request that follows reads the release from the database.
      if (release === undefined) return undefined
      isCurrent &&= read.id === (release?.id ?? null)
    }
    if (isCurrent) return response
    this.responses.delete(key)
    return undefined
  }

  /** Stores a response if its key was requested before (doorkeeper). */
  offer(key: string, response: CacheableResponse): void {
    if (key.length > KEY_MAX || response.body.length > BODY_MAX || !this.requested.add(key)) return
    this.responses.set(key, { ...response, body: ownBytes(response.body) })
  }
}

/** A copy with memory of its own: a small Buffer is a slice of Node's pool, which it would keep alive. */
function ownBytes(body: Buffer): Buffer<ArrayBuffer> {
  const own = Buffer.allocUnsafeSlow(body.length)
  body.copy(own)
  return own
}
