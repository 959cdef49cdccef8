/** Node product mutations: attach, detach and curate (node.products-not-on-root, list.curated-come-first). */
import { attachProducts, curateProducts, detachProducts } from '../../operations/catalog/node-product.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { rawId } from '../schema/ids.ts'
import { HierarchyNodeRef } from './hierarchy-refs.ts'

const result = { name: 'node', type: HierarchyNodeRef, description: 'The node after the change.' } as const

const target = { type: 'HierarchyNode', noun: 'node', member: 'nodeId' } as const

function inputOf(id: string, { productIds }: { readonly productIds: readonly string[] }) {
  return { id, data: productIds.map((productId) => rawId('Product', productId)) }
}

defineMutation('attachProducts', {
  description:
    'Attaches products to a node, beside those that are; ones that are already keep their place. A product may be attached to 500 nodes.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target,
  input: (t) => ({
    productIds: t.idList({
      required: true,
      description: 'The products, at most 100000; a later one counts as attached later.',
    }),
  }),
  result,
  run: (ctx, { id, input }, options) => attachProducts(ctx, inputOf(id, input), options),
})

defineMutation('detachProducts', {
  description: 'Detaches products from a node; ones that are not attached are passed over.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target,
  input: (t) => ({ productIds: t.idList({ required: true, description: 'The products, at most 100000.' }) }),
  result,
  run: (ctx, { id, input }, options) => detachProducts(ctx, inputOf(id, input), options),
})

defineMutation('curateProducts', {
  description: 'Sets the products that come first where the node is listed, and their order.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target,
  input: (t) => ({
    productIds: t.idList({
      required: true,
      description: 'All curated products in their order, at most 1000; an empty list ends curation.',
    }),
  }),
  result,
  run: (ctx, { id, input }, options) => curateProducts(ctx, inputOf(id, input), options),
})
