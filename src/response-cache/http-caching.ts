/** HTTP caching (RFC 9110, 9111): one request's way through the response cache, and the headers by which a client is exactly as fresh. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { languageKey } from '../domain/language/accept-language.ts'
import type { CachePolicy } from './cache-policy.ts'
import type { CacheableResponse, ResponseCache } from './response-cache.ts'

/** Cache-Control of everything else that is for one viewer alone. */
export const NO_STORE = 'private, no-store'

export interface HttpResponse {
  readonly status: 200 | 304
  readonly headers: Readonly<Record<string, string>>
  /** Absent for 304. */
  readonly body?: Buffer<ArrayBuffer>
}

export interface Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly role: string
  /** What is requested: the target, or the body of a POST. */
  readonly text: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly contentType: string
  /** Request headers that the edge's responses depend on, besides those that every key holds. */
  readonly vary?: readonly string[]
  /** Seconds. */
  readonly maxAge: number
}

/** What every key holds: of Authorization the role. */
const KEY_HEADERS = ['Authorization', 'Accept-Language', 'X-MOLTIN-CURRENCY']

/** Of a currency that was not sent: an empty one is refused, so no response to it may be found under the same key. */
const ABSENT = '-'

export class CachedExchange {
  private readonly key: string

  /** Without a cache every response is made anew, with the same headers. */
  constructor(
    private readonly cache: ResponseCache | undefined,
    private readonly exchange: Exchange,
  ) {
    const { req, role, text, contentType } = exchange
    const languages = languageKey(req.headers['accept-language'])
    const method = req.method === 'POST' ? 'POST' : 'GET'
    this.key = [method, contentType, role, req.headers['x-moltin-currency'] ?? ABSENT, languages, text].join('\n')
  }

  /** The cached response; undefined when it has to be made. */
  find(): HttpResponse | undefined {
    const cached = this.cache?.find(this.key, this.exchange.now)
    return cached && this.toHttp(cached)
  }

  /** The response with the JSON of `value`, which is cached; undefined when its policy says that it is not storable. */
  store(value: unknown, policy: CachePolicy): HttpResponse | undefined {
    const { req, now, contentType } = this.exchange
    if (!policy.isStorable(now)) return undefined
    const body = Buffer.from(JSON.stringify(value))
    // POST is not conditional.
    const etag = req.method === 'POST' ? null : etagOf(contentType, body)
    const response = { body, etag, madeAt: now, expiresAt: policy.expiresAt, releases: policy.releases }
    this.cache?.offer(this.key, response)
    return this.toHttp(response)
  }

  private toHttp({ body, etag, expiresAt }: CacheableResponse): HttpResponse {
    const { req, res, now, contentType, vary = [], maxAge } = this.exchange
    if (etag === null) return { status: 200, headers: { 'Content-Type': contentType }, body }
    const headers = {
      'Cache-Control': `private, max-age=${Math.min(maxAge, Math.floor((expiresAt - now) / 1000))}`,
      ETag: etag,
      // CORS may have set Origin.
      Vary: [res.getHeader('Vary') ?? [], ...KEY_HEADERS, ...vary].flat().join(', '),
    }
    if (isNamed(etag, req.headers['if-none-match'])) return { status: 304, headers }
    return { status: 200, headers: { 'Content-Type': contentType, ...headers }, body }
  }
}

/** Strong: representations that differ in their type alone differ in it as well. */
function etagOf(contentType: string, body: Buffer): string {
  return `"${createHash('sha1').update(contentType).update(body).digest('base64url')}"`
}

/** Whether If-None-Match names the tag; proxies that compress make it a weak one. */
function isNamed(etag: string, header: string | undefined): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((text) => [etag, `W/${etag}`].includes(text.trim()))
}
