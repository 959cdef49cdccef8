/**
 * Content negotiation by the Accept header (RFC 9110, 12.5.1): media ranges, their precedence and q values, as the
 * package negotiator reads them.
 */
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

/**
 * Characters; a longer Accept header is treated as absent. Real headers are shorter, and parsing thousands of ranges
 * would block the event loop.
 */
export const ACCEPT_MAX = 1_024
/**
 * Results are cached, since clients send few different headers and parsing one costs more than the response to a cached
 * query.
 */
const HEADERS_CACHED = 500

/**
 * The offered media types that an Accept header allows, best first, in the order of `offered` where it has no
 * preference. Every type is in UTF-8.
 */
export type Negotiate = (accept: string | undefined) => readonly string[]

/** Makes the negotiation between the media types `offered`; without an Accept header all are allowed. */
export function createNegotiation(offered: readonly string[]): Negotiate {
  const byText = new Map(offered.map((type) => [`${type}; charset=utf-8`, type]))
  const texts = [...byText.keys()]
  const cache = new LRUCache<string, readonly string[]>({ max: HEADERS_CACHED })
  return (accept = '') => {
    if (accept.trim() === '' || accept.length > ACCEPT_MAX) return offered
    const cached = cache.get(accept)
    if (cached) return cached
    const allowed = new Negotiator({ headers: { accept } }).mediaTypes(texts).map((text) => byText.get(text) ?? text)
    cache.set(accept, allowed)
    return allowed
  }
}
