/** Attachments of products to nodes; the caller has locked the node.
 *
 *  SQL, since one call attaches up to 100,000 products, each of which would be a parameter of Prisma's statement. */
import { VIOLATIONS_MAX } from '../../domain/input/errors.ts'
import { NODES_OF_PRODUCT_MAX } from '../../domain/input/limits.ts'
import type { Transaction } from '../database/transaction.ts'

/** The number of attachments added, and the products that have more than NODES_OF_PRODUCT_MAX now, VIOLATIONS_MAX of them at most. */
export interface AttachResult {
  readonly added: number
  readonly overLimitIds: readonly string[]
}

/**
 * Attaches the products that are not attached yet, in their order (node.latest-attachment-first). The caller has locked the products
 * against other attachments, so that the counts hold until the transaction ends. One statement.
 */
export async function attachProductIds(tx: Transaction, nodeId: string, productIds: readonly string[], now: number): Promise<AttachResult> {
  const [attached] = await tx.$queryRaw<AttachResult[]>`
    WITH added AS (
      INSERT INTO node_product (node_id, product_id, created_at)
      SELECT ${nodeId}::uuid, id, ${new Date(now)} FROM unnest(${productIds}::uuid[]) WITH ORDINALITY AS p (id, position) ORDER BY position
      ON CONFLICT DO NOTHING RETURNING product_id
    ), over_limit AS (
      SELECT product_id FROM added JOIN node_product USING (product_id)
      GROUP BY product_id HAVING count(*) >= ${NODES_OF_PRODUCT_MAX} LIMIT ${VIOLATIONS_MAX}
    )
    SELECT (SELECT count(*)::int4 FROM added) AS added, ARRAY(SELECT product_id FROM over_limit) AS "overLimitIds"`
  return attached ?? { added: 0, overLimitIds: [] }
}

/** Detaches products and returns how many were attached. */
export function detachProductIds(tx: Transaction, nodeId: string, productIds: readonly string[]): Promise<number> {
  return tx.$executeRaw`DELETE FROM node_product WHERE node_id = ${nodeId}::uuid AND product_id = ANY (${productIds}::uuid[])`
}

/**
 * Makes `productIds` the products of a node; present attachments are kept. `removed` is the number of detached products. Two statements.
 */
export async function replaceProductIds(
  tx: Transaction,
  nodeId: string,
  productIds: readonly string[],
  now: number,
): Promise<AttachResult & { readonly removed: number }> {
  const removed = await tx.$executeRaw`
    DELETE FROM node_product WHERE node_id = ${nodeId}::uuid AND product_id <> ALL (${productIds}::uuid[])`
  return { ...(await attachProductIds(tx, nodeId, productIds, now)), removed }
}
