/** The subscription products of a published product: those with its SKU. */
import { SKU_SUBSCRIPTION_PRODUCTS_MAX } from '../../domain/input/limits.ts'
import { CatalogProductRef } from '../catalog/catalog-refs.ts'
import { builder } from '../schema/builder.ts'
import { SubscriptionProductRef } from './subscription-product.ts'

builder.objectField(CatalogProductRef, 'subscriptionProducts', (t) =>
  t.field({
    type: [SubscriptionProductRef],
    description: `The subscription products with the same SKU, oldest first; none without a SKU. At most ${SKU_SUBSCRIPTION_PRODUCTS_MAX} are shown: the root field \`subscriptionProducts\` lists all, by its filter \`sku\`.`,
    resolve: async ({ sku }, _, { loaders }) => (sku === null ? [] : [...(await loaders.subscriptionProductsBySku.load(sku))]),
  }),
)
