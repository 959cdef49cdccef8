/**
 * RATE_LIMIT: at most so many requests of one token in any minute, by a sliding window of whole seconds.
 *
 * A request is taken when fewer than the limit were taken in its second and the 60 before it. Wherever a minute begins, it lies within 61
 * such seconds, so none holds more; the price is that a request counts for up to 61 s. A fixed window lets twice the limit through across
 * its border, and a bucket that refills steadily nearly as much. rate-limiter-flexible counts in fixed windows too: since a minute meets two
 * of them, it holds any minute only with half the limit in each.
 */
import { LRUCache } from 'lru-cache'
import { emptyLog, recordRequest, retryAfterMs, type SlidingWindowLog, WINDOW_SECONDS } from '../lib/sliding-window-log.ts'
import type { Database } from '../persistence/database/database.ts'
import { pruneRequestLogs, readRequestLog, takeRequest } from '../persistence/rate-limit-log.ts'

/** Takes a request of the token, by its digest: null when it may go on, else the seconds until one may (Retry-After). */
export type RateLimit = (token: string) => number | null | Promise<number | null>

/** The limit of a server on `database`, null for none; `clock`, epoch milliseconds, stands for its own clock in tests. */
export function rateLimitOf(limit: number | null, database: Database, clock?: () => number): RateLimit | undefined {
  if (limit === null) return undefined
  return database.kind === 'server' ? createSharedRateLimit(database, limit, clock) : createRateLimit(limit, clock)
}

const WINDOW_MS = WINDOW_SECONDS * 1_000

/** Counts in memory, for a process that has its database to itself. `clock` tells milliseconds and is never set back. */
export function createRateLimit(limit: number, clock: () => number = () => performance.now()): RateLimit {
  let logs = new Map<string, SlidingWindowLog>()
  let older = new Map<string, SlidingWindowLog>()
  let turnedAt = Number.NEGATIVE_INFINITY
  return (token) => {
    const now = clock()
    // A log that was not used for a whole window says nothing any more: those of two turns ago are dropped, so memory is bounded.
    if (now - turnedAt >= WINDOW_MS) {
      older = logs
      logs = new Map()
      turnedAt = now
    }
    const log = logs.get(token) ?? older.get(token) ?? emptyLog
    const taken = recordRequest(log, Math.floor(now / 1_000), limit)
    if (!taken) return retryAfter(retryAfterMs(log, now, limit))
    logs.set(token, taken)
    return null
  }
}

/** Tokens at their limit that are remembered; of more, each request costs a statement. */
const BLOCKED_MAX = 10_000

/**
 * Counts in the database, for all processes that share it, by the database's clock. A token at its limit is refused from memory until there
 * is room again, without a statement. While the database is away nothing is taken: the request rejects with Unavailable (503), as it would
 * when it came to its own statements, and no request passes uncounted. `clock`, epoch milliseconds, stands for the database's in tests.
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

/** At least a second: where room has come meanwhile, the client's next request finds it. */
function retryAfter(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1_000))
}
