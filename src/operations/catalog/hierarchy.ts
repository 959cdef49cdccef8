/** Hierarchies: use cases. A hierarchy is the root node of a tree and shares its id (hierarchy.is-its-root-node). */
import { readHierarchy, readHierarchyUpdate } from '../../domain/catalog/hierarchy.ts'
import { applyTreePatch, type HierarchyNode, newNode } from '../../domain/catalog/hierarchy-node.ts'
import { notFound } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { hierarchies as hierarchySource, lockNode, lockTrees, nodeTable } from '../../persistence/catalog/hierarchy-node.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { query } from '../operation.ts'
import { recordCreate, recordDelete, recordUpdate } from '../record-commands.ts'
import { recordReads } from '../record-reads.ts'

/** A hierarchy by its raw id, null when there is none. */
export const hierarchy = query({
  name: 'hierarchy',
  right: 'admin',
  run: async (ctx, { id }: { id: string }): Promise<HierarchyNode | null> => {
    const found = isUuid(id) ? await ctx.loaders.hierarchyNodeById.load(id) : null
    return found?.parentId === null ? found : null
  },
})

/** All hierarchies, in pages. */
export const hierarchies = recordReads('hierarchies', 'admin', hierarchySource)

/** Creates a hierarchy, with `data.id` if given. */
export const createHierarchy = recordCreate({
  name: 'createHierarchy',
  table: nodeTable,
  read: readHierarchy,
  create: (patch, id, now) => newNode(patch, { parentId: null, hierarchyId: id }, id, now),
})

/** Changes the given attributes of a hierarchy; equal values write nothing. */
export const updateHierarchy = recordUpdate({
  name: 'updateHierarchy',
  table: nodeTable,
  read: ({ hierarchyId, data }: { hierarchyId: string; data: unknown }, _, stored) => readHierarchyUpdate(data, hierarchyId, stored),
  load: async (tx, { hierarchyId }) => assertIsHierarchy(isUuid(hierarchyId) ? await lockNode(tx, hierarchyId) : null),
  apply: (stored, patch, now) => applyTreePatch(stored, patch, {}, now),
})

/** Deletes a hierarchy; IN_USE while it has nodes or a catalog lists it. Releases keep their copies (release.is-a-snapshot). */
export const deleteHierarchy = recordDelete<{ hierarchyId: string }, HierarchyNode>({
  name: 'deleteHierarchy',
  table: nodeTable,
  inUseAs: 'hierarchy',
  load: (tx, { hierarchyId }) => lockTree(tx, hierarchyId),
})

async function lockTree(tx: Transaction, id: string): Promise<HierarchyNode> {
  return assertIsHierarchy((isUuid(id) && (await lockTrees(tx, [id], 'UPDATE')).get(id.toLowerCase())) || null)
}

function assertIsHierarchy(found: HierarchyNode | null): HierarchyNode {
  if (found?.parentId !== null) throw notFound(['id'], 'No such hierarchy')
  return found
}
