import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { mayReach } from '../../src/graphql/schema/rights.ts'
import { query, type Right } from '../../src/operations/operation.ts'
import type { ReleaseCache } from '../../src/persistence/catalog/release-cache.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { createLoaders } from '../../src/persistence/loaders.ts'
import type { Context } from '../../src/request/context.ts'
import { CachePolicy } from '../../src/response-cache/cache-policy.ts'

const reader = { now: 0, readsAll: false, proof: null }
const release = { catalogId: 'c', releaseId: 'latest', readsAll: false, id: 'r', until: null }

/** A policy that would let the response be stored. */
function ofRelease(): CachePolicy {
  const policy = new CachePolicy()
  policy.readRelease(release)
  return policy
}

describe('a cache policy', () => {
  it('a cache policy without reports is not storable', () => {
    expect(new CachePolicy().isStorable(0)).toBe(false)
    expect(ofRelease().isStorable(0)).toBe(true)
  })

  it('a cache policy expires at the earliest reported instant, which is excluded', () => {
    const policy = ofRelease()
    for (const instant of [30, null, 20, 25]) policy.expireAt(instant)
    expect(policy.expiresAt).toBe(20)
    expect([19, 20].map((now) => policy.isStorable(now))).toEqual([true, false])
  })

  it('a cache policy ends when another release becomes the latest by itself', () => {
    const policy = new CachePolicy()
    for (const until of [30, null, 20]) policy.readRelease({ ...release, until })
    expect(policy.expiresAt).toBe(20)
  })

  it('a cache policy ends when the rules may choose another catalog', () => {
    const policy = ofRelease()
    for (const until of [30, null, 20])
      policy.readStorefront({ channel: null, tags: [], choice: { catalogId: 'c', until } })
    expect(policy.expiresAt).toBe(20)
  })

  it('a cache policy is not storable once anything besides releases was read', () => {
    const policy = ofRelease()
    policy.doNotStore()
    policy.readRelease(release)
    expect(policy.isStorable(0)).toBe(false)
  })
})

describe('a response is not stored because of', () => {
  const viewer = { subject: 's', role: 'admin', accountId: null, channel: null, tags: [], expiresAt: 1 } as const

  const afterQuery = async (right: Right, reads: 'releases' | null) => {
    const cachePolicy = ofRelease()
    const operation = query({ right, ...(reads && { reads }), run: () => 1 })
    await operation({ viewer, cachePolicy } as unknown as Context, {})
    return cachePolicy.isStorable(0)
  }

  it('a response is not stored because of an operation that does not declare that it reads releases only, or that is for accounts', async () => {
    expect(await afterQuery('anyone', 'releases')).toBe(true)
    expect(await afterQuery('admin', 'releases')).toBe(true)
    expect(await afterQuery('anyone', null)).toBe(false)
    expect(await afterQuery('account', 'releases')).toBe(false)
  })

  it('a response is not stored because of a right that depends on the account', () => {
    const after = (right: Right) => {
      const cachePolicy = ofRelease()
      mayReach(right, { viewer, cachePolicy } as unknown as Context)
      return cachePolicy.isStorable(0)
    }
    expect((['anyone', 'admin', 'account'] as const).map(after)).toEqual([true, true, false])
  })

  it('a response is not stored because of any loader except those of release contents', () => {
    const names = Object.getOwnPropertyNames(
      Object.getPrototypeOf(createLoaders({} as Database, {} as ReleaseCache, ofRelease(), reader)),
    )
    const storable = names.filter((name) => {
      const policy = ofRelease()
      const loaders = createLoaders({} as Database, {} as ReleaseCache, policy, reader) as unknown as Record<
        string,
        unknown
      >
      return typeof loaders[name] !== 'undefined' && policy.isStorable(0)
    })
    expect(names.length).toBeGreaterThan(50)
    expect(storable.filter((name) => !['constructor', 'clearAll', 'get'].includes(name)).sort()).toEqual([
      'bundleNumbersByReleaseAndProductId',
      'documentNumberByReleaseAndProductId',
      'documentNumbersByProductId',
      'matchesByReleaseAndClauses',
      'optionUsesByReleaseAndOptionId',
      'priceHistoryByCatalogAndProductId',
      'releaseByCatalogIdAndReleaseId',
      'scheduledReleaseById',
      'storefrontByShopper',
    ])
  })
})

it('right.shoppers-see-published-and-own: the viewer beyond the role, the channel and the tag are read only where no response is stored, or reported to the policy', () => {
  const source = join(projectRoot, 'src')
  const reads =
    /\b(viewer|ctx\.viewer)\??\.(subject|accountId|token)\b|\{[^{}]*\b(subject|accountId|token)\b[^{}]*\}\s*(:|=)\s*(Viewer|ctx\.viewer|viewer)\b|shopperHeaders\.(channel|tags)\b/
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.startsWith('generated'),
  )
  const found = files
    .filter((file) => reads.test(readFileSync(join(source, file), 'utf8')))
    .map((file) => file.replaceAll('\\', '/'))
  expect(found.sort()).toEqual([
    // For storefronts and confidential catalogs, which the cache chooses and finds again for each viewer.
    'auth/viewer.ts',
    // Turns of viewers at exports, which are never stored.
    'export/begun-export.ts',
    // Before the cache: the rate limit, and fairness between tokens.
    'graphql/server/executor.ts',
    'graphql/server/server.ts',
    // A mutation, whose response is never stored.
    'graphql/subscriptions/subscription-mutation.ts',
    // Turns of viewers at the connections, by their subject.
    'operations/catalog/listing.ts',
    'operations/catalog/storefront.ts',
    // The author of a file that is sent, whose response is never stored.
    'operations/imports/import-job.ts',
    'operations/operation.ts',
    'operations/subscriptions/held-subscription.ts',
    'persistence/idempotency.ts',
    // Turns of viewers at the connections, too; then, before the cache, the share of long bodies.
    'request/context.ts',
    'request/long-bodies.ts',
    'rest/server.ts',
  ])
})
