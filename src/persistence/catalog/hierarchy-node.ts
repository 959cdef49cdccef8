/** Nodes and hierarchies in the database, and the locks that keep their trees free of cycles (node.never-below-itself).
 *
 *  SQL for ancestors and descendants, since Prisma can't walk a tree. */
import type { HierarchyNode } from '../../domain/catalog/hierarchy-node.ts'
import type { Reference } from '../../domain/input/record.ts'
import type { Locales } from '../../domain/language/locale.ts'
import { Prisma, type CatalogNode as Row } from '../../generated/prisma/client.ts'
import { logChange } from '../database/change-log.ts'
import { columnsOf } from '../database/columns.ts'
import { jsonOrNull } from '../database/json.ts'
import type { ReferencedRecord } from '../database/reference.ts'
import { type LockStrength, lockRows, withIds } from '../database/row-lock.ts'
import { findAtMostTwo, findRecords, lockRecord, type RecordSource, type Table } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

const columns = Prisma.raw(columnsOf('catalogNode'))

/**
 * Locks the roots of the trees that contain `ids`, in the order of their ids, and returns the nodes as they are under the locks: `UPDATE`
 * to change the shape of a tree, `SHARE` to add to it. When another transaction moved a node to another tree meanwhile, the root of that
 * tree is locked next.
 */
export async function lockTrees(tx: Transaction, ids: readonly string[], strength: LockStrength): Promise<Map<string, HierarchyNode>> {
  const locked = new Set<string>()
  for (;;) {
    const nodes = await findRecords(tx, nodeTable, ids)
    const missing = [...new Set(nodes.map(({ hierarchyId }) => hierarchyId))].filter((id) => !locked.has(id))
    if (missing.length === 0) return new Map(nodes.map((node) => [node.id, node]))
    await lockRows(tx, 'catalogNode', withIds(missing), strength)
    for (const id of missing) locked.add(id)
  }
}

/** Locks a node or hierarchy against other writers, though not against new children, and reads it; null when there is none. */
export function lockNode(tx: Transaction, id: string): Promise<HierarchyNode | null> {
  return lockRecord(tx, nodeTable, id, 'NO KEY UPDATE')
}

/** The nodes that a reference could name, two at most. */
export async function findReferencedNodes(tx: Transaction, reference: Reference): Promise<ReferencedRecord[]> {
  const where =
    'id' in reference
      ? { id: reference.id }
      : { externalRef: reference.externalRef, ...(reference.type && { parentId: reference.type === 'hierarchy' ? null : { not: null } }) }
  return findAtMostTwo<ReferencedRecord>(tx, 'catalogNode', where, ['id', 'externalRef'])
}

/** Whether `id` is `ancestorId` or one of its descendants. One statement. */
export async function isDescendantOf(tx: Transaction, id: string, ancestorId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    WITH RECURSIVE up AS (
      SELECT id, parent_id FROM catalog_node WHERE id = ${id}::uuid
      UNION ALL SELECT n.id, n.parent_id FROM catalog_node n JOIN up ON n.id = up.parent_id)
    SELECT 1 FROM up WHERE id = ${ancestorId}::uuid`
  return rows.length > 0
}

/** Sets the hierarchy of all descendants of a node that moved from the hierarchy `from`; their timestamps stay. One statement. */
export async function moveSubtree(tx: Transaction, node: HierarchyNode, from: string): Promise<void> {
  const rows = await tx.$queryRaw<Omit<Row, 'version'>[]>`
    WITH RECURSIVE down AS (
      SELECT id FROM catalog_node WHERE parent_id = ${node.id}::uuid
      UNION ALL SELECT n.id FROM catalog_node n JOIN down ON n.parent_id = down.id)
    UPDATE catalog_node i SET hierarchy_id = ${node.hierarchyId}::uuid WHERE id IN (SELECT id FROM down) RETURNING ${columns}`
  for (const row of rows) {
    const moved = nodeTable.fromRow(row)
    logChange(tx, nodeTable, { ...moved, hierarchyId: from }, moved)
  }
}

/** The table of hierarchies and nodes. It and its topic in the change log are named `catalog_node`: clients of webhooks know the topic. */
export const nodeTable: Table<Omit<Row, 'version'>, HierarchyNode> = {
  model: 'catalogNode',
  /** Further columns of the row are left out. */
  fromRow: (row) => ({
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
  }),
  toRow: (node): Prisma.CatalogNodeUncheckedCreateInput => ({
    ...node,
    curatedProductIds: [...node.curatedProductIds],
    locales: jsonOrNull(node.locales),
    createdAt: new Date(node.createdAt),
    updatedAt: new Date(node.updatedAt),
  }),
}

/** Hierarchies: the nodes without a parent. */
export const hierarchies: RecordSource<Omit<Row, 'version'>, HierarchyNode> = { ...nodeTable, where: { parentId: null } }
