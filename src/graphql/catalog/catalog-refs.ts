/**
 * The published nouns, named here so that their modules can lead to each other; each module implements its own. What a field without
 * arguments tells is a property (or getter) under the field's name: a compiled query reads it in line, several times over for a list or an
 * object, and a call of a resolver costs many times that.
 */

import type { Release } from '../../domain/catalog/release.ts'
import type { ProductType, ReleaseDocument } from '../../domain/catalog/release-document.ts'
import type { ReleaseProduct } from '../../domain/catalog/released-product.ts'
import type { PriceableProduct } from '../../domain/pricing/priceable-product.ts'
import type { CommodityType } from '../../domain/products/product.ts'
import type { ReleaseOrSummary, VisibleCatalog } from '../../operations/catalog/published-catalog.ts'
import type { CatalogProduct } from '../../operations/catalog/release-listing.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection } from '../schema/connection.ts'
import type { PriceSubject } from './catalog-price.ts'
import { placeId } from './release-scoped-id.ts'
import { type Branch, type Breadcrumb, breadcrumbOf } from './release-tree.ts'

/** What is known of a catalog before anything of it is loaded. */
export const CatalogRef = builder.objectRef<VisibleCatalog>('Catalog')
export const ReleaseRef = builder.objectRef<ReleaseOrSummary>('Release')

export const CatalogTreeNodeRef = builder.interfaceRef<Branch>('CatalogTreeNode')
export const CatalogHierarchyRef = builder.objectRef<Branch>('CatalogHierarchy')
export const CatalogNodeRef = builder.objectRef<Branch>('CatalogNode')

const none: readonly never[] = []

/**
 * `id` names release and product (graph.release-scoped-ids); `position` is its place in the list that it was found in, 0 outside of one. It
 * is priced as what stands alone (price.alone-outside-bundles).
 */
export class ListedProduct implements CatalogProduct, PriceSubject {
  readonly release: Release
  readonly document: ReleaseDocument
  readonly position: number
  readonly selection = null
  readonly bundleId = null
  private crumbs: readonly Breadcrumb[] | undefined
  private children: readonly string[] | undefined

  constructor({ release, document, position = 0 }: CatalogProduct & { readonly position?: number }) {
    this.release = release
    this.document = document
    this.position = position
  }

  get unit(): PriceableProduct {
    return this.document.unit
  }
  get id(): string {
    return placeId(this.release, this.document.product.id)
  }
  get productId(): string {
    return this.document.product.id
  }
  get catalogId(): string {
    return this.release.catalogId
  }
  get sku(): string | null {
    return this.document.product.sku
  }
  get slug(): string {
    return this.document.product.slug
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
  get mainImageId(): string | null {
    return this.document.product.main_image_id
  }
  get baseProductId(): string | null {
    return this.document.product.parent_id
  }
  get childIds(): readonly string[] {
    this.children ??= this.document.product.children?.map(({ id }) => id) ?? none
    return this.children
  }
  get breadCrumbs(): readonly Breadcrumb[] {
    const { release, document } = this
    this.crumbs ??= document.product.node_ids.flatMap((id) => {
      const node = release.nodes.get(id)
      return node ? breadcrumbOf(release, node) : []
    })
    return this.crumbs
  }
  get priceBookId(): string | null {
    return this.document.unit.record?.book ?? null
  }
}

export const CatalogProductRef = builder.objectRef<ListedProduct>('CatalogProduct')

export function listed(found: CatalogProduct): ListedProduct {
  return new ListedProduct(found)
}

export const CatalogConnection = defineConnection(CatalogRef, 'anyone')
export const ReleaseConnection = defineConnection(ReleaseRef, 'anyone')
export const CatalogNodeConnection = defineConnection(CatalogNodeRef, 'anyone')
export const CatalogProductConnection = defineConnection(CatalogProductRef, 'anyone')
