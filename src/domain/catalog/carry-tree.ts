/** Carrying trees: the nodes of three releases, merged into one tree that holds (release.carried-tree-holds). */
import { groupBy } from '../../lib/group-by.ts'
import { slugsOf, withSlugsOf } from '../language/language-slug.ts'
import { mergeMembers, mergeTexts } from './carry-product.ts'
import type { ReleaseNode } from './release.ts'
import { type FieldConflict, isChanged, lastUpdate, part, type Sides, ThreeWayMerge } from './three-way-merge.ts'

/** A tree as a release has it. */
export interface TreeContent {
  /** In the order of the catalog. */
  readonly hierarchyIds: readonly string[]
  readonly nodes: ReadonlyMap<string, ReleaseNode>
}

/** A conflict at a node. */
export interface NodeConflict extends FieldConflict {
  readonly nodeId: string
}

/** A merged tree. */
export interface MergedTree extends TreeContent {
  readonly conflicts: readonly NodeConflict[]
  /** The nodes that differ from the scheduled ones, removed ones included. */
  readonly changed: ReadonlySet<string>
  /** The nodes at which the publish already shows what the schedule changed (release.early-shows-warned). */
  readonly shownEarly: ReadonlySet<string>
}

/** Merges trees. Nodes are in the order of their last update; of equal ones those of the latest release come first. */
export function mergeTree(sides: Sides<TreeContent>): MergedTree {
  const conflicts = new Map<string, FieldConflict[]>()
  const shownEarly = new Set<string>()
  const merged = new Map<string, ReleaseNode>()
  for (const id of new Set([...sides.latest.nodes.keys(), ...sides.scheduled.nodes.keys()])) {
    const merge = new ThreeWayMerge()
    const node = mergeNode(
      merge,
      part(sides, ({ nodes }) => nodes.get(id)),
    )
    if (node) merged.set(id, node)
    if (merge.conflicts.length > 0) conflicts.set(id, merge.conflicts)
    if (merge.showsEarly) shownEarly.add(id)
  }
  for (const id of sides.former.nodes.keys())
    if (!sides.latest.nodes.has(id) && !sides.scheduled.nodes.has(id)) shownEarly.add(id)
  for (const [id, conflict] of keepPlaces(merged, sides.scheduled.nodes)) conflicts.set(id, conflict)
  const nodes = inOrder(withHierarchies(merged), sides)
  const { scheduled } = sides
  const hierarchyIds = mergeMembers(part(sides, (tree) => tree.hierarchyIds))
  const all = [...new Set([...nodes.keys(), ...scheduled.nodes.keys()])]
  return {
    hierarchyIds: [...new Set([...hierarchyIds, ...scheduled.hierarchyIds])].filter((id) => nodes.has(id)),
    nodes,
    conflicts: [...conflicts].flatMap(([nodeId, found]) => found.map((conflict) => ({ nodeId, ...conflict }))),
    changed: new Set(
      all.filter((id) => isChanged({ former: scheduled.nodes.get(id), latest: nodes.get(id), scheduled: null })),
    ),
    shownEarly,
  }
}

/** Merges one node; undefined when it goes. */
function mergeNode(merge: ThreeWayMerge, sides: Sides<ReleaseNode | undefined>): ReleaseNode | undefined {
  const { former, latest, scheduled } = sides
  if (!latest || !scheduled) {
    if (latest) return former ? undefined : latest
    // What was taken away goes, whatever the schedule made of it.
    if (former && scheduled && isChanged({ former, latest: scheduled, scheduled: null }))
      merge.conflicts.push({ field: 'node', key: null })
    return former ? undefined : scheduled
  }
  const value = <Field extends keyof ReleaseNode>(name: string, field: Field) =>
    merge.value(
      name,
      part(sides, (node) => node?.[field]),
    ) as ReleaseNode[Field]
  return {
    ...scheduled,
    ...mergeTexts(merge, sides as Sides<ReleaseNode>),
    slug: value('slug', 'slug'),
    label: value('label', 'label'),
    sortOrder: value('sortOrder', 'sortOrder'),
    seoTitle: value('seoTitle', 'seoTitle'),
    seoDescription: value('seoDescription', 'seoDescription'),
    parentId: value('parent', 'parentId'),
    updatedAt: lastUpdate(part(sides, (node) => node?.updatedAt)),
  }
}

/**
 * Where the merged tree lacks a parent, has a cycle or equal siblings, takes the place, name and slugs of the schedule
 * for the nodes that the publish changed there, until the tree holds. The conflicts, by node.
 */
function keepPlaces(
  merged: Map<string, ReleaseNode>,
  scheduled: ReadonlyMap<string, ReleaseNode>,
): Map<string, FieldConflict[]> {
  const conflicts = new Map<string, FieldConflict[]>()
  for (;;) {
    const broken = brokenNodes(merged, scheduled)
    if (broken.size === 0) return conflicts
    for (const id of broken) {
      const [now, own] = [merged.get(id), scheduled.get(id)]
      if (!own) merged.delete(id)
      else if (!now) merged.set(id, own)
      else {
        const { parentId, name, slug } = own
        merged.set(id, { ...now, parentId, name, slug, locales: withSlugsOf(now.locales, own.locales) })
      }
      conflicts.set(id, [{ field: 'parent', key: null }])
    }
  }
}

/** The nodes whose carried place, name or absence breaks the tree. */
function brokenNodes(
  merged: ReadonlyMap<string, ReleaseNode>,
  scheduled: ReadonlyMap<string, ReleaseNode>,
): Set<string> {
  const isMoved = (node: ReleaseNode): boolean => scheduled.get(node.id)?.parentId !== node.parentId
  const broken = new Set<string>()
  for (const node of merged.values()) {
    if (node.parentId === null || merged.has(node.parentId)) continue
    // A parent that the publish removed stays for a node that the schedule has below it.
    broken.add(scheduled.has(node.parentId) && scheduled.has(node.id) ? node.parentId : node.id)
  }
  for (const node of merged.values()) if (isMoved(node) && isInCycle(node, merged)) broken.add(node.id)
  const nodes = [...merged.values()].filter(({ parentId }) => parentId !== null)
  for (const namesOf of [({ name }: ReleaseNode) => [name], slugsOf]) {
    const named = nodes.flatMap((node) => namesOf(node).map((name) => ({ node, name })))
    for (const group of groupBy(named, ({ node, name }) => `${node.parentId} ${name}`).values()) {
      if (group.length < 2) continue
      for (const { node, name } of group) {
        const own = scheduled.get(node.id)
        if (!own || isMoved(node) || !namesOf(own).includes(name)) broken.add(node.id)
      }
    }
  }
  return broken
}

function isInCycle({ id }: ReleaseNode, nodes: ReadonlyMap<string, ReleaseNode>): boolean {
  const seen = new Set<string>()
  for (let at = nodes.get(id)?.parentId; at != null && !seen.has(at); at = nodes.get(at)?.parentId) {
    if (at === id) return true
    seen.add(at)
  }
  return false
}

/** Gives each node the hierarchy that it lies in. */
function withHierarchies(nodes: ReadonlyMap<string, ReleaseNode>): ReleaseNode[] {
  const roots = new Map<string, string>()
  const rootOf = (node: ReleaseNode): string => {
    const found = roots.get(node.id)
    if (found !== undefined) return found
    const parent = node.parentId === null ? undefined : nodes.get(node.parentId)
    const root = parent ? rootOf(parent) : node.id
    roots.set(node.id, root)
    return root
  }
  return [...nodes.values()].map((node) => ({ ...node, hierarchyId: rootOf(node) }))
}

function inOrder(nodes: readonly ReleaseNode[], { latest, scheduled }: Sides<TreeContent>): Map<string, ReleaseNode> {
  const placesIn = ({ nodes: ofRelease }: TreeContent) => new Map([...ofRelease.keys()].map((id, at) => [id, at]))
  const [first, second] = [placesIn(latest), placesIn(scheduled)]
  const place = (places: ReadonlyMap<string, number>, { id }: ReleaseNode) => places.get(id) ?? places.size
  const sorted = nodes.toSorted(
    (one, other) =>
      other.updatedAt - one.updatedAt ||
      place(first, one) - place(first, other) ||
      place(second, one) - place(second, other),
  )
  return new Map(sorted.map((node) => [node.id, node]))
}
