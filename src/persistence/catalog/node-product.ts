/**
 * Attachments of products to nodes. The caller has locked the node, and updates it when they change, since its entry in
 * the change log names them.
 *
 * SQL, since one call attaches up to 100,000 products, and Prisma would send each as a parameter.
 */
import { VIOLATIONS_MAX } from '../../domain/input/errors.ts'
import { NODES_OF_PRODUCT_MAX } from '../../domain/input/limits.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { logDetails } from '../database/change-log.ts'
import type { Transaction } from '../database/transaction.ts'

/** The products that were attached, and at most VIOLATIONS_MAX products that now exceed NODES_OF_PRODUCT_MAX. */
export interface AttachResult {
  readonly addedIds: readonly string[]
  readonly overLimitIds: readonly string[]
}

/**
 * Attaches the products that are not attached yet, in their order (node.latest-attachment-first). The caller has locked
 * the products against other attachments, so that the counts hold until the transaction ends. One statement.
 */
export async function attachProductIds(
  tx: Transaction,
  nodeId: string,
  productIds: readonly string[],
  now: number,
): Promise<AttachResult> {
  const [attached] = await tx.$queryRaw<AttachResult[]>`
    WITH added AS (
      INSERT INTO node_product (node_id, product_id, created_at)
      SELECT ${nodeId}::uuid, id, ${new Date(now)} FROM unnest(${productIds}::uuid[]) WITH ORDINALITY AS p (id, position) ORDER BY position
      ON CONFLICT DO NOTHING RETURNING product_id
    ), over_limit AS (
      SELECT product_id FROM added JOIN node_product USING (product_id)
      GROUP BY product_id HAVING count(*) >= ${NODES_OF_PRODUCT_MAX} LIMIT ${VIOLATIONS_MAX}
    )
    SELECT ARRAY(SELECT product_id FROM added) AS "addedIds", ARRAY(SELECT product_id FROM over_limit) AS "overLimitIds"`
  const result = attached ?? { addedIds: [], overLimitIds: [] }
  if (result.addedIds.length > 0) logDetails(tx, nodeId, { attachedProductIds: result.addedIds })
  return result
}

/** Detaches products and returns how many were attached. One statement. */
export function detachProductIds(tx: Transaction, nodeId: string, productIds: readonly string[]): Promise<number> {
  return detachWhere(tx, nodeId, Prisma.sql`product_id = ANY (${productIds}::uuid[])`)
}

/**
 * Makes `productIds` the products of a node; present attachments are kept. `removed` is the number of detached
 * products. Two statements.
 */
export async function replaceProductIds(
  tx: Transaction,
  nodeId: string,
  productIds: readonly string[],
  now: number,
): Promise<AttachResult & { readonly removed: number }> {
  const removed = await detachWhere(tx, nodeId, Prisma.sql`product_id <> ALL (${productIds}::uuid[])`)
  return { ...(await attachProductIds(tx, nodeId, productIds, now)), removed }
}

async function detachWhere(tx: Transaction, nodeId: string, where: Prisma.Sql): Promise<number> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    DELETE FROM node_product WHERE node_id = ${nodeId}::uuid AND ${where} RETURNING product_id AS id`
  if (rows.length > 0) logDetails(tx, nodeId, { detachedProductIds: rows.map(({ id }) => id) })
  return rows.length
}
