/** Places in the tree of a release. A node belongs to one release, so what is made of it here is made once for as long as that is in memory. */
import type { Release, ReleaseNode } from '../../domain/catalog/release.ts'
import { placeId } from './release-scoped-id.ts'

/** A hierarchy or a node of it, as one release has it; `id` names both. */
export interface Branch extends Pick<ReleaseNode, 'slug' | 'label' | 'sortOrder' | 'createdAt' | 'updatedAt'> {
  readonly id: string
  readonly nodeId: string
  readonly release: Release
  readonly node: ReleaseNode
}

/** A node and what lies above it: hierarchy first, direct parent last (node.nearest-ten-ancestors). */
export interface Breadcrumb {
  readonly node: Branch
  readonly ancestors: readonly Branch[]
}

const branches = new WeakMap<ReleaseNode, Branch>()
const crumbs = new WeakMap<ReleaseNode, Breadcrumb>()

export function branchOf(release: Release, node: ReleaseNode): Branch {
  const known = branches.get(node)
  if (known) return known
  const { id, slug, label, sortOrder, createdAt, updatedAt } = node
  const branch = { id: placeId(release, id), nodeId: id, release, node, slug, label, sortOrder, createdAt, updatedAt }
  branches.set(node, branch)
  return branch
}

/** A release is whole: what its nodes name, it has. */
export function branchAt(release: Release, id: string): Branch {
  const node = release.nodes.get(id)
  if (!node) throw new Error(`the release ${release.id} lacks the node ${id}`)
  return branchOf(release, node)
}

export function breadcrumbOf(release: Release, node: ReleaseNode): Breadcrumb {
  const known = crumbs.get(node)
  if (known) return known
  const crumb = { node: branchOf(release, node), ancestors: release.ancestorIds(node.id).map((id) => branchAt(release, id)) }
  crumbs.set(node, crumb)
  return crumb
}
