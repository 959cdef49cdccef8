/** Published hierarchies and nodes: CatalogHierarchy, CatalogNode and their interface CatalogTreeNode (list.latest-update-first). */
import { Release } from '../../domain/catalog/release.ts'
import { release as findRelease } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { pageArgs } from '../schema/connection.ts'
import { localizedFields } from '../schema/locale.ts'
import { implementNode, NodeRef } from '../schema/node.ts'
import {
  CatalogHierarchyRef,
  CatalogNodeConnection,
  CatalogNodeRef,
  CatalogProductConnection,
  CatalogTreeNodeRef,
  ReleaseRef,
} from './catalog-refs.ts'
import { childOrderArgs, nodesInOrder } from './child-order.ts'
import { productConnection } from './product-connection.ts'
import { catalogProductListArgs, descendantsArgs } from './product-list.ts'
import { arrayConnection, isReleaseScopedId, parseReleaseScopedId } from './release-scoped-id.ts'
import { breadcrumbOf, type TreeNode, treeNodeById, treeNodeOf } from './release-tree.ts'

CatalogTreeNodeRef.implement({
  description: 'A hierarchy of a release or a node of one.',
  interfaces: [NodeRef],
  resolveType: ({ node }) => (node.parentId === null ? 'CatalogHierarchy' : 'CatalogNode'),
  fields: (t) => ({
    key: t.exposeID('key', { description: 'The UUID of the hierarchy or node, the same in every release.' }),
    ...localizedFields(t, ({ node }) => node),
    slug: t.exposeString('slug', { description: 'The name in URLs, unique among siblings.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed before the release.' }),
    release: t.expose('release', { type: ReleaseRef, description: 'The release.' }),
    children: t.field({
      type: CatalogNodeConnection,
      description: 'The nodes directly below, last updated first unless `orderBy` says otherwise.',
      args: { ...pageArgs, ...childOrderArgs },
      resolve: (above, { orderBy, ...args }, ctx) => {
        const { release, node } = above
        const children = nodesInOrder(release.childrenOf(node.id), node.id, orderBy, ctx)
        return arrayConnection(args, release, children, (child) => treeNodeOf(release, child))
      },
    }),
    products: t.field({
      type: CatalogProductConnection,
      description:
        'The live products below it: of a node its curated ones first, then last updated first; of a hierarchy last updated first.',
      args: { ...catalogProductListArgs, ...descendantsArgs },
      resolve: ({ release, node }, args, ctx) => productConnection(args, ctx, node.id, () => release),
    }),
  }),
})

implementNode(CatalogHierarchyRef, {
  description: 'A hierarchy as a release has it: the root of a tree of nodes.',
  right: 'anyone',
  isId: isReleaseScopedId,
  interfaces: [CatalogTreeNodeRef],
  load: (id, ctx) => loadTreeNode(id, ctx, true),
  fields: () => ({}),
})

implementNode(CatalogNodeRef, {
  description: 'A node of a hierarchy as a release has it.',
  right: 'anyone',
  isId: isReleaseScopedId,
  interfaces: [CatalogTreeNodeRef],
  load: (id, ctx) => loadTreeNode(id, ctx, false),
  fields: (t) => ({
    label: t.exposeString('label', { nullable: true, description: 'The label of the node.' }),
    sortOrder: t.expose('sortOrder', { type: 'Long', nullable: true, description: 'What clients may sort siblings by.' }),
    hierarchy: t.field({
      type: CatalogHierarchyRef,
      description: 'The hierarchy that the node belongs to.',
      resolve: ({ release, node }) => treeNodeById(release, node.hierarchyId),
    }),
    parent: t.field({
      type: CatalogTreeNodeRef,
      description: 'The node or hierarchy directly above.',
      resolve: ({ release, node }) => treeNodeById(release, node.parentId ?? node.hierarchyId),
    }),
    ancestors: t.field({
      type: [CatalogTreeNodeRef],
      description: 'What lies above, hierarchy first and direct parent last; the nearest ten when the tree is deeper.',
      resolve: ({ release, node }) => breadcrumbOf(release, node).ancestors,
    }),
  }),
})

async function loadTreeNode(id: string, ctx: Context, isHierarchy: boolean): Promise<TreeNode | null> {
  const { recordId, ...wanted } = parseReleaseScopedId(id)
  const found = await findRelease(ctx, wanted)
  const node = found instanceof Release ? found.nodes.get(recordId) : undefined
  return node && (node.parentId === null) === isHierarchy ? treeNodeOf(found as Release, node) : null
}
