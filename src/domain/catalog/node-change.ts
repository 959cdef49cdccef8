/** Node change: the differences between the trees of two releases (release.change-names-its-fields). */
import { compareCodePoints } from '../../lib/code-point.ts'
import { changedSeoTexts, changedSlug, changedTexts, type ReleaseChangeKind } from './product-change.ts'
import type { Release, ReleaseNode } from './release.ts'

/** A hierarchy or node that differs. */
export interface NodeChange {
  readonly kind: ReleaseChangeKind
  /** Null in a release that lacks it. */
  readonly before: ReleaseNode | null
  readonly after: ReleaseNode | null
  /**
   * The names of the fields of CatalogTreeNode that differ; `products` when the curated products or their order differ.
   */
  readonly fields: readonly string[]
}

/** The numbers of hierarchies and nodes that differ, by kind of change. */
export interface NodeChangeCounts {
  readonly added: number
  readonly removed: number
  readonly changed: number
  /** The changed ones that now have another parent. */
  readonly moved: number
}

const plainFields = ['label', 'sortOrder', 'createdAt', 'updatedAt'] as const

/**
 * The hierarchies and nodes that differ, by name, then id. `sameProduct` maps a document of the newer release to the
 * older release's document of the same product.
 */
export function nodeChanges(before: Release, after: Release, sameProduct: (document: number) => number): NodeChange[] {
  const changes: NodeChange[] = []
  for (const node of before.nodes.values()) {
    if (!after.nodes.has(node.id)) changes.push({ kind: 'REMOVED', before: node, after: null, fields: [] })
  }
  for (const node of after.nodes.values()) {
    const old = before.nodes.get(node.id)
    if (!old) changes.push({ kind: 'ADDED', before: null, after: node, fields: [] })
    else {
      const curated = curatedIn(after, node.id).map(sameProduct)
      const isCuratedSo = curatedIn(before, node.id).join() === curated.join()
      const fields = [...changedNodeFields(old, node), ...(isCuratedSo ? [] : ['products'])]
      if (fields.length > 0) changes.push({ kind: 'CHANGED', before: old, after: node, fields })
    }
  }
  const nodeOf = ({ before: old, after: now }: NodeChange) => (now ?? old) as ReleaseNode
  return changes.sort((left, right) => {
    const [one, other] = [nodeOf(left), nodeOf(right)]
    return compareCodePoints(one.name, other.name) || compareCodePoints(one.id, other.id)
  })
}

/** The counts of the changes. */
export function countNodeChanges(changes: readonly NodeChange[]): NodeChangeCounts {
  const count = (matches: (change: NodeChange) => boolean) => changes.filter(matches).length
  return {
    added: count(({ kind }) => kind === 'ADDED'),
    removed: count(({ kind }) => kind === 'REMOVED'),
    changed: count(({ kind }) => kind === 'CHANGED'),
    moved: count(({ fields }) => fields.includes('parent')),
  }
}

function changedNodeFields(before: ReleaseNode, after: ReleaseNode): string[] {
  return [
    ...changedTexts(before, after),
    ...changedSeoTexts(before, after),
    ...changedSlug(before, after),
    ...plainFields.filter((field) => before[field] !== after[field]),
    ...(before.parentId === after.parentId ? [] : ['parent']),
  ]
}

function curatedIn(release: Release, nodeId: string): number[] {
  const { documents, curated } = release.productOrder(nodeId)
  return [...documents.subarray(0, curated)]
}

/**
 * The names of the fields in which the releases themselves differ: `hierarchies`, and the catalog's `name` and
 * `description`.
 */
export function changedReleaseFields(before: Release, after: Release): string[] {
  const texts = changedTexts(before.catalog, after.catalog).filter((field) => field !== 'language')
  return before.hierarchyIds.join() === after.hierarchyIds.join() ? texts : [...texts, 'hierarchies']
}
