/** Node product mutations: attach, detach and curate (node.products-not-on-root, list.curated-come-first). */
import { attachProducts, curateProducts, detachProducts } from '../../operations/catalog/node-product.ts'
import { defineMutation, type InputBuilder } from '../schema/define-mutation.ts'
import { readId, requiredId } from '../schema/ids.ts'
import { HierarchyNodeRef } from './hierarchy-refs.ts'
import { productIdOf } from './node-input.ts'

const result = { name: 'node', type: HierarchyNodeRef, description: 'The node after the change.' } as const

function productsOfNode(t: InputBuilder, description: string) {
  return {
    nodeId: t.id(requiredId('node')),
    productIds: t.idList({ required: true, description }),
  }
}

function inputOf({ nodeId, productIds }: { readonly nodeId: string; readonly productIds: readonly string[] }) {
  return { nodeId: readId('HierarchyNode', nodeId, ['nodeId']), data: productIds.map(productIdOf) }
}

defineMutation('attachProducts', {
  description:
    'Attaches products to a node, beside those that are; ones that are already keep their place. A product may be attached to 500 nodes.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  input: (t) => productsOfNode(t, 'The products, at most 100000; a later one counts as attached later.'),
  result,
  run: (ctx, given, options) => attachProducts(ctx, inputOf(given), options),
})

defineMutation('detachProducts', {
  description: 'Detaches products from a node; ones that are not attached are passed over.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  input: (t) => productsOfNode(t, 'The products, at most 100000.'),
  result,
  run: (ctx, given, options) => detachProducts(ctx, inputOf(given), options),
})

defineMutation('curateProducts', {
  description: 'Sets the products that come first where the node is listed, and their order.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  input: (t) => productsOfNode(t, 'All curated products in their order, at most 1000; an empty list ends curation.'),
  result,
  run: (ctx, given, options) => curateProducts(ctx, inputOf(given), options),
})
