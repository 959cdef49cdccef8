/**
 * Relations of published products: release, nodes and breadcrumbs (node.nearest-ten-ancestors), parent, children, and
 * bundles.
 */
import { anyRelease, type ReleaseView } from '../../domain/catalog/release-view.ts'
import { type VariationMatrix, variationMatrix } from '../../domain/catalog/variation-matrix.ts'
import { catalogProduct, listBundles } from '../../operations/catalog/catalog-product.ts'
import type { Context } from '../../request/context.ts'
import { ProductRef } from '../products/product-ref.ts'
import { builder } from '../schema/builder.ts'
import { pageArgs } from '../schema/connection.ts'
import {
  CatalogNodeConnection,
  CatalogNodeRef,
  CatalogProductConnection,
  CatalogProductRef,
  CatalogRef,
  CatalogTreeNodeRef,
  PublishedProduct,
  ReleaseRef,
} from './catalog-refs.ts'
import { childOrderArgs, nodesInOrder } from './child-order.ts'
import { childListArgs, relatedListArgs } from './product-list.ts'
import { childrenOfProduct, relatedProducts } from './related-products.ts'
import { arrayConnection } from './release-scoped-id.ts'
import { type Breadcrumb, treeNodeOf } from './release-tree.ts'

const BreadcrumbRef = builder.objectRef<Breadcrumb>('Breadcrumb').implement({
  description: 'A node that a product is attached to, and the way to it.',
  right: 'anyone',
  fields: (t) => ({
    node: t.expose('node', { type: CatalogNodeRef, description: 'The node.' }),
    ancestors: t.expose('ancestors', {
      type: [CatalogTreeNodeRef],
      description:
        'What lies above the node, hierarchy first and direct parent last; the nearest ten when the tree is deeper.',
    }),
  }),
})

interface MatrixEntry extends ReleaseView {
  readonly optionIds: readonly string[]
  readonly productId: string
}

const MatrixEntryRef = builder.objectRef<MatrixEntry>('VariationMatrixEntry').implement({
  description: 'A built child of a parent and the options that it stands for.',
  right: 'anyone',
  fields: (t) => ({
    optionKeys: t.exposeIDList('optionIds', {
      description: 'The keys of one option of each variation, in the order of the variations.',
    }),
    productKey: t.exposeID('productId', {
      description: 'The UUID of the child, also where the release does not hold it.',
    }),
    product: t.field({
      type: CatalogProductRef,
      nullable: true,
      description: 'The child; null when the release does not hold it.',
      resolve: (entry, _, ctx) => productIn(entry, entry.productId, ctx),
    }),
  }),
})

builder.objectFields(CatalogProductRef, (t) => ({
  release: t.field({ type: ReleaseRef, description: 'The release.', resolve: anyRelease }),
  catalog: t.field({
    type: CatalogRef,
    description: 'The catalog.',
    resolve: ({ release }) => ({ id: release.catalogId }),
  }),
  product: t.field({
    type: ProductRef,
    nullable: true,
    description: 'The product as it is authored now; null once it is gone.',
    resolve: ({ document }, _, { loaders }) => loaders.productById.load(document.product.id),
  }),
  nodes: t.field({
    type: CatalogNodeConnection,
    description: 'The nodes that it is attached to in all hierarchies of the release, latest attachment first.',
    args: { ...pageArgs, ...childOrderArgs },
    resolve: (product, { orderBy, ...args }, ctx) => {
      const attached = product.breadCrumbs.map(({ node }) => node.node)
      const nodes = nodesInOrder(attached, product.key, orderBy, ctx)
      return arrayConnection(args, product, nodes, (node) => treeNodeOf(product, node))
    },
  }),
  breadCrumbs: t.expose('breadCrumbs', {
    type: [BreadcrumbRef],
    description: 'The same nodes, at most 500, with the ways to them.',
  }),
  parentKey: t.exposeID('parentKey', {
    nullable: true,
    description: 'The UUID of the parent of a child, in the release or not.',
  }),
  parent: t.field({
    type: CatalogProductRef,
    nullable: true,
    description: 'The parent of a child; null when there is none, or none in the release.',
    resolve: (child, _, ctx) => (child.parentKey === null ? null : productIn(child, child.parentKey, ctx)),
  }),
  childKeys: t.exposeIDList('childKeys', {
    description: 'The UUIDs of all built children of a parent, at most 1000, in the release or not.',
  }),
  children: t.field({
    type: CatalogProductConnection,
    description: 'The built children that the release holds, by their options as OPTIONS has them.',
    args: childListArgs,
    resolve: (product, args, ctx) => childrenOfProduct(args, ctx, product),
  }),
  variationMatrix: t.field({
    type: [MatrixEntryRef],
    description: 'The built children of a parent by their options, at most 1000; empty without variations.',
    resolve: (parent) => matrixEntries(parent, variationMatrix(parent.document.product)),
  }),
  bundles: t.field({
    type: CatalogProductConnection,
    description: 'The bundles of the release that have it as an option, last updated first.',
    args: relatedListArgs,
    resolve: (product, args, ctx) =>
      relatedProducts(args, ctx, 'bundles', product, (related) => listBundles(ctx, related)),
  }),
}))

/**
 * A product of a release by its UUID; null when the release does not have it. Batched: two statements for any number of
 * products.
 */
export async function productIn(view: ReleaseView, productId: string, ctx: Context): Promise<PublishedProduct | null> {
  const found = await catalogProduct(ctx, { release: view.release, by: 'id', value: productId })
  return found && new PublishedProduct(view, found)
}

function matrixEntries(view: ReleaseView, matrix: VariationMatrix, optionIds: readonly string[] = []): MatrixEntry[] {
  const { release, isLatest } = view
  return Object.entries(matrix).flatMap(([option, next]) => {
    const path = [...optionIds, option]
    return typeof next === 'string'
      ? [{ release, isLatest, optionIds: path, productId: next }]
      : matrixEntries(view, next, path)
  })
}
