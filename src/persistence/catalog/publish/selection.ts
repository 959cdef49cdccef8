/**
 * Publishing, part 1: what the release holds and which rows answer for its prices. Set-based, into temporary tables of the publishing
 * transaction: `pub_product` holds what is listed, `pub_unit` what is only an option.
 */

import { CATALOG_PRICE_BOOKS_MAX } from '../../../domain/input/limits.ts'

/** One name and one statement; the name is what progress says. `:catalog`, `:release` and `:now` in the SQL become parameters (run.ts). */
export interface PublishStep {
  readonly name: string
  readonly sql: string
  /** The temporary table that it fills and later steps join: analysed right after. */
  readonly fills?: string
  /**
   * Joined by hashes alone, never by nested loops. A temporary table has no index, and of what was written just before, such as 2,000 products that went
   * live, the statistics say that there is none: a temporary table would be read once for each of them.
   */
  readonly hashed?: true
}

/** Part of every fingerprint: raise it whenever the shape of a document changes, and no old one is taken for a new one. */
const BODY_SHAPE = 2

/** 128 bits of a text that nobody outside has a hand in, as a uuid. MD5 takes three times as long, a tenth of a republish. */
function fingerprint(text: string): string {
  const half = (seed: number): string => `int8send(hashtextextended(${text}, ${seed}))`
  return `encode(${half(1)} || ${half(2)}, 'hex')::uuid`
}

/** What is known of the prices of a product or an option: the rows that answer, the modifiers' names in order. */
const unitColumns = 'product_id uuid, component_ids uuid[], own_price uuid, base_price uuid, base_book uuid, modifier_names text[]'

export const createTables = `
CREATE TEMP TABLE pub_attached (product_id uuid, node_id uuid, version bigint) ON COMMIT DROP;
CREATE TEMP TABLE pub_row (sku text, price_id uuid, price_book_id uuid, version bigint) ON COMMIT DROP;
CREATE TEMP TABLE pub_bundle (product_id uuid, component_ids uuid[], fingerprint text) ON COMMIT DROP;
CREATE TEMP TABLE pub_unit (${unitColumns}, fingerprint text, options_fingerprint text) ON COMMIT DROP;
CREATE TEMP TABLE pub_product (
  ${unitColumns}, base_id uuid, is_bundle boolean, tags text[], node_ids uuid[], is_parent boolean, rank int, fingerprint uuid,
  document_id int, is_new boolean) ON COMMIT DROP;
CREATE TEMP TABLE pub_option (product_id uuid, component_ids uuid[], body json) ON COMMIT DROP`

/** The book is chosen by SKU alone: highest priority, of equal ones the first listed. Each book gives what none before it has. */
function priceRows(rank: number): PublishStep {
  return {
    name: `price rows of book ${rank + 1}`,
    ...(rank === 0 && { fills: 'pub_row' }),
    // EXISTS spares a catalog with fewer books the look at every row.
    sql: `
WITH book AS (SELECT price_book_id FROM catalog_price_book WHERE catalog_id = :catalog ORDER BY priority DESC, position OFFSET ${rank} LIMIT 1)
INSERT INTO pub_row
SELECT p.sku, p.id, p.price_book_id, p.version
FROM product_price p
WHERE p.price_book_id = (SELECT price_book_id FROM book) AND EXISTS (SELECT FROM book)
  AND NOT EXISTS (SELECT FROM pub_row r WHERE r.sku = p.sku)`,
  }
}

/**
 * What answers for the prices of the live products among a query's `wanted` ones: `unit`, a common table expression. A child's own row, in
 * whatever book, goes before its base's (price.own-record-before-base); modifiers are those of the base row's book
 * (modifier.from-supplying-book), their names in the order of the child's options (modifier.last-mention-counts): over the child's
 * option_ids, each option's names. Without OFFSET 0 the names would be looked for again wherever they are used.
 */
const unit = `
base AS (
  SELECT b.id, b.version, b.variations, r.price_id, r.price_book_id, r.version AS price_version
  FROM product b LEFT JOIN pub_row r ON r.sku = b.sku WHERE b.id IN (SELECT parent_id FROM product WHERE parent_id IS NOT NULL)),
unit AS (
  SELECT w.*, p.id AS product_id, p.version, p.component_product_ids AS component_ids, p.components, p.tags, p.updated_at,
    own.price_id AS own_price, own.version AS own_version, b.id AS base_id, b.version AS base_version,
    CASE WHEN own.price_id IS NULL THEN b.price_id END AS base_price,
    CASE WHEN own.price_id IS NULL THEN b.price_book_id END AS base_book,
    CASE WHEN own.price_id IS NULL THEN b.price_version END AS base_price_version,
    CASE WHEN b.variations IS NOT NULL THEN (
      SELECT array_agg(m.name ORDER BY o.place, m.place)
      FROM unnest(p.option_ids) WITH ORDINALITY o (id, place)
      CROSS JOIN LATERAL jsonb_array_elements(b.variations) v
      CROSS JOIN LATERAL jsonb_array_elements(v -> 'options') vo
      CROSS JOIN LATERAL jsonb_array_elements_text(coalesce(vo -> 'price_modifiers', '[]')) WITH ORDINALITY m (name, place)
      WHERE vo ->> 'id' = o.id::text) END AS modifier_names
  FROM wanted w JOIN product p ON p.id = w.id AND p.status = 'live'
  LEFT JOIN base b ON b.id = p.parent_id LEFT JOIN pub_row own ON own.sku = p.sku OFFSET 0)`

/** Which versions went into a `unit` row, as a text; a version names its row, since one sequence gives them all. */
const versions = `concat_ws('|', u.version, coalesce(u.base_version, 0), coalesce(u.own_version, 0), coalesce(u.base_price_version, 0),
    CASE WHEN u.modifier_names IS NOT NULL THEN (
      SELECT string_agg(m.version::text, ',' ORDER BY m.version)
      FROM (SELECT DISTINCT unnest(u.modifier_names) AS name) n
      JOIN price_modifier m ON m.price_book_id = u.base_book AND md5(m.name) = md5(n.name) AND m.name = n.name) END)`

export const selectionSteps: readonly PublishStep[] = [
  {
    name: 'attachments',
    fills: 'pub_attached',
    sql: `
INSERT INTO pub_attached
SELECT a.product_id, a.node_id, a.version
FROM catalog_hierarchy h JOIN catalog_node n ON n.hierarchy_id = h.hierarchy_id JOIN node_product a ON a.node_id = n.id
WHERE h.catalog_id = :catalog AND n.parent_id IS NOT NULL`,
  },
  {
    // A child without an attachment of its own is listed through its parent's (release.child-listed-through-parent), be the parent live or
    // not (release.child-listed-through-parent). That it has a parent is said again for the planner, which else asks for the attachments of
    // every product.
    name: 'attachments of parents',
    fills: 'pub_attached',
    hashed: true,
    sql: `
INSERT INTO pub_attached
SELECT c.id, a.node_id, a.version
FROM product c JOIN pub_attached a ON a.product_id = c.parent_id
WHERE c.parent_id IS NOT NULL AND NOT EXISTS (SELECT FROM pub_attached own WHERE own.product_id = c.id)`,
  },
  ...Array.from({ length: CATALOG_PRICE_BOOKS_MAX }, (_, rank) => priceRows(rank)),
  {
    name: 'bundles',
    fills: 'pub_bundle',
    hashed: true,
    sql: `
INSERT INTO pub_bundle
SELECT p.id, p.component_product_ids FROM product p
WHERE p.status = 'live' AND p.component_product_ids <> '{}' AND p.id IN (SELECT product_id FROM pub_attached)`,
  },
  {
    // Live options of bundles, and those options' live options (bundle.live-options-only, bundle.one-level-of-nesting).
    name: 'prices of options',
    fills: 'pub_unit',
    hashed: true,
    sql: `
WITH option AS (
  SELECT p.id, p.component_product_ids FROM product p
  WHERE p.status = 'live' AND p.id IN (SELECT unnest(component_ids) FROM pub_bundle)),
wanted AS (SELECT id FROM option UNION SELECT unnest(component_product_ids) FROM option),${unit}
INSERT INTO pub_unit
SELECT u.product_id, u.component_ids, u.own_price, u.base_price, u.base_book, u.modifier_names, ${versions} FROM unit u`,
  },
  {
    name: 'options of options',
    sql: `
UPDATE pub_unit u SET options_fingerprint = o.fingerprint
FROM (
  SELECT b.product_id, md5(string_agg(o.fingerprint, ',' ORDER BY o.product_id)) AS fingerprint
  FROM pub_unit b CROSS JOIN LATERAL unnest(b.component_ids) c (id) JOIN pub_unit o ON o.product_id = c.id GROUP BY b.product_id) o
WHERE o.product_id = u.product_id`,
  },
  {
    name: 'options of bundles',
    sql: `
UPDATE pub_bundle b SET fingerprint = o.fingerprint
FROM (
  SELECT b.product_id, concat_ws('|', md5(string_agg(o.fingerprint, ',' ORDER BY o.product_id)),
    string_agg(o.options_fingerprint, ',' ORDER BY o.product_id)) AS fingerprint
  FROM pub_bundle b CROSS JOIN LATERAL unnest(b.component_ids) c (id) JOIN pub_unit o ON o.product_id = c.id GROUP BY b.product_id) o
WHERE o.product_id = b.product_id`,
  },
  {
    // Which documents exist already, from this catalog's earlier releases or another's; the others get their number here. The rank is the
    // order of listings without curation. Of a parent's children all counts that its document tells. Without OFFSET 0 a fingerprint would
    // be worked out again wherever it is used.
    name: 'products',
    fills: 'pub_product',
    hashed: true,
    sql: `
WITH wanted AS (
  SELECT product_id AS id, array_agg(node_id) AS node_ids, array_agg(version) AS node_versions
  FROM (SELECT * FROM pub_attached ORDER BY product_id, version DESC) a GROUP BY product_id),${unit},
children AS (
  SELECT parent_id, string_agg(concat(id, option_ids), ',' ORDER BY created_at, id) AS children
  FROM product WHERE parent_id IS NOT NULL GROUP BY parent_id),
listed AS (
  SELECT u.*, c.children, row_number() OVER (ORDER BY u.updated_at DESC, u.product_id) AS rank,
    concat_ws('|', '${BODY_SHAPE}', ${versions}, 'options', b.fingerprint, 'nodes', u.node_versions, 'children', c.children) AS content
  FROM unit u LEFT JOIN children c ON c.parent_id = u.product_id LEFT JOIN pub_bundle b ON b.product_id = u.product_id),
printed AS (SELECT l.*, ${fingerprint('l.content')} AS fingerprint FROM listed l OFFSET 0)
INSERT INTO pub_product
SELECT l.product_id, l.component_ids, l.own_price, l.base_price, l.base_book, l.modifier_names,
  l.base_id, coalesce(l.components, '{}') <> '{}', l.tags, l.node_ids, l.children IS NOT NULL, l.rank, l.fingerprint,
  coalesce(d.document_id, nextval('release_document_id_seq')), d.document_id IS NULL
FROM printed l LEFT JOIN release_fingerprint d ON d.fingerprint = l.fingerprint`,
  },
]
