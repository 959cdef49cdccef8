/**
 * Publish warnings: currencies that a price book hides (hidden-currencies.ts), prices that are missing
 * (domain/catalog/missing-price.ts) or doubtful (domain/pricing/price-warning.ts), SKUs that look alike
 * (sku-warnings.ts), and slugs that products share (slug-warnings.ts), saved in the notes of a release.
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import type { DocumentBody } from '../../../domain/catalog/document-codec.ts'
import { missingPrices } from '../../../domain/catalog/missing-price.ts'
import { readDocument } from '../../../domain/catalog/release-document.ts'
import { type ReleaseWarning, WARNINGS_MAX } from '../../../domain/catalog/release-summary.ts'
import type { CurrencyPriceRecords } from '../../../domain/pricing/price-record.ts'
import { priceWarnings } from '../../../domain/pricing/price-warning.ts'
import { yieldOften } from '../../../lib/yield-often.ts'
import { epochMs } from '../../database/columns.ts'
import type { Queryable } from '../../database/query.ts'
import { hiddenCurrenciesOf } from './hidden-currencies.ts'
import { lookAlikeSkus } from './sku-warnings.ts'
import { equalRootSlugs, equalSlugs } from './slug-warnings.ts'

/** Candidates that one statement reads; their documents are parsed in one go, which takes some milliseconds. */
const BATCH = 100

/**
 * Finds warnings and writes them into the notes of a release. One statement for each kind of candidates, one for each
 * BATCH, one to write.
 */
export async function saveWarnings(client: Queryable, releaseId: string, now: number): Promise<void> {
  const warnings: ReleaseWarning[] = []
  let count = 0
  for (const find of [
    hiddenCurrenciesOf,
    unpricedProducts,
    doubtfulPricesOf,
    lookAlikeSkus,
    equalSlugs,
    equalRootSlugs,
  ]) {
    for await (const found of find(client, now, releaseId)) {
      count += found.length
      warnings.push(...found.slice(0, WARNINGS_MAX - warnings.length))
    }
  }
  if (count === 0) return
  await client.query('UPDATE release SET notes = $2 WHERE id = $1', [
    releaseId,
    JSON.stringify({ warnings, warning_count: count }),
  ])
}

// Summed bundles, and children whose modifiers change amounts so large that a sum could exceed 2^53-1.
const unpricedCandidates = `
WITH large AS (
  SELECT p.id FROM product_price p
  WHERE p.id IN (SELECT base_price FROM pub_product WHERE modifier_names IS NOT NULL)
    AND (jsonb_path_exists(p.currencies, '$.**.amount ? (@ > 1000000000000)')
      OR EXISTS (
        SELECT FROM sale s WHERE s.product_price_id = p.id AND jsonb_path_exists(s.currencies, '$.**.amount ? (@ > 1000000000000)')))),
large_modifier AS MATERIALIZED (
  SELECT m.price_book_id, m.name FROM price_modifier m
  WHERE m.price_book_id IN (SELECT DISTINCT base_book FROM pub_product)
    AND jsonb_path_exists(m.currencies, '$.**.amount ? (@ > 1000000000000)'))
SELECT u.document_id AS id FROM pub_product u
WHERE u.is_bundle AND u.own_price IS NULL OR u.modifier_names IS NOT NULL AND (
  u.base_price IN (SELECT id FROM large)
  OR EXISTS (SELECT FROM large_modifier m WHERE m.price_book_id = u.base_book AND m.name = ANY (u.modifier_names)))
ORDER BY u.rank`

/** Products without a price although their parts have one, in the order of the listing. */
async function* unpricedProducts(client: Queryable, now: number): AsyncGenerator<ReleaseWarning[]> {
  const { rows } = await client.query<{ id: number }>(unpricedCandidates)
  for (let at = 0; at < rows.length; at += BATCH) {
    const ids = rows.slice(at, at + BATCH).map(({ id }) => id)
    const text = `
      SELECT d.id, d.body FROM unnest($1::int[]) WITH ORDINALITY w (id, position)
      JOIN release_document d ON d.id = w.id ORDER BY w.position`
    const documents = await client.query<{ id: number; body: DocumentBody }>(text, [ids])
    for (const { id, body } of documents.rows) {
      const { product, priceable } = readDocument(id, body, 0)
      yield grouped(missingPrices(priceable, now).map((missing) => ({ ...missing, product_id: product.id })))
      await yieldOften()
    }
  }
}

const unended = '(s.valid_to IS NULL OR s.valid_to > $1::timestamptz)'

/** Whether a tier of a currency's price, in JSON, costs more than the step before it. */
const hasDearerTier = (price: string): string => `EXISTS (
  SELECT FROM (
    SELECT (t.value ->> 'amount')::numeric AS amount,
      lag((t.value ->> 'amount')::numeric, 1, (${price} ->> 'amount')::numeric) OVER (ORDER BY (t.value ->> 'minimum_quantity')::numeric) AS before
    FROM jsonb_each(${price} -> 'tiers') t WHERE t.value ->> 'amount' IS NOT NULL) steps
  WHERE amount > before)`

const books = 'SELECT b.price_book_id FROM catalog_price_book b JOIN release r USING (catalog_id) WHERE r.id = $2'

// Doubtful prices, once each, with the first product that they price; a product with its own price comes before
// products that inherit it. The prices are read twice, which takes less than to keep what was read. Amounts are
// compared as JSON numbers, without a cast.
const doubtfulCandidates = `
WITH doubtful AS (
  SELECT p.id FROM product_price p CROSS JOIN LATERAL jsonb_each(p.currencies) c (currency, price)
  WHERE p.price_book_id IN (${books})
    AND jsonb_path_exists(p.currencies, '$.*.tiers') AND c.price ->> 'amount' IS NOT NULL AND ${hasDearerTier('c.price')}
  UNION
  SELECT p.id FROM product_price p JOIN sale s ON s.product_price_id = p.id AND ${unended}
  CROSS JOIN LATERAL jsonb_each(s.currencies) c (currency, price)
  CROSS JOIN LATERAL (SELECT p.currencies -> c.currency AS price OFFSET 0) list
  WHERE p.price_book_id IN (${books}) AND list.price ->> 'amount' IS NOT NULL AND c.price ->> 'amount' IS NOT NULL AND (
    c.price -> 'amount' > list.price -> 'amount'
    OR coalesce(c.price -> 'includes_tax', 'false') <> coalesce(list.price -> 'includes_tax', 'false')
    OR c.price ? 'tiers' AND ${hasDearerTier('c.price')})),
priced AS (
  SELECT DISTINCT ON (d.id) d.id, u.product_id, u.rank FROM doubtful d JOIN pub_product u ON coalesce(u.own_price, u.base_price) = d.id
  ORDER BY d.id, u.own_price IS NULL, u.rank)
SELECT id, product_id FROM priced ORDER BY rank`

const doubtfulPrices = `
SELECT w.product_id, p.sku, p.currencies, coalesce((
  SELECT json_agg(json_build_object('name', s.name, 'validTo', ${epochMs('s.valid_to')}, 'currencies', s.currencies) ORDER BY s.name COLLATE "C")
  FROM sale s WHERE s.product_price_id = p.id), '[]') AS sales
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY w (id, product_id, position) JOIN product_price p ON p.id = w.id ORDER BY w.position`

interface DoubtfulPrice {
  readonly product_id: string
  readonly sku: string
  readonly currencies: CurrencyPriceRecords
  readonly sales: Parameters<typeof priceWarnings>[0]['sales']
}

/** Doubtful prices, in the order of the listing. */
async function* doubtfulPricesOf(client: Queryable, now: number, releaseId: string): AsyncGenerator<ReleaseWarning[]> {
  const { rows } = await client.query<{ id: string; product_id: string }>(doubtfulCandidates, [
    new Date(now),
    releaseId,
  ])
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH)
    const values = [batch.map(({ id }) => id), batch.map(({ product_id }) => product_id)]
    const prices = await client.query<DoubtfulPrice>(doubtfulPrices, values)
    for (const { product_id, sku, ...price } of prices.rows) {
      yield grouped(
        priceWarnings(price, now).map(({ code, currency, sale, tier }) => ({
          code,
          product_id,
          sku,
          currency,
          ...(sale !== null && { sale }),
          ...(tier !== null && { tier }),
        })),
      )
      await yieldOften()
    }
  }
}

/** One warning for each kind, the first, with their count. */
function grouped(warnings: readonly ReleaseWarning[]): ReleaseWarning[] {
  const codes = [...new Set(warnings.map(({ code }) => code))]
  return codes.map((code) => {
    const [first, ...others] = warnings.filter((warning) => warning.code === code) as [
      ReleaseWarning,
      ...ReleaseWarning[],
    ]
    return others.length === 0 ? first : { ...first, count: 1 + others.length }
  })
}
