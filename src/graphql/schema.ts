/** The GraphQL schema: imports every module that adds types or fields to the builder, and builds it. */
import { type GraphQLObjectType, GraphQLSchema } from 'graphql'
import { builder } from './schema/builder.ts'
import { countLists } from './server/list-work.ts'
import './schema/scalars.ts'
import './schema/errors.ts'
import './schema/node.ts'
import './pricing/price-book-mutation.ts'
import './pricing/product-price.ts'
import './pricing/product-price-mutation.ts'
import './pricing/product-price-upsert.ts'
import './pricing/sale-mutation.ts'
import './catalog/catalog.ts'
import './catalog/release.ts'
import './catalog/release-content.ts'
import './catalog/release-mutation.ts'
import './catalog/catalog-node.ts'
import './catalog/catalog-product.ts'
import './catalog/catalog-product-price.ts'
import './catalog/price-explanation.ts'
import './catalog/price-timeline.ts'
import './catalog/catalog-product-relations.ts'
import './catalog/bundle-configuration.ts'
import './pricing/price-modifier.ts'
import './products/product.ts'
import './products/product-edges.ts'
import './products/product-mutation.ts'
import './catalog/hierarchy.ts'
import './catalog/hierarchy-node.ts'
import './catalog/hierarchy-mutation.ts'
import './catalog/latest-release-fields.ts'
import './catalog/node-product-mutation.ts'
import './catalog/catalog-settings.ts'
import './catalog/catalog-mutation.ts'
import './catalog/catalog-rule.ts'
import './catalog/catalog-rule-mutation.ts'
import './subscriptions/subscription-product.ts'
import './subscriptions/subscription-product-mutation.ts'
import './subscriptions/plan.ts'
import './subscriptions/plan-mutation.ts'
import './subscriptions/offering.ts'
import './subscriptions/offering-mutation.ts'
import './subscriptions/subscription.ts'
import './subscriptions/subscription-list.ts'
import './subscriptions/subscription-mutation.ts'
import './live.ts'
import './federation.ts'

const built = countLists(builder.toSchema())

/**
 * The executable schema. Pothos takes the type Subscription for the root of GraphQL subscriptions, so the root is set to Live here. The
 * schema has a description so that printSchema prints the names of its roots.
 */
export const schema = new GraphQLSchema({
  ...built.toConfig(),
  description: 'A commerce store: catalogs with their prices, price books, and subscriptions.',
  subscription: (built.getType('Live') as GraphQLObjectType | undefined) ?? null,
})
