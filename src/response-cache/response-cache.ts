/**
 * Response cache: whole responses as bytes, in front of GraphQL and REST alike.
 *
 * The key holds all of the request that a response depends on. A cached response is sent from the instant at which it was made until the
 * next price change in it, and only while every release that it read is what it was then, as the release cache knows
 * (release.is-a-snapshot). Which responses are stored, their cache policy says. No statement runs.
 */
import { LRUCache } from 'lru-cache'
import type { ReadRelease } from './cache-policy.ts'
import { Doorkeeper } from './doorkeeper.ts'

/** Bytes of cached responses and their keys. */
export const CACHE_BYTES = 24 * 1024 * 1024
/** Longer keys and bodies are not cached. */
const KEY_MAX = 16 * 1024
const BODY_MAX = 1024 * 1024
const RECENT_KEYS = 10_000

export interface CacheableResponse {
  readonly body: Buffer<ArrayBuffer>
  /** Null for a method that is not conditional. */
  readonly etag: string | null
  /** Epoch milliseconds; `expiresAt` is exclusive. */
  readonly madeAt: number
  readonly expiresAt: number
  readonly releases: readonly ReadRelease[]
}

/** What the catalog's release is now: null when there is none, undefined when only the database can tell. */
export type CurrentRelease = (catalogId: string | null, releaseId: string) => { readonly id: string } | null | undefined

export class ResponseCache {
  private readonly responses: LRUCache<string, CacheableResponse>
  private readonly requested = new Doorkeeper(RECENT_KEYS)

  constructor(
    private readonly currentRelease: CurrentRelease,
    bytes = CACHE_BYTES,
  ) {
    // A key's characters may take two bytes each; the rest is what an entry costs about.
    this.responses = new LRUCache({ maxSize: bytes, sizeCalculation: ({ body }, key) => key.length * 2 + body.length + 500 })
  }

  /** The response that is true at `now`, epoch milliseconds. */
  find(key: string, now: number): CacheableResponse | undefined {
    const response = this.responses.get(key)
    if (!response || now < response.madeAt) return undefined
    let isCurrent = now < response.expiresAt
    for (const { catalogId, releaseId, id } of response.releases) {
      const release = this.currentRelease(catalogId, releaseId)
      // It may still be true: the next request asks the database.
      if (release === undefined) return undefined
      isCurrent &&= id === (release?.id ?? null)
    }
    if (isCurrent) return response
    this.responses.delete(key)
    return undefined
  }

  /** Stores a response from the second request of its key on. */
  offer(key: string, response: CacheableResponse): void {
    if (key.length > KEY_MAX || response.body.length > BODY_MAX || !this.requested.add(key)) return
    this.responses.set(key, { ...response, body: ownBytes(response.body) })
  }
}

/** The bytes in memory of their own: a small buffer is a piece of a large one, which it would hold. */
function ownBytes(body: Buffer): Buffer<ArrayBuffer> {
  const own = Buffer.allocUnsafeSlow(body.length)
  body.copy(own)
  return own
}
