/** Menu: the top levels of a release's trees as one list, for navigation (menu.depth-first). */
import type { RequestLanguages } from '../language/language.ts'
import { hasSlug, localizeSlug, sameExactly, sameInAnyCase } from '../language/language-slug.ts'
import type { Release, ReleaseNode } from './release.ts'
import { inMenuOrder } from './sibling-order.ts'

/** The maximum number of levels of a menu. */
export const MENU_DEPTH_MAX = 10
/** The maximum number of slugs in a path. */
export const PATH_SLUGS_MAX = 100
/** The maximum number of entries of one menu. */
export const MENU_ENTRIES_MAX = 5_000

/** A hierarchy or node in a menu. */
export interface MenuEntry {
  readonly node: ReleaseNode
  /** 1 for the first nodes of the menu. */
  readonly level: number
  /** The index in the menu of the entry above; null for the first level. */
  readonly parent: number | null
  /** The number of nodes directly below, even where the menu leaves them out. */
  readonly childCount: number
}

/**
 * At most `depth` levels of the nodes below `from`, or with null of the hierarchies and their nodes. Each node is
 * followed by those below it. Null when there are more than MENU_ENTRIES_MAX.
 */
export function menuOf(
  release: Release,
  from: ReleaseNode | null,
  depth: number,
  languages: RequestLanguages,
): MenuEntry[] | null {
  const entries: MenuEntry[] = []
  const add = (nodes: readonly ReleaseNode[], level: number, parent: number | null): boolean =>
    nodes.every((node) => {
      if (entries.length === MENU_ENTRIES_MAX) return false
      const below = release.childrenOf(node.id)
      const place = entries.push({ node, level, parent, childCount: below.length }) - 1
      return level === depth || add(inMenuOrder(below, languages), level + 1, place)
    })
  const first = from === null ? hierarchiesOf(release) : inMenuOrder(release.childrenOf(from.id), languages)
  return add(first, 1, null) ? entries : null
}

/**
 * The node at the end of a path of slugs, each in any language, which begins with that of a hierarchy
 * (node.path-of-slugs): the one that the path names exactly, else the first that it names in another case
 * (slug.exact-first). Undefined when there is none.
 */
export function nodeByPath(release: Release, path: readonly string[]): ReleaseNode | undefined {
  if (path.length === 0) return undefined
  return firstAt(release, path, sameExactly) ?? firstAt(release, path, sameInAnyCase)
}

/** The slugs from the hierarchy down to a node, each in the best accepted language that has one. */
export function canonicalPathOf(release: Release, node: ReleaseNode, acceptLanguage: string | null): string[] {
  const slugs: string[] = []
  for (
    let at: ReleaseNode | undefined = node;
    at;
    at = at.parentId === null ? undefined : release.nodes.get(at.parentId)
  )
    slugs.unshift(localizeSlug(at, acceptLanguage))
  return slugs
}

function firstAt(
  release: Release,
  [first = '', ...rest]: readonly string[],
  same: typeof sameExactly,
): ReleaseNode | undefined {
  let nodes = named(hierarchiesOf(release), first, same)
  for (const wanted of rest) nodes = nodes.flatMap(({ id }) => named(release.childrenOf(id), wanted, same))
  return nodes[0]
}

/**
 * The nodes among siblings that a slug names: first those that it names exactly, of these first those that have it
 * without a language.
 */
function named(siblings: readonly ReleaseNode[], wanted: string, same: typeof sameExactly): ReleaseNode[] {
  const found = siblings.filter((node) => hasSlug(node, wanted, same))
  if (found.length < 2) return found
  const rank = (node: ReleaseNode) =>
    node.slug === wanted ? 0 : hasSlug(node, wanted, sameExactly) ? 1 : same(node.slug, wanted) ? 2 : 3
  return found.sort((left, right) => rank(left) - rank(right))
}

/** The root nodes of the hierarchies, in the order of the catalog. */
function hierarchiesOf(release: Release): ReleaseNode[] {
  return release.hierarchyIds.flatMap((id) => release.hierarchy(id) ?? [])
}
