/** Contents of a release: its hierarchies, nodes and products. */
import { PATH_SLUGS_MAX } from '../../domain/catalog/menu.ts'
import { Release } from '../../domain/catalog/release.ts'
import type { AnyRelease, ReleaseView } from '../../domain/catalog/release-view.ts'
import { badRequest } from '../../domain/input/errors.ts'
import { catalogProduct } from '../../operations/catalog/catalog-product.ts'
import { nodeAtPath } from '../../operations/catalog/former-slug.ts'
import { releaseView } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { assertText } from '../schema/text-filter.ts'
import {
  CatalogHierarchyRef,
  CatalogNodeRef,
  CatalogProductConnection,
  CatalogProductRef,
  CatalogTreeNodeRef,
  PublishedProduct,
  ReleaseRef,
} from './catalog-refs.ts'
import { productConnection } from './product-connection.ts'
import { catalogProductListArgs } from './product-list.ts'
import { readRecordId, readTreeNodeId } from './release-scoped-id.ts'
import { type TreeNode, treeNodeOf } from './release-tree.ts'

const CatalogProductKey = builder.inputType('CatalogProductKey', {
  description: 'What a product of a release is found by.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: 'The global id (of whatever release) or the UUID.' }),
    sku: t.string({ description: 'The SKU, compared exactly.' }),
    slug: t.string({
      description:
        'The slug, of any language and in whatever case; a product that has it exactly comes first, then one that has it without a language, then the one updated last, then one that had it in a former release: its `canonicalPath` ends with the slug of now.',
    }),
  }),
})

const CatalogNodeKey = builder.inputType('CatalogNodeKey', {
  description: 'What a hierarchy or node of a release is found by.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: 'The global id (of whatever release) or the UUID.' }),
    path: t.stringList({
      description: `Slugs from the hierarchy down, such as \`["shop", "machines"]\`, 1 to ${PATH_SLUGS_MAX}, each of any language and in whatever case, a node that they name exactly first, one that they named in a former release last: its \`canonicalPath\` is the path of now. The hierarchy alone is a path of one.`,
    }),
  }),
})

builder.objectFields(ReleaseRef, (t) => ({
  hierarchies: t.field({
    type: [CatalogHierarchyRef],
    description: "Its hierarchies, at most 1000, in the catalog's order.",
    resolve: async (one, _, ctx) => {
      const view = await contentOf(one, ctx)
      return view.release.hierarchyIds.flatMap((id) => hierarchyIn(view, id) ?? [])
    },
  }),
  hierarchy: t.field({
    type: CatalogHierarchyRef,
    nullable: true,
    description: 'One of its hierarchies; null when there is none.',
    args: {
      id: t.arg.id({
        required: true,
        description:
          'The global id (of whatever release) or the UUID of the hierarchy, such as `c0ffee00-0007-4000-8000-000000000001`.',
        ...withReader(readHierarchyId),
      }),
    },
    resolve: async (one, args, ctx) => hierarchyIn(await contentOf(one, ctx), readHierarchyId(args)),
  }),
  nodes: t.field({
    type: [CatalogNodeRef],
    description:
      'Those of its nodes that are named, last updated first, whatever their order in `ids`. For breadcrumbs.',
    args: {
      ids: t.arg.idList({
        required: true,
        description:
          'Global ids (of whatever release) or UUIDs of nodes, such as `["c0ffee00-0008-4000-8000-000000000001"]`; any number.',
        ...withReader(readNodeIds),
      }),
    },
    resolve: async (one, args, ctx) => {
      const view = await contentOf(one, ctx)
      return view.release.nodesByIds(new Set(readNodeIds(args))).map((node) => treeNodeOf(view, node))
    },
  }),
  products: t.field({
    type: CatalogProductConnection,
    description: 'All its live products, last updated first unless `orderBy` says otherwise.',
    args: catalogProductListArgs,
    resolve: (one, args, ctx) => productConnection(args, ctx, null, () => contentOf(one, ctx)),
  }),
  product: t.field({
    type: CatalogProductRef,
    nullable: true,
    description: 'One of its products; null when there is none.',
    args: {
      by: t.arg({
        type: CatalogProductKey,
        required: true,
        description: 'What it is found by, such as `{ sku: "ETH-YIRG" }`.',
        ...withReader(readProductKey),
      }),
    },
    resolve: async (one, args, ctx) => {
      const key = readProductKey(args)
      const view = await contentOf(one, ctx)
      const found = await catalogProduct(ctx, { release: view.release, ...key })
      return found && new PublishedProduct(view, found)
    },
  }),
  node: t.field({
    type: CatalogTreeNodeRef,
    nullable: true,
    description: 'One of its hierarchies or nodes; null when there is none.',
    args: {
      by: t.arg({
        type: CatalogNodeKey,
        required: true,
        description: 'What it is found by, such as `{ path: ["coffee", "espresso"] }`.',
        ...withReader(readNodeKey),
      }),
    },
    resolve: async (one, args, ctx) => {
      const view = await contentOf(one, ctx)
      const key = readNodeKey(args)
      const { release } = view
      const node = typeof key === 'string' ? release.nodes.get(key) : await nodeAtPath(ctx, { release, path: key })
      return node ? treeNodeOf(view, node) : null
    },
  }),
}))

/** The release with its contents; one that is not published is empty. */
export async function contentOf(one: AnyRelease, ctx: Context): Promise<ReleaseView> {
  const { id, catalogId, sequence, startedAt, release, isLatest = false } = one
  if (release) return { release, isLatest }
  const found = await releaseView(ctx, { catalogId, releaseId: id })
  if (found) return found
  const catalog = { name: '', description: null, locales: null }
  return { release: new Release(id, catalogId, sequence, startedAt, catalog, [], [], new Map()), isLatest }
}

function hierarchyIn(view: ReleaseView, id: string): TreeNode | null {
  const node = view.release.hierarchy(id)
  return node ? treeNodeOf(view, node) : null
}

function readHierarchyId({ id }: { readonly id: string }): string {
  return readRecordId('CatalogHierarchy', id, ['id'])
}

function readNodeIds({ ids }: { readonly ids: readonly string[] }): string[] {
  return ids.map((id, index) => readRecordId('CatalogNode', id, ['ids', index]))
}

type ProductKey = typeof CatalogProductKey.$inferInput

/** Throws DomainError (badRequest). */
function readProductKey({ by: { id, sku, slug } }: { readonly by: ProductKey }): {
  by: 'id' | 'sku' | 'slug'
  value: string
} {
  if (id != null) return { by: 'id', value: readRecordId('CatalogProduct', id, ['by', 'id']) }
  const [by, value] = sku != null ? (['sku', sku] as const) : (['slug', slug ?? ''] as const)
  assertText(value, ['by', by])
  return { by, value }
}

type NodeKey = typeof CatalogNodeKey.$inferInput

/** A UUID or a path. Throws DomainError (badRequest). */
function readNodeKey({ by: { id, path } }: { readonly by: NodeKey }): string | readonly string[] {
  if (id != null) return readTreeNodeId(id, ['by', 'id'])
  const slugs = path ?? []
  if (slugs.length === 0 || slugs.length > PATH_SLUGS_MAX) {
    const message = `must have 1 to ${PATH_SLUGS_MAX} entries`
    throw badRequest(slugs.length === 0 ? 'REQUIRED' : 'TOO_MANY', ['by', 'path'], message)
  }
  return slugs
}
