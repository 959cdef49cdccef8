/** Products of nodes: use cases that attach, detach and curate. Each takes `data`, a list of ids or references. */
import { type HierarchyNode, patchNode, readProductList } from '../../domain/catalog/hierarchy-node.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { NODE_CURATED_MAX } from '../../domain/input/limits.ts'
import type { Reference } from '../../domain/input/record.ts'
import { lockNode, nodeTable } from '../../persistence/catalog/hierarchy-node.ts'
import { attachProductIds, detachProductIds } from '../../persistence/catalog/node-product.ts'
import type { LockStrength } from '../../persistence/database/row-lock.ts'
import { updateRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { command } from '../operation.ts'
import { resolveIds } from '../references.ts'
import { assertIsNode, assertWithinNodeLimit, curatedIds } from './hierarchy-node.ts'

interface ProductsOfNode {
  readonly id: string
  readonly data: unknown
}

const PRODUCTS = ['product_ids']

/**
 * A command that locks the node, resolves the products, applies `change`, and raises the node's `updatedAt` when
 * anything changed.
 */
function productCommand(
  name: string,
  { max, strength }: { readonly max?: number; readonly strength?: LockStrength },
  change: (
    tx: Transaction,
    node: HierarchyNode,
    productIds: string[],
    now: number,
  ) => Promise<{ attachmentsChange?: boolean; curatedProductIds?: readonly string[] }>,
) {
  return command<ProductsOfNode, Reference[], HierarchyNode, HierarchyNode>({
    name,
    right: 'admin',
    read: ({ data }) => readProductList(data, max),
    load: async (tx, { id }) => assertIsNode(isUuid(id) ? await lockNode(tx, id) : null, 'nodeId'),
    run: async (tx, references, stored, ctx) => {
      const productIds = (await resolveIds(tx, 'product', references, PRODUCTS, strength)) ?? []
      const { attachmentsChange = false, ...patch } = await change(tx, stored, productIds, ctx.now)
      const updated = patchNode(stored, patch, attachmentsChange, ctx.now)
      if (updated !== stored) await updateRecord(tx, nodeTable, stored, updated)
      return updated
    },
  })
}

/** Attaches products; products that are attached already keep their attachment. */
export const attachProducts = productCommand(
  'attachProducts',
  { strength: 'NO KEY UPDATE' },
  async (tx, { id }, productIds, now) => {
    const { addedIds, overLimitIds } = await attachProductIds(tx, id, productIds, now)
    assertWithinNodeLimit(overLimitIds, productIds, PRODUCTS)
    return { attachmentsChange: addedIds.length > 0 }
  },
)

/** Detaches products; products that are not attached are ignored. */
export const detachProducts = productCommand('detachProducts', {}, async (tx, { id }, productIds) => ({
  attachmentsChange: (await detachProductIds(tx, id, productIds)) > 0,
}))

/** Sets the products that the node lists first, in their order; an empty list ends curation. */
export const curateProducts = productCommand(
  'curateProducts',
  { max: NODE_CURATED_MAX },
  async (tx, node, productIds) => ({
    curatedProductIds: await curatedIds(tx, node, productIds),
  }),
)
