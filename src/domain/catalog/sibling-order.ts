/** Order of siblings in menus and by name (menu.siblings-by-sort-order, node.children-in-order). */
import { compareSortOrder } from '../input/sort-order.ts'
import { collationOf, collatorOf } from '../language/collation.ts'
import { acceptedOf, localize, type RequestLanguages } from '../language/language.ts'
import type { ReleaseNode } from './release.ts'

type Compare = (left: ReleaseNode, right: ReleaseNode) => number

/** Highest sort order first, none last, then by name. Equal ones stay in their order. */
export function inMenuOrder(nodes: readonly ReleaseNode[], languages: RequestLanguages): ReleaseNode[] {
  if (nodes.length < 2) return [...nodes]
  const byName = comparingNames(nodes, languages)
  return nodes.toSorted(
    (left, right) =>
      compareSortOrder({ sort_order: left.sortOrder }, { sort_order: right.sortOrder }) || byName(left, right),
  )
}

/** Compares nodes by name, as it is shown, as the best accepted language that any of them has orders names. */
export function comparingNames(
  nodes: readonly ReleaseNode[],
  { acceptLanguage, storeLanguage }: RequestLanguages,
): Compare {
  const shown = new Map(nodes.map((node) => [node, localize(node, acceptLanguage).name]))
  const tags = new Set(nodes.flatMap(({ locales }) => (locales === null ? [] : Object.keys(locales))))
  const [best = storeLanguage] = acceptedOf([...tags], acceptLanguage)
  const { compare } = collatorOf(collationOf(best))
  return (left, right) => compare(shown.get(left) as string, shown.get(right) as string)
}
