/**
 * Publish steps: the products of a release and the price records that price them.
 *
 * They write sets into temporary tables of the publishing transaction: `pub_product` has the listed products,
 * `pub_option` and `pub_priceable` the options of bundles.
 */
import { CATALOG_PRICE_BOOKS_MAX } from '../../../domain/input/limits.ts'

/** A release that is built. */
export interface ReleaseBuild {
  readonly id: string
  readonly catalogId: string
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * One statement, and its name in progress reports. `:catalog`, `:release` and `:now` in the SQL become parameters
 * (run.ts).
 */
export interface PublishStep {
  readonly name: string
  readonly sql: string
  /** The temporary table that it fills and later steps join; it is analysed afterwards. */
  readonly fills?: string
  /**
   * Allows hash joins only. Temporary tables have no index, and statistics miss rows that were written just before,
   * such as 2,000 products that went live. A nested loop would read a temporary table once for each of them.
   */
  readonly hashed?: true
}

/** Where steps find documents (the table `pub_product`, or one of its shape) and the fields of their products. */
export interface StepTables {
  readonly documents: string
  readonly products: string
}

/** The tables of a publish. */
export const publishTables: StepTables = { documents: 'pub_product', products: 'product' }

/**
 * The version of the shape of documents, part of every fingerprint: raise it with every change, so that no old document
 * is reused. Texts for search engines are a part of their own where there are any: a document without them stays
 * what it was, and one that a version before them wrote of a product with them is written anew.
 */
export const BODY_SHAPE = 3

/**
 * SQL for a 128-bit hash of a text as a uuid. It need not be cryptographic, since clients don't choose the text. MD5
 * takes three times as long, a tenth of a republish.
 */
function fingerprint(text: string): string {
  const half = (seed: number): string => `int8send(hashtextextended(${text}, ${seed}))`
  return `encode(${half(1)} || ${half(2)}, 'hex')::uuid`
}

/** The columns of a product or an option that price it: its price records, and the names of its modifiers in order. */
const priceableColumns =
  'product_id uuid, component_ids uuid[], own_price uuid, base_price uuid, base_book uuid, modifier_names text[]'

export const createTables = `
CREATE TEMP TABLE pub_attached (product_id uuid, node_id uuid, version bigint) ON COMMIT DROP;
CREATE TEMP TABLE pub_price (sku text, price_id uuid, price_book_id uuid, version bigint) ON COMMIT DROP;
CREATE TEMP TABLE pub_bundle (product_id uuid, component_ids uuid[], fingerprint text) ON COMMIT DROP;
CREATE TEMP TABLE pub_priceable (${priceableColumns}, fingerprint text, options_fingerprint text) ON COMMIT DROP;
CREATE TEMP TABLE pub_product (
  ${priceableColumns}, base_id uuid, is_bundle boolean, tags text[], node_ids uuid[], is_parent boolean, rank int, fingerprint uuid,
  document_id int, is_new boolean) ON COMMIT DROP;
CREATE TEMP TABLE pub_option (product_id uuid, component_ids uuid[], body json) ON COMMIT DROP`

/**
 * Selects the price records of the book at `rank`, by priority, then list position, for SKUs that no earlier book has
 * (price.book-chosen-by-sku).
 */
function priceRecords(rank: number): PublishStep {
  return {
    name: `price rows of book ${rank + 1}`,
    ...(rank === 0 && { fills: 'pub_price' }),
    // Without EXISTS a catalog with fewer books would read every price record.
    sql: `
WITH book AS (
  SELECT price_book_id FROM catalog_price_book WHERE catalog_id = :catalog ORDER BY priority DESC, position OFFSET ${rank} LIMIT 1)
INSERT INTO pub_price
SELECT p.sku, p.id, p.price_book_id, p.version
FROM product_price p
WHERE p.price_book_id = (SELECT price_book_id FROM book) AND EXISTS (SELECT FROM book)
  AND NOT EXISTS (SELECT FROM pub_price r WHERE r.sku = p.sku)`,
  }
}

/**
 * The common table expression `priceable`: what prices the live products among `wanted`. A child's own price record in
 * any book precedes its parent's (price.own-record-before-base). Modifiers come from the book of the parent's record
 * (modifier.from-supplying-book), their names in the order of the child's option_ids (modifier.last-mention-counts).
 * OFFSET 0 keeps the names from being computed at each use. A partial index has the products with slugs in languages:
 * their texts may be long.
 */
const priceable = `
base AS (
  SELECT b.id, b.version, b.variations, r.price_id, r.price_book_id, r.version AS price_version
  FROM product b LEFT JOIN pub_price r ON r.sku = b.sku WHERE b.id IN (SELECT parent_id FROM product WHERE parent_id IS NOT NULL)),
priceable AS (
  SELECT w.*, p.id AS product_id, p.version, p.component_product_ids AS component_ids, p.components, p.tags, p.updated_at,
    p.seo_title IS NOT NULL OR p.seo_description IS NOT NULL AS has_seo_texts, p.id IN (SELECT id FROM product WHERE locales @? '$.*.slug') AS has_language_slugs,
    own.price_id AS own_price, own.version AS own_version, b.id AS base_id, b.version AS base_version,
    CASE WHEN own.price_id IS NULL THEN b.price_id END AS base_price,
    CASE WHEN own.price_id IS NULL THEN b.price_book_id END AS base_book,
    CASE WHEN own.price_id IS NULL THEN b.price_version END AS base_price_version,
    CASE WHEN b.variations IS NOT NULL THEN (
      SELECT array_agg(m.name ORDER BY o.position, m.position)
      FROM unnest(p.option_ids) WITH ORDINALITY o (id, position)
      CROSS JOIN LATERAL jsonb_array_elements(b.variations) v
      CROSS JOIN LATERAL jsonb_array_elements(v -> 'options') vo
      CROSS JOIN LATERAL jsonb_array_elements_text(coalesce(vo -> 'price_modifiers', '[]')) WITH ORDINALITY m (name, position)
      WHERE vo ->> 'id' = o.id::text) END AS modifier_names
  FROM wanted w JOIN product p ON p.id = w.id AND p.status = 'live'
  LEFT JOIN base b ON b.id = p.parent_id LEFT JOIN pub_price own ON own.sku = p.sku OFFSET 0)`

/**
 * The versions of the rows that a row of `priceable` comes from, as a text. One sequence numbers all rows, so a version
 * identifies its row.
 */
const versions = `concat_ws('|', u.version, coalesce(u.base_version, 0), coalesce(u.own_version, 0), coalesce(u.base_price_version, 0),
    CASE WHEN u.modifier_names IS NOT NULL THEN (
      SELECT string_agg(m.version::text, ',' ORDER BY m.version)
      FROM (SELECT DISTINCT unnest(u.modifier_names) AS name) n
      JOIN price_modifier m ON m.price_book_id = u.base_book AND md5(m.name) = md5(n.name) AND m.name = n.name) END)`

/** The steps that select products, options and their prices. */
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
    // A child without an attachment of its own is listed through its parent, live or not
    // (release.child-listed-through-parent). The condition on parent_id is redundant; without it the planner would
    // check the attachments of every product.
    name: 'attachments of parents',
    fills: 'pub_attached',
    hashed: true,
    sql: `
INSERT INTO pub_attached
SELECT c.id, a.node_id, a.version
FROM product c JOIN pub_attached a ON a.product_id = c.parent_id
WHERE c.parent_id IS NOT NULL AND NOT EXISTS (SELECT FROM pub_attached own WHERE own.product_id = c.id)`,
  },
  ...Array.from({ length: CATALOG_PRICE_BOOKS_MAX }, (_, rank) => priceRecords(rank)),
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
    fills: 'pub_priceable',
    hashed: true,
    sql: `
WITH option AS (
  SELECT p.id, p.component_product_ids FROM product p
  WHERE p.status = 'live' AND p.id IN (SELECT unnest(component_ids) FROM pub_bundle)),
wanted AS (SELECT id FROM option UNION SELECT unnest(component_product_ids) FROM option),${priceable}
INSERT INTO pub_priceable
SELECT u.product_id, u.component_ids, u.own_price, u.base_price, u.base_book, u.modifier_names, ${versions} FROM priceable u`,
  },
  {
    name: 'options of options',
    sql: `
UPDATE pub_priceable u SET options_fingerprint = o.fingerprint
FROM (
  SELECT b.product_id, md5(string_agg(o.fingerprint, ',' ORDER BY o.product_id)) AS fingerprint
  FROM pub_priceable b CROSS JOIN LATERAL unnest(b.component_ids) c (id) JOIN pub_priceable o ON o.product_id = c.id
  GROUP BY b.product_id) o
WHERE o.product_id = u.product_id`,
  },
  {
    name: 'options of bundles',
    sql: `
UPDATE pub_bundle b SET fingerprint = o.fingerprint
FROM (
  SELECT b.product_id, concat_ws('|', md5(string_agg(o.fingerprint, ',' ORDER BY o.product_id)),
    string_agg(o.options_fingerprint, ',' ORDER BY o.product_id)) AS fingerprint
  FROM pub_bundle b CROSS JOIN LATERAL unnest(b.component_ids) c (id) JOIN pub_priceable o ON o.product_id = c.id GROUP BY b.product_id) o
WHERE o.product_id = b.product_id`,
  },
  {
    // Reuses the documents that any release has with the same fingerprint, and numbers the new ones. The rank is the
    // order of listings without curation. OFFSET 0 keeps a fingerprint from being computed at each use.
    name: 'products',
    fills: 'pub_product',
    hashed: true,
    sql: `
WITH wanted AS (
  SELECT product_id AS id, array_agg(node_id) AS node_ids, array_agg(version) AS node_versions
  FROM (SELECT * FROM pub_attached ORDER BY product_id, version DESC) a GROUP BY product_id),${priceable},
children AS (
  SELECT parent_id, string_agg(concat(id, option_ids), ',' ORDER BY created_at, id) AS children
  FROM product WHERE parent_id IS NOT NULL GROUP BY parent_id),
listed AS (
  SELECT u.*, c.children, row_number() OVER (ORDER BY u.updated_at DESC, u.product_id) AS rank,
    concat_ws('|', '${BODY_SHAPE}', ${versions}, 'options', b.fingerprint, 'nodes', u.node_versions, 'children', c.children,
      CASE WHEN u.has_seo_texts THEN 'seo' END, CASE WHEN u.has_language_slugs THEN 'slugs' END) AS content
  FROM priceable u LEFT JOIN children c ON c.parent_id = u.product_id LEFT JOIN pub_bundle b ON b.product_id = u.product_id),
fingerprinted AS (SELECT l.*, ${fingerprint('l.content')} AS fingerprint FROM listed l OFFSET 0)
INSERT INTO pub_product
SELECT l.product_id, l.component_ids, l.own_price, l.base_price, l.base_book, l.modifier_names,
  l.base_id, coalesce(l.components, '{}') <> '{}', l.tags, l.node_ids, l.children IS NOT NULL, l.rank, l.fingerprint,
  coalesce(d.document_id, nextval('release_document_id_seq')), d.document_id IS NULL
FROM fingerprinted l LEFT JOIN release_fingerprint d ON d.fingerprint = l.fingerprint`,
  },
]
