/** Loaders of one request: one DataLoader per access path and named by it; null, 0 or [] where there is nothing. */
import { catalogLoaders } from './catalog/catalog-loaders.ts'
import { priceHistoryByCatalogAndProductId } from './catalog/price-history.ts'
import { type Parts, releaseLoaders } from './catalog/release-loaders.ts'
import { historyLoaders } from './changes/history.ts'
import { webhookLoaders } from './changes/webhook.ts'
import { importJobLoaders } from './imports/import-job.ts'
import { priceLoaders } from './pricing/price-loaders.ts'
import { productLoaders } from './products/product-loaders.ts'
import { subscriptionLoaders } from './subscriptions/subscription-loaders.ts'

const factories = {
  ...catalogLoaders,
  ...priceLoaders,
  ...productLoaders,
  ...releaseLoaders,
  ...subscriptionLoaders,
  ...historyLoaders,
  ...webhookLoaders,
  ...importJobLoaders,
  priceHistoryByCatalogAndProductId,
}

/**
 * Loaders of releases, which never change, of data that only publishes write, and of choices that are reported to the
 * cache policy. All others read records, and a response that contains records must not be cached.
 */
const releaseReaders: ReadonlySet<string> = new Set([
  'releaseByCatalogIdAndReleaseId',
  'storefrontByShopper',
  'documentNumberByReleaseAndProductId',
  'documentNumbersByProductId',
  'scheduledReleaseById',
  'bundleNumbersByReleaseAndProductId',
  'matchesByReleaseAndClauses',
  'optionUsesByReleaseAndOptionId',
  'priceHistoryByCatalogAndProductId',
])

type Factories = typeof factories

/** The loaders of a request by name, and `clearAll`. */
export type Loaders = { readonly [Name in keyof Factories]: ReturnType<Factories[Name]> } & Pick<
  LoaderCache,
  'clearAll'
>

/**
 * Creates loaders on first use. The getters are on the prototype, since an object of fifty getters per request costs
 * more than a small query.
 */
class LoaderCache {
  private readonly loaders = new Map<string, unknown>()

  constructor(private readonly parts: Parts) {}

  static {
    for (const [name, create] of Object.entries<(...parts: Parts) => unknown>(factories)) {
      Object.defineProperty(LoaderCache.prototype, name, {
        get(this: LoaderCache) {
          return this.get(name, create)
        },
      })
    }
  }

  /** Forgets all loaded values; called after a write. */
  clearAll(): void {
    this.loaders.clear()
  }

  private get(name: string, create: (...parts: Parts) => unknown): unknown {
    const existing = this.loaders.get(name)
    if (existing) return existing
    const [, , cachePolicy] = this.parts
    if (!releaseReaders.has(name)) cachePolicy.doNotStore()
    const loader = create(...this.parts)
    this.loaders.set(name, loader)
    return loader
  }
}

/** A request's loaders, each created on first use. */
export function createLoaders(...parts: Parts): Loaders {
  return new LoaderCache(parts) as unknown as Loaders
}
