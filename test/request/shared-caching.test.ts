import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Viewer } from '../../src/auth/viewer.ts'
import { ReadableReleases } from '../../src/persistence/catalog/readable-releases.ts'
import type { Services } from '../../src/request/context.ts'
import { createExchange } from '../../src/request/shared-caching.ts'
import { CachePolicy } from '../../src/response-cache/cache-policy.ts'

const known = new ReadableReleases({
  readable: [
    ['free', 'c', false, false, 500],
    ['ruled', 'd', false, true, 500],
  ],
  activations: null,
  catalogs: null,
  rules: '0',
})

/**
 * Cache-Control of a response of a release, to a request at 1,000 that is ready at `present`, while its prices change
 * at 6,000.
 */
function cacheControl({ role = 'shopper', id = 'free', present = 1_000 }): string | undefined {
  const services = {
    config: { cacheMaxAge: 60, cachePublic: true },
    releases: { known, confidential: { keyFor: () => '' } },
    changes: { now: () => present },
  }
  const policy = new CachePolicy()
  policy.readRelease({ catalogId: 'c', releaseId: id, readsAll: false, id, until: null })
  policy.expireAt(6_000)
  const exchange = createExchange(
    services as unknown as Services,
    undefined,
    { role, accountId: null, channel: null, tags: [] as readonly string[] } as Viewer,
    {
      req: { method: 'GET', headers: {} } as IncomingMessage,
      res: { getHeader: () => undefined } as unknown as ServerResponse,
      text: '/',
      now: 1_000,
      contentType: 'application/json',
    },
  )
  return exchange.store(1, policy)?.headers['Cache-Control']
}

describe('with CACHE_PUBLIC', () => {
  it.each([
    ['a shopper of a catalog without rules', {}, 'public, max-age=5, s-maxage=4'],
    ['an administrator', { role: 'admin' }, 'private, max-age=5'],
    ['a catalog that a rule names', { id: 'ruled' }, 'private, max-age=5'],
    [
      'a release that was deleted while the response was made, so that its rules are not known any more',
      { id: 'gone' },
      'private, max-age=5',
    ],
  ])('with CACHE_PUBLIC a response to %s', (_, given, control) => {
    expect(cacheControl(given)).toBe(control)
  })
})

describe('list.true-until-next-change: max-age ends before the next price change, although the request', () => {
  it.each([
    [0, 'public, max-age=5, s-maxage=4'],
    [1, 'public, max-age=4, s-maxage=3'],
    [1_000, 'public, max-age=4, s-maxage=3'],
    [1_001, 'public, max-age=3, s-maxage=2'],
    [5_000, 'public, max-age=0, s-maxage=0'],
    [9_000, 'public, max-age=0, s-maxage=0'],
  ])('max-age ends before the next price change, although the request took %s ms', (ms, control) => {
    expect(cacheControl({ present: 1_000 + ms })).toBe(control)
  })

  it('max-age ends before the next price change, although the request began by a clock that was set back since', () => {
    expect(cacheControl({ present: 0 })).toBe('public, max-age=5, s-maxage=4')
  })
})
