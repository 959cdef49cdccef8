/** Publish steps: the node tree, the order of products in every scope, and the posting lists of facets. */
import { type InstantField, instantFields } from '../../../domain/catalog/listing-query.ts'
import { columnOf, membersOf } from '../../database/columns.ts'
import { placesOf } from '../instant-order.ts'
import { authoredLabels } from '../label.ts'
import { facetSteps } from './facets.ts'
import { type PublishStep, publishTables } from './selection.ts'

/** The columns that a node of a release copies from the authored node. */
const frozen = membersOf('releaseNode')
  .filter((member) => !['releaseId', 'nodeId', 'position'].includes(member))
  .map(columnOf)

/**
 * The attachments of listed products, from their arrays of nodes; a join with pub_attached would double the time of a
 * listing.
 */
const attached = 'SELECT unnest(node_ids) AS node_id, product_id, rank, document_id FROM pub_product'

/** The places of the products by an instant that is a column of theirs. */
const placesStep = (field: InstantField): string =>
  `SELECT :release, '${field}', ${placesOf(`SELECT u.rank, p.${field.toLowerCase()} AS instant FROM pub_product u JOIN product p ON p.id = u.product_id`)}`

/**
 * The steps that write listings. The last one writes the summary, which makes the release readable once it is
 * committed.
 */
export const listingSteps: readonly PublishStep[] = [
  {
    name: 'tree',
    sql: `
INSERT INTO release_node (release_id, node_id, position, ${frozen.join(', ')})
SELECT :release, n.id, row_number() OVER (ORDER BY n.updated_at DESC, n.version DESC), ${frozen.map((column) => `n.${column}`).join(', ')}
FROM catalog_node n JOIN catalog_hierarchy h ON h.hierarchy_id = n.hierarchy_id WHERE h.catalog_id = :catalog`,
  },
  {
    // A node lists its curated products first, in their order, then the others by last update
    // (list.curated-come-first).
    name: 'listings of nodes',
    sql: `
WITH curated AS (
  SELECT n.id AS node_id, c.product_id, min(c.position) AS position
  FROM catalog_node n JOIN catalog_hierarchy h ON h.hierarchy_id = n.hierarchy_id AND h.catalog_id = :catalog
  CROSS JOIN LATERAL unnest(n.curated_product_ids) WITH ORDINALITY c (product_id, position) GROUP BY n.id, c.product_id)
INSERT INTO release_listing (release_id, scope, curated, documents)
SELECT :release, a.node_id, count(c.position), array_agg(a.document_id ORDER BY c.position NULLS LAST, a.rank)
FROM (${attached}) a
LEFT JOIN curated c ON c.node_id = a.node_id AND c.product_id = a.product_id
GROUP BY a.node_id`,
  },
  {
    name: 'listings of hierarchies',
    sql: `
INSERT INTO release_listing (release_id, scope, curated, documents)
SELECT :release, hierarchy_id, 0, array_agg(document_id)
FROM (
  SELECT DISTINCT n.hierarchy_id, a.rank, a.document_id
  FROM (${attached}) a JOIN catalog_node n ON n.id = a.node_id ORDER BY n.hierarchy_id, a.rank) a
GROUP BY hierarchy_id`,
  },
  {
    name: 'listing of the release',
    sql: `
INSERT INTO release_listing (release_id, scope, curated, documents)
SELECT :release, :release, 0, coalesce(array_agg(document_id ORDER BY rank), '{}') FROM pub_product`,
  },
  {
    name: 'places by last update and by creation',
    sql: `INSERT INTO release_order (release_id, field, places) ${instantFields.map(placesStep).join(' UNION ALL ')}`,
  },
  ...facetSteps(publishTables),
  {
    name: 'summary',
    sql: `
WITH published AS (
  UPDATE release SET status = CASE status WHEN 'draft' THEN status ELSE 'published' END, published_at = :now, has_price_spans = true,
    catalog_name = c.name, catalog_description = c.description, catalog_locales = c.locales,
    labels = ${authoredLabels},
    hierarchy_ids = (SELECT coalesce(array_agg(hierarchy_id ORDER BY position), '{}') FROM catalog_hierarchy WHERE catalog_id = :catalog),
    product_count = (SELECT count(*) FROM pub_product), node_count = (SELECT count(*) FROM release_node WHERE release_id = :release)
  FROM catalog c WHERE release.id = :release AND c.id = :catalog RETURNING release.id, release.status)
INSERT INTO published_release (id, catalog_id) SELECT id, :catalog FROM published WHERE status = 'published'`,
  },
]
