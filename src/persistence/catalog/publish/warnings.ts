/** Publish warnings: prices that are probably not intended (domain/catalog/price-warning.ts), and SKUs that look alike (sku-warnings.ts),
 *  saved in the notes of a release.
 *
 *  SQL, since the connection of a publish is not Prisma's. */
import type pg from 'pg'
import type { DocumentBody } from '../../../domain/catalog/document-codec.ts'
import { priceWarnings, tierWarnings, WARNINGS_MAX } from '../../../domain/catalog/price-warning.ts'
import { readDocument } from '../../../domain/catalog/release-document.ts'
import type { ReleaseWarning } from '../../../domain/catalog/release-summary.ts'
import type { CurrencyPriceRecords, ReleaseSale } from '../../../domain/pricing/price-record.ts'
import { epochMs } from '../../database/columns.ts'
import { lookAlikeSkus } from './sku-warnings.ts'

/** Candidates that one statement reads. */
const BATCH = 500

/**
 * Finds warnings and writes them into the notes of a release. One statement for each kind of candidates, one for each BATCH, one to write.
 */
export async function saveWarnings(client: pg.PoolClient, releaseId: string, now: number): Promise<void> {
  const warnings: ReleaseWarning[] = []
  let count = 0
  for (const find of [unpricedProducts, dearTiers, lookAlikeSkus]) {
    for await (const found of find(client, now, releaseId)) {
      count += found.length
      warnings.push(...found.slice(0, WARNINGS_MAX - warnings.length))
    }
  }
  if (count === 0) return
  await client.query('UPDATE release SET notes = $2 WHERE id = $1', [releaseId, JSON.stringify({ warnings, warning_count: count })])
}

// Summed bundles, and children whose modifiers change amounts so large that a sum could exceed 2^53-1.
const unpricedCandidates = `
WITH large AS (
  SELECT p.id FROM product_price p
  WHERE p.id IN (SELECT base_price FROM pub_product WHERE modifier_names IS NOT NULL)
    AND (jsonb_path_exists(p.currencies, '$.**.amount ? (@ > 1000000000000)')
      OR EXISTS (
        SELECT FROM sale s WHERE s.product_price_id = p.id AND jsonb_path_exists(s.currencies, '$.**.amount ? (@ > 1000000000000)')))),
large_modifier AS (
  SELECT m.price_book_id, m.name FROM price_modifier m
  WHERE m.price_book_id IN (SELECT DISTINCT base_book FROM pub_product)
    AND jsonb_path_exists(m.currencies, '$.**.amount ? (@ > 1000000000000)'))
SELECT u.document_id AS id FROM pub_product u
WHERE u.is_bundle AND u.own_price IS NULL OR u.modifier_names IS NOT NULL AND (
  u.base_price IN (SELECT id FROM large)
  OR EXISTS (SELECT FROM large_modifier m WHERE m.price_book_id = u.base_book AND m.name = ANY (u.modifier_names)))
ORDER BY u.rank`

/** Products without a price although their parts have one, in the order of the listing. */
async function* unpricedProducts(client: pg.PoolClient, now: number): AsyncGenerator<ReleaseWarning[]> {
  const { rows } = await client.query<{ id: number }>(unpricedCandidates)
  for (let at = 0; at < rows.length; at += BATCH) {
    const ids = rows.slice(at, at + BATCH).map(({ id }) => id)
    const text = `
      SELECT d.id, d.body FROM unnest($1::int[]) WITH ORDINALITY w (id, position)
      JOIN release_document d ON d.id = w.id ORDER BY w.position`
    const documents = await client.query<{ id: number; body: DocumentBody }>(text, [ids])
    for (const { id, body } of documents.rows) {
      const { product, priceable } = readDocument(id, body, 0)
      yield priceWarnings(priceable, now).map((warning) => ({ ...warning, product_id: product.id }))
    }
  }
}

const scheduled = (now: string): string =>
  `(s.valid_from IS NOT NULL OR s.valid_to IS NOT NULL) AND (s.valid_to IS NULL OR s.valid_to > ${now}::timestamptz)`

// Prices with a tier above some amount of a scheduled sale that is not over, once each, with the first product that they price: a product
// with the price of its own before products that inherit it. Most prices have no tiers, so those with tiers are selected first.
const tierCandidates = `
WITH tiered AS MATERIALIZED (
  SELECT p.id, p.currencies FROM product_price p
  WHERE p.price_book_id IN (SELECT b.price_book_id FROM catalog_price_book b JOIN release r USING (catalog_id) WHERE r.id = $2)
    AND jsonb_path_exists(p.currencies, '$.*.tiers')),
dear AS MATERIALIZED (
  SELECT DISTINCT p.id
  FROM tiered p JOIN sale s ON s.product_price_id = p.id AND ${scheduled('$1')}
  CROSS JOIN LATERAL jsonb_each(p.currencies) c (currency, price) CROSS JOIN LATERAL jsonb_each(c.price -> 'tiers') t (name, tier)
  WHERE jsonb_path_exists(s.currencies -> c.currency, '$.**.amount ? (@ < $tier.amount)', jsonb_build_object('tier', t.tier))),
used AS (
  SELECT DISTINCT ON (d.id) d.id, u.product_id, u.rank FROM dear d JOIN pub_product u ON coalesce(u.own_price, u.base_price) = d.id
  ORDER BY d.id, u.own_price IS NULL, u.rank)
SELECT id, product_id FROM used ORDER BY rank`

const tieredPrices = `
SELECT w.product_id, p.sku, p.currencies, (
  SELECT json_agg(json_build_object('name', s.name, 'from', ${epochMs('s.valid_from')},
    'to', ${epochMs('s.valid_to')}, 'bundles', coalesce(s.bundle_ids, '{}'), 'currencies', s.currencies))
  FROM sale s WHERE s.product_price_id = p.id AND ${scheduled('$3')}) AS sales
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY w (id, product_id, position) JOIN product_price p ON p.id = w.id ORDER BY w.position`

interface TieredPrice {
  readonly product_id: string
  readonly sku: string
  readonly currencies: CurrencyPriceRecords
  readonly sales: readonly ReleaseSale[]
}

/** Quantity tiers that cost more than a sale, in the order of the listing. */
async function* dearTiers(client: pg.PoolClient, now: number, releaseId: string): AsyncGenerator<ReleaseWarning[]> {
  const instant = new Date(now)
  const { rows } = await client.query<{ id: string; product_id: string }>(tierCandidates, [instant, releaseId])
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH)
    const values = [batch.map(({ id }) => id), batch.map(({ product_id }) => product_id), instant]
    const prices = await client.query<TieredPrice>(tieredPrices, values)
    for (const { product_id, sku, currencies, sales } of prices.rows) {
      const code = 'TIER_ABOVE_SALE' as const
      yield tierWarnings(currencies, sales, now).map((warning) => ({ code, product_id, sku, ...warning }))
    }
  }
}
