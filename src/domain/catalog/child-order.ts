/** Order of the nodes directly below a hierarchy or node (node.children-in-order). */
import { collationOf, collatorOf } from '../language/collation.ts'
import { acceptedOf, localize } from '../language/language.ts'
import { inMenuOrder } from './menu.ts'
import type { ReleaseNode } from './release.ts'

/** An order of sibling nodes: by sort order or by name. */
export interface ChildOrder {
  readonly field: 'SORT_ORDER' | 'UPDATED_AT' | 'NAME'
  readonly descending: boolean
  /** The Accept-Language whose names NAME compares. */
  readonly acceptLanguage: string | null
  /** The language of names without a tag. */
  readonly storeLanguage: string
}

/** Sorts `nodes`, which are given last updated first. Ties stay last updated first in both directions. */
export function inChildOrder(
  nodes: readonly ReleaseNode[],
  { field, descending, acceptLanguage, storeLanguage }: ChildOrder,
): ReleaseNode[] {
  if (field === 'SORT_ORDER') return bySortOrder(nodes, descending)
  const sign = descending ? -1 : 1
  if (field === 'UPDATED_AT') return nodes.toSorted((left, right) => sign * (left.updatedAt - right.updatedAt))
  const named = nodes.map((node) => ({ node, name: localize(node, acceptLanguage).name }))
  const tags = [...new Set(nodes.flatMap(({ locales }) => Object.keys(locales ?? {})))]
  const [best = storeLanguage] = acceptedOf(tags, acceptLanguage)
  const names = collatorOf(collationOf(best))
  return named.sort((left, right) => sign * names.compare(left.name, right.name)).map(({ node }) => node)
}

/**
 * By sort order; nodes without one come last in both directions. Descending is the order of menus, where names decide
 * between equals.
 */
function bySortOrder(nodes: readonly ReleaseNode[], descending: boolean): ReleaseNode[] {
  const sorted = inMenuOrder(nodes)
  if (descending) return sorted
  const orderOf = ({ sortOrder }: ReleaseNode) => sortOrder ?? Number.POSITIVE_INFINITY
  return sorted.sort((left, right) => (orderOf(left) === orderOf(right) ? 0 : orderOf(left) - orderOf(right)))
}
