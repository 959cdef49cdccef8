/**
 * Targets of campaigns in the database: the SKUs of a book's prices that a filter chooses, or that have a sale with a
 * given name.
 *
 * SQL, since Prisma can't walk a tree downwards.
 */
import type { CampaignFilter } from '../../domain/pricing/campaign-target.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { Transaction } from '../database/transaction.ts'

interface BySku {
  readonly sku: string
}

/**
 * The SKUs of the prices that a filter chooses (campaign.filter-by-products), in the order of code points, `limit` at
 * most. One statement.
 */
export async function skusOfFilter(
  tx: Transaction,
  priceBookId: string,
  filter: CampaignFilter,
  limit: number,
): Promise<string[]> {
  const { tags, nodeIds } = filter
  const conditions = [Prisma.sql`p.price_book_id = ${priceBookId}::uuid`]
  if (tags || nodeIds)
    conditions.push(Prisma.sql`p.sku IN (SELECT c.sku FROM product c LEFT JOIN product r ON r.id = c.parent_id
    WHERE ${Prisma.join([...(tags ? [taggedWith(tags)] : []), ...(nodeIds ? [isAttached] : [])], ' AND ')})`)
  const rows = await tx.$queryRaw<BySku[]>`
    WITH RECURSIVE down AS (
      SELECT id FROM catalog_node WHERE id = ANY (${nodeIds ?? []}::uuid[])
      UNION SELECT n.id FROM catalog_node n JOIN down ON n.parent_id = down.id),
    attached AS MATERIALIZED (SELECT product_id FROM node_product WHERE node_id IN (SELECT id FROM down))
    SELECT p.sku FROM product_price p WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY p.sku COLLATE "C" LIMIT ${limit}`
  return rows.map(({ sku }) => sku)
}

function taggedWith(tags: readonly string[]): Prisma.Sql {
  return Prisma.sql`(c.tags && ${tags}::text[] OR r.tags && ${tags}::text[])`
}

const isAttached = Prisma.sql`(c.id IN (SELECT product_id FROM attached) OR c.parent_id IN (SELECT product_id FROM attached))`

/** The SKUs of a book's prices with a sale of the name, in the order of code points, `limit` at most. One statement. */
export async function skusOfSale(tx: Transaction, priceBookId: string, name: string, limit: number): Promise<string[]> {
  const rows = await tx.$queryRaw<BySku[]>`
    SELECT p.sku FROM sale s JOIN product_price p ON p.id = s.product_price_id
    WHERE md5(s.name) = md5(${name}) AND s.name = ${name} AND s.price_book_id = ${priceBookId}::uuid ORDER BY p.sku COLLATE "C" LIMIT ${limit}`
  return rows.map(({ sku }) => sku)
}

/** Those of `ids` that no node or hierarchy has, in their order. One statement. */
export async function unknownNodes(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const found = await tx.catalogNode.findMany({ where: { id: { in: [...ids] } }, select: { id: true } })
  const known = new Set(found.map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}
