import { describe, expect, it } from 'vitest'
import {
  type CacheableResponse,
  type CurrentChoice,
  type CurrentRelease,
  type RequestKey,
  ResponseCache,
} from '../../src/response-cache/response-cache.ts'

const releases = [{ catalogId: 'c', releaseId: 'latest', readsAll: false, id: 'r', until: 50 }]
const current: CurrentRelease = () => ({ id: 'r', until: 50 })

function made(body: string | Buffer<ArrayBuffer>, given: Partial<CacheableResponse> = {}): CacheableResponse {
  return {
    body: Buffer.from(body),
    etag: null,
    madeAt: 0,
    expiresAt: Number.POSITIVE_INFINITY,
    releases,
    storefronts: [],
    ...given,
  }
}

const noChoice: CurrentChoice = () => undefined
/** Of a cache that need not evict anything. */
const BYTES = 8_000_000
const viewerOf = (accountId: string | null) => ({ role: 'shopper', accountId, channel: null, tags: [] }) as const
const keyOf = (request: string, given: Partial<RequestKey> = {}): RequestKey => ({
  request,
  shopperHeaders: '',
  viewer: viewerOf(null),
  ...given,
})

/** Stored from the second request on. */
function store(cache: ResponseCache, key: RequestKey, response: CacheableResponse): void {
  cache.offer(key, response)
  cache.offer(key, response)
}

describe('the response cache', () => {
  it('list.true-until-next-change: the response cache finds a response from its instant until its expiry, which is excluded', () => {
    const cache = new ResponseCache(current, noChoice, BYTES)
    store(cache, keyOf('k'), made('a', { madeAt: 10, expiresAt: 20 }))
    expect([9, 10, 19].map((now) => cache.find(keyOf('k'), now)?.body.toString())).toEqual([undefined, 'a', 'a'])
    expect(cache.find(keyOf('k'), 20)).toBeUndefined()
    expect(cache.find(keyOf('k'), 19)).toBeUndefined()
  })

  it('the response cache stores a response at its second request', () => {
    const cache = new ResponseCache(current, noChoice, BYTES)
    const found = () => {
      cache.offer(keyOf('k'), made('a'))
      return cache.find(keyOf('k'), 0)?.body.toString()
    }
    expect([found(), found()]).toEqual([undefined, 'a'])
  })

  it('release.is-a-snapshot: the response cache finds it only while its releases are current; when only the database knows, it is neither found nor deleted', () => {
    const same = { id: 'r', until: 50 }
    let release: ReturnType<CurrentRelease> = same
    const cache = new ResponseCache(() => release, noChoice, BYTES)
    store(cache, keyOf('k'), made('a'))
    release = undefined
    expect(cache.find(keyOf('k'), 0)).toBeUndefined()
    release = same
    expect(cache.find(keyOf('k'), 0)?.body.toString()).toBe('a')
    // Gone, replaced, and scheduled to be replaced earlier, later or never.
    for (const other of [
      { id: null, until: 50 },
      { id: 'newer', until: 50 },
      ...[49, 51, null].map((until) => ({ id: 'r', until })),
    ]) {
      store(cache, keyOf('k'), made('a'))
      release = other
      expect(cache.find(keyOf('k'), 0)).toBeUndefined()
      release = same
      expect(cache.find(keyOf('k'), 0)).toBeUndefined()
    }
  })

  it('the response cache stores keys up to 16,384 characters and bodies up to a mebibyte', () => {
    const cache = new ResponseCache(current, noChoice, BYTES)
    for (const [key, bytes, isStored] of [
      ['k'.repeat(16_384), 1, true],
      ['k'.repeat(16_385), 1, false],
      ['a', 1_048_576, true],
      ['b', 1_048_577, false],
    ] as const) {
      store(cache, keyOf(key), made(Buffer.alloc(bytes)))
      expect(cache.find(keyOf(key), 0) !== undefined).toBe(isStored)
    }
  })

  it('the response cache is bounded: the least recently used responses are evicted, and a replaced response frees its bytes', () => {
    const cache = new ResponseCache(current, noChoice, 2 * (100 + 500 + 2))
    for (let again = 0; again < 5; again++)
      for (const key of ['a', 'b']) store(cache, keyOf(key), made(Buffer.alloc(100)))
    expect(['a', 'b'].map((key) => cache.find(keyOf(key), 0)?.body.length)).toEqual([100, 100])
    cache.find(keyOf('a'), 0)
    store(cache, keyOf('c'), made(Buffer.alloc(100)))
    expect(['a', 'b', 'c'].map((key) => cache.find(keyOf(key), 0)?.body.length)).toEqual([100, undefined, 100])
  })

  it('the response cache is bounded by bytes alone for responses that read storefronts too: those that were found last stay', () => {
    const choice = { catalogId: 'one', until: null }
    const storefronts = [{ channel: null, tags: [], choice }]
    const keys = Array.from({ length: 3_000 }, (_, at) => keyOf(`${at}`.padStart(1_000)))
    // What the request reads, '[{"channel":null,"tags":[]}]', and its response under a longer key.
    const entry = 2 * (1_000 + 1) + 500 + 2 * 28 + (2 * (1_000 + 1 + 1 + 20) + 500 + 100)
    const cache = new ResponseCache(current, () => choice, entry * keys.length)
    const isFound = (key: RequestKey) => cache.find(key, 0) !== undefined
    for (const key of keys) store(cache, key, made(Buffer.alloc(100), { storefronts }))
    expect(keys.filter(isFound)).toHaveLength(3_000)
    store(cache, keyOf('n'.repeat(1_000)), made(Buffer.alloc(100), { storefronts }))
    expect(keys.map(isFound)).toEqual([false, ...keys.slice(1).map(() => true)])
  })

  it('the response cache remembers one request for each 2,500 bytes of it, and nearly as many before them', () => {
    const isStored = (others: number) => {
      const cache = new ResponseCache(current, noChoice, 25_000)
      cache.offer(keyOf('k'), made('a'))
      for (let other = 0; other < others; other++) cache.offer(keyOf(`other ${other}`), made('a'))
      cache.offer(keyOf('k'), made('a'))
      return cache.find(keyOf('k'), 0) !== undefined
    }
    expect([9, 18, 19].map(isStored)).toEqual([true, true, false])
  })

  it('catalog-rule.most-matches-win: a response that reads a storefront is found by those for whom the rules choose the same until the same instant', () => {
    let choices: Record<string, { catalogId: string | null; until: number | null } | undefined> = {}
    const cache = new ResponseCache(current, ({ channel }, { accountId }) => choices[`${accountId} ${channel}`], BYTES)
    const [one, other] = [
      { catalogId: 'one', until: null },
      { catalogId: 'other', until: null },
    ]
    const read = (choice: typeof one) => ({ storefronts: [{ channel: 'web', tags: [], choice }] })
    const found = (accountId: string | null, shopperHeaders = '') =>
      cache.find(keyOf('k', { viewer: viewerOf(accountId), shopperHeaders }), 0)?.body.toString()
    choices = { 'null web': one, 'a web': one, 'b web': other, 'c web': undefined, 'd web': { ...one, until: 9 } }
    store(cache, keyOf('k'), made('one', read(one)))
    expect(['a', null, 'b', 'c', 'd'].map((account) => found(account))).toEqual([
      'one',
      'one',
      undefined,
      undefined,
      undefined,
    ])
    expect(found(null, 'other headers')).toBeUndefined()
    store(cache, keyOf('k', { viewer: viewerOf('b') }), made('other', read(other)))
    expect(['a', 'b'].map((account) => found(account))).toEqual(['one', 'other'])
    // Another rule chooses now.
    choices = { 'a web': other, 'b web': one }
    expect(['a', 'b'].map((account) => found(account))).toEqual(['other', 'one'])
  })

  it('catalog.confidential-by-proof: a response is found again only for those for whom what it read is found again', () => {
    const found: Readonly<Record<string, { id: string | null; until: null } | undefined>> = {
      member: { id: 'r', until: null },
      other: { id: null, until: null },
    }
    const cache = new ResponseCache((_, { accountId }) => found[String(accountId)], noChoice, BYTES)
    const read = [{ catalogId: 'c', releaseId: 'latest', readsAll: false, id: 'r', until: null }]
    const ask = (account: string) => cache.find(keyOf('k', { viewer: viewerOf(account) }), 0)?.body.toString()
    store(cache, keyOf('k'), made('a', { releases: read }))
    // Of the third the rules are not in memory: the database decides.
    expect(['member', 'unread', 'member', 'other', 'member'].map(ask)).toEqual([
      'a',
      undefined,
      'a',
      undefined,
      undefined,
    ])
  })

  it('the response cache does not confuse two storefronts of one request that were chosen in another order', () => {
    const choose: CurrentChoice = ({ channel }) => ({ catalogId: channel === 'web' ? 'one' : 'other', until: null })
    const cache = new ResponseCache(current, choose, BYTES)
    const [web, app] = ['web', 'app'].map((channel) => ({ channel, tags: [] }))
    const ofSame = (catalogs: string[], order: (typeof web)[]) =>
      order.map((storefront, index) => ({
        ...(storefront as { channel: string; tags: string[] }),
        choice: { catalogId: catalogs[index] ?? null, until: null },
      }))
    store(cache, keyOf('k'), made('then', { storefronts: ofSame(['one', 'other'], [app, web]) }))
    store(cache, keyOf('k'), made('now', { storefronts: ofSame(['one', 'other'], [web, app]) }))
    expect(cache.find(keyOf('k'), 0)?.body.toString()).toBe('now')
  })
})
