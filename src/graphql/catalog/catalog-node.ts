/** Hierarchies and nodes as a release has them (hierarchy.is-its-root-node, node.nearest-ten-ancestors, list.latest-update-first). */

import { Release } from '../../domain/catalog/release.ts'
import { release as findRelease } from '../../operations/catalog/published-catalog.ts'
import { listProducts } from '../../operations/catalog/release-listing.ts'
import type { Context } from '../../request/context.ts'
import { pageArgs } from '../schema/connection.ts'
import { implementNode } from '../schema/node.ts'
import { clausesOf, productListArgs } from './catalog-filter.ts'
import {
  CatalogHierarchyRef,
  CatalogNodeConnection,
  CatalogNodeRef,
  CatalogProductConnection,
  CatalogTreeNodeRef,
  listed,
  ReleaseRef,
} from './catalog-refs.ts'
import { arrayConnection, isPlaceId, localeArgs, parsePlaceId, productConnection, textsOf } from './release-scoped-id.ts'
import { type Branch, branchAt, branchOf, breadcrumbOf } from './release-tree.ts'

CatalogTreeNodeRef.implement({
  description: 'A place in the tree of a release: a hierarchy or a node of one.',
  resolveType: ({ node }) => (node.parentId === null ? 'CatalogHierarchy' : 'CatalogNode'),
  fields: (t) => ({
    nodeId: t.exposeID('nodeId', { description: 'The UUID of the hierarchy or node, the same in every release.' }),
    name: t.string({
      description: 'The name in the language asked for.',
      args: localeArgs,
      resolve: ({ node }, args, ctx) => textsOf(node, args, ctx).name,
    }),
    description: t.string({
      nullable: true,
      description: 'The description in the language asked for.',
      args: localeArgs,
      resolve: ({ node }, args, ctx) => textsOf(node, args, ctx).description,
    }),
    language: t.string({
      nullable: true,
      description: 'The language tag of name and description; null with the default text.',
      args: localeArgs,
      resolve: ({ node }, args, ctx) => textsOf(node, args, ctx).language,
    }),
    slug: t.exposeString('slug', { description: 'The name in URLs, unique among siblings.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed before the release.' }),
    release: t.expose('release', { type: ReleaseRef, description: 'The release.' }),
    children: t.field({
      type: CatalogNodeConnection,
      description: 'The nodes directly below, last updated first.',
      args: pageArgs,
      resolve: ({ release, node }, args) =>
        arrayConnection(args, release, release.childrenOf(node.id), (child) => branchOf(release, child)),
    }),
    products: t.field({
      type: CatalogProductConnection,
      description:
        'The live products: of a node those attached to it, curated ones first; of a hierarchy those attached to any of its nodes, last updated first.',
      args: { ...pageArgs, ...productListArgs },
      resolve: ({ release, node }, { filter, ...args }, ctx) =>
        productConnection(args, ctx, () => listProducts(ctx, { release, scope: node.id, clauses: clausesOf(filter) }), listed),
    }),
  }),
})

implementNode(CatalogHierarchyRef, {
  description: 'A hierarchy as a release has it: the root of a tree of nodes.',
  right: 'anyone',
  isId: isPlaceId,
  interfaces: [CatalogTreeNodeRef],
  load: (id, ctx) => loadBranch(id, ctx, true),
  fields: () => ({}),
})

implementNode(CatalogNodeRef, {
  description: 'A node of a hierarchy as a release has it.',
  right: 'anyone',
  isId: isPlaceId,
  interfaces: [CatalogTreeNodeRef],
  load: (id, ctx) => loadBranch(id, ctx, false),
  fields: (t) => ({
    label: t.exposeString('label', { nullable: true, description: 'The label of the node.' }),
    sortOrder: t.expose('sortOrder', { type: 'Long', nullable: true, description: 'What clients may sort siblings by.' }),
    hierarchy: t.field({
      type: CatalogHierarchyRef,
      description: 'The hierarchy that the node belongs to.',
      resolve: ({ release, node }) => branchAt(release, node.hierarchyId),
    }),
    parent: t.field({
      type: CatalogTreeNodeRef,
      description: 'The node or hierarchy directly above.',
      resolve: ({ release, node }) => branchAt(release, node.parentId ?? node.hierarchyId),
    }),
    ancestors: t.field({
      type: [CatalogTreeNodeRef],
      description: 'What lies above, hierarchy first and direct parent last; the nearest ten when the tree is deeper.',
      resolve: ({ release, node }) => breadcrumbOf(release, node).ancestors,
    }),
  }),
})

async function loadBranch(id: string, ctx: Context, isHierarchy: boolean): Promise<Branch | null> {
  const { releaseId, placeId } = parsePlaceId(id)
  const found = await findRelease(ctx, { catalogId: null, releaseId })
  const node = found instanceof Release ? found.nodes.get(placeId) : undefined
  return node && (node.parentId === null) === isHierarchy ? branchOf(found as Release, node) : null
}
