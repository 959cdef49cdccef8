/**
 * Nodes: use cases. A transaction that changes the shape of a tree locks its root, so that two moves never form a
 * cycle.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  type HierarchyNode,
  type NodePatch,
  nodeRecord,
  patchNode,
  storedNodeRecord,
  type TreePosition,
} from '../../domain/catalog/hierarchy-node.ts'
import { assertValid, conflict, notFound, type Path, type Violation } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { NODES_OF_PRODUCT_MAX } from '../../domain/input/limits.ts'
import { type Reference, resolveReferences } from '../../domain/input/record.ts'
import { makeRecord } from '../../domain/input/record-change.ts'
import { readNew, readUpdate } from '../../domain/input/record-reader.ts'
import { limitParams } from '../../domain/input/violation-params.ts'
import {
  findReferencedNodes,
  isDescendantOf,
  lockNode,
  lockTrees,
  moveSubtree,
  nodeTable,
} from '../../persistence/catalog/hierarchy-node.ts'
import { attachProductIds, replaceProductIds } from '../../persistence/catalog/node-product.ts'
import { newId } from '../../persistence/database/id.ts'
import { findRecords, insertRecord, updateRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { productTable } from '../../persistence/products/product.ts'
import { command, query } from '../operation.ts'
import { recordDelete } from '../record-commands.ts'
import { resolveIds } from '../references.ts'
import { changedSlug, slugAmongSiblings } from './node-slug.ts'

const PARENT_PATH = ['relationships', 'parent', 'data']
const PRODUCTS_PATH = ['relationships', 'products', 'data']
const CURATED_PATH = ['attributes', 'curated_products']

/** A node by its raw id, null when there is none or it is a hierarchy. */
export const hierarchyNode = query({
  right: 'admin',
  run: async (ctx, { id }: { id: string }): Promise<HierarchyNode | null> => {
    const found = isUuid(id) ? await ctx.loaders.hierarchyNodeById.load(id) : null
    return found?.parentId == null ? null : found
  },
})

/** Creates a node, with `data.id` if given. NAME_TAKEN and SLUG_TAKEN when a sibling has the name or slug. */
export const createNode = command({
  name: 'createNode',
  right: 'admin',
  read: ({ data }: { data: unknown }) => readNew(nodeRecord, data),
  run: async (tx, { id = newId(), patch: given }, _, ctx): Promise<HierarchyNode> => {
    const parentId = await resolveParentId(tx, given.parentId)
    const parent = (await lockTrees(tx, [parentId], 'SHARE')).get(parentId)
    if (!parent) throw parentNotFound()
    // The table's checks refuse this id before the primary key can; it refuses every other taken id.
    if (parent.hierarchyId === id) throw conflict('ID_TAKEN', ['id'], 'A record with the id already exists')
    const curatedProductIds = await resolveIds(tx, 'product', given.curatedProductIds, CURATED_PATH)
    const productIds = await resolveIds(tx, 'product', given.productIds, PRODUCTS_PATH, 'NO KEY UPDATE')
    const links = { parentId, hierarchyId: parent.hierarchyId, curatedProductIds }
    const { name, locales = null } = given
    const slug = await slugAmongSiblings(tx, given.slug, { parentId, name, locales, id: null }, ctx)
    const created = makeRecord(storedNodeRecord, { ...given, ...links, slug }, id, ctx.now)
    await insertRecord(tx, nodeTable, created)
    if (productIds)
      assertWithinNodeLimit(
        (await attachProductIds(tx, id, productIds, ctx.now)).overLimitIds,
        productIds,
        PRODUCTS_PATH,
      )
    return created
  },
})

/**
 * Changes the given members of a node; equal values write nothing. A new parent moves the node with its descendants,
 * also to another hierarchy; CYCLE when the parent is the node itself or one of its descendants.
 */
export const updateNode = command<{ id: string; data: unknown }, NodePatch, HierarchyNode, HierarchyNode>({
  name: 'updateNode',
  right: 'admin',
  read: ({ id, data }, _, stored) => readUpdate(nodeRecord, data, id, stored),
  load: (tx, { id, data }) => lockForUpdate(tx, id, readUpdate(nodeRecord, data, id).value?.parentId),
  run: async (tx, given, stored, ctx) => {
    const position = await positionUnder(tx, stored, given.parentId)
    const curated = await resolveIds(tx, 'product', given.curatedProductIds, CURATED_PATH)
    const productIds = await resolveIds(tx, 'product', given.productIds, PRODUCTS_PATH, 'NO KEY UPDATE')
    const links = { ...position, curatedProductIds: curated && (await curatedIds(tx, stored, curated)) }
    const slug = await changedSlug(tx, given, stored, position.parentId as string, ctx)
    const attachmentsChange = productIds !== undefined && (await replaceProducts(tx, stored.id, productIds, ctx.now))
    const updated = patchNode(stored, { ...given, ...links, slug }, attachmentsChange, ctx.now)
    if (updated !== stored) await updateRecord(tx, nodeTable, stored, updated)
    if (updated.hierarchyId !== stored.hierarchyId) await moveSubtree(tx, updated, stored.hierarchyId)
    return updated
  },
})

/**
 * Deletes a node with its attachments; IN_USE while it has children. Releases keep their copies
 * (release.is-a-snapshot).
 */
export const deleteNode = recordDelete<{ id: string }, HierarchyNode>({
  name: 'deleteNode',
  table: nodeTable,
  inUseAs: 'node',
  load: (tx, { id }) => lockWithTrees(tx, id, []),
})

/** Returns a node; throws notFound at `member` when there is none or it is a hierarchy. */
export function assertIsNode(found: HierarchyNode | null, member = 'id'): HierarchyNode {
  if (found?.parentId == null) throw notFound([member], 'No such node')
  return found
}

/** Throws `validation` for each product attached to too many nodes, at its index in `productIds` under `path`. */
export function assertWithinNodeLimit(
  overLimitIds: readonly string[],
  productIds: readonly string[],
  path: Path,
): void {
  const message = `is attached to ${NODES_OF_PRODUCT_MAX} nodes already`
  const params = limitParams(null, NODES_OF_PRODUCT_MAX)
  assertValid(
    overLimitIds.map(
      (id): Violation => ({ code: 'TOO_MANY', path: [...path, productIds.indexOf(id)], message, params }),
    ),
  )
}

/**
 * The curated products that an update sets. When only deleted products are missing from the input, the stored list
 * stays: no client sees deleted products.
 */
export async function curatedIds(
  tx: Transaction,
  { curatedProductIds }: HierarchyNode,
  given: readonly string[],
): Promise<readonly string[]> {
  const ids = new Set(given)
  const left = curatedProductIds.filter((id) => !ids.has(id))
  const kept = curatedProductIds.filter((id) => ids.has(id))
  if (left.length === 0 || !isDeepStrictEqual(kept, [...ids])) return [...ids]
  return (await findRecords(tx, productTable, left)).length === 0 ? curatedProductIds : [...ids]
}

/** Makes `productIds` the products of a node. Returns whether that changed anything. */
async function replaceProducts(
  tx: Transaction,
  nodeId: string,
  productIds: readonly string[],
  now: number,
): Promise<boolean> {
  const { addedIds, removed, overLimitIds } = await replaceProductIds(tx, nodeId, productIds, now)
  assertWithinNodeLimit(overLimitIds, productIds, PRODUCTS_PATH)
  return addedIds.length > 0 || removed > 0
}

/** Locks both trees of a move before the node, whose subtree may be in either. */
async function lockForUpdate(tx: Transaction, nodeId: string, parent: Reference | undefined): Promise<HierarchyNode> {
  if (!parent) return assertIsNode(isUuid(nodeId) ? await lockNode(tx, nodeId) : null)
  return lockWithTrees(tx, nodeId, await findReferencedNodes(tx, parent))
}

/** Locks the trees of a node and of others, then the node itself, since other writers lock only the node. */
async function lockWithTrees(
  tx: Transaction,
  nodeId: string,
  others: readonly { readonly id: string }[],
): Promise<HierarchyNode> {
  if (!isUuid(nodeId)) throw notFound(['id'], 'No such node')
  await lockTrees(tx, [nodeId, ...others.map(({ id }) => id)], 'UPDATE')
  return assertIsNode(await lockNode(tx, nodeId))
}

async function positionUnder(
  tx: Transaction,
  node: HierarchyNode,
  parent: Reference | undefined,
): Promise<TreePosition> {
  if (!parent) return { parentId: node.parentId, hierarchyId: node.hierarchyId }
  const parentId = await resolveParentId(tx, parent)
  // These trees are already locked, unless the reference has come to name another parent during the wait for the locks.
  const found = (await lockTrees(tx, [parentId], 'UPDATE')).get(parentId)
  if (!found) throw parentNotFound()
  if (await isDescendantOf(tx, parentId, node.id)) {
    assertValid([{ code: 'CYCLE', path: PARENT_PATH, message: 'must not be the node itself or stand below it' }])
  }
  return { parentId, hierarchyId: found.hierarchyId }
}

/** The id of the hierarchy or node that a reference names; throws `validation` when it names none, or several. */
export async function resolveParentId(tx: Transaction, parent: Reference | undefined): Promise<string> {
  const references = parent ? [parent] : []
  const found = parent ? await findReferencedNodes(tx, parent) : []
  const { ids, violations } = resolveReferences(references, found, PARENT_PATH, 'hierarchy or node')
  assertValid(violations.map((violation) => ({ ...violation, path: PARENT_PATH })))
  return ids?.[0] ?? ''
}

function parentNotFound() {
  return notFound(PARENT_PATH, 'No such hierarchy or node')
}
