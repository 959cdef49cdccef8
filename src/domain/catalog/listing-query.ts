/** Listing query: which products of a release to list, and in what order. Both edges turn their arguments into it. */
import type { FilterClause } from '../input/filter.ts'
import type { TextClause } from '../input/record-filter.ts'

/** What a list of products can be ordered by. */
export const listingOrderFields = ['DEFAULT', 'NAME', 'PRICE', 'UPDATED_AT', 'RELEVANCE'] as const
/** DEFAULT is the order of the scope: curated ones first, then last updated first. */
export type ListingOrderField = (typeof listingOrderFields)[number]

/** An order; products without a key (a price, a score) come last in both directions, and ties are in the default order. */
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

/** A listing of a scope. A product must meet all conditions; the clauses of one field are one key of facets. */
export interface ListingQuery {
  /** The id of a hierarchy, a node or, for all its products, the release. */
  readonly scope: string
  /** Whether a node lists what is attached to nodes below it too. */
  readonly descendants: boolean
  /** Clauses on columns, tags and types, and on the fields of `facetField`; parts of texts of columns alone. */
  readonly clauses: readonly TextClause[]
  /** Ids of variation options, of which children have one per variation. */
  readonly options: readonly string[]
  readonly search: string | null
  /** The Accept-Language whose texts `search` and the order by name read; null for queries that have neither. */
  readonly acceptLanguage: string | null
  readonly price: PriceBounds | null
  readonly onSale: { readonly is: boolean; readonly currency: string } | null
  readonly order: ListingOrder
  /** Whether a parent stands for its children. */
  readonly groupVariants: boolean
}

/** The fields of facets whose name has several parts: a variation by name, or a field of an extension template. */
export type FacetField = readonly ['variation', name: string] | readonly ['extension', template: string, field: string]

/** The field of a clause or a posting list for a facet field. */
export function facetField(field: FacetField): string {
  return JSON.stringify(field)
}

/** The query that lists a scope as it is. */
export function wholeScope(scope: string, clauses: readonly FilterClause[] = []): ListingQuery {
  const order = { field: 'DEFAULT', direction: 'ASC', currency: '' } as const
  return {
    scope,
    descendants: false,
    clauses,
    options: [],
    search: null,
    acceptLanguage: null,
    price: null,
    onSale: null,
    order,
    groupVariants: false,
  }
}

/** The currencies whose prices the list depends on, and so on the instant; none for most. */
export function pricedIn({ price, onSale, order }: ListingQuery): string[] {
  const currencies = [price?.currency, onSale?.currency, order.field === 'PRICE' ? order.currency : undefined]
  return [...new Set(currencies.filter((currency) => currency !== undefined))]
}

/** Whether the list is its scope, in the scope's order. */
export function isWholeScope({ clauses, options, search, price, onSale, order, groupVariants }: ListingQuery): boolean {
  const filters = clauses.length + options.length > 0 || search !== null || price !== null || onSale !== null
  return !filters && order.field === 'DEFAULT' && order.direction === 'ASC' && !groupVariants
}

/** The key of a query, equal for queries with the same result. It leaves `releaseId` out, so that the keys of several releases compare. */
export function queryKey({ scope, ...query }: ListingQuery, releaseId: string): string {
  const { descendants, clauses, options, search, acceptLanguage, price, onSale, order, groupVariants } = query
  const texts = search === null && order.field !== 'NAME' ? [] : [search, acceptLanguage]
  return JSON.stringify([scope === releaseId ? '' : scope, descendants, clauses, options, texts, price, onSale, order, groupVariants])
}
