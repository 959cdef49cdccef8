/** Places in the tree of a release. A node belongs to one release, so what is made of it here is made once for as long as that is in memory. */
import type { Release, ReleaseNode } from '../../domain/catalog/release.ts'
import { releaseScopedId } from './release-scoped-id.ts'

/** A hierarchy or a node of it, as one release has it; `id` names both. */
export interface TreeNode extends Pick<ReleaseNode, 'slug' | 'label' | 'sortOrder' | 'createdAt' | 'updatedAt'> {
  readonly id: string
  readonly nodeId: string
  readonly release: Release
  readonly node: ReleaseNode
}

/** A node and what lies above it: hierarchy first, direct parent last (node.nearest-ten-ancestors). */
export interface Breadcrumb {
  readonly node: TreeNode
  readonly ancestors: readonly TreeNode[]
}

const treeNodes = new WeakMap<ReleaseNode, TreeNode>()
const breadcrumbs = new WeakMap<ReleaseNode, Breadcrumb>()

export function treeNodeOf(release: Release, node: ReleaseNode): TreeNode {
  const cached = treeNodes.get(node)
  if (cached) return cached
  const { id, slug, label, sortOrder, createdAt, updatedAt } = node
  const treeNode = { id: releaseScopedId(release, id), nodeId: id, release, node, slug, label, sortOrder, createdAt, updatedAt }
  treeNodes.set(node, treeNode)
  return treeNode
}

/** A release is whole: what its nodes name, it has. */
export function treeNodeById(release: Release, id: string): TreeNode {
  const node = release.nodes.get(id)
  if (!node) throw new Error(`the release ${release.id} lacks the node ${id}`)
  return treeNodeOf(release, node)
}

export function breadcrumbOf(release: Release, node: ReleaseNode): Breadcrumb {
  const cached = breadcrumbs.get(node)
  if (cached) return cached
  const breadcrumb = { node: treeNodeOf(release, node), ancestors: release.ancestorIds(node.id).map((id) => treeNodeById(release, id)) }
  breadcrumbs.set(node, breadcrumb)
  return breadcrumb
}
