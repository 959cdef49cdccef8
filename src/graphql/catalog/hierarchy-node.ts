/** Authored nodes of hierarchies, with their edges to hierarchies, nodes and products. For administrators only. */
import { hierarchyNode } from '../../operations/catalog/hierarchy-node.ts'
import { ProductConnection, productClauses, productListArgs } from '../products/product-edges.ts'
import { ProductRef } from '../products/product-ref.ts'
import { builder } from '../schema/builder.ts'
import type { CursorKey } from '../schema/cursor.ts'
import { implementNode } from '../schema/node.ts'
import { childRecordConnection } from '../schema/record-connection.ts'
import { nodeClauses, nodeListArgs } from './hierarchy-node-list.ts'
import { HierarchyNodeConnection, HierarchyNodeRef, HierarchyRef, treeFields } from './hierarchy-refs.ts'

/** Latest attachment first, as in a product's breadcrumbs. */
const attachmentOrder = {
  order: ['integer'],
  key: ({ version }: { readonly version: number }): CursorKey => [version],
} as const

implementNode(HierarchyNodeRef, {
  description: 'A node of a hierarchy as it is authored. Shoppers see it as a CatalogNode of a release.',
  right: 'admin',
  load: (id, ctx) => hierarchyNode(ctx, { id }),
  rootField: {
    name: 'hierarchyNode',
    noun: 'node',
    example: 'c0ffee00-0008-4000-8000-000000000001',
    description: 'One node as it is authored; null when there is none.',
  },
  fields: (t) => ({
    ...treeFields(t, 'node'),
    label: t.exposeString('label', { nullable: true, description: 'A word for storefronts to show beside the name.' }),
    sortOrder: t.exposeInt('sortOrder', { nullable: true, description: 'For storefronts to sort siblings by.' }),
    hierarchy: t.field({
      type: HierarchyRef,
      nullable: true,
      description: 'The hierarchy that the node stands in; null only when it was deleted meanwhile.',
      resolve: ({ hierarchyId }, _, { loaders }) => loaders.hierarchyNodeById.load(hierarchyId),
    }),
    parent: t.field({
      type: HierarchyNodeRef,
      nullable: true,
      description: 'The node above; null right under the hierarchy.',
      resolve: ({ parentId, hierarchyId }, _, { loaders }) =>
        parentId === null || parentId === hierarchyId ? null : loaders.hierarchyNodeById.load(parentId),
    }),
    ancestors: t.field({
      type: [HierarchyNodeRef],
      description: 'The nodes above, from the one right under the hierarchy to the parent.',
      resolve: ({ id }, _, { loaders }) => loaders.ancestorsByNodeId.load(id),
    }),
    products: t.field({
      type: ProductConnection,
      description: 'The products attached to the node itself, latest attachment first.',
      args: productListArgs,
      resolve: ({ id }, { filter, ...args }, { loaders }) =>
        childRecordConnection(args, id, productClauses(filter), loaders.productListByNodeId, attachmentOrder),
    }),
    curatedProducts: t.field({
      type: [ProductRef],
      description:
        'The products that come first where the node is listed, at most 1000, in this order; deleted ones are left out.',
      resolve: async ({ curatedProductIds }, _, { loaders }) => {
        const products = await Promise.all(curatedProductIds.map((id) => loaders.productById.load(id)))
        return products.filter((product) => product !== null)
      },
    }),
  }),
})

builder.objectField(ProductRef, 'nodes', (t) =>
  t.field({
    type: HierarchyNodeConnection,
    description: 'The nodes that the product itself is attached to, latest attachment first.',
    args: nodeListArgs,
    resolve: ({ id }, { filter, ...args }, { loaders }) =>
      childRecordConnection(args, id, nodeClauses(filter), loaders.nodeListByProductId, attachmentOrder),
  }),
)
