/** RATE_LIMIT: a bucket of requests for each token, which holds a minute's worth and refills steadily. */
import type { Viewer } from './context.ts'

/** Seconds until the viewer may ask again, null when now (HTTP-3: 429; GraphQL: THROTTLED). Asking takes one from the bucket. */
export type RateLimit = (viewer: Viewer, now: number) => number | null

const MINUTE_MS = 60_000

interface Bucket {
  left: number
  /** Epoch milliseconds when `left` was true. */
  at: number
}

/**
 * A token is known by its viewer, of which authentication keeps one per token (TOKENS_REMEMBERED of them): what it lets go takes its
 * bucket along, so memory is bounded, and nobody else's bucket is touched.
 */
export function createRateLimit(perMinute: number): RateLimit {
  const buckets = new WeakMap<Viewer, Bucket>()
  return (viewer, now) => {
    const bucket = buckets.get(viewer) ?? { left: perMinute, at: now }
    // A clock that was set back refills nothing and takes nothing.
    const refilled = Math.min(perMinute, bucket.left + (Math.max(0, now - bucket.at) * perMinute) / MINUTE_MS)
    const wait = refilled >= 1 ? null : Math.ceil(((1 - refilled) * MINUTE_MS) / perMinute / 1000)
    buckets.set(viewer, { left: wait === null ? refilled - 1 : refilled, at: now })
    return wait
  }
}
