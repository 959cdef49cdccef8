/**
 * Listing scope: the products of a hierarchy, a node, a node with all below it or the whole release, in their default order.
 *
 * Four plain integers occur in all code of listings: a document number names a document, in all releases that share it; a position is the
 * index of a product in the scope, a rank its index in the whole release; a leader is the rank of the product that stands for its group.
 */
import { ProductOrder } from './product-order.ts'
import type { Release } from './release.ts'

/** The products of a scope. */
export interface ListingScope {
  readonly order: ProductOrder
  /** The rank of each position. Facets are indexed by rank. */
  readonly ranks: Int32Array
}

/** The scope with an order; its documents are of the release. */
export function scopeOf({ allProducts }: Release, order: ProductOrder): ListingScope {
  const ranks = order === allProducts ? order.documents.map((_, rank) => rank) : order.documents.map((one) => allProducts.positionOf(one))
  return { order, ranks }
}

/**
 * The order of a node with all nodes below it, each product once: those curated in the node first, then last updated first
 * (list.descendants-once).
 */
export function orderWithDescendants(release: Release, nodeId: string): ProductOrder {
  const { allProducts } = release
  const { documents, curated } = release.productOrder(nodeId)
  const isListed = new Uint8Array(allProducts.documents.length)
  for (const id of subtree(release, nodeId)) {
    for (const document of release.productOrder(id).documents) isListed[allProducts.positionOf(document)] = 1
  }
  const first = documents.subarray(0, curated)
  for (const document of first) isListed[allProducts.positionOf(document)] = 0
  const others = allProducts.documents.filter((_, rank) => isListed[rank] === 1)
  const order = new Int32Array(curated + others.length)
  order.set(first)
  order.set(others, curated)
  return new ProductOrder(order, curated)
}

function subtree(release: Release, root: string): string[] {
  const ids = [root]
  for (const id of ids) ids.push(...release.childrenOf(id).map((child) => child.id))
  return ids
}
