/** Hierarchies: use cases. A hierarchy is the root node of a tree and shares its id (hierarchy.is-its-root-node). */
import { type HierarchyNode, hierarchyRecord, storedNodeRecord } from '../../domain/catalog/hierarchy-node.ts'
import { notFound } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { makeRecord, patchRecord } from '../../domain/input/record-change.ts'
import { readNew, readUpdate } from '../../domain/input/record-reader.ts'
import {
  hierarchies as hierarchySource,
  lockNode,
  lockTrees,
  nodeTable,
} from '../../persistence/catalog/hierarchy-node.ts'
import { query } from '../operation.ts'
import { recordCreate, recordDelete, recordUpdate } from '../record-commands.ts'
import { recordReads } from '../record-reads.ts'
import { makeSlug } from '../slug.ts'

/** The hierarchies whose slugs a made one differs from. */
const allHierarchies = { of: 'hierarchies' } as const

/** A hierarchy by its raw id, null when there is none. */
export const hierarchy = query({
  right: 'admin',
  run: async (ctx, { id }: { id: string }): Promise<HierarchyNode | null> => {
    const found = isUuid(id) ? await ctx.loaders.hierarchyNodeById.load(id) : null
    return found?.parentId === null ? found : null
  },
})

/** All hierarchies, in pages. */
export const hierarchies = recordReads('admin', hierarchySource)

/** Creates a hierarchy, with `data.id` if given. */
export const createHierarchy = recordCreate({
  name: 'createHierarchy',
  table: nodeTable,
  read: (data) => readNew(hierarchyRecord, data),
  create: async (given, id, now, _, tx, ctx) => {
    const slug = given.slug ?? (await makeSlug(tx, { scope: allHierarchies, name: given.name }, ctx))
    return makeRecord(storedNodeRecord, { ...given, slug, hierarchyId: id }, id, now)
  },
})

/** Changes the given attributes of a hierarchy; equal values write nothing. */
export const updateHierarchy = recordUpdate({
  name: 'updateHierarchy',
  table: nodeTable,
  read: ({ id, data }: { id: string; data: unknown }, _, stored) => readUpdate(hierarchyRecord, data, id, stored),
  load: async (tx, { id }) => assertIsHierarchy(isUuid(id) ? await lockNode(tx, id) : null),
  apply: async (stored, given, now, tx, ctx) => {
    const { name = stored.name } = given
    const slug =
      given.slug === null ? await makeSlug(tx, { scope: allHierarchies, name, id: stored.id }, ctx) : given.slug
    return patchRecord(storedNodeRecord, stored, { ...given, slug }, now)
  },
})

/**
 * Deletes a hierarchy; IN_USE while it has nodes or a catalog lists it. Releases keep their copies
 * (release.is-a-snapshot).
 */
export const deleteHierarchy = recordDelete<{ id: string }, HierarchyNode>({
  name: 'deleteHierarchy',
  table: nodeTable,
  inUseAs: 'hierarchy',
  load: async (tx, { id }) =>
    assertIsHierarchy((isUuid(id) && (await lockTrees(tx, [id], 'UPDATE')).get(id.toLowerCase())) || null),
})

function assertIsHierarchy(found: HierarchyNode | null): HierarchyNode {
  if (found?.parentId !== null) throw notFound(['id'], 'No such hierarchy')
  return found
}
