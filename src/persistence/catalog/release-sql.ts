/** The statement that reads which releases there are, and their indexes. */
import { entityColumns, epochMs } from '../database/columns.ts'

const nodeColumns = entityColumns('releaseNode', 'n', { createdAt: true, updatedAt: true }, ['releaseId', 'position'])

/** The index of a row `w` of releases: nodes last updated first, and listings. */
const index = `json_build_object(
    'id', w.id, 'catalog_id', w.catalog_id, 'sequence', greatest(w.sequence, 0), 'status', w.status, 'hierarchy_ids', w.hierarchy_ids,
    'started_at', ${epochMs('w.started_at')}, 'published_at', ${epochMs('w.published_at')},
    'catalog', json_build_object('name', w.catalog_name, 'description', w.catalog_description, 'locales', w.catalog_locales),
    'labels', w.labels,
    'nodes', (SELECT json_agg(${nodeColumns.json} ORDER BY n.position) FROM release_node n WHERE n.release_id = w.id),
    'listings', (SELECT json_agg(json_build_array(l.scope, l.curated, l.documents)) FROM release_listing l WHERE l.release_id = w.id))`

/** Reads the indexes of releases; $1: their ids. */
export const releaseIndexes = `SELECT ${index} AS release FROM release w WHERE w.id = ANY ($1::uuid[])`

/**
 * The state of the catalog rules (ReadableRows.rules): a sum over their versions, since each write of a rule changes
 * its version, and a digest of the confidential catalogs.
 */
export const stateOfRules = `((SELECT coalesce(sum(hashint8extended(version, 0)), 0)::text FROM catalog_rule) || ' '
  || (SELECT md5(coalesce(string_agg(id::text, ',' ORDER BY id), '')) FROM catalog WHERE confidential))`

/**
 * Resolves releases. $1: catalog ids, null for a release of any catalog; $2: the release id beside each, null for the
 * latest; $3: the instant beside each; $4: ids of the releases whose index is cached. One row has the set of readable
 * releases, the activations of each catalog in their order, the catalogs that were ever published, those that are
 * confidential, and the state of the rules. Each further row has the index (nodes last updated first, listings) of a
 * wanted release that is readable and not cached. With a latest release comes the one that is scheduled to follow it
 * within a minute.
 */
export const resolveReleases = `
WITH readable AS (
  SELECT id, catalog_id, status = 'draft' AS is_draft, EXISTS (SELECT FROM catalog_rule c WHERE c.catalog_id = release.catalog_id) AS has_rules,
    published_at
  FROM release WHERE status IN ('published', 'draft')),
wanted AS (
  SELECT * FROM release WHERE id <> ALL ($4::uuid[]) AND id IN (
    SELECT r.id FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS a (catalog_id, release_id, instant)
    CROSS JOIN LATERAL (VALUES
      (coalesce(a.release_id, latest_release(a.catalog_id, a.instant))),
      (CASE WHEN a.release_id IS NULL THEN latest_release(a.catalog_id, a.instant + interval '1 minute') END)) AS one (id)
    JOIN readable r ON r.id = one.id
    WHERE a.catalog_id IS NULL OR a.catalog_id = r.catalog_id))
SELECT (SELECT json_agg(json_build_array(id, catalog_id, is_draft, has_rules, ${epochMs('published_at')})) FROM readable) AS readable,
  (SELECT json_agg(json_build_array(catalog_id, release_id, ${epochMs('effective_at')}, scheduled)
    ORDER BY effective_at, id) FROM release_activation) AS activations,
  (SELECT json_agg(json_build_array(c.id, ${epochMs('c.first_published_at')}, ${epochMs('c.price_history_from')})
    ORDER BY c.first_published_at, c.created_at, c.id) FROM catalog c WHERE c.first_published_at IS NOT NULL) AS catalogs,
  (SELECT json_agg(id) FROM catalog WHERE confidential) AS confidential,
  ${stateOfRules} AS rules,
  NULL::json AS release
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, ${index}
FROM wanted w`
