/**
 * Shoppers' ways: where shoppers find what the graph also has for administrators, by the root field that is refused to
 * them or by the type of a node. What has no counterpart for shoppers is left out.
 */
const products = 'storefront { latestRelease { products } }'
const product = 'storefront { latestRelease { product(by: { sku: "..." }) } }'
const hierarchies = 'storefront { latestRelease { hierarchies } }'
const node = 'storefront { latestRelease { node(by: { path: ["..."] }) } }'
const price = 'storefront { latestRelease { products { nodes { price } } } }'
const labels = 'storefront { latestRelease { products { nodes { tagLabels price { sale { label } tierLabel } } } } }'

export const shopperWays: Readonly<Record<string, string>> = {
  'Query.products': products,
  'Query.product': product,
  'Query.hierarchies': hierarchies,
  'Query.hierarchy': hierarchies,
  'Query.hierarchyNode': node,
  'Query.priceBook': price,
  'Query.priceBooks': price,
  'Query.priceModifier': price,
  'Query.productPrice': price,
  'Query.sale': price,
  'Query.sales': price,
  'Query.catalogRule': 'storefront',
  'Query.catalogRules': 'storefront',
  'Query.labels': labels,
  'Query.subscriptions': 'viewer { account { subscriptions } }',
  'Query.invoicesDue': 'viewer { account { subscriptions { nodes { upcomingInvoices { dueAt } } } } }',
  'Subscription.catalogChanged': 'subscription { releasePublished(catalogId: "...") }',
  'Subscription.productChanged': 'subscription { releasePublished(catalogId: "...") }',
  'Subscription.productPriceChanged': 'subscription { saleTurned(catalogId: "...") }',
  Product: product,
  Hierarchy: hierarchies,
  HierarchyNode: node,
  PriceBook: price,
  PriceModifier: price,
  ProductPrice: price,
  Sale: price,
  CatalogRule: 'storefront',
  Label: labels,
}
