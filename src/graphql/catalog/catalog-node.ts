/**
 * Published hierarchies and nodes: CatalogHierarchy, CatalogNode and their interface CatalogTreeNode
 * (list.latest-update-first).
 */
import { canonicalPathOf } from '../../domain/catalog/menu.ts'
import { anyRelease } from '../../domain/catalog/release-view.ts'
import { releaseView } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { pageArgs } from '../schema/connection.ts'
import { localizedFields, localizedSeoFields, localizedSlugFields } from '../schema/locale.ts'
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
    ...localizedSeoFields(t, ({ node }) => node),
    ...localizedSlugFields(t, {
      all: ({ node }) => node,
      path: ({ release, node }, acceptLanguage) => canonicalPathOf(release, node, acceptLanguage),
      slug: 'The name in URLs in the requested language, else without a language; no sibling of a node has it.',
      canonicalPath:
        'The slugs in the requested language from the hierarchy down, its own last: the path of now, also when it was found by an old one or one in another language.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed before the release.' }),
    release: t.field({ type: ReleaseRef, description: 'The release.', resolve: anyRelease }),
    children: t.field({
      type: CatalogNodeConnection,
      description: 'The nodes directly below, last updated first unless `orderBy` says otherwise.',
      args: { ...pageArgs, ...childOrderArgs },
      resolve: (above, { orderBy, ...args }, ctx) => {
        const { release, node } = above
        const children = nodesInOrder(release.childrenOf(node.id), node.id, orderBy, ctx)
        return arrayConnection(args, above, children, (child) => treeNodeOf(above, child))
      },
    }),
    products: t.field({
      type: CatalogProductConnection,
      description:
        'The live products below it: of a node its curated ones first, then last updated first; of a hierarchy last updated first.',
      args: { ...catalogProductListArgs, ...descendantsArgs },
      resolve: (above, args, ctx) => productConnection(args, ctx, above.node.id, () => above),
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
    sortOrder: t.expose('sortOrder', {
      type: 'Long',
      nullable: true,
      description: 'What clients may sort siblings by.',
    }),
    hierarchy: t.field({
      type: CatalogHierarchyRef,
      description: 'The hierarchy that the node belongs to.',
      resolve: (one) => treeNodeById(one, one.node.hierarchyId),
    }),
    parent: t.field({
      type: CatalogTreeNodeRef,
      description: 'The node or hierarchy directly above.',
      resolve: (one) => treeNodeById(one, one.node.parentId ?? one.node.hierarchyId),
    }),
    ancestors: t.field({
      type: [CatalogTreeNodeRef],
      description: 'What lies above, hierarchy first and direct parent last; the nearest ten when the tree is deeper.',
      resolve: (one) => breadcrumbOf(one, one.node).ancestors,
    }),
  }),
})

async function loadTreeNode(id: string, ctx: Context, isHierarchy: boolean): Promise<TreeNode | null> {
  const { recordId, ...wanted } = parseReleaseScopedId(id)
  const view = await releaseView(ctx, wanted)
  const node = view?.release.nodes.get(recordId)
  return view && node && (node.parentId === null) === isHierarchy ? treeNodeOf(view, node) : null
}
