/**
 * Types of authored hierarchies and nodes, and the fields that both have. For administrators only.
 */
import type { FieldMap } from '@pothos/core'
import type { HierarchyNode } from '../../domain/catalog/hierarchy-node.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection } from '../schema/connection.ts'
import type { FieldBuilder } from '../schema/graph-types.ts'
import { LocaleRef, localeList, seoFields } from '../schema/locale.ts'
import { childRecordConnection } from '../schema/record-connection.ts'
import { nodeClauses, nodeListArgs } from './hierarchy-node-list.ts'

/** The type Hierarchy. Shoppers see hierarchies as a CatalogHierarchy of a release. */
export const HierarchyRef = builder.objectRef<HierarchyNode>('Hierarchy')
/** The type HierarchyNode. Shoppers see nodes as a CatalogNode of a release. */
export const HierarchyNodeRef = builder.objectRef<HierarchyNode>('HierarchyNode')

export const HierarchyConnection = defineConnection(HierarchyRef, 'admin')
export const HierarchyNodeConnection = defineConnection(HierarchyNodeRef, 'admin')

/** The fields of both types; `noun` completes their descriptions. */
export function treeFields(t: FieldBuilder<HierarchyNode>, noun: string) {
  return {
    externalRef: t.exposeString('externalRef', { nullable: true, description: 'A free reference to another system.' }),
    name: t.exposeString('name', { description: `The name of the ${noun}.` }),
    slug: t.exposeString('slug', { description: 'The name in URLs.' }),
    description: t.exposeString('description', { nullable: true, description: `The description of the ${noun}.` }),
    ...seoFields(t),
    locales: t.field({
      type: [LocaleRef],
      description: 'Texts in other languages, at most 200.',
      resolve: ({ locales }) => localeList(locales),
    }),
    children: t.field({
      type: HierarchyNodeConnection,
      description: 'The nodes right under it, oldest first.',
      args: nodeListArgs,
      resolve: ({ id }, { filter, ...args }, { loaders }) =>
        childRecordConnection(args, id, nodeClauses(filter), loaders.nodeListByParentId),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: `When the ${noun} was created.` }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: `When the ${noun} itself was last changed.` }),
  } satisfies FieldMap
}
