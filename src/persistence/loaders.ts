/** Loaders of one request: one DataLoader per access path, named by it; null, 0 or [] where there is nothing. */
import type { CachePolicy } from '../response-cache/cache-policy.ts'
import { catalogLoaders } from './catalog/catalog-loaders.ts'
import type { ReleaseCache } from './catalog/release-cache.ts'
import { releaseLoaders } from './catalog/release-loaders.ts'
import type { Database } from './database/database.ts'
import { priceLoaders } from './pricing/price-loaders.ts'
import { productLoaders } from './products/product-loaders.ts'
import { subscriptionLoaders } from './subscriptions/subscription-loaders.ts'

const makers = {
  ...catalogLoaders,
  ...priceLoaders,
  ...productLoaders,
  ...releaseLoaders,
  ...subscriptionLoaders,
}

/** Loaders of what releases hold, which never changes. All others read records, which no response may be cached with. */
const ofReleases: ReadonlySet<string> = new Set([
  'releases',
  'documentNumberByReleaseAndProductId',
  'bundleNumbersByReleaseAndProductId',
  'matchesByReleaseAndClauses',
])

type Makers = typeof makers
type Parts = readonly [Database, ReleaseCache, CachePolicy]

export type Loaders = { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> } & Pick<LoaderCache, 'clearAll'>

/** A getter per loader, on the prototype: an object of some fifty getters for each request costs more than a small query. */
class LoaderCache {
  private readonly made = new Map<string, unknown>()

  constructor(private readonly parts: Parts) {}

  static {
    for (const [name, make] of Object.entries<(...parts: Parts) => unknown>(makers)) {
      Object.defineProperty(LoaderCache.prototype, name, {
        get(this: LoaderCache) {
          return this.get(name, make)
        },
      })
    }
  }

  /** After a write: what was loaded before it is not read again. */
  clearAll(): void {
    this.made.clear()
  }

  private get(name: string, make: (...parts: Parts) => unknown): unknown {
    const known = this.made.get(name)
    if (known) return known
    const [, , cachePolicy] = this.parts
    if (!ofReleases.has(name)) cachePolicy.doNotStore()
    const loader = make(...this.parts)
    this.made.set(name, loader)
    return loader
  }
}

/** A request's loaders, each made when it is first used. */
export function createLoaders(...parts: Parts): Loaders {
  return new LoaderCache(parts) as unknown as Loaders
}
