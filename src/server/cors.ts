/** Cross-origin calls from browsers: only for the origins that are configured; any other gets no header at all (http.open-routes). */

export type Cors = (origin: string | undefined, isPreflight: boolean) => readonly (readonly [string, string])[]

const requestHeaders =
  'Authorization, Content-Type, Accept, Accept-Language, X-MOLTIN-CURRENCY, EP-Channel, EP-Context-Tag, GraphQL-Cost, Idempotency-Key, If-None-Match, X-Request-Id'

/** `origins` as the configuration has them; `*` stands for any. Tokens are bearer tokens, so cookies are never allowed. */
export function createCors(origins: readonly string[]): Cors {
  const any = origins.includes('*')
  return (origin, isPreflight) => {
    if (origins.length === 0) return []
    // A response without the headers below may be cached, and must not serve a page of another origin.
    const vary = [['Vary', 'Origin'] as const]
    if (origin === undefined || !(any || origins.includes(origin))) return vary
    const allowed = [...vary, ['Access-Control-Allow-Origin', any ? '*' : origin] as const]
    if (!isPreflight) return [...allowed, ['Access-Control-Expose-Headers', 'ETag, X-Request-Id, Retry-After, WWW-Authenticate']]
    return [
      ...allowed,
      ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT'],
      ['Access-Control-Allow-Headers', requestHeaders],
      ['Access-Control-Max-Age', '86400'],
    ]
  }
}
