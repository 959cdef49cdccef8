/**
 * Listing scope: the products of a hierarchy, a node, a node with all below it or the whole release, in their default
 * order.
 *
 * Code of listings uses four kinds of plain integers. A document number names a document in all releases that share it.
 * A position is the index of a product in the scope, a rank its index in the whole release. A leader is the rank of the
 * product that stands for its group.
 */
import type { ListingQuery } from './listing-query.ts'
import { ProductOrder } from './product-order.ts'
import type { Release } from './release.ts'

/** A request for a list. */
export interface ListRequest {
  readonly release: Release
  readonly query: ListingQuery
  /** Epoch milliseconds: the instant of the request, or of the first page of a walk. */
  readonly instant: number
  /** Products of the release to list instead, in their order; the scope of the query is then only their name. */
  readonly among?: Int32Array
}

/** A request for a list, with its scope. */
export interface ScopedRequest extends ListRequest {
  readonly scope: ListingScope
}

/** The products of a scope. */
export interface ListingScope {
  readonly order: ProductOrder
  /** The rank of each position. Facets are indexed by rank. */
  readonly ranks: Int32Array
}

/** What names a scope within a release. */
export type ScopeName = Pick<ListingQuery, 'scope' | 'descendants'>

/** The scope of a query: its products and their ranks. `among` are given products of the release, in their order. */
export function scopeOf(release: Release, { scope, descendants }: ScopeName, among?: Int32Array): ListingScope {
  const { allProducts } = release
  const order = among ? new ProductOrder(among, 0) : orderOf(release, scope ?? release.id, descendants)
  const ranks =
    order === allProducts
      ? order.documents.map((_, rank) => rank)
      : order.documents.map((one) => allProducts.positionOf(one))
  return { order, ranks }
}

function orderOf(release: Release, id: string, descendants: boolean): ProductOrder {
  const isInner = descendants && release.nodes.get(id)?.parentId != null && release.childrenOf(id).length > 0
  return isInner ? orderWithDescendants(release, id) : release.productOrder(id)
}

/**
 * The order of a node with all nodes below it, each product once: those curated in the node first, then last updated
 * first (list.descendants-once).
 */
function orderWithDescendants(release: Release, nodeId: string): ProductOrder {
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
