/** What one object of a type costs, in points of about five microseconds of one core; calibrated by `npm run soak -- overload`. */

/** Of an object whose type is not named below: something at hand. */
export const OBJECT_WEIGHT = 1
/** The values of an object are part of it, as many as these; each further one costs LEAF_WEIGHT. */
export const LEAVES_FREE = 10
export const LEAF_WEIGHT = 0.1
/** The whole schema, each time that an operation reads it, whichever of its hundreds of types it selects. */
export const SCHEMA_WEIGHT = 10_000

/** Read from the database by a loader. */
const RECORD = 3

export const typeWeights: Readonly<Record<string, number>> = {
  // A release document, decoded, and its texts.
  CatalogProduct: 5,
  // Worked out, and made an object; a summed bundle counts more while it runs (request-work.ts).
  CatalogPrice: 2,
  // Formatted for a locale.
  DisplayPrice: 2,
  BundleConfiguration: 2,
  ...Object.fromEntries(
    [
      ...['Account', 'CatalogRule', 'CatalogSettings', 'Hierarchy', 'HierarchyNode', 'Offering', 'Plan', 'PriceBook', 'PriceModifier'],
      ...['Product', 'ProductPrice', 'Sale', 'Subscription', 'SubscriptionProduct', 'Catalog', 'Release'],
    ].map((name) => [name, RECORD]),
  ),
}
