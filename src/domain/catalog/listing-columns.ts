/**
 * Listing columns: the data from which lists are made. The columns that a query needs are read together; everything
 * after that is computed in memory.
 */
import { lowerBound } from '../../lib/lower-bound.ts'
import { comparesValues, type TextClause } from '../input/record-filter.ts'
import type { ReleaseFacets } from './facet-column.ts'
import { type InstantField, isDocumentField, isInstantField, type ListingQuery, pricedIn } from './listing-query.ts'
import type { PriceSnapshot } from './price-snapshot.ts'

/** The columns that a query needs. */
export interface ListingNeeds {
  /** Clauses on the fields of documents, which the database compares. */
  readonly clauses: readonly TextClause[]
  readonly search: string | null
  readonly options: readonly string[]
  readonly facets: boolean
  /** The order whose places are needed; null when none is. */
  readonly placesBy: 'NAME' | InstantField | null
  readonly currencies: readonly string[]
}

/** The documents of a release that a search found, with their scores, in eight bytes per document. */
export class SearchScores {
  constructor(
    /** Rising. */
    readonly documents: Int32Array,
    /** The score of each document; a higher one is a better match. */
    private readonly scores: Float32Array,
  ) {}

  /** The score of a document; -Infinity when it was not found. */
  scoreOf(document: number): number {
    const index = lowerBound(this.documents, document)
    return this.documents[index] === document ? (this.scores[index] as number) : Number.NEGATIVE_INFINITY
  }
}

/** A use of a variation option in a release. */
export interface OptionUse {
  /** The child that has the option; null when none does. */
  readonly document: number | null
  /** The names of the variation and the option, as the parent names them. */
  readonly variation: string
  readonly name: string
}

/** The columns that were read. A column that is not needed is null, or absent from the map. */
export interface ListingColumns {
  /** The documents that meet all clauses on document fields; may include documents of other releases. */
  readonly documents: ReadonlySet<number> | null
  readonly scores: SearchScores | null
  /** The uses of each of the query's options in the release. */
  readonly options: readonly (readonly OptionUse[])[]
  readonly facets: ReleaseFacets | null
  /** The place of each product in the order by name or by an instant, by rank; equal ones have equal places. */
  readonly places: Int32Array | null
  /** The prices of the scope at the instant, by currency. */
  readonly prices: ReadonlyMap<string, PriceSnapshot>
  /** All positions of the scope by rising price, ties by position; sorted on demand. */
  readonly byPrice: (currency: string) => Promise<Int32Array>
}

/** The columns that the list needs for its filters and order. */
export function needsOf(query: ListingQuery): ListingNeeds {
  const { clauses, options, search, order, groupVariants } = query
  return {
    clauses: clauses.filter(({ field }) => isDocumentField(field)),
    search,
    options,
    facets: groupVariants || facetClauses(query).length > 0,
    placesBy: order.field === 'NAME' || isInstantField(order.field) ? order.field : null,
    currencies: pricedIn(query),
  }
}

/** No column. */
export const noNeeds: ListingNeeds = {
  clauses: [],
  search: null,
  options: [],
  facets: false,
  placesBy: null,
  currencies: [],
}

/** The clauses on facets. */
export function facetClauses({ clauses }: Pick<ListingQuery, 'clauses'>) {
  return clauses.filter(comparesValues).filter(({ field }) => !isDocumentField(field))
}

/** A column; throws an Error when it was not read. */
export function needed<Column>(column: Column | null | undefined): Column {
  if (column == null) throw new Error('a column of a list that its needs do not name')
  return column
}
