/** Topics of the change log: their descriptions in enums of the graph. */
import type { Topic } from '../../domain/changes/change.ts'

/** The descriptions of the topics. */
export const topicWords: Readonly<Record<Topic, string>> = {
  catalog: 'Settings of catalogs.',
  catalog_node: 'Hierarchies and their nodes.',
  catalog_rule: 'Catalog rules.',
  offering: 'Offerings.',
  plan: 'Plans.',
  price_book: 'Price books.',
  price_modifier: 'Price modifiers.',
  product: 'Products.',
  product_price: 'Product prices with their sales.',
  release: 'Releases, published and deleted.',
  subscription: 'Subscriptions of accounts.',
  subscription_product: 'Subscription products.',
  webhook: 'Webhooks, without their secrets.',
}
