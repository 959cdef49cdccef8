/**
 * Sort orders of variations, options and components: `sort_order` descending (variation.highest-sort-order-first,
 * bundle.options-by-sort-order).
 */
import type { InputReader } from './input-reader.ts'
import { integer, nullable } from './json-schema.ts'
import { INT4_MAX } from './limits.ts'

/** The schema of a sort order. */
export const sortOrderSchema = nullable(integer(-INT4_MAX - 1, INT4_MAX))

interface Sorted {
  readonly sort_order?: number | null
}

/** A comparison for `sort`: highest first, absent or null last. Array sorts are stable, so ties stay in their order. */
export function compareSortOrder(left: Sorted, right: Sorted): number {
  if (left.sort_order == null || right.sort_order == null)
    return Number(left.sort_order == null) - Number(right.sort_order == null)
  return right.sort_order - left.sort_order
}

/** Reads `sort_order`: any 32-bit integer, which a database column and GraphQL's Int can hold. */
export function readSortOrder(reader: InputReader | null | undefined): number | null | undefined {
  return reader?.integer('sort_order', { nullable: true, min: -INT4_MAX - 1, max: INT4_MAX })
}
