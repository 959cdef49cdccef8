/**
 * Rate limit (RATE_LIMIT): at most so many requests per token in any minute, by a sliding window log of whole seconds.
 *
 * A request is admitted when fewer than the limit were admitted in its second and the 60 before it. Any minute lies
 * within 61 such seconds, so none has more requests than the limit; a request counts for up to 61 s. A fixed window, as
 * in rate-limiter-flexible, admits twice the limit around its edge, and a token bucket nearly as much.
 */
import { LRUCache } from 'lru-cache'
import {
  emptyLog,
  recordRequest,
  retryAfterMs,
  type SlidingWindowLog,
  WINDOW_SECONDS,
} from '../lib/sliding-window-log.ts'
import type { Database } from '../persistence/database/database.ts'
import { pruneRequestLogs, readRequestLog, takeRequest } from '../persistence/rate-limit-log.ts'

/**
 * Counts a request of the token (its digest): null when it is admitted, else the seconds until the next one is
 * (Retry-After).
 */
export type RateLimit = (token: string) => number | null | Promise<number | null>

/**
 * The rate limit of a server, in requests per minute; null for none. On a database server all processes share it. Tests
 * set `clock`.
 */
export function rateLimitOf(limit: number | null, database: Database, clock?: () => number): RateLimit | undefined {
  if (limit === null) return undefined
  return database.kind === 'server' ? createSharedRateLimit(database, limit, clock) : createRateLimit(limit, clock)
}

/**
 * Tokens that are counted in memory, about 15 MB. With more in one minute, the requests of the least recently used
 * token are forgotten.
 */
export const TOKENS_MAX = 20_000

/** Counts in memory, for a process with an embedded database. `clock` returns milliseconds and never goes back. */
export function createRateLimit(limit: number, clock: () => number = () => performance.now()): RateLimit {
  const logs = new LRUCache<string, SlidingWindowLog>({ max: TOKENS_MAX })
  return (token) => {
    const now = clock()
    const log = logs.get(token) ?? emptyLog
    const taken = recordRequest(log, Math.floor(now / 1_000), limit)
    if (!taken) return retryAfter(retryAfterMs(log, now, limit))
    logs.set(token, taken)
    return null
  }
}

/** Milliseconds after which logs in the database no longer count and are deleted. */
const WINDOW_MS = WINDOW_SECONDS * 1_000
/** Cached tokens that are at their limit. A request of any other token costs a statement. */
const BLOCKED_MAX = 10_000

/**
 * Counts in the database, for all processes that share it, by the database's clock. A token at its limit is refused
 * from memory, without a statement, until its next request is due. While the database is unreachable, the call rejects
 * with Unavailable (503), so no request passes uncounted. `clock`, epoch milliseconds, replaces the database's clock in
 * tests.
 */
export function createSharedRateLimit(database: Database, limit: number, clock?: () => number): RateLimit {
  const elapsed = clock ?? (() => performance.now())
  const blocked = new LRUCache<string, number>({ max: BLOCKED_MAX })
  let trimmedAt = Number.NEGATIVE_INFINITY
  return async (token) => {
    const now = elapsed()
    const until = blocked.get(token) ?? now
    if (until > now) return retryAfter(until - now)
    const taken = await takeRequest(database, token, limit, clock?.())
    if (now - trimmedAt >= WINDOW_MS) {
      trimmedAt = now
      await pruneRequestLogs(database, clock?.())
    }
    if (taken) return null
    const { log, now: instant } = await readRequestLog(database, token, clock?.())
    const wait = retryAfterMs(log, instant, limit)
    blocked.set(token, elapsed() + wait)
    return retryAfter(wait)
  }
}

/** Whole seconds for Retry-After, at least one. */
function retryAfter(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1_000))
}
