/**
 * HTTP caching (RFC 9110, 9111): cache keys, ETag, Vary and Cache-Control of responses, on top of the response cache.
 */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Bearing } from '../auth/viewer.ts'
import { languageKey } from '../domain/language/accept-language.ts'
import type { CachePolicy } from './cache-policy.ts'
import type { CacheableResponse, RequestKey, ResponseCache } from './response-cache.ts'

/** Cache-Control of responses to a token that are not cacheable. */
export const NO_STORE = 'private, no-store'

/** A response with its headers, ready to be written. */
export interface HttpResponse {
  readonly status: 200 | 304
  readonly headers: Readonly<Record<string, string>>
  /** Absent for 304. */
  readonly body?: Buffer<ArrayBuffer>
  /** The operation's name (CacheableResponse). */
  readonly operation?: string | undefined
}

/** One request and what its cache key and headers depend on. */
export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly viewer: Bearing
  /** The confidential catalogs that the viewer has now, as a text. */
  readonly confidential: () => string
  /** The request's target, or the body of a POST. */
  readonly text: string
  /** Epoch milliseconds. */
  readonly now: number
  /**
   * The present, epoch milliseconds. It is later than `now` by the time for which the request has waited and worked.
   */
  readonly present: () => number
  readonly contentType: string
  /** Request headers that the edge's responses depend on, besides KEY_HEADERS. */
  readonly vary?: readonly string[]
  /** CACHE_MAX_AGE, in seconds: the upper bound of Cache-Control's max-age. */
  readonly maxAge: number
  /** Whether shared caches may store what was read of a release; null when they may store nothing. */
  readonly mayShare?: ((releaseId: string) => boolean) | null
}

/** Request headers in every cache key. Of Authorization only the role and the confidential catalogs are in it. */
const KEY_HEADERS = ['Authorization', 'Accept-Language', 'X-MOLTIN-CURRENCY']
/**
 * Request headers in the keys of responses that read a storefront. There Authorization counts by account, channel and
 * tags as well.
 */
const SHOPPER_HEADERS = ['EP-Channel', 'EP-Context-Tag']

/**
 * An absent currency in a key. No header has this value, since HTTP drops blanks. A malformed currency is refused, so
 * none may share its key.
 */
const ABSENT = ' '

/** Looks up and stores the response of one request (catalog.confidential-cached-apart). */
export class CachedExchange {
  private readonly request: string
  private readonly shopperHeaders: string

  /** Without a cache, responses get the same headers and are never stored. */
  constructor(
    private readonly cache: ResponseCache | undefined,
    private readonly exchange: Exchange,
  ) {
    const { req, viewer, text, contentType } = exchange
    const { role, channel, tags } = viewer
    const languages = languageKey(req.headers['accept-language'])
    const method = req.method === 'POST' ? 'POST' : 'GET'
    this.request = [method, contentType, role, req.headers['x-moltin-currency'] ?? ABSENT, languages, text].join('\n')
    const headers = SHOPPER_HEADERS.map((name) => req.headers[name.toLowerCase()] ?? null)
    this.shopperHeaders = JSON.stringify([...headers, channel, tags])
  }

  /** The cached response, undefined when there is none. */
  find(): HttpResponse | undefined {
    const cached = this.cache?.find(this.key(), this.exchange.now)
    return cached && this.toHttp(cached)
  }

  /** The key at this moment: while the request runs, the viewer may get or lose a confidential catalog. */
  private key(): RequestKey {
    const { viewer, confidential } = this.exchange
    const { shopperHeaders } = this
    return { request: `${confidential()}\n${this.request}`, shopperHeaders, viewer }
  }

  /** Stores the JSON of `value` and returns it as a response; undefined when the policy does not allow it. */
  store(value: unknown, policy: CachePolicy, operation?: string): HttpResponse | undefined {
    const { req, now, contentType } = this.exchange
    if (!policy.isStorable(now)) return undefined
    const body = Buffer.from(JSON.stringify(value))
    // Conditional requests (If-None-Match) are only for GET.
    const etag = req.method === 'POST' ? null : etagOf(contentType, body)
    const { expiresAt, releases, storefronts } = policy
    const response = { body, etag, madeAt: now, expiresAt, releases, storefronts, operation }
    this.cache?.offer(this.key(), response)
    return this.toHttp(response)
  }

  private toHttp({ body, etag, expiresAt, releases, storefronts, operation }: CacheableResponse): HttpResponse {
    const { req, res, present, contentType, vary = [], maxAge, mayShare } = this.exchange
    if (etag === null) return { status: 200, headers: { 'Content-Type': contentType }, body, operation }
    // Caches such as nginx count from the arrival of the response, however long the request took.
    const seconds = Math.min(maxAge, Math.max(Math.floor((expiresAt - present()) / 1000), 0))
    const ofShopper = storefronts.length > 0
    const shared = mayShare && !ofShopper && releases.every(({ id }) => id !== null && mayShare(id))
    const headers = {
      // A shared cache that counts whole seconds, as nginx does, may serve a response a second longer.
      'Cache-Control': shared
        ? `public, max-age=${seconds}, s-maxage=${Math.max(seconds - 1, 0)}`
        : `private, max-age=${seconds}`,
      ETag: etag,
      // CORS may have set `Vary: Origin` already.
      Vary: [
        res.getHeader('Vary') ?? [],
        ...KEY_HEADERS,
        ...(ofShopper ? SHOPPER_HEADERS : []),
        'Accept-Encoding',
        ...vary,
      ]
        .flat()
        .join(', '),
    }
    if (isNamed(etag, req.headers['if-none-match'])) return { status: 304, headers, operation }
    return { status: 200, headers: { 'Content-Type': contentType, ...headers }, body, operation }
  }
}

/**
 * A weak ETag, since compression changes the bytes and keeps the tag. The content type is part of it, so
 * representations of different types have different tags.
 */
function etagOf(contentType: string, body: Buffer): string {
  return `W/"${createHash('sha1').update(contentType).update(body).digest('base64url')}"`
}

/** Whether If-None-Match names the tag, weak or not (RFC 9110, 13.1.2). */
function isNamed(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((text) => text.trim() === etag || `W/${text.trim()}` === etag)
}
