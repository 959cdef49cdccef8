/** The whole schema: every module is imported for what it adds to the builder. */
import { type GraphQLObjectType, GraphQLSchema } from 'graphql'
import { builder } from './builder.ts'
import { countLists } from './list-work.ts'
import './scalars.ts'
import './errors.ts'
import './node.ts'
import './price-book-mutation.ts'
import './product-price.ts'
import './product-price-mutation.ts'
import './product-price-upsert.ts'
import './sale-mutation.ts'
import './catalog.ts'
import './release.ts'
import './release-content.ts'
import './release-mutation.ts'
import './catalog-node.ts'
import './catalog-product.ts'
import './catalog-product-price.ts'
import './catalog-relation.ts'
import './bundle-configuration.ts'
import './price-modifier.ts'
import './product.ts'
import './product-edges.ts'
import './product-mutation.ts'
import './hierarchy.ts'
import './hierarchy-node.ts'
import './hierarchy-mutation.ts'
import './authored-edges.ts'
import './node-product-mutation.ts'
import './catalog-settings.ts'
import './catalog-mutation.ts'
import './catalog-rule.ts'
import './catalog-rule-mutation.ts'
import './subscription-product.ts'
import './subscription-product-mutation.ts'
import './plan.ts'
import './plan-mutation.ts'
import './offering.ts'
import './offering-mutation.ts'
import './subscription.ts'
import './subscription-list.ts'
import './subscription-mutation.ts'
import './live.ts'
import './federation.ts'

const built = countLists(builder.toSchema())

/**
 * A noun of the contract is called Subscription, so the root of GraphQL subscriptions, once there is one, is called Live; Pothos takes the
 * noun for the root. The description makes the printed schema name its roots.
 */
export const schema = new GraphQLSchema({
  ...built.toConfig(),
  description: 'A commerce store: catalogs with their prices, price books, and subscriptions.',
  subscription: (built.getType('Live') as GraphQLObjectType | undefined) ?? null,
})
