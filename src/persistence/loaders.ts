/**
 * Loaders of one request: one per access path, null or [] where there is nothing (design law 6). What they answer may
 * be other requests' too (reading-together.ts), so nobody changes it.
 */
import type { AnswerValidity } from '../answer-validity.ts'
import type { SubscriptionProduct } from '../domain/subscription-product.ts'
import { byId } from './by-id.ts'
import { catalogLoaders } from './catalog-loaders.ts'
import type { Database } from './database.ts'
import { lazyMembers } from './lazy-members.ts'
import { priceLoaders } from './price-loaders.ts'
import { productLoaders } from './product-loaders.ts'
import { releaseLoaders } from './release-loaders.ts'
import type { ReleaseStore } from './release-store.ts'
import { subscriptionLoaders } from './subscription-loaders.ts'
import { fromRow as subscriptionProductFromRow } from './subscription-product.ts'

const makers = {
  ...catalogLoaders,
  ...priceLoaders,
  ...productLoaders,
  ...releaseLoaders,
  ...subscriptionLoaders,
  subscriptionProductById: byId<SubscriptionProduct>('subscription products', async ({ prisma }, ids) =>
    (await prisma.subscriptionProduct.findMany({ where: { id: { in: ids } } })).map(subscriptionProductFromRow),
  ),
}

/** Loaders whose answers never change: of what releases hold. */
const ofReleases: ReadonlySet<string> = new Set([
  'releases',
  'documentNumberByReleaseAndProductId',
  'bundleNumbersByReleaseAndProductId',
  'matchesByReleaseAndClauses',
])

/** `validity` is told when a loader is asked for that is not of releases. */
export const createLoaders = lazyMembers<[Database, ReleaseStore, AnswerValidity], typeof makers>(makers, (name, [, , validity]) => {
  if (!ofReleases.has(name)) validity.readStored()
})

export type Loaders = ReturnType<typeof createLoaders>
