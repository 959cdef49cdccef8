import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { CachePolicy } from '../../src/response-cache/cache-policy.ts'
import { CachedExchange, type Exchange, type HttpResponse } from '../../src/response-cache/http-caching.ts'
import { ResponseCache } from '../../src/response-cache/response-cache.ts'

interface Given {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** What CORS has set. */
  readonly set?: string
}

function exchangeOf(
  { method = 'GET', headers = {}, set }: Given,
  exchange: Partial<Exchange> = {},
  cache?: ResponseCache,
): CachedExchange {
  const req = { method, headers } as unknown as IncomingMessage
  const res = { getHeader: () => set } as unknown as ServerResponse
  return new CachedExchange(cache, {
    req,
    res,
    viewer: anyone,
    confidential: () => '',
    text: '/',
    now: 0,
    present: () => exchange.now ?? 0,
    contentType: 'a/b',
    maxAge: 1,
    ...exchange,
  })
}

const anyone = { role: 'shopper', accountId: null, channel: null, tags: [] } as const

function policyUntil(expiresAt: number | null): CachePolicy {
  const policy = new CachePolicy()
  policy.readRelease({ catalogId: 'c', releaseId: 'latest', readsAll: false, id: 'r', until: null })
  policy.expireAt(expiresAt)
  return policy
}

const make = (given: Given, exchange?: Partial<Exchange>, until: number | null = null, value: unknown = 1) =>
  exchangeOf(given, exchange).store(value, policyUntil(until)) as HttpResponse

describe('Cache-Control', () => {
  it.each([
    [999, 1, 0],
    [1_000, 1, 1],
    [1_001, 1, 1],
    [1_999, 5, 1],
    [2_000, 5, 2],
    [4_999, 5, 4],
    [5_000, 5, 5],
    [6_000, 5, 5],
    [null, 5, 5],
    [null, 0, 0],
    [1_000, 0, 0],
  ])(
    'list.true-until-next-change: %s ms before the next price change CACHE_MAX_AGE=%s gives max-age=%s',
    (until, maxAge, seconds) => {
      expect(make({}, { maxAge }, until).headers['Cache-Control']).toBe(`private, max-age=${seconds}`)
      // The same at another instant.
      const later = make({}, { maxAge, now: 7 }, until === null ? null : until + 7)
      expect(later.headers['Cache-Control']).toBe(`private, max-age=${seconds}`)
    },
  )

  it.each([
    [0, 'public, max-age=0, s-maxage=0'],
    [1, 'public, max-age=1, s-maxage=0'],
    [5, 'public, max-age=5, s-maxage=4'],
  ])(
    'Cache-Control is public when every release may be shared, a second shorter for shared caches: CACHE_MAX_AGE=%s',
    (maxAge, control) => {
      expect(make({}, { maxAge, mayShare: (id) => id === 'r' }).headers['Cache-Control']).toBe(control)
      expect(make({}, { maxAge, mayShare: () => false }).headers['Cache-Control']).toBe(`private, max-age=${maxAge}`)
      expect(make({}, { maxAge, mayShare: null }).headers['Cache-Control']).toBe(`private, max-age=${maxAge}`)
    },
  )

  it('a response that is not storable is not stored', () => {
    expect(exchangeOf({}).store(1, new CachePolicy())).toBeUndefined()
    expect(make({}, { now: 5 }, 5)).toBeUndefined()
  })
})

describe('Vary', () => {
  it('Vary names the headers of the key, those of the edge, and Origin if CORS has set it', () => {
    expect(make({}).headers.Vary).toBe('Authorization, Accept-Language, X-MOLTIN-CURRENCY, Accept-Encoding')
    expect(make({ set: 'Origin' }, { vary: ['Accept'] }).headers.Vary).toBe(
      'Origin, Authorization, Accept-Language, X-MOLTIN-CURRENCY, Accept-Encoding, Accept',
    )
  })
})

describe('ETag and If-None-Match', () => {
  const etag = make({}).headers.ETag as string

  it('the ETag is weak, since compression changes the bytes, and differs by the response and its type', () => {
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/)
    expect(make({}, { viewer: { ...anyone, role: 'admin' }, text: '/other', now: 9 }).headers.ETag).toBe(etag)
    expect(make({}, {}, null, 2).headers.ETag).not.toBe(etag)
    expect(make({}, { contentType: 'a/c' }).headers.ETag).not.toBe(etag)
  })

  it.each([
    ['the tag', etag],
    ['the tag as a strong one', etag.slice(2)],
    ['any', '*'],
    ['any, with spaces', ' * '],
    ['a list', `"other", ${etag}`],
    ['a list of strong ones', `"other" ,${etag.slice(2)}`],
  ])('If-None-Match with %s gives 304 with the same headers and no body', (_, header) => {
    const whole = make({})
    const { 'Content-Type': type, ...headers } = whole.headers
    expect([type, whole.status, whole.body?.toString()]).toEqual(['a/b', 200, '1'])
    expect(make({ headers: { 'if-none-match': header } })).toEqual({ status: 304, headers })
    expect(make({ method: 'HEAD', headers: { 'if-none-match': header } })).toEqual({ status: 304, headers })
  })

  it.each([
    ['another', '"other"'],
    ['one without quotes', etag.slice(1, -1)],
    ['one in lower case', etag.toLowerCase()],
    ['any in a list', '"other", *'],
    ['nothing', ''],
  ])('If-None-Match with %s gives 200', (_, header) => {
    expect(make({ headers: { 'if-none-match': header } }).status).toBe(200)
  })

  it('If-None-Match of a POST has no effect', () => {
    const response = make({ method: 'POST', headers: { 'if-none-match': '*' } })
    expect(response).toEqual({ status: 200, headers: { 'Content-Type': 'a/b' }, body: Buffer.from('1') })
  })
})

describe('the key', () => {
  const headers = { 'accept-language': 'de', 'x-moltin-currency': 'EUR' }
  const cache = new ResponseCache(
    () => ({ id: 'r', until: null }),
    () => ({ catalogId: 'c', until: null }),
    1_000_000,
  )
  for (let again = 0; again < 2; again++) exchangeOf({ headers }, {}, cache).store('cached', policyUntil(5_000))

  it.each<[string, Given, Partial<Exchange>, boolean]>([
    ['the same request', { headers }, {}, true],
    ['HEAD of it', { headers, method: 'HEAD' }, {}, true],
    ['languages that mean the same', { headers: { ...headers, 'accept-language': ' de ;q=0.5' } }, {}, true],
    ['a header that no response depends on', { headers: { ...headers, 'ep-channel': 'web' } }, {}, true],
    ['other languages', { headers: { ...headers, 'accept-language': 'fr' } }, {}, false],
    ['another currency', { headers: { ...headers, 'x-moltin-currency': 'USD' } }, {}, false],
    ['an account, which no response depends on', { headers }, { viewer: { ...anyone, accountId: 'a' } }, true],
    ['a channel and tags of the token', { headers }, { viewer: { ...anyone, channel: 'web', tags: ['a'] } }, true],
    ['other confidential catalogs', { headers }, { confidential: () => 'c' }, false],
    ['another role', { headers }, { viewer: { ...anyone, role: 'admin' } }, false],
    ['another text', { headers }, { text: '/other' }, false],
    ['another type', { headers }, { contentType: 'a/c' }, false],
    ['a POST', { headers, method: 'POST' }, {}, false],
  ])('the key of a response: %s', (_, given, exchange, isFound) => {
    const found = exchangeOf(given, exchange, cache).find()
    expect(found?.body?.toString()).toBe(isFound ? '"cached"' : undefined)
  })

  it('the key of a response has channel and tags where it depends on a storefront', () => {
    const policy = policyUntil(null)
    policy.readStorefront({ channel: 'web', tags: [], choice: { catalogId: 'c', until: null } })
    const web = { 'ep-channel': 'web' }
    const ask = (given: Record<string, string>) =>
      exchangeOf({ headers: given }, { text: '/storefront', mayShare: () => true }, cache)
    for (let again = 0; again < 2; again++) ask(web).store('cached', policy)
    const others = [{}, { 'ep-channel': 'app' }, { ...web, 'ep-context-tag': '' }, { ...web, 'ep-context-tag': 'gold' }]
    expect(others.map((given) => ask(given).find())).toEqual(others.map(() => undefined))
    expect(ask(web).find()?.headers).toMatchObject({
      'Cache-Control': 'private, max-age=1',
      Vary: 'Authorization, Accept-Language, X-MOLTIN-CURRENCY, EP-Channel, EP-Context-Tag, Accept-Encoding',
    })
  })

  it('max-age is computed at the current request, not at the one that was cached', () => {
    const control = (now: number) =>
      exchangeOf({ headers }, { now, maxAge: 60 }, cache).find()?.headers['Cache-Control']
    expect([0, 1, 4_000, 4_001, 4_999].map(control)).toEqual(
      [5, 4, 1, 0, 0].map((seconds) => `private, max-age=${seconds}`),
    )
    expect(control(5_000)).toBeUndefined()
  })
})
