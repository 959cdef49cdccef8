/** Contents of a release: its hierarchies, nodes and products. */

import { Release } from '../../domain/catalog/release.ts'
import { DomainError } from '../../domain/input/errors.ts'
import { catalogProduct } from '../../operations/catalog/catalog-product.ts'
import { release as findRelease, type ReleaseOrSummary } from '../../operations/catalog/published-catalog.ts'
import { listProducts } from '../../operations/catalog/release-listing.ts'
import type { Context } from '../../request/context.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { pageArgs } from '../schema/connection.ts'
import { assertText, clausesOf, productListArgs } from './catalog-filter.ts'
import {
  CatalogHierarchyRef,
  CatalogNodeRef,
  CatalogProductConnection,
  CatalogProductRef,
  ReleaseRef,
  toListedProduct,
} from './catalog-refs.ts'
import { productConnection, readRecordId } from './release-scoped-id.ts'
import { type TreeNode, treeNodeOf } from './release-tree.ts'

builder.objectFields(ReleaseRef, (t) => ({
  hierarchies: t.field({
    type: [CatalogHierarchyRef],
    description: "Its hierarchies, in the catalog's order.",
    resolve: async (one, _, ctx) => {
      const release = await contentOf(one, ctx)
      return release.hierarchyIds.flatMap((id) => hierarchyIn(release, id) ?? [])
    },
  }),
  hierarchy: t.field({
    type: CatalogHierarchyRef,
    nullable: true,
    description: 'One of its hierarchies; null when there is none.',
    args: {
      id: t.arg.id({
        required: true,
        description: 'The global id (of whatever release) or the UUID of the hierarchy.',
        ...withReader(readHierarchyId),
      }),
    },
    resolve: async (one, args, ctx) => hierarchyIn(await contentOf(one, ctx), readHierarchyId(args)),
  }),
  nodes: t.field({
    type: [CatalogNodeRef],
    description: 'Those of its nodes that are named, last updated first, whatever their order in `ids`. For breadcrumbs.',
    args: {
      ids: t.arg.idList({
        required: true,
        description: 'Global ids (of whatever release) or UUIDs of nodes; any number.',
        ...withReader(readNodeIds),
      }),
    },
    resolve: async (one, args, ctx) => {
      const release = await contentOf(one, ctx)
      return release.nodesByIds(new Set(readNodeIds(args))).map((node) => treeNodeOf(release, node))
    },
  }),
  products: t.field({
    type: CatalogProductConnection,
    description: 'All its live products, last updated first.',
    args: { ...pageArgs, ...productListArgs },
    resolve: (one, { filter, ...args }, ctx) =>
      productConnection(
        args,
        ctx,
        async () => listProducts(ctx, { release: await contentOf(one, ctx), scope: one.id, clauses: clausesOf(filter) }),
        toListedProduct,
      ),
  }),
  product: t.field({
    type: CatalogProductRef,
    nullable: true,
    description: 'One of its products by id, SKU or slug (of several with the slug the one updated last); null when there is none.',
    args: {
      id: t.arg.id({ description: 'The global id (of whatever release) or the UUID of the product.', ...withReader(readProductKey) }),
      sku: t.arg.string({ description: 'The SKU, compared exactly.' }),
      slug: t.arg.string({ description: 'The slug, compared exactly.' }),
    },
    resolve: async (one, args, ctx) => {
      const key = readProductKey(args)
      const release = await contentOf(one, ctx)
      const found = await catalogProduct(ctx, { release, ...key })
      return found && toListedProduct(found)
    },
  }),
}))

/** The release with its contents; one that is not published is empty. */
async function contentOf(release: ReleaseOrSummary, ctx: Context): Promise<Release> {
  if (release instanceof Release) return release
  const found = await findRelease(ctx, { catalogId: release.catalogId, releaseId: release.id })
  if (found instanceof Release) return found
  const catalog = { name: '', description: null, locales: null, firstPublishedAt: null }
  return new Release(release.id, release.catalogId, release.sequence, release.startedAt, catalog, [], [], new Map())
}

function hierarchyIn(release: Release, id: string): TreeNode | null {
  const node = release.hierarchy(id)
  return node ? treeNodeOf(release, node) : null
}

function readHierarchyId({ id }: { readonly id: string }): string {
  return readRecordId('CatalogHierarchy', id, ['id'])
}

function readNodeIds({ ids }: { readonly ids: readonly string[] }): string[] {
  return ids.map((id, index) => readRecordId('CatalogNode', id, ['ids', index]))
}

interface ProductKeys {
  readonly id?: string | null | undefined
  readonly sku?: string | null | undefined
  readonly slug?: string | null | undefined
}

/** Reads the keys of which exactly one must be given. Throws DomainError (badRequest). */
function readProductKey({ id, sku, slug }: ProductKeys): { by: 'id' | 'sku' | 'slug'; value: string } {
  const given = [id, sku, slug].filter((value) => value != null)
  if (given.length !== 1) {
    throw new DomainError('badRequest', [{ code: 'INVALID_VALUE', path: ['id'], message: 'exactly one of id, sku and slug must be given' }])
  }
  for (const value of given) assertText(value, [id != null ? 'id' : sku != null ? 'sku' : 'slug'])
  if (id != null) return { by: 'id', value: readRecordId('CatalogProduct', id, ['id']) }
  return sku != null ? { by: 'sku', value: sku } : { by: 'slug', value: slug ?? '' }
}
