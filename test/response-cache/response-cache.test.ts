import { describe, expect, it } from 'vitest'
import { type CacheableResponse, type CurrentRelease, ResponseCache } from '../../src/response-cache/response-cache.ts'

const releases = [{ catalogId: 'c', releaseId: 'latest', readsAll: false, id: 'r' }]
const current: CurrentRelease = () => ({ id: 'r' })

function made(body: string | Buffer<ArrayBuffer>, given: Partial<CacheableResponse> = {}): CacheableResponse {
  return { body: Buffer.from(body), etag: null, madeAt: 0, expiresAt: Number.POSITIVE_INFINITY, releases, ...given }
}

/** Stored from the second request on. */
function store(cache: ResponseCache, key: string, response: CacheableResponse): void {
  cache.offer(key, response)
  cache.offer(key, response)
}

describe('the response cache', () => {
  it('list.true-until-next-change: finds a response from its instant until its expiry, which is excluded', () => {
    const cache = new ResponseCache(current)
    store(cache, 'k', made('a', { madeAt: 10, expiresAt: 20 }))
    expect([9, 10, 19].map((now) => cache.find('k', now)?.body.toString())).toEqual([undefined, 'a', 'a'])
    expect(cache.find('k', 20)).toBeUndefined()
    expect(cache.find('k', 19)).toBeUndefined()
  })

  it('stores a response at its second request', () => {
    const cache = new ResponseCache(current)
    const found = () => {
      cache.offer('k', made('a'))
      return cache.find('k', 0)?.body.toString()
    }
    expect([found(), found()]).toEqual([undefined, 'a'])
  })

  it('release.is-a-snapshot: finds it only while its releases are current; when only the database knows, it is neither found nor deleted', () => {
    let release: { readonly id: string } | null | undefined = { id: 'r' }
    const cache = new ResponseCache(() => release)
    store(cache, 'k', made('a'))
    release = undefined
    expect(cache.find('k', 0)).toBeUndefined()
    release = { id: 'r' }
    expect(cache.find('k', 0)?.body.toString()).toBe('a')
    for (const other of [null, { id: 'newer' }]) {
      store(cache, 'k', made('a'))
      release = other
      expect(cache.find('k', 0)).toBeUndefined()
      release = { id: 'r' }
      expect(cache.find('k', 0)).toBeUndefined()
    }
  })

  it('stores keys up to 16,384 characters and bodies up to a mebibyte', () => {
    const cache = new ResponseCache(current)
    for (const [key, bytes, isStored] of [
      ['k'.repeat(16_384), 1, true],
      ['k'.repeat(16_385), 1, false],
      ['a', 1_048_576, true],
      ['b', 1_048_577, false],
    ] as const) {
      store(cache, key, made(Buffer.alloc(bytes)))
      expect(cache.find(key, 0) !== undefined).toBe(isStored)
    }
  })

  it('is bounded: the least recently used responses are evicted, and a replaced response frees its bytes', () => {
    const cache = new ResponseCache(current, 2 * (100 + 500 + 2))
    for (let again = 0; again < 5; again++) for (const key of ['a', 'b']) store(cache, key, made(Buffer.alloc(100)))
    expect(['a', 'b'].map((key) => cache.find(key, 0)?.body.length)).toEqual([100, 100])
    cache.find('a', 0)
    store(cache, 'c', made(Buffer.alloc(100)))
    expect(['a', 'b', 'c'].map((key) => cache.find(key, 0)?.body.length)).toEqual([100, undefined, 100])
  })
})
