/** Attachments of products to nodes. The caller has locked the node. */
import type { Transaction } from './transaction.ts'

/** Attaches what is not attached yet, in the order given (CAT-4: the latest comes first in bread_crumb_nodes); how many that were. */
export function attachProductIds(tx: Transaction, nodeId: string, productIds: readonly string[], now: number): Promise<number> {
  return tx.$executeRaw`
    INSERT INTO node_product (node_id, product_id, created_at)
    SELECT ${nodeId}::uuid, id, ${new Date(now)} FROM unnest(${productIds}::uuid[]) WITH ORDINALITY AS p (id, place) ORDER BY place
    ON CONFLICT DO NOTHING`
}

/** Detaches those of `productIds` that are attached; how many that were. */
export function detachProductIds(tx: Transaction, nodeId: string, productIds: readonly string[]): Promise<number> {
  return tx.$executeRaw`DELETE FROM node_product WHERE node_id = ${nodeId}::uuid AND product_id = ANY (${productIds}::uuid[])`
}

/** Leaves exactly `productIds` attached; those that stay keep their attachment. How many attachments came or went. */
export async function replaceProductIds(tx: Transaction, nodeId: string, productIds: readonly string[], now: number): Promise<number> {
  const gone = await tx.$executeRaw`DELETE FROM node_product WHERE node_id = ${nodeId}::uuid AND product_id <> ALL (${productIds}::uuid[])`
  return gone + (await attachProductIds(tx, nodeId, productIds, now))
}
