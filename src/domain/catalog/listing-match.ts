/**
 * Listing match: the products of a scope that meet a filter. Each condition tests positions (listing-scope.ts) and has
 * the key of its facet. A facet is counted without the conditions of its own key, so a match also knows the products
 * that fail only one key.
 */
import type { Effort } from '../../lib/effort.ts'
import { badRequest } from '../input/errors.ts'
import type { FilterClause } from '../input/filter.ts'
import { isWithin } from './facet.ts'
import type { ReleaseFacets } from './facet-column.ts'
import { facetClauses, type ListingColumns, needed } from './listing-columns.ts'
import { facetField, type ListingQuery } from './listing-query.ts'
import type { ListingScope } from './listing-scope.ts'

/** A condition of a filter, by position in the scope. */
interface Condition {
  /** The key of the facet that it belongs to; null for a condition that no facet leaves out. */
  readonly key: string | null
  readonly holds: (position: number) => boolean
}

/** The matching products of a scope, as rising positions. With `key` the conditions of that key are ignored. */
export interface ListingMatch {
  readonly matching: (key?: string) => Int32Array
}

const MATCHES = 0
/**
 * The mark of a product that fails several keys, or a condition without a key. Marks from 1 on name the one key that it
 * fails; a filter has fewer than a hundred.
 */
const FAILS = 255

/** Positions per point of work: a condition takes about 25 nanoseconds. */
const CHECKS_PER_POINT = 200
/** Positions that are checked without a pause, in a few milliseconds. */
const CHUNK = 20_000

/** The positions, rising, that meet the search and the clauses on document fields; all without either. */
export function candidatesOf({ order }: ListingScope, { documents, scores }: ListingColumns): Int32Array {
  const both = scores && documents ? scores.documents.filter((document) => documents.has(document)) : null
  const found = both ?? scores?.documents ?? documents
  if (!found) return order.documents.map((_, position) => position)
  const positions = Array.from(found, (document) => order.positionOf(document))
  return Int32Array.from(positions.filter((position) => position >= 0)).sort()
}

/** The remaining conditions. Throws badRequest for a clause on a field with too many values to be a facet. */
export function conditionsOf(query: ListingQuery, scope: ListingScope, columns: ListingColumns): Condition[] {
  return [
    ...facetClauses(query).map((clause) => facetCondition(clause, scope, needed(columns.facets))),
    ...optionConditions(scope, columns),
    ...priceConditions(query, columns),
  ]
}

function facetCondition({ field, values }: FilterClause, { ranks }: ListingScope, facets: ReleaseFacets): Condition {
  if (facets.tooManyValues.has(field)) {
    const [kind = '', ...names] = JSON.parse(field) as string[]
    const message = `${names.join('.')} has too many values, or too few products, to filter by`
    throw badRequest('INVALID_VALUE', ['filter', kind === 'extension' ? kind : 'variations'], message)
  }
  const wanted = field === 'tags' ? values.map((value) => value.toLowerCase()) : values
  const hasOne = facets.columns.get(field)?.hasOneOf(wanted) ?? (() => false)
  return { key: field, holds: (position) => hasOne(ranks[position] as number) }
}

/**
 * Options of one variation are alternatives, also one that no child has (filter.options-as-by-name). Those that no
 * parent of the release has form one further variation.
 */
function optionConditions({ order }: ListingScope, { options }: ListingColumns): Condition[] {
  const byVariation = new Map<string | null, Set<number>>()
  for (const uses of options) {
    if (uses.length === 0) byVariation.set(null, new Set())
    for (const { variation, document } of uses) {
      const documents = byVariation.get(variation) ?? new Set<number>()
      if (document !== null) documents.add(document)
      byVariation.set(variation, documents)
    }
  }
  return [...byVariation].map(([variation, documents]) => ({
    key: variation === null ? null : facetField(['variation', variation]),
    holds: (position) => documents.has(order.documents[position] as number),
  }))
}

function priceConditions({ price, onSale }: ListingQuery, { prices }: ListingColumns): Condition[] {
  const conditions: Condition[] = []
  if (price) {
    const { amounts } = needed(prices.get(price.currency))
    conditions.push({ key: 'price', holds: (position) => isWithin(price, amounts[position] as number) })
  }
  if (onSale) {
    const sold = needed(prices.get(onSale.currency)).onSale
    conditions.push({ key: 'onSale', holds: (position) => (sold[position] === 1) === onSale.is })
  }
  return conditions
}

/** Checks the candidates, rising positions in the scope, with pauses. */
export async function matchOf(
  candidates: Int32Array,
  conditions: readonly Condition[],
  { pause, spend }: Effort,
): Promise<ListingMatch> {
  const keys = [...new Set(conditions.flatMap(({ key }) => key ?? []))]
  const markOf = (key: string) => keys.indexOf(key) + 1
  const marks = new Uint8Array(candidates.length)
  spend((candidates.length * (1 + conditions.length)) / CHECKS_PER_POINT)
  for (let start = 0; start < candidates.length; start += CHUNK) {
    const end = Math.min(start + CHUNK, candidates.length)
    for (const { key, holds } of conditions) {
      const failure = key === null ? FAILS : markOf(key)
      for (let index = start; index < end; index++) {
        const mark = marks[index] as number
        if (mark === FAILS || mark === failure || holds(candidates[index] as number)) continue
        marks[index] = mark === MATCHES ? failure : FAILS
      }
    }
    if (end < candidates.length) await pause()
  }
  return {
    matching(key) {
      if (conditions.length === 0) return candidates
      const ignored = key === undefined ? MATCHES : markOf(key)
      return candidates.filter((_, index) => marks[index] === MATCHES || marks[index] === ignored)
    },
  }
}
