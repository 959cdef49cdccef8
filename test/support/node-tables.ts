/** The statements that find the ids of records in the database, by their types in the graph; the same in every test. */
export const recordTables = {
  Account: 'SELECT DISTINCT account_id::text AS id FROM subscription',
  Catalog: 'SELECT id::text FROM catalog',
  CatalogRule: 'SELECT id::text FROM catalog_rule',
  Hierarchy: 'SELECT id::text FROM catalog_node WHERE parent_id IS NULL',
  HierarchyNode: 'SELECT id::text FROM catalog_node WHERE parent_id IS NOT NULL',
  Label: 'SELECT id::text FROM label',
  Offering: 'SELECT id::text FROM offering',
  Plan: 'SELECT id::text FROM plan',
  PriceBook: 'SELECT id::text FROM price_book',
  PriceModifier: 'SELECT id::text FROM price_modifier',
  Product: 'SELECT id::text FROM product',
  ProductPrice: 'SELECT id::text FROM product_price',
  Sale: 'SELECT id::text FROM sale',
  AccountSubscription: 'SELECT id::text FROM subscription',
  SubscriptionProduct: 'SELECT id::text FROM subscription_product',
  SubscriptionState: 'SELECT id::text FROM subscription_state',
} as const
