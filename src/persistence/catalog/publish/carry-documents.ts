/**
 * Documents of carries: reads products from releases, and writes those that a carry merged.
 *
 * SQL, since a carry runs in the transaction of a publish, whose connection is not Prisma's.
 */
import type { ChangedProduct, PlacedDocument } from '../../../domain/catalog/carry.ts'
import type { ChosenOption, ProductContent } from '../../../domain/catalog/carry-product.ts'
import { type DocumentBody, decodeDocument } from '../../../domain/catalog/document-codec.ts'
import { documentText } from '../../../domain/catalog/document-text.ts'
import type { ProductOrder } from '../../../domain/catalog/product-order.ts'
import { namedQuery, type Queryable } from '../../database/query.ts'
import { languageSlugs } from '../../slugs.ts'
import { cutPrices } from './price-spans.ts'

const optionsOf = (document: string): string => `(
  SELECT json_agg(json_build_object('id', option_id, 'variation', variation, 'name', name) ORDER BY option_id)
  FROM release_option o WHERE o.document_id = ${document})`

/** $1: documents of the former latest release alone, $2: of the latest release alone. */
const changedProducts = `
WITH document AS (
  SELECT id, product_id, hashtextextended(concat(d.body::text, ${optionsOf('d.id')}::text), 0) AS content, false AS is_latest
  FROM release_document d WHERE id = ANY ($1::int[])
  UNION ALL
  SELECT id, product_id, hashtextextended(concat(d.body::text, ${optionsOf('d.id')}::text), 0), true
  FROM release_document d WHERE id = ANY ($2::int[]))
SELECT product_id AS "productId", coalesce(max(id) FILTER (WHERE NOT is_latest), 0) AS former,
  coalesce(max(id) FILTER (WHERE is_latest), 0) AS latest
FROM document GROUP BY product_id HAVING count(*) = 1 OR min(content) <> max(content) ORDER BY product_id`

/** The products whose content differs between two releases, by documents that only one of them has. One statement. */
export function readChanged(
  on: Queryable,
  gone: ArrayLike<number>,
  come: ArrayLike<number>,
): Promise<ChangedProduct[]> {
  return namedQuery<ChangedProduct>(on, 'carry_changed', changedProducts, [Array.from(gone), Array.from(come)])
}

/** The numbers of the documents that the products have among `all`, by product id. One statement. */
export async function numbersOf(
  on: Queryable,
  productIds: readonly string[],
  all: ProductOrder,
): Promise<Map<string, number>> {
  if (productIds.length === 0) return new Map()
  const text = 'SELECT id, product_id AS "productId" FROM release_document WHERE product_id = ANY ($1::uuid[])'
  const rows = await namedQuery<{ id: number; productId: string }>(on, 'carry_numbers', text, [productIds])
  return new Map(rows.filter(({ id }) => all.positionOf(id) >= 0).map(({ id, productId }) => [productId, id]))
}

/** The product id of each document, by number. One statement. */
export async function productsOf(on: Queryable, documents: readonly number[]): Promise<Map<number, string>> {
  const text = 'SELECT id, product_id AS "productId" FROM release_document WHERE id = ANY ($1::int[])'
  const rows = await namedQuery<{ id: number; productId: string }>(on, 'carry_products', text, [documents])
  return new Map(rows.map(({ id, productId }) => [id, productId]))
}

const contents = `SELECT d.id, d.body::text AS body, ${optionsOf('d.id')} AS options
  FROM release_document d WHERE d.id = ANY ($1::int[])`

/** The contents of documents, by number. One statement. */
export async function readContents(on: Queryable, numbers: readonly number[]): Promise<Map<number, ProductContent>> {
  type Row = { readonly id: number; readonly body: string; readonly options: ChosenOption[] | null }
  const rows = await namedQuery<Row>(on, 'carry_contents', contents, [[...new Set(numbers)]])
  return new Map(
    rows.map(({ id, body, options }) => [
      id,
      { ...decodeDocument(JSON.parse(body) as DocumentBody), chosenOptions: options ?? [] },
    ]),
  )
}

/** Where a document stands in lists. */
export function placed(number: number, { product }: ProductContent): PlacedDocument {
  return { number, productId: product.id, updatedAt: product.updated_at, nodeIds: product.node_ids }
}

/** Whether two contents are stored alike. */
export function isAlike(one: ProductContent, other: ProductContent): boolean {
  return textOf(one) === textOf(other)
}

function textOf({ product, price, chosenOptions }: ProductContent): string {
  return `${documentText(product, price)}${JSON.stringify(chosenOptions)}`
}

const insertContents = `
WITH given AS (
  SELECT nextval('release_document_id_seq')::int AS id, place, body::json AS body, options::json AS options
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t (body, options, place)),
documents AS (
  INSERT INTO release_document (id, product_id, name, sku, slug, language_slugs, manufacturer_part_num, upc_ean, body)
  SELECT id, (body -> 0 ->> 0)::uuid, body -> 0 ->> 1, body -> 0 ->> 3, body -> 0 ->> 4, nullif(${languageSlugs('(body -> 0 -> 13)::jsonb')}, '[]'), body -> 0 ->> 7, body -> 0 ->> 6, body
  FROM given RETURNING id),
options AS (
  INSERT INTO release_option (document_id, option_id, variation, name)
  SELECT g.id, (o ->> 'id')::uuid, o ->> 'variation', o ->> 'name'
  FROM given g JOIN documents USING (id) CROSS JOIN LATERAL json_array_elements(g.options) o)
SELECT id FROM given ORDER BY place`

/** Writes documents with their prices, and returns their numbers in order. A statement, and those of `cutPrices`. */
export async function insertDocuments(on: Queryable, given: readonly ProductContent[]): Promise<number[]> {
  if (given.length === 0) return []
  const rows = await namedQuery<{ id: number }>(on, 'carry_documents', insertContents, [
    given.map(({ product, price }) => documentText(product, price)),
    given.map(({ chosenOptions }) => JSON.stringify(chosenOptions)),
  ])
  const numbers = rows.map(({ id }) => id)
  await cutPrices(on, numbers)
  return numbers
}
