/**
 * Retention of releases: their rows from the start of a publish to their removal.
 *
 * Surplus or deleted releases are first retired, which hides them from every server within a second. They are removed
 * when no request can still be reading them.
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import { namedQuery, type Queryable } from '../../database/query.ts'
import { removeActivations } from '../activation.ts'
import type { ReleaseBuild } from './selection.ts'

/** Milliseconds for which a retired release keeps its rows, for requests that began before. */
export const RETIRED_RETENTION_MS = 60_000

/**
 * Marks publishes as failed that a killed process left as running. The caller holds the publish lock, so none runs. One
 * statement.
 */
export async function failInterrupted(on: Queryable): Promise<void> {
  await on.query(
    `UPDATE release SET status = 'failed', notes = '{"error": "the server stopped while it was published"}' WHERE status = 'publishing'`,
  )
}

/** Whether there is a catalog with the id. One statement. */
export async function catalogExists(on: Queryable, id: string): Promise<boolean> {
  return (await on.query('SELECT FROM catalog WHERE id = $1', [id])).rowCount === 1
}

/**
 * Inserts the row of a publish that begins, in place of a failed publish with the same id; false when there is no such
 * catalog. Two statements.
 */
export async function beginRelease(on: Queryable, { id, catalogId, now }: ReleaseBuild): Promise<boolean> {
  await on.query(`DELETE FROM release WHERE id = $1 AND catalog_id = $2 AND status <> 'published'`, [id, catalogId])
  const { rowCount } = await on.query(
    `
WITH next AS (UPDATE catalog SET release_sequence = release_sequence + 1 WHERE id = $1 RETURNING id, release_sequence)
INSERT INTO release (id, catalog_id, sequence, status, hierarchy_ids, started_at)
SELECT $2, next.id, next.release_sequence, 'publishing',
  coalesce((SELECT array_agg(hierarchy_id ORDER BY position) FROM catalog_hierarchy WHERE catalog_id = $1), '{}'), $3
FROM next`,
    [catalogId, id, new Date(now)],
  )
  return rowCount === 1
}

/**
 * Marks a running publish as failed; a release that was committed stays published, whatever failed afterwards. One
 * statement.
 */
export async function failRelease(on: Queryable, id: string, error: string): Promise<void> {
  await on.query(`UPDATE release SET status = 'failed', notes = $2 WHERE id = $1 AND status = 'publishing'`, [
    id,
    JSON.stringify({ error }),
  ])
}

/** Hours for which a release stays readable for administrators after it was carried into another one. */
const CARRIED_HOURS = 24

/**
 * The releases of a catalog that retire (release.old-ones-retire). These stay: the `kept` published ones that became
 * the latest last, where a release and the one that it was carried into count as one; those that are scheduled, were
 * ever restored, or were carried into another one within CARRIED_HOURS; failed ones newer than the oldest of the
 * `kept`; and the latest of a minute ago, since another server's clock may be behind. One statement. `now` is epoch
 * milliseconds.
 */
export async function outnumbered(on: Queryable, catalogId: string, kept: number, now: number): Promise<string[]> {
  const rows = await namedQuery<{ id: string }>(
    on,
    'outnumbered_releases',
    `
WITH dated AS (
  SELECT r.id, r.status, r.sequence, coalesce(max(a.effective_at), r.started_at) AS since, max(a.id) AS activation,
    coalesce(p.carried_into, r.id) AS schedule, coalesce(p.carried_at > $3::timestamptz - interval '${CARRIED_HOURS} hours', false) AS is_carried
  FROM release r LEFT JOIN published_release p ON p.id = r.id LEFT JOIN release_activation a ON a.release_id = r.id AND (NOT a.scheduled OR a.effective_at <= $3::timestamptz)
  WHERE r.catalog_id = $1 AND r.status IN ('published', 'failed') GROUP BY r.id, p.id),
grouped AS (
  SELECT *, max(since) OVER whole AS last_since, max(activation) OVER whole AS last_activation
  FROM dated WHERE activation IS NOT NULL WINDOW whole AS (PARTITION BY schedule)),
kept AS (
  SELECT id, since, sequence
  FROM (SELECT *, dense_rank() OVER (ORDER BY last_since DESC, last_activation DESC) AS place FROM grouped) g WHERE place <= $2)
SELECT id FROM dated d
WHERE id NOT IN (SELECT id FROM kept) AND NOT is_carried
  AND (status = 'published' OR (since, sequence) < (SELECT since, sequence FROM kept ORDER BY since, sequence LIMIT 1))
  AND id IS DISTINCT FROM latest_release($1, $3::timestamptz - interval '1 minute')
  AND NOT EXISTS (SELECT FROM release_activation a WHERE a.release_id = d.id AND (a.restored OR a.scheduled AND a.effective_at > $3::timestamptz))`,
    [catalogId, kept, new Date(now)],
  )
  return rows.map(({ id }) => id)
}

/**
 * Retires releases of a catalog, in the caller's transaction; the most recently activated one that remains becomes the
 * latest. One statement beside those of `removeActivations`.
 */
export async function retire(
  on: Queryable,
  catalogId: string,
  releaseIds: readonly string[],
  now: number,
): Promise<void> {
  if (releaseIds.length === 0) return
  await removeActivations(on, catalogId, releaseIds, now)
  await on.query(
    `UPDATE release SET status = 'retired', retired_at = $2 WHERE id = ANY ($1::uuid[]) OR id IN (
      SELECT id FROM published_release p WHERE carried_into = ANY ($1::uuid[])
        AND NOT EXISTS (SELECT FROM release_activation a WHERE a.release_id = p.id))`,
    [releaseIds, new Date(now)],
  )
}

/** The end of a statement that deletes the documents of its part `unlisted`, and what is stored of them. */
const removeDocuments = `,
removed AS (DELETE FROM release_document WHERE id IN (SELECT id FROM unlisted) RETURNING id),
unpriced AS (DELETE FROM release_document_price WHERE document_id IN (SELECT id FROM removed)),
removed_texts AS (DELETE FROM release_document_text WHERE document_id IN (SELECT id FROM removed)),
unlinked AS (DELETE FROM document_search_text WHERE document_id IN (SELECT id FROM removed) RETURNING hash),
unused_texts AS (
  DELETE FROM search_text t WHERE t.hash IN (SELECT hash FROM unlinked)
    AND NOT EXISTS (SELECT FROM document_search_text d WHERE d.hash = t.hash AND d.document_id NOT IN (SELECT id FROM removed)))
DELETE FROM release_fingerprint WHERE document_id IN (SELECT id FROM removed)`

/**
 * Deletes the releases of all catalogs that were retired RETIRED_RETENTION_MS ago, and the documents that no other
 * release has. One statement.
 */
export async function removeRetired(on: Queryable, now: number): Promise<void> {
  const values = [new Date(now - RETIRED_RETENTION_MS)]
  await on.query(
    `
WITH deleted AS (DELETE FROM release WHERE status = 'retired' AND retired_at <= $1 RETURNING id),
candidate AS (SELECT unnest(l.documents) AS id FROM release_listing l JOIN deleted g ON g.id = l.release_id AND g.id = l.scope),
in_use AS (
  SELECT unnest(l.documents) AS id FROM release_listing l
  WHERE l.release_id = l.scope AND EXISTS (SELECT FROM deleted) AND l.release_id NOT IN (SELECT id FROM deleted)),
unlisted AS (SELECT id FROM candidate EXCEPT SELECT id FROM in_use)
${removeDocuments}`,
    values,
  )
}

/**
 * Deletes the documents that are in no release, such as those of a draft whose catalog was deleted. One statement,
 * which reads all listings.
 */
export async function removeUnlisted(on: Queryable): Promise<void> {
  await on.query(`
WITH unlisted AS (SELECT id FROM release_document EXCEPT SELECT unnest(documents) FROM release_listing WHERE release_id = scope)
${removeDocuments}`)
}
