import DataLoader from 'dataloader'
import { describe, expect, it } from 'vitest'
import type { ReleaseCache } from '../../src/persistence/catalog/release-cache.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { createLoaders } from '../../src/persistence/loaders.ts'
import { CachePolicy } from '../../src/response-cache/cache-policy.ts'

/**
 * The loaders of a request, by name; of those that take arguments (a topic, a window, a release) the one for some; of a
 * list both.
 */
function allLoaders(): [name: string, loader: unknown][] {
  const loaders = createLoaders({} as Database, {} as ReleaseCache, new CachePolicy(), {
    now: 0,
    readsAll: true,
    proof: null,
  })
  const getters = Object.entries(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(loaders))).filter(
    ([, { get }]) => get,
  )
  return getters.flatMap(([name, { get }]) => {
    const made = get?.call(loaders)
    const loader: unknown = name.includes('ByTopic') ? made('product') : made
    const parts = name.includes('ListBy') ? Object.values(loader as object) : [loader]
    return parts.map((part): [string, unknown] => [
      name,
      typeof part === 'function' ? part({ id: 'a window', clauses: [], release: { id: 'a release' } }) : part,
    ])
  })
}

describe('the loaders of a request', () => {
  it('the loaders of a request are DataLoaders with a name and a cache for the request', () => {
    const all = allLoaders()
    expect(all.length).toBeGreaterThan(50)
    expect(all.filter(([, loader]) => !(loader instanceof DataLoader && loader.name)).map(([name]) => name)).toEqual([])
  })
})
