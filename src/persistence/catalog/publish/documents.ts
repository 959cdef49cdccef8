/**
 * Publish steps: the bodies of new documents, in the shape of domain/catalog/document-codec.ts. Equal content
 * makes equal text, so that persistence/catalog/release-differences.ts can compare releases by it.
 */
import { epochMs } from '../../database/columns.ts'
import { languageSlugs } from '../../slugs.ts'
import type { PublishStep } from './selection.ts'

/**
 * The common table expressions that `priceableBody` needs for the rows of `priceable`; `priceJoins` are their joins.
 */
const priceTables = `
sales AS (
  SELECT s.product_price_id AS id, json_agg(json_build_array(
    s.name, ${epochMs('s.valid_from')}, ${epochMs('s.valid_to')},
    coalesce(s.bundle_ids, '{}'), s.currencies) ORDER BY s.name COLLATE "C") AS sales
  FROM sale s WHERE s.product_price_id IN (SELECT coalesce(own_price, base_price) FROM priceable) GROUP BY s.product_price_id),
modifiers AS (
  SELECT u.product_id, json_agg(json_build_array(m.name, m.modifier_type, m.currencies) ORDER BY m.name COLLATE "C") AS modifiers
  FROM priceable u CROSS JOIN LATERAL (SELECT DISTINCT unnest(u.modifier_names) AS name) n
  JOIN price_modifier m ON m.price_book_id = u.base_book AND m.name = n.name GROUP BY u.product_id)`

/** A product has a price record of its own or inherits its parent's, never both. */
const priceJoins = `
LEFT JOIN product_price r ON r.id = coalesce(u.own_price, u.base_price) LEFT JOIN sales ON sales.id = r.id
LEFT JOIN modifiers m ON m.product_id = u.product_id`

const recordBody = `json_build_array(r.id, r.price_book_id, r.currencies, coalesce(sales.sales, '[]'), r.shopper_attributes)`

/** The price data of a product or an option; `options` is the SQL of the map of its options, NULL without options. */
const priceableBody = (options: string): string => `json_build_array(u.product_id,
    CASE WHEN u.own_price IS NOT NULL THEN ${recordBody} END, CASE WHEN u.base_price IS NOT NULL THEN ${recordBody} END,
    u.modifier_names, m.modifiers, p.components, ${options})`

/** The steps that write the bodies of new documents. */
export const documentSteps: readonly PublishStep[] = [
  {
    // The options of new bundles and the options of those options, each without its own options yet.
    name: 'options',
    fills: 'pub_option',
    sql: `
WITH outer_option AS (
  SELECT DISTINCT o.product_id, o.component_ids
  FROM pub_product b CROSS JOIN LATERAL unnest(b.component_ids) c (id) JOIN pub_priceable o ON o.product_id = c.id
  WHERE b.is_new AND b.component_ids <> '{}'),
inner_option AS (
  SELECT c.id AS product_id FROM outer_option b CROSS JOIN LATERAL unnest(b.component_ids) c (id)),
priceable AS (
  SELECT u.* FROM pub_priceable u
  WHERE u.product_id IN (SELECT product_id FROM outer_option UNION ALL SELECT product_id FROM inner_option)),${priceTables}
INSERT INTO pub_option
SELECT u.product_id, u.component_ids, ${priceableBody('NULL')}
FROM priceable u JOIN product p ON p.id = u.product_id${priceJoins}`,
  },
  {
    // A bundle that is an option gets its own options (bundle.one-level-of-nesting).
    name: 'options of options',
    sql: `
WITH inner_options AS (
  SELECT b.product_id, jsonb_object_agg(o.product_id, o.body::jsonb) AS options
  FROM pub_option b CROSS JOIN LATERAL unnest(b.component_ids) c (id) JOIN pub_option o ON o.product_id = c.id GROUP BY b.product_id)
UPDATE pub_option o SET body = jsonb_set(o.body::jsonb, '{-1}', i.options)::json
FROM inner_options i WHERE i.product_id = o.product_id`,
  },
  {
    name: 'documents',
    sql: `
WITH priceable AS (SELECT * FROM pub_product WHERE is_new),${priceTables},
options AS (
  SELECT b.product_id, json_object_agg(o.product_id, o.body ORDER BY o.product_id) AS options
  FROM priceable b CROSS JOIN LATERAL unnest(b.component_ids) c (id) JOIN pub_option o ON o.product_id = c.id
  WHERE b.component_ids <> '{}' GROUP BY b.product_id),
children AS (
  SELECT c.parent_id, json_agg(json_build_array(c.id, c.option_ids) ORDER BY c.created_at, c.id) AS children
  FROM priceable u JOIN product c ON c.parent_id = u.product_id WHERE u.is_parent GROUP BY c.parent_id)
INSERT INTO release_document (id, product_id, name, sku, slug, language_slugs, manufacturer_part_num, upc_ean, body)
SELECT u.document_id, p.id, p.name, p.sku, p.slug, nullif(${languageSlugs('p.locales')}, '[]'), p.manufacturer_part_num, p.upc_ean,
  json_build_array(
    json_build_array(
      p.id, p.name, p.description, p.sku, p.slug, p.commodity_type, p.upc_ean, p.manufacturer_part_num, coalesce(p.tags, '{}'),
      p.external_ref, p.components, p.custom_inputs, p.extensions, p.locales, p.variations, p.build_rules, p.parent_id,
      coalesce(p.option_ids, '{}'), p.files, p.main_image_id, c.children, u.node_ids,
      ${epochMs('p.created_at')}, ${epochMs('p.updated_at')}, p.seo_title, p.seo_description),
    ${priceableBody('o.options')})
FROM priceable u JOIN product p ON p.id = u.product_id${priceJoins}
LEFT JOIN options o ON o.product_id = u.product_id LEFT JOIN children c ON c.parent_id = u.product_id`,
  },
  {
    // Only for new documents of children. Options and their names are part of a document's fingerprint, so stored
    // documents have the current ones.
    name: 'variation options of children',
    sql: `
INSERT INTO release_option (document_id, option_id, variation, name)
SELECT DISTINCT ON (u.document_id, o.id) u.document_id, o.id, v ->> 'name', vo ->> 'name'
FROM pub_product u JOIN product p ON p.id = u.product_id JOIN product b ON b.id = u.base_id
CROSS JOIN LATERAL unnest(p.option_ids) o (id)
CROSS JOIN LATERAL jsonb_array_elements(b.variations) v CROSS JOIN LATERAL jsonb_array_elements(v -> 'options') vo
WHERE u.is_new AND b.variations IS NOT NULL AND vo ->> 'id' = o.id::text`,
  },
  {
    name: 'fingerprints',
    sql: 'INSERT INTO release_fingerprint SELECT fingerprint, document_id FROM pub_product WHERE is_new ORDER BY fingerprint',
  },
]
