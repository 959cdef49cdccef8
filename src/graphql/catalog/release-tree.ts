/** Release tree: objects for hierarchies and nodes of a release, and breadcrumbs, created once per node and cached with the release. */
import type { Release, ReleaseNode } from '../../domain/catalog/release.ts'
import { releaseScopedId } from './release-scoped-id.ts'

/** A hierarchy or node in a release; `id` is its raw release-scoped id. */
export interface TreeNode extends Pick<ReleaseNode, 'slug' | 'label' | 'sortOrder' | 'createdAt' | 'updatedAt'> {
  readonly id: string
  readonly key: string
  readonly release: Release
  readonly node: ReleaseNode
}

/** A node and its ancestors: hierarchy first, direct parent last, the nearest ten (node.nearest-ten-ancestors). */
export interface Breadcrumb {
  readonly node: TreeNode
  readonly ancestors: readonly TreeNode[]
}

interface TreeObjects {
  readonly nodes: WeakMap<ReleaseNode, TreeNode>
  readonly breadcrumbs: WeakMap<ReleaseNode, Breadcrumb>
}

/** Objects of `latest` are separate, since their ids differ (graph.latest-or-pinned-ids). */
const ofLatest: TreeObjects = { nodes: new WeakMap(), breadcrumbs: new WeakMap() }
const ofPinned: TreeObjects = { nodes: new WeakMap(), breadcrumbs: new WeakMap() }

export function treeNodeOf(release: Release, node: ReleaseNode): TreeNode {
  const { nodes } = release.isLatest ? ofLatest : ofPinned
  const cached = nodes.get(node)
  if (cached) return cached
  const { id, slug, label, sortOrder, createdAt, updatedAt } = node
  const treeNode = { id: releaseScopedId(release, id), key: id, release, node, slug, label, sortOrder, createdAt, updatedAt }
  nodes.set(node, treeNode)
  return treeNode
}

/** The object for the node with that UUID. Throws when the release lacks it, which a publish rules out. */
export function treeNodeById(release: Release, id: string): TreeNode {
  const node = release.nodes.get(id)
  if (!node) throw new Error(`the release ${release.id} lacks the node ${id}`)
  return treeNodeOf(release, node)
}

export function breadcrumbOf(release: Release, node: ReleaseNode): Breadcrumb {
  const { breadcrumbs } = release.isLatest ? ofLatest : ofPinned
  const cached = breadcrumbs.get(node)
  if (cached) return cached
  const breadcrumb = { node: treeNodeOf(release, node), ancestors: release.ancestorIds(node.id).map((id) => treeNodeById(release, id)) }
  breadcrumbs.set(node, breadcrumb)
  return breadcrumb
}
