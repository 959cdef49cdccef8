/**
 * Drafts: each catalog has at most one unpublished release, which shows what a publish would show
 * (release.draft-shows-a-publish).
 *
 * A draft is stored like a release and shares its documents. It stays until something changes that a publish reads, and
 * keeps its id when the change makes no difference to it. All functions but `readDraft` run under the publish lock.
 *
 * SQL, since the connection of a publish is not Prisma's, and the hashes are PostgreSQL's.
 */
import type pg from 'pg'
import { namedQuery, type Queryable } from '../../database/query.ts'
import { BODY_SHAPE, type ReleaseBuild } from './selection.ts'

/** The draft of a catalog. */
export interface Draft {
  readonly releaseId: string
  /** The hash of the inputs that it was built from. */
  readonly inputs: string
  /** Whether a publish would still read the same inputs. */
  readonly isFresh: boolean
}

// The version of a row changes with each write of it, that of a price also with each write of its sales. So only the
// same rows have the same hashes.
const versionsOf = (table: string): string =>
  `(SELECT concat(count(*), ' ', bit_xor(hashint8extended(version, 0))) FROM ${table})`

/**
 * The SQL of what a publish of catalog $1 at the instant $3 would carry into: the scheduled releases, and the latest
 * one; null when none is scheduled.
 */
const schedule = `(
  SELECT concat_ws(' ', latest_release($1::uuid, $3::timestamptz), string_agg(concat_ws(' ', release_id, effective_at), ',' ORDER BY effective_at, id))
  FROM release_activation WHERE catalog_id = $1::uuid AND scheduled AND effective_at > $3::timestamptz HAVING count(*) > 0)`

/**
 * The SQL of a hash of what a publish of catalog $1 reads. It includes other catalogs' products and prices, so their
 * changes cost a rebuild. `seo`, `slugs`: a draft of a version without these is none.
 */
const inputs = `md5(concat_ws('|', '${BODY_SHAPE}', 'seo', 'slugs', ${schedule},
  ${['product', 'catalog_node', 'node_product', 'product_price', 'price_modifier', 'label'].map(versionsOf).join(', ')},
  (SELECT jsonb_build_array(name, description, locales)::text FROM catalog WHERE id = $1::uuid),
  (SELECT string_agg(hierarchy_id::text, ',' ORDER BY position) FROM catalog_hierarchy WHERE catalog_id = $1::uuid),
  (SELECT string_agg(concat_ws(' ', price_book_id, priority), ',' ORDER BY position) FROM catalog_price_book WHERE catalog_id = $1::uuid)
))::uuid`

/**
 * The draft of a catalog at `now`, epoch milliseconds; null without one. One statement. A draft with the inputs of
 * `stale` counts as stale without hashing again; at worst it is rebuilt for nothing.
 */
export async function readDraft(
  on: Queryable,
  catalogId: string,
  now: number,
  stale: Draft | null = null,
): Promise<Draft | null> {
  const text = `
SELECT d.release_id AS "releaseId", d.inputs, CASE WHEN d.inputs = $2::uuid THEN false ELSE d.inputs = ${inputs} END AS "isFresh"
FROM release_draft d JOIN release r ON r.id = d.release_id AND r.status = 'draft' WHERE d.catalog_id = $1::uuid`
  const [row] = await namedQuery<Draft>(on, 'release_draft', text, [catalogId, stale?.inputs ?? null, new Date(now)])
  return row ?? null
}

/**
 * Inserts the row of a draft that is built, in the transaction that builds it; a killed build leaves nothing. One
 * statement.
 */
export async function insertDraft(on: Queryable, { id, catalogId, now }: ReleaseBuild): Promise<void> {
  await on.query(
    `
INSERT INTO release (id, catalog_id, sequence, status, hierarchy_ids, started_at)
SELECT $1, $2, least(0, min(sequence)) - 1, 'draft', '{}', $3 FROM release WHERE catalog_id = $2`,
    [id, catalogId, new Date(now)],
  )
}

/** A hash of what release $1 shows. Its facets follow from its documents. */
const contentOf = `md5(concat_ws('|',
  (SELECT string_agg(concat_ws(' ', CASE WHEN scope <> release_id THEN scope END, curated, md5(documents::text)), ',' ORDER BY scope <> release_id, scope)
    FROM release_listing WHERE release_id = $1::uuid),
  (SELECT string_agg(md5((to_jsonb(n) - 'release_id')::text), ',' ORDER BY node_id) FROM release_node n WHERE release_id = $1::uuid),
  (SELECT jsonb_build_array(catalog_name, catalog_description, catalog_locales, hierarchy_ids, labels)::text
    FROM release WHERE id = $1::uuid)))`

/** Former drafts that a draft remembers to show the same as. */
const SAME_AS_MAX = 20

/** The first half of `content` is of what a draft shows, the other one of what `schedule` would get from it. */
const compareDrafts = `
WITH built AS (
  SELECT (left(${contentOf.replaceAll('$1', '$2')}, 16) || left(md5(coalesce(${schedule}, '')), 16))::uuid AS content, ${inputs} AS inputs)
SELECT built.content, inputs, p.release_id AS previous, p.content = built.content AS "isKept",
  left(p.content::text, 18) = left(built.content::text, 18) AS "showsSame"
FROM built LEFT JOIN (
  SELECT d.release_id, d.content FROM release_draft d JOIN release r ON r.id = d.release_id AND r.status = 'draft'
  WHERE d.catalog_id = $1) p ON true`

const keepNotes = `
UPDATE release r SET notes = b.notes || jsonb_strip_nulls(jsonb_build_object('same_as', r.notes -> 'same_as'))
FROM release b WHERE r.id = $1 AND b.id = $2`

const noteSame = `
UPDATE release r SET notes = r.notes || jsonb_build_object('same_as',
  jsonb_path_query_array(to_jsonb(p.id) || coalesce(p.notes -> 'same_as', '[]'), '$[0 to ${SAME_AS_MAX - 1}]'))
FROM release p WHERE r.id = $1 AND p.id = $2`

interface Comparison {
  readonly content: string
  readonly inputs: string
  readonly previous: string | null
  readonly isKept: boolean | null
  readonly showsSame: boolean | null
}

/**
 * Makes a built release the draft of its catalog, in the transaction that builds it, and returns the id of the draft.
 * If a publish of the previous draft would do the same, that stays, with the new warnings, and the built one is
 * deleted; if it shows the same, and schedules are others, the new one remembers it. Three statements, four in both
 * cases.
 */
export async function saveDraft(client: pg.PoolClient, { id, catalogId, now }: ReleaseBuild): Promise<string> {
  const { rows } = await client.query<Comparison>(compareDrafts, [catalogId, id, new Date(now)])
  const { content, inputs: hash, previous, isKept, showsSame } = rows[0] as Comparison
  const kept = isKept ? previous : null
  if (kept !== null) {
    await client.query(keepNotes, [kept, id])
    await client.query('DELETE FROM release WHERE id = $1', [id])
  } else {
    if (showsSame) await client.query(noteSame, [id, previous])
    const retire = `UPDATE release SET status = 'retired', retired_at = $3 WHERE catalog_id = $1 AND status = 'draft' AND id <> $2`
    await client.query(retire, [catalogId, id, new Date(now)])
  }
  await client.query(
    `
INSERT INTO release_draft (catalog_id, release_id, inputs, content) VALUES ($1, $2, $3, $4)
ON CONFLICT (catalog_id) DO UPDATE SET release_id = excluded.release_id, inputs = excluded.inputs, content = excluded.content`,
    [catalogId, kept ?? id, hash, content],
  )
  return kept ?? id
}

/** Whether a draft shows what another one showed, so that only schedules changed in between. One statement. */
export async function showsSame(on: Queryable, draftId: string, formerId: string): Promise<boolean> {
  const text = `SELECT notes -> 'same_as' @> to_jsonb($2::text) AS same FROM release WHERE id = $1::uuid`
  const [row] = await namedQuery<{ same: boolean | null }>(on, 'draft_shows_same', text, [draftId, formerId])
  return row?.same ?? false
}

/**
 * Makes the draft of a catalog a published release, which keeps its id; false when it is gone. The caller's transaction
 * activates it. One statement.
 */
export async function publishDraft(on: Queryable, { id, catalogId, now }: ReleaseBuild): Promise<boolean> {
  const { rowCount } = await on.query(
    `
WITH next AS (UPDATE catalog SET release_sequence = release_sequence + 1 WHERE id = $2 RETURNING release_sequence),
no_draft AS (DELETE FROM release_draft WHERE catalog_id = $2),
published AS (
  UPDATE release SET status = 'published', sequence = next.release_sequence, started_at = $3, published_at = $3,
    notes = notes - 'same_as'
  FROM next WHERE id = $1 RETURNING id)
INSERT INTO published_release (id, catalog_id) SELECT id, $2 FROM published`,
    [id, catalogId, new Date(now)],
  )
  return rowCount === 1
}
