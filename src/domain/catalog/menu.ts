/** Menu: the top levels of a release's trees as one list, for navigation (menu.depth-first, menu.siblings-by-sort-order). */
import { compareCodePoints } from '../../lib/code-point.ts'
import { compareSortOrder } from '../input/sort-order.ts'
import type { Release, ReleaseNode } from './release.ts'

/** The maximum number of levels of a menu, and of slugs in a path. */
export const MENU_DEPTH_MAX = 10
/** The maximum number of entries of one menu. */
export const MENU_ENTRIES_MAX = 5_000

/** A hierarchy or node in a menu. */
export interface MenuEntry {
  readonly node: ReleaseNode
  /** 1 for the first nodes of the menu. */
  readonly level: number
  /** The index in the menu of the entry above; null for the first level. */
  readonly parent: number | null
  /** The number of nodes directly below, also where the menu ends above them. */
  readonly childCount: number
}

/**
 * The nodes below `from`, or with null the hierarchies and the nodes below them, at most `depth` levels: each node is followed by those
 * below it. Null when there are more than MENU_ENTRIES_MAX.
 */
export function menuOf(release: Release, from: ReleaseNode | null, depth: number): MenuEntry[] | null {
  const entries: MenuEntry[] = []
  const add = (nodes: readonly ReleaseNode[], level: number, parent: number | null): boolean =>
    nodes.every((node) => {
      if (entries.length === MENU_ENTRIES_MAX) return false
      const below = release.childrenOf(node.id)
      const place = entries.push({ node, level, parent, childCount: below.length }) - 1
      return level === depth || add(inMenuOrder(below), level + 1, place)
    })
  const first = from === null ? hierarchiesOf(release) : inMenuOrder(release.childrenOf(from.id))
  return add(first, 1, null) ? entries : null
}

/** Siblings in the order of menus: highest sort order first, none last, then by name in code point order. */
export function inMenuOrder(nodes: readonly ReleaseNode[]): ReleaseNode[] {
  return nodes.toSorted(
    (left, right) =>
      compareSortOrder({ sort_order: left.sortOrder }, { sort_order: right.sortOrder }) || compareCodePoints(left.name, right.name),
  )
}

/** The node at the end of a path of slugs, which begins with that of a hierarchy (node.path-of-slugs); undefined when there is none. */
export function nodeByPath(release: Release, [first, ...rest]: readonly string[]): ReleaseNode | undefined {
  let node = first === undefined ? undefined : release.hierarchyBySlug(first)
  for (const wanted of rest) node = node && release.childrenOf(node.id).find(({ slug }) => slug === wanted)
  return node
}

/** The root nodes of the hierarchies, in the order of the catalog. */
function hierarchiesOf(release: Release): ReleaseNode[] {
  return release.hierarchyIds.flatMap((id) => release.hierarchy(id) ?? [])
}
