/**
 * DataLoaders of one request: one per access path, aligned by key, null or [] where there is nothing (design law 6). What they answer may
 * be other requests' too (reading-together.ts), so nobody changes it.
 */
import type { AnswerValidity } from '../answer-validity.ts'
import type { SubscriptionProduct } from '../domain/subscription-product.ts'
import { byId } from './by-id.ts'
import { catalogLoaders } from './catalog-loaders.ts'
import type { Database } from './database.ts'
import { type Forgetful, lazyGroups } from './lazy-groups.ts'
import { priceLoaders } from './price-loaders.ts'
import { productLoaders } from './product-loaders.ts'
import { releaseLoaders } from './release-loaders.ts'
import type { ReleaseStore } from './release-store.ts'
import { subscriptionLoaders } from './subscription-loaders.ts'
import { fromRow as subscriptionProductFromRow } from './subscription-product.ts'

function subscriptionProductLoaders(database: Database) {
  return {
    subscriptionProductById: byId<SubscriptionProduct>(database, 'subscription products', async ({ prisma }, ids) =>
      (await prisma.subscriptionProduct.findMany({ where: { id: { in: ids } } })).map(subscriptionProductFromRow),
    ),
  }
}

type Made = ReturnType<typeof catalogLoaders> &
  ReturnType<typeof priceLoaders> &
  ReturnType<typeof productLoaders> &
  ReturnType<typeof releaseLoaders> &
  ReturnType<typeof subscriptionLoaders> &
  ReturnType<typeof subscriptionProductLoaders>

export type Loaders = Made & Forgetful

/** Loaders whose answers never change: of what releases hold. */
const ofReleases: ReadonlySet<string> = new Set([
  'releases',
  'documentNumberByReleaseAndProductId',
  'bundleNumbersByReleaseAndProductId',
  'matchesByReleaseAndClauses',
])

/** `validity` is told when a loader is asked for that is not of releases. */
export const createLoaders: (database: Database, releases: ReleaseStore, validity: AnswerValidity) => Loaders = lazyGroups<
  [Database, ReleaseStore, AnswerValidity],
  Made
>(
  [catalogLoaders, priceLoaders, productLoaders, releaseLoaders, subscriptionLoaders, subscriptionProductLoaders],
  (name, [, , validity]) => {
    if (!ofReleases.has(name)) validity.readStored()
  },
)
