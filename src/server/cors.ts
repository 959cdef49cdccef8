/** CORS (cross-origin requests of browsers): only configured origins get its headers (http.open-routes). */

/** Gives the CORS headers of a response to a request with this Origin header. */
export type Cors = (origin: string | undefined, isPreflight: boolean) => readonly (readonly [string, string])[]

/** Request headers that this server reads. */
const ownHeaders = [
  ...[
    'Authorization',
    'Content-Type',
    'Accept',
    'Accept-Language',
    'X-MOLTIN-CURRENCY',
    'EP-Channel',
    'EP-Context-Tag',
  ],
  ...['GraphQL-Cost', 'Idempotency-Key', 'If-None-Match', 'X-Request-Id'],
]
/** Request headers that clients add themselves: traces of OpenTelemetry and Sentry, and headers of Apollo's clients. */
const clientHeaders = [
  ...['traceparent', 'tracestate', 'baggage', 'sentry-trace'],
  ...['apollographql-client-name', 'apollographql-client-version', 'apollo-require-preflight'],
]

/**
 * Makes the rules. `origins` come from CORS_ORIGINS; `*` allows all. `headers` come from CORS_HEADERS. Credentials mode
 * is never allowed, since tokens are bearer tokens and not cookies.
 */
export function createCors(origins: readonly string[], headers: readonly string[]): Cors {
  const requestHeaders = [...ownHeaders, ...clientHeaders, ...headers].join(', ')
  const any = origins.includes('*')
  return (origin, isPreflight) => {
    if (origins.length === 0) return []
    // Caches must not reuse a response without the headers below for another origin.
    const vary = [['Vary', 'Origin'] as const]
    if (origin === undefined || !(any || origins.includes(origin))) return vary
    const allowed = [...vary, ['Access-Control-Allow-Origin', any ? '*' : origin] as const]
    if (!isPreflight)
      return [...allowed, ['Access-Control-Expose-Headers', 'ETag, X-Request-Id, Retry-After, WWW-Authenticate']]
    return [
      ...allowed,
      ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT'],
      ['Access-Control-Allow-Headers', requestHeaders],
      ['Access-Control-Max-Age', '86400'],
    ]
  }
}
