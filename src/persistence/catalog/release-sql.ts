/** Statements that read releases, for release-cache.ts and release-search.ts. */

/**
 * Resolves releases. $1: catalog ids, null for a release of any catalog; $2: the release id beside each, null for the latest; $3: ids of
 * the releases whose index is cached. One row has the set of published releases; each further row has the index (nodes last updated first,
 * listings) of a wanted release that is published and not cached.
 */
export const resolveReleases = `
WITH published AS (
  SELECT r.id, r.catalog_id, r.id = c.latest_release_id AS latest
  FROM release r JOIN catalog c ON c.id = r.catalog_id WHERE r.status = 'published'),
requested AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS one (catalog_id, release_id)),
wanted AS (
  SELECT * FROM release WHERE id <> ALL ($3::uuid[]) AND id IN (
    SELECT p.id FROM published p JOIN requested a ON a.release_id = p.id WHERE a.catalog_id IS NULL OR a.catalog_id = p.catalog_id
    UNION ALL SELECT p.id FROM published p JOIN requested a ON a.catalog_id = p.catalog_id WHERE a.release_id IS NULL AND p.latest))
SELECT json_agg(json_build_object('id', id, 'catalog_id', catalog_id, 'latest', coalesce(latest, false))) AS published,
  NULL::json AS release
FROM published
UNION ALL
SELECT NULL, json_build_object(
    'id', w.id, 'catalog_id', w.catalog_id, 'sequence', w.sequence, 'hierarchy_ids', w.hierarchy_ids,
    'published_at', (extract(epoch FROM w.published_at) * 1000)::bigint,
    'catalog', (SELECT json_build_object(
        'name', w.catalog_name, 'description', w.catalog_description, 'locales', w.catalog_locales,
        'firstPublishedAt', (extract(epoch FROM c.first_published_at) * 1000)::bigint,
        'priceHistoryFrom', (extract(epoch FROM c.price_history_from) * 1000)::bigint) FROM catalog c WHERE c.id = w.catalog_id),
    'nodes', (SELECT json_agg(json_build_object(
        'id', n.node_id, 'parentId', n.parent_id, 'hierarchyId', n.hierarchy_id, 'name', n.name, 'slug', n.slug,
        'description', n.description, 'label', n.label, 'sortOrder', n.sort_order, 'locales', n.locales,
        'createdAt', (extract(epoch FROM n.created_at) * 1000)::bigint, 'updatedAt', (extract(epoch FROM n.updated_at) * 1000)::bigint)
        ORDER BY n.position) FROM release_node n WHERE n.release_id = w.id),
    'listings', (SELECT json_agg(json_build_array(l.scope, l.curated, l.documents)) FROM release_listing l WHERE l.release_id = w.id))
FROM wanted w`

/** Posting lists of values of a field. $1: release, $2: field, $3: values. Documents are JSON, which parses ten times faster than arrays. */
export const facetDocuments = `
SELECT value, to_json(documents) AS documents FROM release_facet WHERE release_id = $1::uuid AND field = $2 AND value = ANY ($3::text[])`

/** Documents of products in any release. $1: product ids. */
export const documentsOfProducts = `
SELECT id, product_id AS "productId" FROM release_document WHERE product_id = ANY ($1::uuid[])`

/** Children that have variation options, in any release. $1: option ids. */
export const childrenOfOptions = `
SELECT option_id AS "optionId", document_id AS document, variation, name FROM release_option WHERE option_id = ANY ($1::uuid[])`
