/** Release index: the node tree of a published release and the product order of each of its scopes. Immutable. */
import { formatInstant } from '../input/instant.ts'
import type { Locales } from '../language/locale.ts'
import type { ReleaseLabels } from './label.ts'
import { ProductOrder } from './product-order.ts'

/** The maximum number of ancestors and of attached nodes in breadcrumbs (node.nearest-ten-ancestors). */
export const BREADCRUMB_LEVELS_MAX = 10

/** A catalog's texts. In a release they are those of the publish. */
export interface CatalogTexts {
  readonly name: string
  readonly description: string | null
  readonly locales: Locales | null
}

/**
 * Since when a catalog is published, in epoch milliseconds. A release does not hold it, because a later publish may
 * change it.
 */
export interface CatalogHistory {
  /**
   * The first publish, kept when its releases are removed (catalog-rule.most-matches-win); null when it was never
   * published.
   */
  readonly firstPublishedAt: number | null
  /** Since when the price history is complete; null: since the first publish. */
  readonly priceHistoryFrom: number | null
}

/** The part of a catalog that every viewer may read. */
export interface PublicCatalog extends CatalogTexts, Pick<CatalogHistory, 'firstPublishedAt'> {}

/** A node in a release; a hierarchy is its own root node (`parentId` null). Instants are epoch milliseconds. */
export interface ReleaseNode {
  readonly id: string
  readonly parentId: string | null
  readonly hierarchyId: string
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly label: string | null
  readonly sortOrder: number | null
  readonly seoTitle: string | null
  readonly seoDescription: string | null
  readonly locales: Locales | null
  readonly createdAt: number
  readonly updatedAt: number
}

const emptyOrder = new ProductOrder(new Int32Array(), 0)

/** The index of one release. */
export class Release {
  readonly nodes: ReadonlyMap<string, ReleaseNode>
  /** `publishedAt` as RFC 3339 text. */
  readonly publishedText: string
  private readonly ancestors = new Map<string, readonly string[]>()
  private readonly children = new Map<string, ReleaseNode[]>()
  private readonly curatedByScope = new Map<string, ReadonlySet<number>>()

  constructor(
    readonly id: string,
    readonly catalogId: string,
    readonly sequence: number,
    /** When it first became public, or will, epoch milliseconds (release.published-when-public). */
    readonly publishedAt: number,
    readonly catalog: CatalogTexts,
    /** In the order of the catalog. */
    readonly hierarchyIds: readonly string[],
    /** Latest update first (list.latest-update-first). */
    nodes: readonly ReleaseNode[],
    private readonly productOrders: ReadonlyMap<string, ProductOrder>,
    /**
     * A draft shows administrators what a publish would; its `publishedAt` is the instant of its build, its `sequence`
     * is 0.
     */
    readonly status: 'published' | 'draft' = 'published',
    /** When its publish began, epoch milliseconds. */
    readonly startedAt = publishedAt,
    /** What names are called in languages. */
    readonly labels: ReleaseLabels = {},
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

  /** The root node of a hierarchy; undefined when the release lacks it. */
  hierarchy(id: string): ReleaseNode | undefined {
    const node = this.nodes.get(id)
    return node?.parentId === null ? node : undefined
  }

  /** Direct children, latest update first. */
  childrenOf(nodeId: string): readonly ReleaseNode[] {
    return this.children.get(nodeId) ?? []
  }

  /** The nodes among `ids`, without hierarchies, latest update first (list.nodes-before-products). */
  nodesByIds(ids: ReadonlySet<string>): ReleaseNode[] {
    return [...this.nodes.values()].filter((node) => node.parentId !== null && ids.has(node.id))
  }

  /** The products of a hierarchy, a node or, by its id, the release; empty when nothing is attached. */
  productOrder(scope: string): ProductOrder {
    return this.productOrders.get(scope) ?? emptyOrder
  }

  /** All products of the release. */
  get allProducts(): ProductOrder {
    return this.productOrder(this.id)
  }

  /**
   * Ids of the node's ancestors from the hierarchy to the direct parent, only the nearest ten of a deeper node
   * (node.nearest-ten-ancestors). The array is cached, so callers must not change it.
   */
  ancestorIds(nodeId: string): readonly string[] {
    const cached = this.ancestors.get(nodeId)
    if (cached) return cached
    const ancestors: string[] = []
    let parent = this.nodes.get(nodeId)?.parentId
    while (parent != null && ancestors.length < BREADCRUMB_LEVELS_MAX) {
      ancestors.unshift(parent)
      parent = this.nodes.get(parent)?.parentId
    }
    this.ancestors.set(nodeId, ancestors)
    return ancestors
  }

  /**
   * Whether the document is curated in the scope: in the node itself, or in any node of the hierarchy or release
   * (list.curated-come-first).
   */
  isCurated(scope: string, document: number): boolean {
    const node = this.nodes.get(scope)
    if (node && node.parentId !== null) return this.isCuratedIn(scope, document)
    let curated = this.curatedByScope.get(scope)
    if (!curated) {
      const found = new Set<number>()
      for (const { id, hierarchyId } of this.nodes.values()) {
        if (scope !== this.id && scope !== hierarchyId) continue
        const order = this.productOrder(id)
        for (const number of order.documents.subarray(0, order.curated)) found.add(number)
      }
      curated = found
      this.curatedByScope.set(scope, curated)
    }
    return curated.has(document)
  }

  private isCuratedIn(nodeId: string, document: number): boolean {
    const order = this.productOrder(nodeId)
    if (order.curated === 0) return false
    const position = order.positionOf(document)
    return position >= 0 && position < order.curated
  }

  /** Estimated memory in bytes. */
  get sizeInBytes(): number {
    let documents = 0
    for (const order of this.productOrders.values()) documents += order.documents.length
    let names = 0
    for (const ofKind of Object.values(this.labels))
      for (const locales of Object.values(ofKind)) names += Object.keys(locales).length
    return documents * 4 + this.nodes.size * 600 + names * 300
  }
}
