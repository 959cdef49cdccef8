/**
 * Listing order: the matching products of a scope in the order of the query. In a grouped list a parent takes the place
 * of its children (list.parent-for-children).
 */
import type { Effort } from '../../lib/effort.ts'
import { falling, orderByKey, sortByKey } from './key-order.ts'
import { type ListingColumns, type ListingNeeds, needed } from './listing-columns.ts'
import type { ListingScope, ScopedRequest } from './listing-scope.ts'
import { POSITIONS, sortedPairs } from './product-order.ts'

/** Positions whose keys are read per point of work. */
const KEYS_PER_POINT = 200

/** Matching positions (rising) in the order of the query. */
export async function orderOf(
  { query, scope }: ScopedRequest,
  matching: Int32Array,
  columns: ListingColumns,
  effort: Effort,
): Promise<Int32Array> {
  const { field, direction, currency } = query.order
  if (field === 'DEFAULT') return direction === 'ASC' ? matching : matching.slice().reverse()
  if (field === 'PRICE') {
    const { amounts } = needed(columns.prices.get(currency))
    if (query.groupVariants) {
      const { positions, lowest } = cheapestOfGroups(matching, leaderIn(scope, columns), amounts)
      effort.spend(matching.length / KEYS_PER_POINT)
      const rising = await orderByKey(positions, lowest, effort)
      return direction === 'ASC' ? rising : falling(rising, lowest)
    }
    // Sorting a few positions is faster than picking them from the order of all.
    const isMost = matching.length > scope.order.documents.length / 8
    const rising = isMost ? picked(await columns.byPrice(currency), matching) : sortByKey(matching, amounts)
    return direction === 'ASC' ? rising : falling(rising, amounts)
  }
  const keys = new Float64Array(scope.order.documents.length)
  const keyOf = keyByField(field, scope, columns)
  for (const position of matching) keys[position] = keyOf(position)
  effort.spend(matching.length / KEYS_PER_POINT)
  const rising = await orderByKey(matching, keys, effort)
  return direction === 'ASC' ? rising : falling(rising, keys)
}

/**
 * The first matching position of each group, rising, and by that position the lowest amount among those of the group
 * that match (list.group-by-its-lowest-price); infinite without a price.
 */
function cheapestOfGroups(
  matching: Int32Array,
  leaderOf: (position: number) => number,
  amounts: Float64Array,
): { readonly positions: Int32Array; readonly lowest: Float64Array } {
  const lowest = new Float64Array(amounts.length)
  const firstOf = new Map<number, number>()
  for (const position of matching) {
    const leader = leaderOf(position)
    const amount = amounts[position] as number
    const first = firstOf.get(leader)
    if (first === undefined) {
      firstOf.set(leader, position)
      lowest[position] = amount
    } else lowest[first] = Math.min(lowest[first] as number, amount)
  }
  return { positions: Int32Array.from(firstOf.values()), lowest }
}

/** The key of a position in an order by relevance, name or instant: the negative of its score, or its place. */
function keyByField(
  field: 'RELEVANCE' | NonNullable<ListingNeeds['placesBy']>,
  { order, ranks }: ListingScope,
  { places, scores }: ListingColumns,
): (position: number) => number {
  if (field !== 'RELEVANCE') {
    const placeOf = needed(places)
    return (position) => placeOf[ranks[position] as number] as number
  }
  // A search without a word is no search, so nothing has a score (search.needs-a-word).
  if (!scores) return () => Number.POSITIVE_INFINITY
  return (position) => -scores.scoreOf(order.documents[position] as number)
}

/** The `wanted` positions in the order of all positions. */
function picked(order: Int32Array, wanted: Int32Array): Int32Array {
  if (wanted.length === order.length) return order
  const isWanted = new Uint8Array(order.length)
  for (const position of wanted) isWanted[position] = 1
  return order.filter((position) => isWanted[position] === 1)
}

/** The documents at positions; in a grouped list those of their leaders, each once. */
export function documentsAt(
  { release, query, scope }: ScopedRequest,
  positions: Int32Array,
  columns: ListingColumns,
): Int32Array {
  if (!query.groupVariants) return positions.map((position) => scope.order.documents[position] as number)
  const all = release.allProducts.documents
  const leaderOf = leaderIn(scope, columns)
  const seen = new Uint8Array(all.length)
  const first = positions.filter((position) => {
    const leader = leaderOf(position)
    const isFirst = seen[leader] === 0
    seen[leader] = 1
    return isFirst
  })
  return first.map((position) => all[leaderOf(position)] as number)
}

/** Tells the rank of the product that stands for the one at a position: a child's parent, or the product itself. */
function leaderIn({ ranks }: ListingScope, { facets }: ListingColumns): (position: number) => number {
  const { leaders } = needed(facets)
  return (position) => leaders[ranks[position] as number] as number
}

/** The leader of each position in the scope. */
export function leadersOf(scope: ListingScope, columns: ListingColumns): Int32Array {
  const leaderOf = leaderIn(scope, columns)
  return scope.ranks.map((_, position) => leaderOf(position))
}

/** All positions, grouped by leader. */
export function byLeader(leaders: Int32Array): Int32Array {
  return Int32Array.from(sortedPairs(leaders), (pair) => pair % POSITIONS)
}
