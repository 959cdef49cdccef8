/** Order of the nodes directly below a hierarchy or node (node.children-in-order). */
import type { RequestLanguages } from '../language/language.ts'
import type { ReleaseNode } from './release.ts'
import { comparingNames, inMenuOrder } from './sibling-order.ts'

/** An order of sibling nodes. */
export interface ChildOrder extends RequestLanguages {
  readonly field: 'SORT_ORDER' | 'UPDATED_AT' | 'NAME'
  readonly descending: boolean
}

/** Sorts `nodes`, which are given last updated first. Ties stay last updated first in both directions. */
export function inChildOrder(
  nodes: readonly ReleaseNode[],
  { field, descending, ...languages }: ChildOrder,
): ReleaseNode[] {
  if (field === 'SORT_ORDER') return bySortOrder(nodes, descending, languages)
  const sign = descending ? -1 : 1
  if (field === 'UPDATED_AT') return nodes.toSorted((left, right) => sign * (left.updatedAt - right.updatedAt))
  const byName = comparingNames(nodes, languages)
  return nodes.toSorted((left, right) => sign * byName(left, right))
}

/**
 * By sort order; nodes without one come last in both directions. Descending is the order of menus, where names decide
 * between equals.
 */
function bySortOrder(nodes: readonly ReleaseNode[], descending: boolean, languages: RequestLanguages): ReleaseNode[] {
  const sorted = inMenuOrder(nodes, languages)
  if (descending) return sorted
  const orderOf = ({ sortOrder }: ReleaseNode) => sortOrder ?? Number.POSITIVE_INFINITY
  return sorted.sort((left, right) => (orderOf(left) === orderOf(right) ? 0 : orderOf(left) - orderOf(right)))
}
