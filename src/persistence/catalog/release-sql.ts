/** The statements of release reads; what each brings is said where it is used (release-cache.ts, release-search.ts). */

/**
 * $1 catalogs, null with a release of whatever catalog; $2 the release of each, null for its latest; $3 the skeletons already known. One row
 * has all pointers; the others have the wanted releases with their trees (last updated first) and listings, save those known or not published.
 */
export const resolveReleases = `
WITH pointer AS (
  SELECT r.id, r.catalog_id, r.id = c.latest_release_id AS latest
  FROM release r JOIN catalog c ON c.id = r.catalog_id WHERE r.status = 'published'),
asked AS (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS one (catalog_id, release_id)),
wanted AS (
  SELECT * FROM release WHERE id <> ALL ($3::uuid[]) AND id IN (
    SELECT p.id FROM pointer p JOIN asked a ON a.release_id = p.id WHERE a.catalog_id IS NULL OR a.catalog_id = p.catalog_id
    UNION ALL SELECT p.id FROM pointer p JOIN asked a ON a.catalog_id = p.catalog_id WHERE a.release_id IS NULL AND p.latest))
SELECT json_agg(json_build_object('id', id, 'catalog_id', catalog_id, 'latest', coalesce(latest, false))) AS pointers, NULL::json AS release
FROM pointer
UNION ALL
SELECT NULL, json_build_object(
    'id', w.id, 'catalog_id', w.catalog_id, 'sequence', w.sequence, 'hierarchy_ids', w.hierarchy_ids,
    'published_at', (extract(epoch FROM w.published_at) * 1000)::bigint,
    'catalog', (SELECT json_build_object(
        'name', w.catalog_name, 'description', w.catalog_description, 'locales', w.catalog_locales,
        'firstPublishedAt', (extract(epoch FROM c.first_published_at) * 1000)::bigint) FROM catalog c WHERE c.id = w.catalog_id),
    'nodes', (SELECT json_agg(json_build_object(
        'id', n.node_id, 'parentId', n.parent_id, 'hierarchyId', n.hierarchy_id, 'name', n.name, 'slug', n.slug,
        'description', n.description, 'label', n.label, 'sortOrder', n.sort_order, 'locales', n.locales,
        'createdAt', (extract(epoch FROM n.created_at) * 1000)::bigint, 'updatedAt', (extract(epoch FROM n.updated_at) * 1000)::bigint)
        ORDER BY n.position) FROM release_node n WHERE n.release_id = w.id),
    'listings', (SELECT json_agg(json_build_array(l.scope, l.curated, l.documents)) FROM release_listing l WHERE l.release_id = w.id))
FROM wanted w`

/** $1 release, $2 field, $3 values: the posting lists of tags, product types or options. As JSON, which is read ten times faster than arrays. */
export const facetDocuments = `
SELECT value, to_json(documents) AS documents FROM release_facet WHERE release_id = $1::uuid AND field = $2 AND value = ANY ($3::text[])`

/** $1 product ids: their documents in whatever release. */
export const documentsOfProducts = `
SELECT id, product_id AS "productId" FROM release_document WHERE product_id = ANY ($1::uuid[])`
