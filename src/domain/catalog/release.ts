/** A published release as a reader knows it: the frozen tree and the order of every scope. Immutable. */

import { formatInstant } from '../input/instant.ts'
import type { Locales } from '../language/locale.ts'

/** node.nearest-ten-ancestors: how many ancestors and attached nodes breadcrumbs tell. */
export const BREADCRUMB_LEVELS_MAX = 10

/** What anyone may read of a catalog. Of a release it is what was so when that was published. */
export interface PublicCatalog {
  readonly name: string
  readonly description: string | null
  readonly locales: Locales | null
  /** Epoch milliseconds; stays when releases go (catalog-rule.most-matches-win), null when nothing was ever published. */
  readonly firstPublishedAt: number | null
}

/** A node as frozen; a hierarchy is its root node (`parentId` null). Instants are epoch milliseconds. */
export interface ReleaseNode {
  readonly id: string
  readonly parentId: string | null
  readonly hierarchyId: string
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly label: string | null
  readonly sortOrder: number | null
  readonly locales: Locales | null
  readonly createdAt: number
  readonly updatedAt: number
}

/**
 * Documents of a hierarchy, a node or the whole release in listing order; the first `curated` of a node are curated in it
 * (list.curated-come-first).
 */
export class ProductOrder {
  private ranks: Float64Array | undefined

  constructor(
    readonly documents: Int32Array,
    readonly curated: number,
  ) {}

  /** Where the document stands, -1 when it is not listed here. */
  positionOf(document: number): number {
    this.ranks ??= rank(this.documents)
    let low = 0
    let high = this.ranks.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.ranks[middle] ?? 0) < document * POSITIONS) low = middle + 1
      else high = middle
    }
    const found = this.ranks[low]
    return found !== undefined && Math.floor(found / POSITIONS) === document ? found % POSITIONS : -1
  }
}

/** Document and position packed into one double, so that a look-up is a binary search in 8 bytes a document. */
const POSITIONS = 2 ** 22

function rank(documents: Int32Array): Float64Array {
  return Float64Array.from(documents, (document, position) => document * POSITIONS + position).sort()
}

const emptyListing = new ProductOrder(new Int32Array(), 0)

export class Release {
  readonly nodes: ReadonlyMap<string, ReleaseNode>
  /** `publishedAt` as the wire has it. */
  readonly publishedText: string
  private readonly crumbs = new Map<string, readonly string[]>()
  private readonly children = new Map<string, ReleaseNode[]>()
  private readonly curatedByScope = new Map<string, ReadonlySet<number>>()

  constructor(
    readonly id: string,
    readonly catalogId: string,
    readonly sequence: number,
    /** Epoch milliseconds. */
    readonly publishedAt: number,
    readonly catalog: PublicCatalog,
    /** In the catalog's order. */
    readonly hierarchyIds: readonly string[],
    /** Last updated first (list.latest-update-first). */
    nodes: readonly ReleaseNode[],
    private readonly listings: ReadonlyMap<string, ProductOrder>,
  ) {
    this.publishedText = formatInstant(publishedAt)
    this.nodes = new Map(nodes.map((node) => [node.id, node]))
    for (const node of nodes) {
      if (node.parentId === null) continue
      const siblings = this.children.get(node.parentId)
      if (siblings) siblings.push(node)
      else this.children.set(node.parentId, [node])
    }
  }

  /** The hierarchy's root node; undefined when the release has no such hierarchy. */
  hierarchy(id: string): ReleaseNode | undefined {
    const node = this.nodes.get(id)
    return node?.parentId === null ? node : undefined
  }

  /** Direct children, last updated first. */
  childrenOf(nodeId: string): readonly ReleaseNode[] {
    return this.children.get(nodeId) ?? []
  }

  /** The nodes, not hierarchies, with the ids given: last updated first (list.nodes-before-products). */
  nodesByIds(ids: ReadonlySet<string>): ReleaseNode[] {
    return [...this.nodes.values()].filter((node) => node.parentId !== null && ids.has(node.id))
  }

  /** The products of a hierarchy or node; empty when nothing is attached. */
  productOrder(scope: string): ProductOrder {
    return this.listings.get(scope) ?? emptyListing
  }

  /** Every product of the release. */
  get allProducts(): ProductOrder {
    return this.productOrder(this.id)
  }

  /**
   * Ids of the node's ancestors, hierarchy first, direct parent last, the nearest ten when deeper (node.nearest-ten-ancestors). Shared:
   * don't change it.
   */
  ancestorIds(nodeId: string): readonly string[] {
    const known = this.crumbs.get(nodeId)
    if (known) return known
    const ancestors: string[] = []
    let parent = this.nodes.get(nodeId)?.parentId
    while (parent != null && ancestors.length < BREADCRUMB_LEVELS_MAX) {
      ancestors.unshift(parent)
      parent = this.nodes.get(parent)?.parentId
    }
    this.crumbs.set(nodeId, ancestors)
    return ancestors
  }

  /** Whether the document is curated in the node, in any node of the hierarchy, or in any node of the release (list.curated-come-first). */
  isCurated(scope: string, document: number): boolean {
    const node = this.nodes.get(scope)
    if (node && node.parentId !== null) return this.isCuratedIn(scope, document)
    let curated = this.curatedByScope.get(scope)
    if (!curated) {
      const found = new Set<number>()
      for (const { id, hierarchyId } of this.nodes.values()) {
        if (scope !== this.id && scope !== hierarchyId) continue
        const listing = this.productOrder(id)
        for (const number of listing.documents.subarray(0, listing.curated)) found.add(number)
      }
      curated = found
      this.curatedByScope.set(scope, curated)
    }
    return curated.has(document)
  }

  private isCuratedIn(nodeId: string, document: number): boolean {
    const listing = this.productOrder(nodeId)
    if (listing.curated === 0) return false
    const position = listing.positionOf(document)
    return position >= 0 && position < listing.curated
  }

  /** What it holds in memory, roughly, in bytes. */
  get sizeInBytes(): number {
    let documents = 0
    for (const listing of this.listings.values()) documents += listing.documents.length
    return documents * 4 + this.nodes.size * 600
  }
}
