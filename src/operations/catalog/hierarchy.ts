/** Use cases of hierarchies (hierarchy.is-its-root-node): each is the root of a tree of nodes, and its id is the root's. */
import { applyTreePatch, type CatalogNode, type NewRecord, newNode, type TreePatch } from '../../domain/catalog/catalog-node.ts'
import { readHierarchy, readHierarchyUpdate } from '../../domain/catalog/hierarchy.ts'
import { notFound } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { catalogsOfHierarchy } from '../../persistence/catalog/catalog.ts'
import { hierarchies as hierarchySource, lockNode, lockTrees, nodeTable } from '../../persistence/catalog/catalog-node.ts'
import { newId } from '../../persistence/database/id.ts'
import { countWithSamples, deleteRecord, insertRecord, updateRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { command, query } from '../operation.ts'
import { recordReads } from '../record-list.ts'
import { assertNotReferenced } from '../referencing-records.ts'

/** One hierarchy by its raw id, null when there is none. */
export const hierarchy = query({
  name: 'hierarchy',
  right: 'admin',
  run: async (ctx, { id }: { id: string }): Promise<CatalogNode | null> => {
    const found = isUuid(id) ? await ctx.loaders.catalogNodeById.load(id) : null
    return found?.parentId === null ? found : null
  },
})

/** All hierarchies, in pages. */
export const hierarchies = recordReads('hierarchies', 'admin', hierarchySource)

/** A new hierarchy of `data`, with `data.id` when that is given. */
export const createHierarchy = command<{ data: unknown }, NewRecord<TreePatch>, undefined, CatalogNode>({
  name: 'createHierarchy',
  right: 'admin',
  read: ({ data }) => readHierarchy(data),
  run: async (tx, { id = newId(), patch }, _, ctx) => {
    const created = newNode(patch, { parentId: null, hierarchyId: id }, id, ctx.now)
    await insertRecord(tx, nodeTable, created)
    return created
  },
})

/** Changes the attributes given, and nothing when they equal what is stored. */
export const updateHierarchy = command<{ hierarchyId: string; data: unknown }, TreePatch, CatalogNode, CatalogNode>({
  name: 'updateHierarchy',
  right: 'admin',
  read: ({ hierarchyId, data }) => readHierarchyUpdate(data, hierarchyId),
  load: async (tx, { hierarchyId }) => asHierarchy(isUuid(hierarchyId) ? await lockNode(tx, hierarchyId) : null),
  run: async (tx, patch, stored, ctx) => {
    const updated = applyTreePatch(stored, patch, {}, ctx.now)
    if (updated !== stored) await updateRecord(tx, nodeTable, updated)
    return updated
  },
})

/** Deletes a hierarchy without nodes that no catalog lists; IN_USE otherwise. Releases keep their copy (release.is-a-snapshot). */
export const deleteHierarchy = command<{ hierarchyId: string }, true, CatalogNode, CatalogNode>({
  name: 'deleteHierarchy',
  right: 'admin',
  read: () => ({ value: true, violations: [] }),
  load: (tx, { hierarchyId }) => lockHierarchyWhole(tx, hierarchyId),
  run: async (tx, _, stored) => {
    assertNotReferenced([
      { noun: 'node', ...(await countWithSamples(tx, 'catalogNode', { parentId: stored.id })) },
      { noun: 'catalog', ...(await catalogsOfHierarchy(tx, stored.id)) },
    ])
    await deleteRecord(tx, 'catalogNode', stored.id)
    return stored
  },
})

async function lockHierarchyWhole(tx: Transaction, id: string): Promise<CatalogNode> {
  return asHierarchy((isUuid(id) && (await lockTrees(tx, [id], 'UPDATE')).get(id.toLowerCase())) || null)
}

function asHierarchy(found: CatalogNode | null): CatalogNode {
  if (found?.parentId !== null) throw notFound(['id'], 'No such hierarchy')
  return found
}
