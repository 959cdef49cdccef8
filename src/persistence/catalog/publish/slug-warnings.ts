/**
 * Slug warnings of a publish: slugs that several products of a release have, in whatever language
 * (slug.equal-ones-warned).
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import type pg from 'pg'
import type { ReleaseWarning } from '../../../domain/catalog/release-summary.ts'
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
  readonly product_id: string
}

/** The warnings for the products of a release, in the order of the listing. One statement. */
export async function* equalSlugs(client: pg.PoolClient): AsyncGenerator<ReleaseWarning[]> {
  const { rows } = await client.query<SharedSlug>(shared)
  yield rows.map((found) => ({ code: 'SLUGS_EQUAL', ...found }))
}
