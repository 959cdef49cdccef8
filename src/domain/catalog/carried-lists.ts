/** Carried lists: the lists of a release in which products were replaced (release.carried-is-another). */
import type { CarriedProduct, PlacedDocument } from './carry.ts'
import type { TreeContent } from './carry-tree.ts'
import type { ProductOrder } from './product-order.ts'
import type { Release } from './release.ts'

/** The documents of a scope, the curated ones first. */
export interface CarriedList {
  readonly documents: readonly number[]
  readonly curated: number
}

/** A release that is made from another one. */
export interface ListChange {
  readonly base: Release
  readonly tree: TreeContent
  readonly products: readonly CarriedProduct[]
  /** The curated documents of the nodes that curate others now. */
  readonly curated: ReadonlyMap<string, readonly number[]>
  /** All products of the new release. */
  readonly all: ProductOrder
}

/** The lists of nodes and hierarchies that differ from those of the base, by scope; empty for those that go. */
export function carriedLists({ base, tree, products, curated, all }: ListChange): Map<string, CarriedList> {
  const replaced = new Map(products.map(({ before, after }) => [before, after?.number]))
  const come = comeByNode(products)
  const lists = new Map<string, CarriedList>()
  const touched = new Set<string>()
  for (const { id, hierarchyId, parentId } of [...base.nodes.values(), ...tree.nodes.values()]) {
    const now = tree.nodes.get(id)
    const before = base.nodes.get(id)
    if (now && before && now.hierarchyId === before.hierarchyId) continue
    touched.add(hierarchyId)
    if (!now && parentId !== null) lists.set(id, { documents: [], curated: 0 })
  }
  for (const { id, parentId, hierarchyId } of tree.nodes.values()) {
    if (parentId === null) continue
    const { documents, curated: count } = base.productOrder(id)
    const arrived = come.get(id) ?? []
    if (!curated.has(id) && arrived.length === 0 && !documents.some((document) => replaced.has(document))) continue
    const members = new Set([...documents].filter((document) => !replaced.has(document)))
    for (const { number } of arrived) members.add(number)
    const wanted =
      curated.get(id) ??
      Array.from(documents.subarray(0, count), (document) =>
        replaced.has(document) ? replaced.get(document) : document,
      )
    const first = [...new Set(wanted)].filter((document): document is number => members.has(document as number))
    for (const document of first) members.delete(document)
    lists.set(id, { documents: [...first, ...inOrder(members, all)], curated: first.length })
    touched.add(hierarchyId)
  }
  const nodesOf = (hierarchyId: string) => [...tree.nodes.values()].filter((node) => node.hierarchyId === hierarchyId)
  for (const hierarchyId of touched) {
    const found = new Set<number>()
    for (const { id } of nodesOf(hierarchyId).filter(({ parentId }) => parentId !== null))
      for (const document of lists.get(id)?.documents ?? base.productOrder(id).documents) found.add(document)
    lists.set(hierarchyId, { documents: inOrder(found, all), curated: 0 })
  }
  return lists
}

/** Documents in the order of all. Their positions are sorted as numbers, ten times as fast as by a comparison. */
function inOrder(documents: ReadonlySet<number>, all: ProductOrder): number[] {
  const positions = new Int32Array(documents.size)
  let count = 0
  for (const document of documents) positions[count++] = all.positionOf(document)
  positions.sort()
  return Array.from(positions, (position) => all.documents[position] as number)
}

function comeByNode(products: readonly CarriedProduct[]): Map<string, PlacedDocument[]> {
  const come = new Map<string, PlacedDocument[]>()
  for (const { after } of products) {
    for (const nodeId of after?.nodeIds ?? []) {
      const list = come.get(nodeId) ?? []
      if (after) list.push(after)
      come.set(nodeId, list)
    }
  }
  return come
}
