/**
 * Types of published records, declared here so that their modules can refer to each other; each module implements its
 * own.
 *
 * A field without arguments is a property or getter of the same name: graphql-jit reads it inline, which costs a
 * fraction of a call of a resolver. It reads a list or an object several times, so getters create theirs once.
 */
import { canonicalPathOf } from '../../domain/catalog/menu.ts'
import type { Release } from '../../domain/catalog/release.ts'
import type { ProductType, ReleaseDocument } from '../../domain/catalog/release-document.ts'
import type { AnyRelease, ReleaseView } from '../../domain/catalog/release-view.ts'
import type { ReleaseProduct } from '../../domain/catalog/released-product.ts'
import { localizeSlug } from '../../domain/language/language-slug.ts'
import type { PriceableProduct } from '../../domain/pricing/priceable-product.ts'
import type { CommodityType } from '../../domain/products/product.ts'
import type { PriceSubject } from '../../operations/catalog/price.ts'
import type { VisibleCatalog } from '../../operations/catalog/published-catalog.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection } from '../schema/connection.ts'
import { releaseScopedId } from './release-scoped-id.ts'
import { type Breadcrumb, breadcrumbOf, type TreeNode } from './release-tree.ts'

/** The type Catalog. Only the id is known before one of its other fields is loaded. */
export const CatalogRef = builder.objectRef<VisibleCatalog>('Catalog')
/** The type Release, published or not. */
export const ReleaseRef = builder.objectRef<AnyRelease>('Release')

/** Hierarchies and nodes of a release, and their interface. */
export const CatalogTreeNodeRef = builder.interfaceRef<TreeNode>('CatalogTreeNode')
export const CatalogHierarchyRef = builder.objectRef<TreeNode>('CatalogHierarchy')
export const CatalogNodeRef = builder.objectRef<TreeNode>('CatalogNode')

const none: readonly never[] = []

/**
 * A published product: the object behind CatalogProduct. Its `id` is release-scoped (graph.release-scoped-ids).
 * `position` is its index in the list where it was found, 0 outside of one. Its price is that outside of a bundle
 * (price.alone-outside-bundles).
 */
export class PublishedProduct implements PriceSubject {
  readonly release: Release
  readonly isLatest: boolean
  readonly document: ReleaseDocument
  readonly position: number
  readonly selection = null
  readonly bundleId = null
  private resolvedBreadcrumbs: readonly Breadcrumb[] | undefined
  private resolvedChildKeys: readonly string[] | undefined

  constructor({ release, isLatest }: ReleaseView, document: ReleaseDocument, position = 0) {
    this.release = release
    this.isLatest = isLatest
    this.document = document
    this.position = position
  }

  get priceable(): PriceableProduct {
    return this.document.priceable
  }
  get id(): string {
    return releaseScopedId(this, this.document.product.id)
  }
  get key(): string {
    return this.document.product.id
  }
  get sku(): string | null {
    return this.document.product.sku
  }
  canonicalPath(acceptLanguage: string | null): string[] {
    const node = this.breadCrumbs[0]?.node.node
    const above = node ? canonicalPathOf(this.release, node, acceptLanguage) : none
    return [...above, localizeSlug(this.document.product, acceptLanguage)]
  }
  get commodityType(): CommodityType | null {
    return this.document.product.commodity_type
  }
  get upcEan(): string | null {
    return this.document.product.upc_ean
  }
  get manufacturerPartNum(): string | null {
    return this.document.product.manufacturer_part_num
  }
  get externalRef(): string | null {
    return this.document.product.external_ref
  }
  get tags(): readonly string[] {
    return this.document.product.tags
  }
  get productTypes(): readonly ProductType[] {
    return this.document.types
  }
  get files(): NonNullable<ReleaseProduct['files']> {
    return this.document.product.files ?? none
  }
  get isBaseProduct(): boolean {
    return this.document.product.children !== null
  }
  get publishedAt(): number {
    return this.release.publishedAt
  }
  get createdAt(): number {
    return this.document.product.created_at
  }
  get updatedAt(): number {
    return this.document.product.updated_at
  }
  get parentKey(): string | null {
    return this.document.product.parent_id
  }
  get childKeys(): readonly string[] {
    this.resolvedChildKeys ??= this.document.product.children?.map(({ id }) => id) ?? none
    return this.resolvedChildKeys
  }
  get breadCrumbs(): readonly Breadcrumb[] {
    const { release, document } = this
    this.resolvedBreadcrumbs ??= document.product.node_ids.flatMap((id) => {
      const node = release.nodes.get(id)
      return node ? breadcrumbOf(this, node) : []
    })
    return this.resolvedBreadcrumbs
  }
  get priceBookKey(): string | null {
    return this.document.priceable.record?.book ?? null
  }
}

export const CatalogProductRef = builder.objectRef<PublishedProduct>('CatalogProduct')

export const CatalogConnection = defineConnection(CatalogRef, 'anyone')
export const ReleaseConnection = defineConnection(ReleaseRef, 'anyone')
export const CatalogNodeConnection = defineConnection(CatalogNodeRef, 'anyone')
export const CatalogProductConnection = defineConnection(CatalogProductRef, 'anyone')
