/** Rows of hierarchies and nodes, and the locks that keep their trees trees (node.never-below-itself). */
import type { CatalogNode } from '../../domain/catalog/catalog-node.ts'
import type { Reference } from '../../domain/input/record.ts'
import type { Locales } from '../../domain/language/locale.ts'
import type { Prisma, CatalogNode as Row } from '../../generated/prisma/client.ts'
import { jsonOrNull } from '../database/json.ts'
import { type LockStrength, lockRows, withIds } from '../database/row-lock.ts'
import { findRecords, lockRecord, type RecordSource, type Table } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

/** Whatever else comes with the row stays behind. */
export function nodeFromRow(row: Omit<Row, 'version'>): CatalogNode {
  return {
    id: row.id,
    parentId: row.parentId,
    hierarchyId: row.hierarchyId,
    externalRef: row.externalRef,
    name: row.name,
    slug: row.slug,
    description: row.description,
    label: row.label,
    sortOrder: row.sortOrder,
    locales: row.locales as Locales | null,
    curatedProductIds: row.curatedProductIds,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  }
}

/** Column values; null in a jsonb column is SQL NULL. */
function toRow(node: CatalogNode): Prisma.CatalogNodeUncheckedCreateInput {
  return {
    ...node,
    curatedProductIds: [...node.curatedProductIds],
    locales: jsonOrNull(node.locales),
    createdAt: new Date(node.createdAt),
    updatedAt: new Date(node.updatedAt),
  }
}

/**
 * Locks the roots of the trees that `ids` stand in, in the order of their ids, and answers the nodes as they are under the locks. `UPDATE`
 * for whoever changes a tree's shape, `SHARE` for whoever only adds to it. Whatever moved a node away while this waited has moved it to a
 * tree whose root is locked next.
 */
export async function lockTrees(tx: Transaction, ids: readonly string[], strength: LockStrength): Promise<Map<string, CatalogNode>> {
  const locked = new Set<string>()
  for (;;) {
    const nodes = await findRecords(tx, nodeTable, ids)
    const missing = [...new Set(nodes.map(({ hierarchyId }) => hierarchyId))].filter((id) => !locked.has(id))
    if (missing.length === 0) return new Map(nodes.map((node) => [node.id, node]))
    await lockRows(tx, 'catalogNode', withIds(missing), strength)
    for (const id of missing) locked.add(id)
  }
}

/** Locks a node or hierarchy against other writers of it, but not against new children, and reads it; null when there is none. */
export function lockNode(tx: Transaction, id: string): Promise<CatalogNode | null> {
  return lockRecord(tx, nodeTable, id, 'NO KEY UPDATE')
}

/** The nodes that a reference could mean; two at most, since more say no more. */
export async function findReferencedNodes(tx: Transaction, reference: Reference): Promise<{ id: string; externalRef: string | null }[]> {
  const where =
    'id' in reference
      ? { id: reference.id }
      : { externalRef: reference.externalRef, ...(reference.type && { parentId: reference.type === 'hierarchy' ? null : { not: null } }) }
  return tx.catalogNode.findMany({ where, select: { id: true, externalRef: true }, take: 2 })
}

/** Whether `id` is `ancestorId` or stands below it. */
export async function isDescendantOf(tx: Transaction, id: string, ancestorId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    WITH RECURSIVE up AS (
      SELECT id, parent_id FROM catalog_node WHERE id = ${id}::uuid
      UNION ALL SELECT n.id, n.parent_id FROM catalog_node n JOIN up ON n.id = up.parent_id)
    SELECT 1 FROM up WHERE id = ${ancestorId}::uuid`
  return rows.length > 0
}

/** Puts everything below a node that moved into its new hierarchy. What those nodes say of themselves stays, so do their timestamps. */
export async function moveSubtree(tx: Transaction, node: CatalogNode): Promise<void> {
  await tx.$executeRaw`
    WITH RECURSIVE down AS (
      SELECT id FROM catalog_node WHERE parent_id = ${node.id}::uuid
      UNION ALL SELECT n.id FROM catalog_node n JOIN down ON n.parent_id = down.id)
    UPDATE catalog_node SET hierarchy_id = ${node.hierarchyId}::uuid WHERE id IN (SELECT id FROM down)`
}

export const nodeTable: Table<Omit<Row, 'version'>, CatalogNode> = {
  model: 'catalogNode',
  fromRow: nodeFromRow,
  toRow,
}

export const hierarchies: RecordSource<Omit<Row, 'version'>, CatalogNode> = { ...nodeTable, where: { parentId: null } }
