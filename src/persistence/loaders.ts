/** Loaders of one request: one DataLoader per access path, named by it; null, 0 or [] where there is nothing. */
import type { AnswerValidity } from '../answer-validity.ts'
import { catalogLoaders } from './catalog-loaders.ts'
import type { Database } from './database.ts'
import { priceLoaders } from './price-loaders.ts'
import { productLoaders } from './product-loaders.ts'
import { releaseLoaders } from './release-loaders.ts'
import type { ReleaseStore } from './release-store.ts'
import { subscriptionLoaders } from './subscription-loaders.ts'

const makers = {
  ...catalogLoaders,
  ...priceLoaders,
  ...productLoaders,
  ...releaseLoaders,
  ...subscriptionLoaders,
}

/** Loaders whose answers never change: of what releases hold. */
const ofReleases: ReadonlySet<string> = new Set([
  'releases',
  'documentNumberByReleaseAndProductId',
  'bundleNumbersByReleaseAndProductId',
  'matchesByReleaseAndClauses',
])

type Makers = typeof makers
type Parts = readonly [Database, ReleaseStore]

export type Loaders = { readonly [Name in keyof Makers]: ReturnType<Makers[Name]> } & Pick<LoaderCache, 'clearAll'>

/** A getter per loader, on the prototype: an object of some fifty getters for each request costs more than a small query. */
class LoaderCache {
  private readonly made = new Map<string, unknown>()

  constructor(
    private readonly parts: Parts,
    private readonly validity: AnswerValidity,
  ) {}

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
    if (!ofReleases.has(name)) this.validity.readStored()
    const loader = this.made.get(name) ?? make(...this.parts)
    this.made.set(name, loader)
    return loader
  }
}

/** A request's loaders, each made when it is first used. `validity` is told of each use of one that is not of releases. */
export function createLoaders(database: Database, releases: ReleaseStore, validity: AnswerValidity): Loaders {
  return new LoaderCache([database, releases], validity) as unknown as Loaders
}
