/**
 * Slug warnings of a publish: slugs that several products of a release have (slug.equal-ones-warned).
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import type pg from 'pg'
import type { ReleaseWarning } from '../../../domain/catalog/release-summary.ts'

const shared = `
SELECT p.slug, count(*)::int AS count, (array_agg(u.product_id ORDER BY u.rank))[1] AS product_id
FROM pub_product u JOIN product p ON p.id = u.product_id WHERE p.slug IS NOT NULL
GROUP BY p.slug HAVING count(*) > 1 ORDER BY min(u.rank)`

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
