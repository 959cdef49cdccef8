/** Retention of releases: their rows from the begin of a publish to their removal.
 *
 *  Surplus or deleted releases are first retired, which hides them from every server within a second, and removed when no request can still
 *  be reading them. */
import type { Queryable } from '../../database/query.ts'

/** Milliseconds for which the rows of a retired release stay for requests that began before. */
export const RETIRED_RETENTION_MS = 60_000

/** Marks publishes as failed that a killed process left as running; the caller holds the publish lock, so that none runs. */
export async function failInterrupted(on: Queryable): Promise<void> {
  await on.query(
    `UPDATE release SET status = 'failed', notes = '{"error": "the server stopped while it was published"}' WHERE status = 'publishing'`,
  )
}

/** Whether there is a catalog with the id. */
export async function catalogExists(on: Queryable, id: string): Promise<boolean> {
  return (await on.query('SELECT FROM catalog WHERE id = $1', [id])).rowCount === 1
}

/**
 * Inserts the row of a publish that begins, in place of a failed publish with the same id; false when there is no such catalog. `now` is
 * epoch milliseconds.
 */
export async function beginRelease(
  on: Queryable,
  { id, catalogId, now }: { readonly id: string; readonly catalogId: string; readonly now: number },
): Promise<boolean> {
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

/** Marks a running publish as failed; a release that was committed stays published, whatever failed afterwards. */
export async function failRelease(on: Queryable, id: string, error: string): Promise<void> {
  await on.query(`UPDATE release SET status = 'failed', notes = $2 WHERE id = $1 AND status = 'publishing'`, [
    id,
    JSON.stringify({ error }),
  ])
}

/** Retires all but the newest `kept` published releases of a catalog and the failed ones that are newer than the oldest of those. */
export async function retireOld(on: Queryable, catalogId: string, kept: number, now: number): Promise<void> {
  const values = [catalogId, kept, new Date(now)]
  await on.query(
    `
WITH kept AS (SELECT sequence FROM release WHERE catalog_id = $1 AND status = 'published' ORDER BY sequence DESC LIMIT $2)
UPDATE release SET status = 'retired', retired_at = $3
WHERE catalog_id = $1 AND status IN ('published', 'failed') AND sequence < (SELECT min(sequence) FROM kept)`,
    values,
  )
}

/** Retires one release and makes the newest remaining one the catalog's latest. One statement. */
export async function retire(on: Queryable, releaseId: string, now: number): Promise<void> {
  const values = [releaseId, new Date(now)]
  await on.query(
    `
WITH retired AS (UPDATE release SET status = 'retired', retired_at = $2 WHERE id = $1 RETURNING id, catalog_id)
UPDATE catalog c SET latest_release_id = (
  SELECT r.id FROM release r WHERE r.catalog_id = c.id AND r.status = 'published' AND r.id <> retired.id ORDER BY r.sequence DESC LIMIT 1)
FROM retired WHERE c.id = retired.catalog_id`,
    values,
  )
}

/** Deletes the releases of all catalogs that were retired RETIRED_RETENTION_MS ago, and documents of no other release. One statement. */
export async function removeRetired(on: Queryable, now: number): Promise<void> {
  const values = [new Date(now - RETIRED_RETENTION_MS)]
  await on.query(
    `
WITH deleted AS (DELETE FROM release WHERE status = 'retired' AND retired_at <= $1 RETURNING id),
candidate AS (SELECT unnest(l.documents) AS id FROM release_listing l JOIN deleted g ON g.id = l.release_id AND g.id = l.scope),
in_use AS (
  SELECT unnest(l.documents) AS id FROM release_listing l
  WHERE l.release_id = l.scope AND EXISTS (SELECT FROM deleted) AND l.release_id NOT IN (SELECT id FROM deleted)),
removed AS (DELETE FROM release_document WHERE id IN (SELECT id FROM candidate EXCEPT SELECT id FROM in_use) RETURNING id),
unpriced AS (DELETE FROM release_document_price WHERE document_id IN (SELECT id FROM removed)),
removed_texts AS (DELETE FROM release_document_text WHERE document_id IN (SELECT id FROM removed))
DELETE FROM release_fingerprint WHERE document_id IN (SELECT id FROM removed)`,
    values,
  )
}
