/**
 * Carried releases: a new release made from another one, with other products and another tree
 * (release.carried-is-another).
 *
 * SQL, since a carry runs in the transaction of a publish, whose connection is not Prisma's.
 */

import { carriedLists } from '../../../domain/catalog/carried-lists.ts'
import type { CarriedProduct } from '../../../domain/catalog/carry.ts'
import type { TreeContent } from '../../../domain/catalog/carry-tree.ts'
import type { ReleaseLabels } from '../../../domain/catalog/label.ts'
import { ProductOrder } from '../../../domain/catalog/product-order.ts'
import type { CatalogTexts, Release } from '../../../domain/catalog/release.ts'
import type { Queryable } from '../../database/query.ts'
import { writeFacets } from './carry-facets.ts'
import { inOrder, writePlaces } from './carry-order.ts'
import type { ReleaseBuild } from './selection.ts'

/** What a release becomes. */
export interface CarriedRelease {
  readonly base: Release
  /** Raw ids of the releases whose difference it gets. */
  readonly former: string
  readonly latest: string
  readonly catalog: CatalogTexts
  readonly labels: ReleaseLabels
  readonly tree: TreeContent
  /** Whether the tree is another one than that of the base. */
  readonly hasOtherTree: boolean
  readonly products: readonly CarriedProduct[]
  /** The curated documents of the nodes that curate others now. */
  readonly curated: ReadonlyMap<string, readonly number[]>
}

const insertRelease = `
WITH next AS (UPDATE catalog SET release_sequence = release_sequence + 1 WHERE id = $2::uuid RETURNING release_sequence),
published AS (INSERT INTO published_release (id, catalog_id) VALUES ($1::uuid, $2::uuid))
INSERT INTO release (id, catalog_id, sequence, status, hierarchy_ids, catalog_name, catalog_description, catalog_locales,
  product_count, node_count, notes, started_at, published_at, has_price_spans, labels)
SELECT $1::uuid, $2::uuid, next.release_sequence, 'published', $4::uuid[], $5, $6, nullif($7::jsonb, 'null'), $8, $9, b.notes - '{carries,shown_early}'::text[],
  $10::timestamptz, $11::timestamptz, b.has_price_spans, nullif($12::jsonb, '{}')
FROM next, release b WHERE b.id = $3::uuid`

const nodeColumns = `node_id, position, parent_id, hierarchy_id, name, slug, description, label, sort_order, seo_title, seo_description, locales, created_at, updated_at`

const insertNodes = `
INSERT INTO release_node (release_id, ${nodeColumns})
SELECT $1::uuid, id, position, "parentId", "hierarchyId", name, slug, description, label, "sortOrder", "seoTitle", "seoDescription", nullif(locales, 'null'),
  to_timestamp("createdAt" / 1000.0), to_timestamp("updatedAt" / 1000.0)
FROM jsonb_to_recordset($2::jsonb) AS n (id uuid, position int, "parentId" uuid, "hierarchyId" uuid, name text, slug text,
  description text, label text, "sortOrder" int, "seoTitle" text, "seoDescription" text, locales jsonb, "createdAt" float8, "updatedAt" float8)`

const copyNodes = `
INSERT INTO release_node (release_id, ${nodeColumns})
SELECT $1::uuid, ${nodeColumns} FROM release_node WHERE release_id = $2::uuid`

const copyListings = `
INSERT INTO release_listing (release_id, scope, curated, documents)
SELECT $1::uuid, scope, curated, documents FROM release_listing
WHERE release_id = $2::uuid AND scope <> ALL ($3::uuid[])`

const insertListings = `
INSERT INTO release_listing (release_id, scope, curated, documents)
SELECT $1::uuid, scope, curated, documents::int[] FROM unnest($2::uuid[], $3::int[], $4::text[]) AS t (scope, curated, documents)`

/**
 * Writes the release, which is public at `publishedAt`, epoch milliseconds. Its documents are stored already. A dozen
 * statements, and those of `inOrder` and `writeFacets`.
 */
export async function writeCarriedRelease(
  on: Queryable,
  release: ReleaseBuild & { readonly publishedAt: number },
  { base, former, latest, catalog, labels, tree, hasOtherTree, products, curated }: CarriedRelease,
): Promise<void> {
  const gone = new Set(products.map(({ before }) => before))
  const kept = base.allProducts.documents.filter((document) => !gone.has(document))
  const come = products.flatMap(({ after }) => after ?? [])
  const places = await inOrder(on, kept, come)
  const { order } = places
  const all = new ProductOrder(order, 0)
  await on.query(insertRelease, [
    release.id,
    release.catalogId,
    base.id,
    tree.hierarchyIds,
    catalog.name,
    catalog.description,
    JSON.stringify(catalog.locales),
    order.length,
    tree.nodes.size,
    new Date(release.now),
    new Date(release.publishedAt),
    JSON.stringify(labels),
  ])
  if (hasOtherTree) {
    const nodes = [...tree.nodes.values()].map((node, at) => ({ ...node, position: at + 1 }))
    await on.query(insertNodes, [release.id, JSON.stringify(nodes)])
  } else await on.query(copyNodes, [release.id, base.id])
  const lists = carriedLists({ base, tree, products, curated, all })
  await on.query(copyListings, [release.id, base.id, [base.id, ...lists.keys()]])
  const written = [...lists].filter(([, { documents }]) => documents.length > 0)
  await on.query(insertListings, [
    release.id,
    [release.id, ...written.map(([scope]) => scope)],
    [0, ...written.map(([, list]) => list.curated)],
    [`{${order.join()}}`, ...written.map(([, { documents }]) => `{${documents.join()}}`)],
  ])
  await writePlaces(on, release.id, base, places)
  await writeFacets(on, release, { former, latest, scheduled: base.id }, products, all)
}

const replaceSchedule = `
WITH named AS (UPDATE release r SET name = b.name FROM release b WHERE r.id = $2::uuid AND b.id = $1::uuid),
led AS (
  UPDATE published_release SET carried_into = $2::uuid, carried_at = CASE WHEN id = $1::uuid THEN $3::timestamptz ELSE carried_at END
  WHERE id = $1::uuid OR carried_into = $1::uuid)
UPDATE release_activation SET release_id = $2::uuid
WHERE release_id = $1::uuid AND scheduled AND effective_at > $3::timestamptz`

/**
 * Gives the schedule and the name of a release to another one, to which its id and those before it lead from now on
 * (release.name-stays).
 */
export async function replaceScheduled(on: Queryable, from: string, to: string, now: number): Promise<void> {
  await on.query(replaceSchedule, [from, to, new Date(now)])
}
