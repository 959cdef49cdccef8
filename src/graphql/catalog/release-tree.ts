/**
 * Release tree: objects for hierarchies and nodes of a release, and breadcrumbs, created once per node and cached with
 * the release.
 */
import type { ReleaseNode } from '../../domain/catalog/release.ts'
import type { ReleaseView } from '../../domain/catalog/release-view.ts'
import { releaseScopedId } from './release-scoped-id.ts'

/** A hierarchy or node in a release; `id` is its raw release-scoped id. */
export interface TreeNode extends ReleaseView, Pick<ReleaseNode, 'label' | 'sortOrder' | 'createdAt' | 'updatedAt'> {
  readonly id: string
  readonly key: string
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

export function treeNodeOf({ release, isLatest }: ReleaseView, node: ReleaseNode): TreeNode {
  const { nodes } = isLatest ? ofLatest : ofPinned
  const cached = nodes.get(node)
  if (cached) return cached
  const { id, label, sortOrder, createdAt, updatedAt } = node
  const treeNode = {
    id: releaseScopedId({ release, isLatest }, id),
    key: id,
    release,
    isLatest,
    node,
    label,
    sortOrder,
    createdAt,
    updatedAt,
  }
  nodes.set(node, treeNode)
  return treeNode
}

/** The object for the node with that UUID. Throws when the release lacks it, which a publish prevents. */
export function treeNodeById(view: ReleaseView, id: string): TreeNode {
  const node = view.release.nodes.get(id)
  if (!node) throw new Error(`the release ${view.release.id} lacks the node ${id}`)
  return treeNodeOf(view, node)
}

export function breadcrumbOf(view: ReleaseView, node: ReleaseNode): Breadcrumb {
  const { breadcrumbs } = view.isLatest ? ofLatest : ofPinned
  const cached = breadcrumbs.get(node)
  if (cached) return cached
  const breadcrumb = {
    node: treeNodeOf(view, node),
    ancestors: view.release.ancestorIds(node.id).map((id) => treeNodeById(view, id)),
  }
  breadcrumbs.set(node, breadcrumb)
  return breadcrumb
}
