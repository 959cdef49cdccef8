/**
 * The published nouns, named here so that their modules can lead to each other; each module implements its own. What a field without
 * arguments tells is a property (or getter) under the field's name: a compiled query reads it in line, and a call of a resolver costs many times that.
 */

import type { CommodityType } from '../domain/product.ts'
import type { Release, ReleaseNode } from '../domain/release.ts'
import type { ReleaseDocument } from '../domain/release-document.ts'
import type { CatalogProduct } from '../operations/catalog-product.ts'
import type { KnownRelease } from '../operations/published-catalog.ts'
import { builder } from './builder.ts'
import { connectionOf } from './connection.ts'
import { placeId } from './release-place.ts'

/** What is known of a catalog before anything of it is loaded. */
export const CatalogRef = builder.objectRef<{ readonly id: string }>('Catalog')
export const ReleaseRef = builder.objectRef<KnownRelease>('Release')

/** A hierarchy or a node of it, as one release has it; `id` names both. */
export interface Branch extends Pick<ReleaseNode, 'slug' | 'label' | 'sortOrder' | 'createdAt' | 'updatedAt'> {
  readonly id: string
  readonly nodeId: string
  readonly release: Release
  readonly node: ReleaseNode
}

export const CatalogBranchRef = builder.interfaceRef<Branch>('CatalogBranch')
export const CatalogHierarchyRef = builder.objectRef<Branch>('CatalogHierarchy')
export const CatalogNodeRef = builder.objectRef<Branch>('CatalogNode')

/** A node belongs to one release, so it is one branch for as long as the release is in memory. */
const branches = new WeakMap<ReleaseNode, Branch>()

export function branchOf(release: Release, node: ReleaseNode): Branch {
  const known = branches.get(node)
  if (known) return known
  const { id, slug, label, sortOrder, createdAt, updatedAt } = node
  const branch = { id: placeId(release, id), nodeId: id, release, node, slug, label, sortOrder, createdAt, updatedAt }
  branches.set(node, branch)
  return branch
}

/** `id` names release and product (GQL-3); `position` is its place in the list that it was found in, 0 outside of one. */
export class ListedProduct implements CatalogProduct {
  readonly release: Release
  readonly document: ReleaseDocument
  readonly position: number

  constructor({ release, document, position = 0 }: CatalogProduct & { readonly position?: number }) {
    this.release = release
    this.document = document
    this.position = position
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
  get priceBookId(): string | null {
    return this.document.unit.row?.book ?? null
  }
}

export const CatalogProductRef = builder.objectRef<ListedProduct>('CatalogProduct')

export function listed(found: CatalogProduct): ListedProduct {
  return new ListedProduct(found)
}

export const CatalogConnection = connectionOf(CatalogRef, 'anyone')
export const ReleaseConnection = connectionOf(ReleaseRef, 'anyone')
export const CatalogNodeConnection = connectionOf(CatalogNodeRef, 'anyone')
export const CatalogProductConnection = connectionOf(CatalogProductRef, 'anyone')
