/**
 * Former slugs: what releases that were the latest of a catalog called its products, hierarchies and nodes
 * (slug.old-ones-go-on). Kept after these releases are gone.
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import { PATH_SLUGS_MAX } from '../../domain/catalog/menu.ts'
import { groupBy } from '../../lib/group-by.ts'
import type { Database } from '../database/database.ts'
import type { Queryable } from '../database/query.ts'

/** Paths lead to hierarchies and nodes; the path of a product is its slug. */
export type FormerKind = 'product' | 'node'

/** A path that is looked for: slugs from the hierarchy down, or the slug of a product. */
export interface FormerPath {
  readonly catalogId: string
  readonly kind: FormerKind
  /** The slugs, joined by a slash, which no slug has, in small letters. */
  readonly key: string
  /** The present, epoch milliseconds: what a scheduled release ends is not former before. */
  readonly now: number
}

/** A record that was called so. */
export interface FormerRecord {
  readonly id: string
  readonly path: string
}

/** Records that one path may have had; of more the latest count. */
const RECORDS_MAX = 100

/** The change of a catalog's latest release at an instant, epoch milliseconds. */
interface LatestChange {
  readonly catalogId: string
  readonly from: string | null
  readonly to: string | null
  readonly at: number
}

// Documents that both releases have are equal, so that a publish compares what has changed alone.
const insertSlugs = `
WITH gone AS (
  SELECT unnest(documents) AS id FROM release_listing WHERE release_id = $2::uuid AND scope = $2::uuid
  EXCEPT SELECT unnest(documents) FROM release_listing WHERE release_id = $3::uuid AND scope = $3::uuid),
added AS (
  SELECT unnest(documents) AS id FROM release_listing WHERE release_id = $3::uuid AND scope = $3::uuid
  EXCEPT SELECT unnest(documents) FROM release_listing WHERE release_id = $2::uuid AND scope = $2::uuid),
before AS (
  SELECT product_id, slug FROM gone JOIN release_document USING (id)
  UNION SELECT product_id, jsonb_array_elements_text(language_slugs) FROM gone JOIN release_document USING (id)),
after AS (
  SELECT product_id, slug FROM added JOIN release_document USING (id)
  UNION SELECT product_id, jsonb_array_elements_text(language_slugs) FROM added JOIN release_document USING (id))
INSERT INTO former_slug (catalog_id, kind, record_id, path, until)
SELECT $1::uuid, 'product', product_id, slug, $4::timestamptz
FROM (SELECT product_id, slug FROM before EXCEPT SELECT product_id, slug FROM after) ended
ON CONFLICT DO NOTHING`

/** The slug of a node `n` in a language, else in one that has fewer subtags, else without a language. */
const slugIn = (tag: string): string => `coalesce((
    SELECT own.slug FROM jsonb_each_text(n.slugs) own (tag, slug) WHERE starts_with(${tag} || '-', own.tag || '-') ORDER BY length(own.tag) DESC LIMIT 1), n.slug)`

/** What the paths of a node depend on beside those of its parent. */
const steps = `node_id, parent_id, slug, (
    SELECT jsonb_object_agg(lower(tag COLLATE "C"), texts -> 'slug') FROM jsonb_each(locales) t (tag, texts) WHERE locales @? '$.*.slug' AND texts ? 'slug') AS slugs`

// Without it a publish would compare as many paths as there are nodes, in each language.
const anyStepEnded = `
SELECT EXISTS (
  SELECT ${steps} FROM release_node WHERE release_id = $1::uuid
  EXCEPT SELECT ${steps} FROM release_node WHERE release_id = $2::uuid) AS ended`

// The paths in each language that a node of the releases has a slug in, and the one without a language.
const insertPaths = `
WITH RECURSIVE named AS (
  SELECT release_id, ${steps} FROM release_node WHERE release_id IN ($2::uuid, $3::uuid)),
language AS (SELECT NULL AS tag UNION SELECT jsonb_object_keys(slugs) FROM named),
tree AS (
  SELECT n.release_id, n.node_id, l.tag, ${slugIn('l.tag')} AS path, 1 AS depth FROM named n CROSS JOIN language l WHERE n.parent_id IS NULL
  UNION ALL
  SELECT n.release_id, n.node_id, t.tag, t.path || '/' || ${slugIn('t.tag')}, t.depth + 1
  FROM named n JOIN tree t ON t.release_id = n.release_id AND t.node_id = n.parent_id WHERE t.depth < ${PATH_SLUGS_MAX})
INSERT INTO former_slug (catalog_id, kind, record_id, path, until)
SELECT $1::uuid, 'node', node_id, path, $4::timestamptz FROM (
  SELECT node_id, path FROM tree WHERE release_id = $2::uuid
  EXCEPT SELECT node_id, path FROM tree WHERE release_id IS NOT DISTINCT FROM $3::uuid) ended
ON CONFLICT DO NOTHING`

/**
 * Remembers what the release `from` calls its records and `to` does not. Three statements at most, none for the same
 * release.
 */
export async function rememberSlugs(on: Queryable, { catalogId, from, to, at }: LatestChange): Promise<void> {
  if (from === null || from === to) return
  const values = [catalogId, from, to, new Date(at)]
  await on.query(insertSlugs, values)
  const { rows } = await on.query<{ readonly ended: boolean }>(anyStepEnded, [from, to])
  if (rows[0]?.ended) await on.query(insertPaths, values)
}

/** Removes what was remembered to end at `instants`, which are in the future. At most one statement. */
export async function forgetComingSlugs(on: Queryable, catalogId: string, instants: readonly number[]): Promise<void> {
  if (instants.length === 0) return
  const text = 'DELETE FROM former_slug WHERE catalog_id = $1::uuid AND until = ANY ($2::timestamptz[])'
  await on.query(text, [catalogId, instants.map((at) => new Date(at))])
}

/** The name of a path among those of `formerRecords`. */
export function formerPathName({ catalogId, kind, key, now }: FormerPath): string {
  return `${catalogId} ${kind} ${now} ${key}`
}

/** The records that former releases called so, the latest first, by `formerPathName`. One statement. */
export async function formerRecords(
  database: Database,
  paths: readonly FormerPath[],
): Promise<Map<string, FormerRecord[]>> {
  const text = `
SELECT p.place::int4 - 1 AS place, f.id, f.path
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) WITH ORDINALITY p (catalog_id, kind, key, now, place)
CROSS JOIN LATERAL (
  SELECT record_id AS id, path FROM former_slug f
  WHERE lower(f.path COLLATE "C") = p.key AND f.catalog_id = p.catalog_id AND f.kind = p.kind AND f.until <= p.now
  ORDER BY f.until DESC, f.id DESC LIMIT ${RECORDS_MAX}) f`
  const columns = [
    paths.map(({ catalogId }) => catalogId),
    paths.map(({ kind }) => kind),
    paths.map(({ key }) => key),
    paths.map(({ now }) => new Date(now)),
  ]
  const rows = await database.query<FormerRecord & { readonly place: number }>('former_records', text, columns)
  return groupBy(rows, ({ place }) => formerPathName(paths[place] as FormerPath))
}
