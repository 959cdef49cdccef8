/**
 * Edges between authored records and their counterparts in a catalog's latest release, both ways. For administrators
 * only.
 */
import { releaseView } from '../../operations/catalog/published-catalog.ts'
import type { Context } from '../../request/context.ts'
import { ProductRef } from '../products/product-ref.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { readId, requiredId } from '../schema/ids.ts'
import { productIn } from './catalog-product-relations.ts'
import { CatalogHierarchyRef, CatalogNodeRef, CatalogProductRef, type PublishedProduct } from './catalog-refs.ts'
import { HierarchyNodeRef, HierarchyRef } from './hierarchy-refs.ts'
import { treeNodeOf } from './release-tree.ts'

const catalogArgs = builder.args((t) => ({
  catalogId: t.id({ ...requiredId('catalog', 'c0ffee00-0009-4000-8000-000000000001'), ...withReader(catalogOf) }),
}))

function catalogOf({ catalogId }: { readonly catalogId: string }): string {
  return readId('Catalog', catalogId, ['catalogId'])
}

builder.objectField(ProductRef, 'catalogProduct', (t) =>
  t.field({
    type: CatalogProductRef,
    nullable: true,
    description: 'The product as the latest release of a catalog has it; null when that does not hold it.',
    args: catalogArgs,
    resolve: ({ id }, args, ctx) => latestProduct(catalogOf(args), id, ctx),
  }),
)

const treeTypes = [
  { authored: HierarchyRef, published: CatalogHierarchyRef, name: 'catalogHierarchy', noun: 'hierarchy' },
  { authored: HierarchyNodeRef, published: CatalogNodeRef, name: 'catalogNode', noun: 'node' },
] as const

for (const { authored, published, name, noun } of treeTypes) {
  builder.objectField(authored, name, (t) =>
    t.field({
      type: published,
      nullable: true,
      description: `The ${noun} as the latest release of a catalog has it; null when that does not hold it.`,
      args: catalogArgs,
      resolve: ({ id }, args, ctx) => latestTreeNode(catalogOf(args), id, ctx),
    }),
  )
  builder.objectField(published, 'authored', (t) =>
    t.field({
      type: authored,
      nullable: true,
      description: `The ${noun} as it is authored now; null once it is gone.`,
      resolve: ({ key }, _, { loaders }) => loaders.hierarchyNodeById.load(key),
    }),
  )
}

/** A product in the latest release of a catalog; null when that does not have it, or there is no release. */
export async function latestProduct(
  catalogId: string,
  productId: string,
  ctx: Context,
): Promise<PublishedProduct | null> {
  const latest = await releaseView(ctx, { catalogId, releaseId: 'latest' })
  return latest && productIn(latest, productId, ctx)
}

async function latestTreeNode(catalogId: string, nodeId: string, ctx: Context) {
  const latest = await releaseView(ctx, { catalogId, releaseId: 'latest' })
  const node = latest?.release.nodes.get(nodeId)
  return latest && node ? treeNodeOf(latest, node) : null
}
