/**
 * Publish steps: the prices of new documents, cut into spans (domain/pricing/price-spans.ts).
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import { decodePricing, type PricingBody } from '../../../domain/catalog/document-codec.ts'
import { compileProduct } from '../../../domain/pricing/compile-product.ts'
import { type PriceSpans, priceSpans } from '../../../domain/pricing/price-spans.ts'
import { yieldOften } from '../../../lib/yield-often.ts'
import { epochMs } from '../../database/columns.ts'
import { namedQuery, type Queryable } from '../../database/query.ts'
import type { PublishStep } from './selection.ts'

/** Documents that are read and written at once. */
const CUT_BATCH = 250

/**
 * Milliseconds of cutting after which rows are written although the batch is not done. A batch of large bundles with
 * many sales takes minutes: other requests would wait, and PostgreSQL would end the idle session of the publish
 * (lock.ts).
 */
const CUT_MS = 1_000

/** Whether a tier sets the price of one unit, in the JSON of currencies. */
const tierFromOne = (currencies: string): string =>
  `jsonb_path_exists(${currencies}, '$.*.tiers.*.minimum_quantity ? (@ <= 1)')`

/**
 * Writes the spans of most new documents without reading them again: those with one price record, no modifiers and at
 * most one sale. `cutNewPrices` writes the others.
 */
export const simplePrices: PublishStep = {
  name: 'simple prices',
  sql: `
WITH priced AS (
  SELECT u.document_id, r.currencies, s.id AS sale_id, s.name, s.currencies AS sales, s.valid_from, s.valid_to, s.bundle_ids
  FROM pub_product u JOIN product_price r ON r.id = coalesce(u.own_price, u.base_price) LEFT JOIN sale s ON s.product_price_id = r.id
  WHERE u.is_new AND (u.own_price IS NOT NULL OR u.modifier_names IS NULL AND NOT u.is_bundle)
    AND r.id NOT IN (SELECT product_price_id FROM sale GROUP BY product_price_id HAVING count(*) > 1) OFFSET 0),
amounts AS (
  SELECT document_id, name, c.currency, (c.price ->> 'amount')::bigint AS list, (sales -> c.currency ->> 'amount')::bigint AS sale,
    ${epochMs('valid_from', 'float8')} AS starts, ${epochMs('valid_to', 'float8')} AS ends
  FROM priced CROSS JOIN LATERAL jsonb_each(currencies) c (currency, price)
  WHERE coalesce(bundle_ids, '{}') = '{}' AND NOT ${tierFromOne('currencies')} AND (sale_id IS NULL OR NOT ${tierFromOne('sales')}) OFFSET 0)
INSERT INTO release_document_price (document_id, currency, starts, amounts, on_sale, sales)
SELECT document_id, currency,
  CASE WHEN sale IS NULL THEN '{-Infinity}' ELSE array_remove(ARRAY['-Infinity', starts, ends], NULL) END,
  CASE WHEN sale IS NULL THEN ARRAY[list]
    ELSE array_remove(ARRAY[CASE WHEN starts IS NOT NULL THEN list END, sale, CASE WHEN ends IS NOT NULL THEN list END], NULL) END,
  CASE WHEN sale IS NULL THEN '{f}'
    ELSE array_remove(ARRAY[CASE WHEN starts IS NOT NULL THEN false END, true, CASE WHEN ends IS NOT NULL THEN false END], NULL) END,
  CASE WHEN sale IS NULL THEN ARRAY[NULL::text]
    ELSE CASE WHEN starts IS NOT NULL THEN ARRAY[NULL::text] END || name || CASE WHEN ends IS NOT NULL THEN ARRAY[NULL::text] END END
FROM amounts WHERE list IS NOT NULL ORDER BY document_id`,
}

/**
 * Cuts the prices of the new documents that `simplePrices` left out. One statement for their numbers and two for each
 * CUT_BATCH.
 */
export async function cutNewPrices(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ id: number }>(`
    SELECT u.document_id AS id FROM pub_product u
    WHERE u.is_new AND (u.is_bundle OR coalesce(u.own_price, u.base_price) IS NOT NULL)
      AND NOT EXISTS (SELECT FROM release_document_price p WHERE p.document_id = u.document_id)
    ORDER BY u.document_id`)
  const documents = rows.map(({ id }) => id)
  await cutPrices(client, documents)
}

/**
 * Cuts the prices of documents and writes those that are missing. Two statements for each CUT_BATCH, and one each
 * CUT_MS.
 */
export async function cutPrices(on: Queryable, documents: readonly number[]): Promise<void> {
  for (let at = 0; at < documents.length; at += CUT_BATCH) {
    const text = 'SELECT id, body -> 1 AS pricing FROM release_document WHERE id = ANY ($1::int[])'
    const rows = await namedQuery<{ id: number; pricing: PricingBody }>(on, 'documents_pricing', text, [
      documents.slice(at, at + CUT_BATCH),
    ])
    let spans: SpanRow[] = []
    let writtenAt = performance.now()
    for (const { id, pricing } of rows) {
      spans.push(...cut(id, pricing))
      await yieldOften()
      if (performance.now() - writtenAt < CUT_MS) continue
      await writeSpans(on, spans)
      spans = []
      writtenAt = performance.now()
    }
    await writeSpans(on, spans)
  }
}

/**
 * Cuts the missing prices of a release's documents and records that it has its spans. It is for releases of program
 * versions without spans. Several processes may do so at once. Two statements for each CUT_BATCH, and one.
 */
export async function cutMissingPrices(on: Queryable, releaseId: string, documents: Iterable<number>): Promise<void> {
  await cutPrices(on, [...documents])
  await namedQuery(on, 'release_has_price_spans', 'UPDATE release SET has_price_spans = true WHERE id = $1::uuid', [
    releaseId,
  ])
}

/**
 * Cuts the prices of the latest releases that come from program versions without spans, so that no request has to.
 * `now` is epoch milliseconds. One statement when there is none.
 */
export async function cutLatestReleases(on: Queryable, now: number): Promise<void> {
  const text = `
    SELECT r.id, l.documents FROM catalog c
    JOIN release r ON r.id = latest_release(c.id, $1::timestamptz) AND NOT r.has_price_spans
    JOIN release_listing l ON l.release_id = r.id AND l.scope = r.id`
  const releases = await namedQuery<{ id: string; documents: number[] }>(on, 'releases_without_spans', text, [
    new Date(now),
  ])
  for (const { id, documents } of releases) await cutMissingPrices(on, id, documents)
}

/**
 * Names the sales of prices that a version of the program stored that did not. Two statements for each CUT_BATCH, one
 * each CUT_MS, and one.
 */
export async function nameSales(on: Queryable): Promise<void> {
  const { rows } = await on.query<{ id: number }>(
    'SELECT DISTINCT document_id AS id FROM release_document_price WHERE sales IS NULL ORDER BY document_id',
  )
  await cutPrices(
    on,
    rows.map(({ id }) => id),
  )
}

/** Cuts the prices of a release that lacks its spans. One statement when it has them. */
export async function cutPricesOfOlderVersion(on: Queryable, releaseId: string): Promise<void> {
  const text = `SELECT l.documents FROM release r JOIN release_listing l ON l.release_id = r.id AND l.scope = r.id
    WHERE r.id = $1::uuid AND NOT r.has_price_spans`
  const [row] = await namedQuery<{ documents: number[] }>(on, 'release_without_spans', text, [releaseId])
  if (row) await cutMissingPrices(on, releaseId, row.documents)
}

/** Spans of a document, to become a row of release_document_price. */
type SpanRow = readonly [document: number, currency: string, spans: PriceSpans]

function cut(document: number, pricing: PricingBody): SpanRow[] {
  return Array.from(priceSpans(compileProduct(decodePricing(pricing))), ([currency, spans]) => [
    document,
    currency,
    spans,
  ])
}

/**
 * Writes rows as array literals of array literals, in half the time of JSON. Nothing in them needs to be escaped but
 * the names of sales. Rows that don't name their sales are written anew.
 */
async function writeSpans(on: Queryable, rows: readonly SpanRow[]): Promise<void> {
  const literal = (arrays: readonly string[]) => `{"${arrays.join('","')}"}`
  const text = `
INSERT INTO release_document_price (document_id, currency, starts, amounts, on_sale, sales)
SELECT document_id, currency, starts::float8[], amounts::bigint[], on_sale::boolean[], sales::text[]
FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS t (document_id, currency, starts, amounts, on_sale, sales)
ON CONFLICT (document_id, currency) DO UPDATE
SET starts = excluded.starts, amounts = excluded.amounts, on_sale = excluded.on_sale, sales = excluded.sales
WHERE release_document_price.sales IS NULL`
  if (rows.length === 0) return
  await namedQuery(on, 'document_prices_insert', text, [
    `{${rows.map(([document]) => document).join()}}`,
    `{${rows.map(([, currency]) => currency).join()}}`,
    literal(rows.map(([, , { starts }]) => `{${starts.join()}}`)),
    literal(rows.map(([, , { amounts }]) => `{${amounts.map((amount) => amount ?? 'NULL').join()}}`)),
    literal(rows.map(([, , { sales }]) => `{${sales.map((sale) => sale !== null).join()}}`)),
    rows.map(([, , { sales }]) => `{${sales.map(nameLiteral).join()}}`),
  ])
}

function nameLiteral(name: string | null): string {
  return name === null ? 'NULL' : `"${name.replace(/["\\]/g, '\\$&')}"`
}
