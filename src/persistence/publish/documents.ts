/** Publishing, part 2: the bodies of the documents that are new (domain/frozen-price.ts, domain/release-document.ts give their shape). */
import type { PublishStep } from './selection.ts'

/** What `unitBody` reads of the prices of a query's `unit` rows: further common table expressions, and their joins. */
const priceTables = `
wanted_price AS (SELECT own_price AS id FROM unit WHERE own_price IS NOT NULL UNION SELECT base_price FROM unit WHERE base_price IS NOT NULL),
sales AS (
  SELECT s.product_price_id AS id, json_agg(json_build_object(
    'name', s.name, 'from', (extract(epoch FROM s.valid_from) * 1000)::bigint, 'to', (extract(epoch FROM s.valid_to) * 1000)::bigint,
    'bundles', coalesce(s.bundle_ids, '{}'), 'currencies', s.currencies)) AS sales
  FROM wanted_price w JOIN sale s ON s.product_price_id = w.id GROUP BY s.product_price_id),
price_row AS (
  SELECT p.id, json_build_object('id', p.id, 'book', p.price_book_id, 'currencies', p.currencies,
    'sales', coalesce(sales.sales, '[]'), 'shopper_attributes', p.shopper_attributes) AS body
  FROM wanted_price w JOIN product_price p ON p.id = w.id LEFT JOIN sales ON sales.id = p.id),
modifiers AS (
  SELECT u.product_id, json_agg(json_build_object('name', m.name, 'type', m.modifier_type, 'currencies', m.currencies)) AS modifiers
  FROM unit u CROSS JOIN LATERAL (SELECT DISTINCT unnest(u.modifier_names) AS name) n
  JOIN price_modifier m ON m.price_book_id = u.base_book AND m.name = n.name GROUP BY u.product_id)`

const priceJoins = `
LEFT JOIN price_row own ON own.id = u.own_price LEFT JOIN price_row base ON base.id = u.base_price
LEFT JOIN modifiers m ON m.product_id = u.product_id`

/** A FrozenUnit; `options` is the SQL of its options' map, null when it has none. */
const unitBody = (options: string): string => `json_build_object('id', u.product_id, 'own', own.body, 'base', base.body,
    'modifier_names', u.modifier_names, 'modifiers', m.modifiers,
    'components', p.components, 'options', ${options})`

export const documentSteps: readonly PublishStep[] = [
  {
    // The options of new bundles, and those options' options, each without options of its own.
    name: 'options',
    fills: 'pub_option',
    sql: `
WITH outer_option AS (
  SELECT DISTINCT o.product_id, o.component_ids
  FROM pub_product b CROSS JOIN LATERAL unnest(b.component_ids) c (id) JOIN pub_unit o ON o.product_id = c.id
  WHERE b.is_new AND b.component_ids <> '{}'),
inner_option AS (
  SELECT c.id AS product_id FROM outer_option b CROSS JOIN LATERAL unnest(b.component_ids) c (id)),
unit AS (
  SELECT u.* FROM pub_unit u
  WHERE u.product_id IN (SELECT product_id FROM outer_option UNION ALL SELECT product_id FROM inner_option)),${priceTables}
INSERT INTO pub_option
SELECT u.product_id, u.component_ids, ${unitBody('NULL')}
FROM unit u JOIN product p ON p.id = u.product_id${priceJoins}`,
  },
  {
    // A bundle that is an option brings its own options along (F12).
    name: 'options of options',
    sql: `
WITH inner_options AS (
  SELECT b.product_id, jsonb_object_agg(o.product_id, o.body::jsonb) AS options
  FROM pub_option b CROSS JOIN LATERAL unnest(b.component_ids) c (id) JOIN pub_option o ON o.product_id = c.id GROUP BY b.product_id)
UPDATE pub_option o SET body = (o.body::jsonb || jsonb_build_object('options', i.options))::json
FROM inner_options i WHERE i.product_id = o.product_id`,
  },
  {
    name: 'documents',
    sql: `
WITH unit AS (SELECT * FROM pub_product WHERE is_new),${priceTables},
options AS (
  SELECT b.product_id, json_object_agg(o.product_id, o.body) AS options
  FROM unit b CROSS JOIN LATERAL unnest(b.component_ids) c (id) JOIN pub_option o ON o.product_id = c.id
  WHERE b.component_ids <> '{}' GROUP BY b.product_id)
INSERT INTO release_document (id, fingerprint, product_id, name, sku, slug, manufacturer_part_num, upc_ean, body)
SELECT u.document_id, u.fingerprint, p.id, p.name, p.sku, p.slug, p.manufacturer_part_num, p.upc_ean,
  json_build_object(
    'id', p.id, 'name', p.name, 'description', p.description, 'sku', p.sku, 'slug', p.slug, 'commodity_type', p.commodity_type,
    'upc_ean', p.upc_ean, 'manufacturer_part_num', p.manufacturer_part_num, 'tags', coalesce(p.tags, '{}'), 'external_ref', p.external_ref,
    'components', p.components, 'custom_inputs', p.custom_inputs, 'extensions', p.extensions, 'locales', p.locales,
    'variations', p.variations, 'build_rules', p.build_rules, 'parent_id', p.parent_id, 'option_ids', coalesce(p.option_ids, '{}'),
    'files', p.files, 'main_image_id', p.main_image_id, 'children', u.children, 'node_ids', u.node_ids,
    'created_at', (extract(epoch FROM p.created_at) * 1000)::bigint, 'updated_at', (extract(epoch FROM p.updated_at) * 1000)::bigint,
    'price', ${unitBody('o.options')})
FROM unit u JOIN product p ON p.id = u.product_id${priceJoins}
LEFT JOIN options o ON o.product_id = u.product_id`,
  },
]
