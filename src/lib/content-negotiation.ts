/** Content negotiation (RFC 9110, 12.5.1): media ranges, their precedence and q values, as negotiator reads them. */
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'

/** A longer Accept header is treated as absent: no honest one is as long, and reading thousands of ranges holds up everyone. */
export const ACCEPT_MAX = 1_024
/** Clients send few different headers, and reading one costs more than the response to a cached query. */
const HEADERS_CACHED = 500

/** Those of `offered` that an Accept header allows, best first and in the order of `offered` where it prefers none. Every type is in UTF-8. */
export type Negotiate = (accept: string | undefined) => readonly string[]

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
