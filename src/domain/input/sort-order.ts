/** The contract's order of things that carry a `sort_order` (variation.highest-sort-order-first, bundle.options-by-sort-order). */

import type { InputReader } from './input-reader.ts'
import { INT4_MAX } from './limits.ts'

interface Sorted {
  readonly sort_order?: number | null
}

/** For `sort`: highest first, absent or null last; `sort` is stable, so ties keep their place. */
export function compareSortOrder(left: Sorted, right: Sorted): number {
  if (left.sort_order == null || right.sort_order == null) return Number(left.sort_order == null) - Number(right.sort_order == null)
  return right.sort_order - left.sort_order
}

/** Reads `sort_order`: any 32-bit integer, so that a column of the database and GraphQL's Int hold it. */
export function readSortOrder(reader: InputReader | null | undefined): number | null | undefined {
  return reader?.integer('sort_order', { nullable: true, min: -INT4_MAX - 1, max: INT4_MAX })
}
