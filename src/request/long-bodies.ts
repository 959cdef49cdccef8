/**
 * Long bodies of requests: how many are in memory at once (http.long-bodies-take-turns), and how many values a body may
 * have (http.bodies-are-bounded).
 *
 * The bytes of a body are read as they come; in-flight-requests.ts bounds them. A long body is decoded and parsed once
 * it has a permit for its length. It keeps the permit until its request ends, since its text and values live as long.
 */
import type { Bearer } from '../auth/verify.ts'
import type { Viewer } from '../auth/viewer.ts'
import type { JsonLimits } from '../lib/json.ts'
import { ConcurrencyLimiter } from './concurrency-limiter.ts'
import type { Services } from './context.ts'
import type { RequestWork } from './request-work.ts'

/** Bytes up to which a body is short: it is parsed without a permit. */
export const SHORT_BODY_MAX = 16 * 1024
/** Bytes of all long bodies in memory. */
export const LONG_BODIES_MAX = 24 * 1024 * 1024
/** Bytes of the long bodies of one administrator's token, and of all shoppers, whose tokens anybody may get. */
export const LONG_BODIES_OF_ONE_MAX = 16 * 1024 * 1024
/** Values of a body: an administrator attaches 100,000 products to a node in one call. */
export const SHOPPER_VALUES_MAX = 10_000
export const ADMIN_VALUES_MAX = 250_000
/** Different keys of a body, of all its objects together. */
export const KEYS_MAX = 10_000

/** The limit of all long bodies of a process. */
export function createBodyLimiter(): ConcurrencyLimiter {
  return new ConcurrencyLimiter({
    queue: 'body',
    lightUpTo: 0,
    lightMax: 0,
    heavyMax: LONG_BODIES_MAX,
    tokenMax: LONG_BODIES_OF_ONE_MAX,
  })
}

/** What the JSON of a viewer's request may hold. */
export function jsonLimitsOf({ role }: Viewer): JsonLimits {
  return { valuesMax: role === 'admin' ? ADMIN_VALUES_MAX : SHOPPER_VALUES_MAX, keysMax: KEYS_MAX }
}

/**
 * Waits until a body of so many bytes may be decoded and parsed; `work` then has its permit. Rejects with Overloaded
 * when there is none in time, and with the deadline's reason.
 */
export async function admitBody(
  { bodyLimiter }: Services,
  viewer: Bearer,
  work: RequestWork,
  bytes: number,
): Promise<void> {
  if (bytes <= SHORT_BODY_MAX) return
  work.bodyPermit = (await bodyLimiter?.acquire(viewer.role === 'admin' ? viewer.token : 'shoppers', bytes)) ?? null
  // Several may get their permits at once.
  await work.nextTurn()
}
