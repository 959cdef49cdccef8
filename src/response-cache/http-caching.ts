/** HTTP caching (RFC 9110, 9111): cache keys, ETag, Vary and Cache-Control of responses, on top of the response cache. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { languageKey } from '../domain/language/accept-language.ts'
import type { CachePolicy } from './cache-policy.ts'
import type { CacheableResponse, RequestKey, ResponseCache } from './response-cache.ts'

/** Cache-Control of every response to a token that is not cacheable. */
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
  readonly role: string
  /** The account of the token, null for none. */
  readonly accountId: string | null
  /** The request's target, or the body of a POST. */
  readonly text: string
  /** Epoch milliseconds. */
  readonly now: number
  /** The present, epoch milliseconds: later than `now` by what the request has waited and worked. */
  readonly present: () => number
  readonly contentType: string
  /** Request headers that the edge's responses depend on, besides KEY_HEADERS. */
  readonly vary?: readonly string[]
  /** CACHE_MAX_AGE, in seconds: the upper bound of Cache-Control's max-age. */
  readonly maxAge: number
  /** Whether shared caches may store what is read of a release; null when they may store nothing. */
  readonly mayShare?: ((releaseId: string) => boolean) | null
}

/** Request headers in every cache key; of Authorization only the role. */
const KEY_HEADERS = ['Authorization', 'Accept-Language', 'X-MOLTIN-CURRENCY']
/** Request headers in the keys of responses that read a storefront, for which Authorization decides by the account as well. */
const SHOPPER_HEADERS = ['EP-Channel', 'EP-Context-Tag']

/** An absent currency in a key: no header has it, since HTTP drops blanks. Every malformed one is refused, so none may share its key. */
const ABSENT = ' '

/** Looks up and stores the response of one request. */
export class CachedExchange {
  private readonly key: RequestKey

  /** Without a cache, responses get the same headers and are never stored. */
  constructor(
    private readonly cache: ResponseCache | undefined,
    private readonly exchange: Exchange,
  ) {
    const { req, role, accountId, text, contentType } = exchange
    const languages = languageKey(req.headers['accept-language'])
    const method = req.method === 'POST' ? 'POST' : 'GET'
    this.key = {
      request: [method, contentType, role, req.headers['x-moltin-currency'] ?? ABSENT, languages, text].join('\n'),
      shopperHeaders: JSON.stringify(SHOPPER_HEADERS.map((name) => req.headers[name.toLowerCase()] ?? null)),
      accountId,
    }
  }

  /** The cached response, undefined when there is none. */
  find(): HttpResponse | undefined {
    const cached = this.cache?.find(this.key, this.exchange.now)
    return cached && this.toHttp(cached)
  }

  /** Stores the JSON of `value` and returns it as a response; undefined when the policy does not allow it. */
  store(value: unknown, policy: CachePolicy, operation?: string): HttpResponse | undefined {
    const { req, now, contentType } = this.exchange
    if (!policy.isStorable(now)) return undefined
    const body = Buffer.from(JSON.stringify(value))
    // Conditional requests (If-None-Match) are for GET alone.
    const etag = req.method === 'POST' ? null : etagOf(contentType, body)
    const { expiresAt, releases, storefronts } = policy
    const response = { body, etag, madeAt: now, expiresAt, releases, storefronts, operation }
    this.cache?.offer(this.key, response)
    return this.toHttp(response)
  }

  private toHttp({ body, etag, expiresAt, releases, storefronts, operation }: CacheableResponse): HttpResponse {
    const { req, res, present, contentType, vary = [], maxAge, mayShare } = this.exchange
    if (etag === null) return { status: 200, headers: { 'Content-Type': contentType }, body, operation }
    // Caches such as nginx count from when the response arrives, however long the request took.
    const seconds = Math.min(maxAge, Math.max(Math.floor((expiresAt - present()) / 1000), 0))
    const ofShopper = storefronts.length > 0
    const shared = mayShare && !ofShopper && releases.every(({ id }) => id !== null && mayShare(id))
    const headers = {
      // A shared cache that counts whole seconds, as nginx does, serves a response for up to a second longer.
      'Cache-Control': shared ? `public, max-age=${seconds}, s-maxage=${Math.max(seconds - 1, 0)}` : `private, max-age=${seconds}`,
      ETag: etag,
      // CORS may have set `Vary: Origin` already.
      Vary: [res.getHeader('Vary') ?? [], ...KEY_HEADERS, ...(ofShopper ? SHOPPER_HEADERS : []), 'Accept-Encoding', ...vary]
        .flat()
        .join(', '),
    }
    if (isNamed(etag, req.headers['if-none-match'])) return { status: 304, headers, operation }
    return { status: 200, headers: { 'Content-Type': contentType, ...headers }, body, operation }
  }
}

/**
 * A weak ETag, since a compressed response has other bytes and the same tag. The content type is part of it, so representations of
 * different types have different tags.
 */
function etagOf(contentType: string, body: Buffer): string {
  return `W/"${createHash('sha1').update(contentType).update(body).digest('base64url')}"`
}

/** Whether If-None-Match names the tag, weak or not (RFC 9110, 13.1.2). */
function isNamed(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((text) => text.trim() === etag || `W/${text.trim()}` === etag)
}
