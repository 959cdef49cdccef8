/**
 * Nodes and hierarchies in the database, and the locks that keep their trees free of cycles (node.never-below-itself).
 *
 * SQL for ancestors and descendants, since Prisma can't walk a tree.
 */
import { type HierarchyNode, storedNodeRecord } from '../../domain/catalog/hierarchy-node.ts'
import type { Reference } from '../../domain/input/record.ts'
import { Prisma, type CatalogNode as Row } from '../../generated/prisma/client.ts'
import { logChange } from '../database/change-log.ts'
import { columnsOf } from '../database/columns.ts'
import { recordTable } from '../database/record-table.ts'
import type { ReferencedRecord } from '../database/reference.ts'
import { type LockStrength, lockRows } from '../database/row-lock.ts'
import { findAtMostTwo, findRecords, lockRecord } from '../database/table.ts'
import type { Transaction } from '../database/transaction.ts'

const columns = Prisma.raw(columnsOf('catalogNode'))

/**
 * Locks the roots of the trees that contain `ids`, in the order of their ids, and returns the nodes as they are under
 * the locks: `UPDATE` to change the shape of a tree, `SHARE` to add to it. When another transaction moved a node to
 * another tree meanwhile, the root of that tree is locked next. Two statements, and two more for each such move.
 */
export async function lockTrees(
  tx: Transaction,
  ids: readonly string[],
  strength: LockStrength,
): Promise<Map<string, HierarchyNode>> {
  const locked = new Set<string>()
  const roots = Prisma.sql`i.id = ANY (ARRAY(SELECT hierarchy_id FROM catalog_node WHERE id = ANY (${ids}::uuid[])))`
  for (;;) {
    for (const { id } of await lockRows<{ id: string }>(tx, 'catalogNode', roots, strength)) locked.add(id)
    const nodes = await findRecords(tx, nodeTable, ids)
    if (nodes.every(({ hierarchyId }) => locked.has(hierarchyId))) return new Map(nodes.map((node) => [node.id, node]))
  }
}

/**
 * Locks a node or hierarchy against other writers, though not against new children, and reads it; null when there is
 * none.
 */
export function lockNode(tx: Transaction, id: string): Promise<HierarchyNode | null> {
  return lockRecord(tx, nodeTable, id, 'NO KEY UPDATE')
}

/** The nodes that a reference could name, two at most. */
export async function findReferencedNodes(tx: Transaction, reference: Reference): Promise<ReferencedRecord[]> {
  const where =
    'id' in reference
      ? { id: reference.id }
      : {
          externalRef: reference.externalRef,
          ...(reference.type && { parentId: reference.type === 'hierarchy' ? null : { not: null } }),
        }
  return findAtMostTwo<ReferencedRecord>(tx, 'catalogNode', where, ['id', 'externalRef'])
}

/** A node or hierarchy on a path of slugs; its hierarchy has depth 1. */
interface NodeOnPath {
  readonly id: string
  readonly depth: number
}

/**
 * The hierarchies and nodes that a path of slugs leads along. Hierarchies may share a slug, so it may be several paths.
 * One statement.
 */
export function nodesOnPath(tx: Transaction, slugs: readonly string[]): Promise<NodeOnPath[]> {
  return tx.$queryRaw<NodeOnPath[]>`
    WITH RECURSIVE walk AS (
      SELECT id, 1 AS depth FROM catalog_node WHERE parent_id IS NULL AND slug = ${slugs[0]}
      UNION ALL SELECT n.id, walk.depth + 1 FROM walk
        JOIN catalog_node n ON n.parent_id = walk.id AND n.slug = (${slugs}::text[])[walk.depth + 1])
    SELECT id, depth FROM walk ORDER BY depth, id`
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

/**
 * Sets the hierarchy of all descendants of a node that moved from the hierarchy `from`; their timestamps stay. One
 * statement.
 */
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

/**
 * The table of hierarchies and nodes. It and its topic in the change log are named `catalog_node`, since clients of
 * webhooks know the topic.
 */
export const nodeTable = recordTable('catalogNode', storedNodeRecord)

/** Hierarchies: the nodes without a parent. */
export const hierarchies = { ...nodeTable, where: { parentId: null } }
