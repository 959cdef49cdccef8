/**
 * Slug warnings of a publish: slugs that several products of a release have, or several of its hierarchies, in whatever
 * language (slug.equal-ones-warned).
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import type { ReleaseWarning } from '../../../domain/catalog/release-summary.ts'
import type { Queryable } from '../../database/query.ts'
import { languageSlugs } from '../../slugs.ts'

const shared = `
WITH named AS (
  SELECT u.product_id, u.rank, p.slug FROM pub_product u JOIN product p ON p.id = u.product_id WHERE p.slug IS NOT NULL
  UNION ALL
  SELECT u.product_id, u.rank, l.slug FROM pub_product u JOIN product p ON p.id = u.product_id
  CROSS JOIN LATERAL (SELECT DISTINCT jsonb_array_elements_text(${languageSlugs('p.locales')}) AS slug) l
  WHERE p.locales @? '$.*.slug' AND l.slug <> p.slug)
SELECT slug, count(*)::int AS count, (array_agg(product_id ORDER BY rank))[1] AS product_id
FROM named GROUP BY slug HAVING count(*) > 1 ORDER BY min(rank), slug COLLATE "C"`

interface SharedSlug {
  readonly slug: string
  readonly count: number
}

/** The warnings for the products of a release, in the order of the listing. One statement. */
export async function* equalSlugs(client: Queryable): AsyncGenerator<ReleaseWarning[]> {
  const { rows } = await client.query<SharedSlug & { readonly product_id: string }>(shared)
  yield rows.map((found) => ({ code: 'SLUGS_EQUAL', ...found }))
}

// The hierarchy that a path finds: the one that has the slug without a language, then in the order of the catalog.
const sharedRoots = `
WITH root AS (
  SELECT n.node_id, n.slug, n.locales, h.place FROM release r
  CROSS JOIN LATERAL unnest(r.hierarchy_ids) WITH ORDINALITY h (id, place) JOIN release_node n ON n.release_id = r.id AND n.node_id = h.id
  WHERE r.id = $1),
named AS (
  SELECT node_id, place, slug, false AS "inLanguage" FROM root
  UNION ALL
  SELECT node_id, place, l.slug, true FROM root
  CROSS JOIN LATERAL (SELECT DISTINCT jsonb_array_elements_text(${languageSlugs('root.locales')}) AS slug) l
  WHERE l.slug <> root.slug)
SELECT slug, count(*)::int AS count, (array_agg(node_id ORDER BY "inLanguage", place))[1] AS hierarchy_id
FROM named GROUP BY slug HAVING count(*) > 1 ORDER BY min(place), slug COLLATE "C"`

/** The warnings for the hierarchies of a release, in the order of the catalog. One statement. */
export async function* equalRootSlugs(
  client: Queryable,
  _: number,
  releaseId: string,
): AsyncGenerator<ReleaseWarning[]> {
  const { rows } = await client.query<SharedSlug & { readonly hierarchy_id: string }>(sharedRoots, [releaseId])
  yield rows.map((found) => ({ code: 'SLUGS_EQUAL', ...found }))
}
