/**
 * The rows of releases, from the begin of a publish to their end. Releases past their number or deleted are first retired, which readers
 * see within a second (release.seen-within-a-second), then removed when no one reads them.
 */
import type { Queryable } from '../../database/query.ts'

/** How long a retired release's rows stay for requests that began before. */
export const RETIRED_RETENTION_MS = 60_000

/** No publish runs while the caller holds the publish lock: what still says so was killed. */
export async function failInterrupted(on: Queryable): Promise<void> {
  await on.query(
    `UPDATE release SET status = 'failed', notes = '{"error": "the server stopped while it was published"}' WHERE status = 'publishing'`,
  )
}

export async function catalogExists(on: Queryable, id: string): Promise<boolean> {
  return (await on.query('SELECT FROM catalog WHERE id = $1', [id])).rowCount === 1
}

/** The row of a publish that begins; false when there is no such catalog. A publish that failed left its row and nothing else; with the same id it is tried again. */
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

/** What was committed stays published, whatever failed after it. */
export async function failRelease(on: Queryable, id: string, error: string): Promise<void> {
  await on.query(`UPDATE release SET status = 'failed', notes = $2 WHERE id = $1 AND status = 'publishing'`, [
    id,
    JSON.stringify({ error }),
  ])
}

/** Keeps the newest `kept` published releases of a catalog, and the failures among them. */
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

/** Retires one release and moves the catalog's pointer to the newest that is left, in one statement. */
export async function retire(on: Queryable, releaseId: string, now: number): Promise<void> {
  const values = [releaseId, new Date(now)]
  await on.query(
    `
WITH gone AS (UPDATE release SET status = 'retired', retired_at = $2 WHERE id = $1 RETURNING id, catalog_id)
UPDATE catalog c SET latest_release_id = (
  SELECT r.id FROM release r WHERE r.catalog_id = c.id AND r.status = 'published' AND r.id <> gone.id ORDER BY r.sequence DESC LIMIT 1)
FROM gone WHERE c.id = gone.catalog_id`,
    values,
  )
}

/** Removes what was retired long enough ago, and the documents that no other release holds. One statement, for all catalogs. */
export async function removeRetired(on: Queryable, now: number): Promise<void> {
  const values = [new Date(now - RETIRED_RETENTION_MS)]
  await on.query(
    `
WITH gone AS (DELETE FROM release WHERE status = 'retired' AND retired_at <= $1 RETURNING id),
candidate AS (SELECT unnest(l.documents) AS id FROM release_listing l JOIN gone g ON g.id = l.release_id AND g.id = l.scope),
held AS (
  SELECT unnest(l.documents) AS id FROM release_listing l
  WHERE l.release_id = l.scope AND EXISTS (SELECT FROM gone) AND l.release_id NOT IN (SELECT id FROM gone)),
removed AS (DELETE FROM release_document WHERE id IN (SELECT id FROM candidate EXCEPT SELECT id FROM held) RETURNING id)
DELETE FROM release_fingerprint WHERE document_id IN (SELECT id FROM removed)`,
    values,
  )
}
