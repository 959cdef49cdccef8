/**
 * Metrics of the process (prom-client). They are counted where things happen, and server/monitoring/metrics.ts serves
 * them. Labels have few values, since each combination is a time series.
 */
import { Counter, Histogram } from 'prom-client'

/** Seconds: from a cached response to the deadline of a request. */
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const STATEMENT_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30]

/** Requests that were admitted, once their response has ended. */
export const requestsTotal = new Counter({
  name: 'commerce_requests_total',
  help: 'Requests that have ended, by operation name or REST route and by outcome: ok, client_error, server_error, aborted.',
  labelNames: ['edge', 'operation', 'outcome'],
})

/** Durations of these requests. Event streams are left out: they last as long as their clients like. */
export const requestSeconds = new Histogram({
  name: 'commerce_request_duration_seconds',
  help: 'Seconds from a request to the end of its response, without event streams.',
  labelNames: ['edge', 'operation'],
  buckets: REQUEST_BUCKETS,
})

/** Statements that a pool has sent, including those that begin and end transactions. */
export const statementSeconds = new Histogram({
  name: 'commerce_statement_duration_seconds',
  help: 'Seconds from sending a statement to the database to its result, by outcome: ok, failed.',
  labelNames: ['outcome'],
  buckets: STATEMENT_BUCKETS,
})

/** Why a request was refused to bound the load. */
export type ShedReason =
  | 'in_flight'
  | 'received_bytes'
  | 'work_queue_full'
  | 'work_queue_timeout'
  | 'body_queue_full'
  | 'body_queue_timeout'
  | 'connection_queue'
  | 'deadline'
  | 'streams'
  | 'rate_limit'

/** Requests refused to bound the load. */
export const shedTotal = new Counter<'reason'>({
  name: 'commerce_shed_requests_total',
  help: 'Requests refused to bound the load, by the limit that they met (README of src/server, Overload).',
  labelNames: ['reason'],
})

/** Counts a request that is refused for `reason`. */
export function countShed(reason: ShedReason): void {
  shedTotal.inc({ reason })
}

/** Attempts to send an event to a webhook. */
export const webhookAttemptsTotal = new Counter<'outcome'>({
  name: 'commerce_webhook_attempts_total',
  help: 'Attempts to send an event to a webhook, by outcome: delivered, failed (sent again later), dead (the last attempt failed).',
  labelNames: ['outcome'],
})
// Prometheus sees an increase only when the series exists before it.
for (const outcome of ['delivered', 'failed', 'dead']) webhookAttemptsTotal.inc({ outcome }, 0)

/** Hits and misses of a cache. They are plain numbers, since the hottest responses take microseconds. */
export class CacheLookups {
  hits = 0
  misses = 0

  /** Counts a lookup by its result, which is undefined for a miss, and returns the result. */
  count<Found>(found: Found | undefined): Found | undefined {
    if (found === undefined) this.misses++
    else this.hits++
    return found
  }
}

const lookups = new Map<string, CacheLookups>()

/** The counts of all caches called `name`. */
export function cacheLookups(name: string): CacheLookups {
  const known = lookups.get(name) ?? new CacheLookups()
  lookups.set(name, known)
  return known
}

/** Lookups in the caches. */
export const cacheLookupsTotal = new Counter({
  name: 'commerce_cache_lookups_total',
  help: 'Lookups in a cache, by cache and by result: hit, miss.',
  labelNames: ['cache', 'result'],
  collect() {
    this.reset()
    for (const [cache, { hits, misses }] of lookups) {
      this.inc({ cache, result: 'hit' }, hits)
      this.inc({ cache, result: 'miss' }, misses)
    }
  },
})
