/** Listing query: which products of a release to list, and in what order. Both edges turn their arguments into it. */
import type { FilterClause } from '../input/filter.ts'
import type { TextClause } from '../input/record-filter.ts'

/** What a list of products can be ordered by. */
export const listingOrderFields = ['DEFAULT', 'NAME', 'PRICE', 'UPDATED_AT', 'CREATED_AT', 'RELEVANCE'] as const
/** DEFAULT is the order of the scope: curated ones first, then last updated first. */
export type ListingOrderField = (typeof listingOrderFields)[number]
/** The fields that are instants of a product. */
export const instantFields = ['UPDATED_AT', 'CREATED_AT'] as const
export type InstantField = (typeof instantFields)[number]

/** Whether products are ordered by an instant of theirs. */
export function isInstantField(field: ListingOrderField): field is InstantField {
  return instantFields.some((one) => one === field)
}

/**
 * An order. Products without a key (a price, a score) come last in both directions, and ties are in the default order.
 */
export interface ListingOrder {
  readonly field: ListingOrderField
  readonly direction: 'ASC' | 'DESC'
  /** The currency of PRICE. */
  readonly currency: string
}

/** Amounts in minor units, inclusive; null is no bound. */
export interface PriceBounds {
  readonly min: number | null
  readonly max: number | null
  readonly currency: string
}

/** A listing of a scope. A product must meet all conditions; the clauses of one field share one facet key. */
export interface ListingQuery {
  /** The id of a hierarchy or a node, a name for given products (ListRequest), or null for the whole release. */
  readonly scope: string | null
  /** Whether a node also lists the products of the nodes below it. */
  readonly descendants: boolean
  /**
   * Clauses on documentFields, tags, types, and the fields of `facetField`. Only documentFields take parts of texts.
   */
  readonly clauses: readonly TextClause[]
  /** Ids of variation options; a child has one option per variation. */
  readonly options: readonly string[]
  readonly search: string | null
  /** The Accept-Language that selects the texts for `search` and the order by name; null for queries with neither. */
  readonly acceptLanguage: string | null
  readonly price: PriceBounds | null
  readonly onSale: { readonly is: boolean; readonly currency: string } | null
  readonly order: ListingOrder
  /** Whether a parent stands for its children. */
  readonly groupVariants: boolean
}

/** The fields of a document that the database compares; the other fields of clauses are facets. */
export const documentFields = ['id', 'name', 'sku', 'slug', 'mpn', 'upc_ean'] as const
export type DocumentField = (typeof documentFields)[number]

/** Whether a clause's field is one of a document. */
export function isDocumentField(field: string): field is DocumentField {
  return documentFields.some((one) => one === field)
}

/** The fields of facets whose name has several parts: a variation by name, or a field of an extension template. */
export type FacetField = readonly ['variation', name: string] | readonly ['extension', template: string, field: string]

/** The field of a clause or a posting list for a facet field. */
export function facetField(field: FacetField): string {
  return JSON.stringify(field)
}

export const defaultOrder: ListingOrder = { field: 'DEFAULT', direction: 'ASC', currency: '' }

/** The query that lists a scope as it is. */
export function wholeScope(scope: string | null, clauses: readonly FilterClause[] = []): ListingQuery {
  return {
    scope,
    descendants: false,
    clauses,
    options: [],
    search: null,
    acceptLanguage: null,
    price: null,
    onSale: null,
    order: defaultOrder,
    groupVariants: false,
  }
}

/** The currencies whose prices the list depends on; with any, it also depends on the instant. Most lists have none. */
export function pricedIn({ price, onSale, order }: ListingQuery): string[] {
  const currencies = [price?.currency, onSale?.currency, order.field === 'PRICE' ? order.currency : undefined]
  return [...new Set(currencies.filter((currency) => currency !== undefined))]
}

/** Whether the list is its whole scope, in the order of the scope. */
export function isWholeScope({ clauses, options, search, price, onSale, order, groupVariants }: ListingQuery): boolean {
  const filters = clauses.length + options.length > 0 || search !== null || price !== null || onSale !== null
  return !filters && order.field === 'DEFAULT' && order.direction === 'ASC' && !groupVariants
}

/** The name of a query in caches and cursors, equal for queries with the same result in any release. */
export function keyOf(query: ListingQuery): string {
  const { scope, descendants, clauses, options, search, acceptLanguage, price, onSale, order, groupVariants } = query
  const texts = search === null && order.field !== 'NAME' ? [] : [search, acceptLanguage]
  const filters = [clauses, options, texts, price, onSale]
  return JSON.stringify([scope ?? '', descendants, ...filters, order, groupVariants])
}
