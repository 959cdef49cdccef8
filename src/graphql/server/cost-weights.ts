/**
 * Query cost weights by type, in points of about five microseconds of one core; calibrated by `npm run soak --
 * overload`.
 */

/** Points of an object whose type has no weight below, since it is already in memory. */
export const OBJECT_WEIGHT = 1
/** Leaf fields included in an object's weight; each further one costs LEAF_WEIGHT. */
export const LEAVES_FREE = 10
export const LEAF_WEIGHT = 0.1
/** Points of `__schema.types` and `_service.sdl`: each reads the whole schema, whatever is selected. */
export const SCHEMA_WEIGHT = 10_000

/**
 * Points of a search, counted once for each text of an operation: the most, and those of a text without spelling
 * mistakes. Measured with 20,000 products: 2 ms for a text spelt right, 5 to 40 ms for a misspelt one, and 3
 * microseconds for each product that it finds. What it really takes is counted while the request runs
 * (persistence/catalog/product-search.ts).
 */
export const SEARCH_WEIGHT = 4_000
export const LIKELY_SEARCH_WEIGHT = 1_000

/** Points of a record that a loader reads from the database, and the types of such records. */
const RECORD = 3
const recordTypes =
  'Account AccountSubscription Catalog CatalogRule CatalogSettings Hierarchy HierarchyNode Offering Plan PriceBook PriceModifier Product ProductPrice Release Sale SubscriptionProduct'

/** Points of one object, by its type. */
export const typeWeights: Readonly<Record<string, number>> = {
  // Decoding of a release document and its texts.
  CatalogProduct: 5,
  // Computed; a summed bundle costs more, which is counted while the request runs (request-work.ts).
  CatalogPrice: 2,
  BundleConfiguration: 2,
  // Compares two documents.
  ReleaseChange: 10,
  // Its values are counted over a whole list. That work is added while the request runs
  // (operations/catalog/listing-facets.ts).
  Facet: 5,
  ...Object.fromEntries(recordTypes.split(' ').map((name) => [name, RECORD])),
}
