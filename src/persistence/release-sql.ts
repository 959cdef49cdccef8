/** The statements of release reads; what each brings is said where it is used (release-store.ts, release-search.ts). */

/**
 * $1 catalog, null with a release of whatever catalog; $2 release, null for the latest; $3 the skeletons already known. One row: all pointers, and the wanted release with its
 * tree (last updated first) and listings, unless it is known or not published.
 */
export const resolveRelease = `
WITH pointer AS (
  SELECT r.id, r.catalog_id, r.id = c.latest_release_id AS latest
  FROM release r JOIN catalog c ON c.id = r.catalog_id WHERE r.status = 'published'),
wanted AS (
  SELECT r.* FROM release r JOIN pointer p ON p.id = r.id
  WHERE ($1::uuid IS NULL OR p.catalog_id = $1::uuid) AND CASE WHEN $2::uuid IS NULL THEN p.latest ELSE p.id = $2::uuid END
    AND NOT p.id = ANY ($3::uuid[]))
SELECT
  (SELECT json_agg(json_build_object('id', id, 'catalog_id', catalog_id, 'latest', coalesce(latest, false))) FROM pointer) AS pointers,
  (SELECT json_build_object(
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
  FROM wanted w) AS release`

/** $1 release, $2 field, $3 values: the posting lists of tags, product types or options. As JSON, which is read ten times faster than arrays. */
export const facetDocuments = `
SELECT value, to_json(documents) AS documents FROM release_facet WHERE release_id = $1::uuid AND field = $2 AND value = ANY ($3::text[])`

/** $1 product ids: their documents in whatever release. */
export const documentsOfProducts = `
SELECT id, product_id AS "productId" FROM release_document WHERE product_id = ANY ($1::uuid[])`
