/**
 * Price history: what products cost in a catalog before a publish changed it. It is kept for PRICE_HISTORY_DAYS,
 * whatever RELEASES_KEPT is (price.history-outlives-releases).
 *
 * SQL, since it is written in the transaction of a publish, whose connection is not Prisma's.
 */
import type { PastPrice } from '../../domain/pricing/charged-prices.ts'
import { epochMs } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import type { Queryable } from '../database/query.ts'
import { loadersBy } from '../loading/loader.ts'

/**
 * A change of a catalog's latest release; null stands for no release. `at` is the instant of the change in epoch
 * milliseconds, which may be in the future.
 */
export interface LatestChange {
  readonly catalogId: string
  readonly from: string | null
  readonly to: string | null
  readonly at: number
}

const documentsOf = (release: string): string =>
  `(SELECT unnest(documents) AS id FROM release_listing WHERE release_id = ${release}::uuid AND scope = ${release}::uuid)`

const pricesOf = (side: 'gone' | 'come'): string => `
  SELECT d.product_id, p.currency, p.starts, p.amounts, p.sales
  FROM changed c JOIN release_document d ON d.id = c.${side} JOIN release_document_price p ON p.document_id = c.${side}`

/**
 * Documents are content-addressed, so a product whose document is in both releases has kept its price. The history
 * begins anew after a release of a program version that kept no spans. While a catalog has no release, since all were
 * deleted, there is no price. A price is in force since the one before it ended, or since the history began. The rows
 * are sorted, so that all are found before the first is stored. Otherwise the plan for an empty history reads for each
 * row all those that were stored before it.
 */
const insertChanged = `
WITH changed AS MATERIALIZED (
  SELECT b.id AS gone, a.id AS come
  FROM ${documentsOf('$2')} b FULL JOIN ${documentsOf('$3')} a ON a.id = b.id WHERE a.id IS NULL OR b.id IS NULL),
before AS (${pricesOf('gone')}),
after AS (${pricesOf('come')}),
begun AS (
  UPDATE catalog SET price_history_from = $4::timestamptz
  WHERE id = $1::uuid AND EXISTS (SELECT FROM release WHERE id = $2::uuid AND NOT has_price_spans))
INSERT INTO price_history (catalog_id, product_id, currency, since, until, starts, amounts, sales)
SELECT $1::uuid, product_id, currency,
  greatest(c.first_published_at, c.price_history_from, (
    SELECT max(until) FROM price_history h
    WHERE h.catalog_id = $1::uuid AND h.product_id = coalesce(b.product_id, a.product_id) AND h.currency = coalesce(b.currency, a.currency)
      AND h.until < $4::timestamptz)),
  $4::timestamptz, coalesce(b.starts, '{}'), coalesce(b.amounts, '{}'), CASE WHEN b.starts IS NULL THEN '{}' ELSE b.sales END
FROM before b FULL JOIN after a USING (product_id, currency) JOIN catalog c ON c.id = $1::uuid
WHERE (b.starts, b.amounts, b.sales) IS DISTINCT FROM (a.starts, a.amounts, a.sales) AND (
  EXISTS (SELECT FROM release WHERE id = $2::uuid AND has_price_spans)
  OR $2::uuid IS NULL AND EXISTS (SELECT FROM catalog WHERE id = $1::uuid AND first_published_at < $4::timestamptz))
ORDER BY product_id, currency
ON CONFLICT DO NOTHING`

/** Stores the prices of `from` that `to` changed. One statement. */
export async function rememberPrices(on: Queryable, { catalogId, from, to, at }: LatestChange): Promise<void> {
  if (from !== to) await on.query(insertChanged, [catalogId, from, to, new Date(at)])
}

/**
 * Removes the prices recorded to end at `instants`, which are in the future (epoch milliseconds). At most one
 * statement.
 */
export async function forgetComingPrices(on: Queryable, catalogId: string, instants: readonly number[]): Promise<void> {
  if (instants.length === 0) return
  const text = 'DELETE FROM price_history WHERE catalog_id = $1::uuid AND until = ANY ($2::timestamptz[])'
  await on.query(text, [catalogId, instants.map((at) => new Date(at))])
}

/** What one unit costs over time, as JSON, which has no -Infinity: that comes as text. */
export interface StoredSpans extends Omit<PastPrice, 'starts' | 'since' | 'until'> {
  readonly starts: readonly (number | string)[]
}

/** A past price as JSON. */
export type StoredPastPrice = StoredSpans & Pick<PastPrice, 'since' | 'until'>

/** SQL of the past prices `h` of one product, by rising `until`. */
export const pastPrices = `json_agg(json_build_object('currency', h.currency, 'since', ${epochMs('h.since')},
  'until', ${epochMs('h.until')}, 'starts', h.starts, 'amounts', h.amounts, 'sales', h.sales) ORDER BY h.until)`

const historyOfProducts = `
SELECT product_id AS "productId", ${pastPrices} AS past
FROM price_history h WHERE catalog_id = $1::uuid AND product_id = ANY ($2::uuid[]) GROUP BY product_id`

interface HistoryRow {
  readonly productId: string
  readonly past: readonly (StoredPastPrice & { readonly currency: string })[]
}

/**
 * The past prices of products in a catalog, by raw product id and by currency, in the order of `until`. One statement
 * for all products of a catalog.
 */
export const priceHistoryByCatalogAndProductId = loadersBy<string, string, ReadonlyMap<string, readonly PastPrice[]>>(
  (catalogId) => catalogId,
  (catalogId) => ({
    name: 'price history',
    none: new Map(),
    read: async (database: Database, ids) => {
      const rows = await database.query<HistoryRow>('price_history', historyOfProducts, [catalogId, ids])
      return new Map(rows.map(({ productId, past }) => [productId, byCurrency(past)]))
    },
  }),
)

function byCurrency(past: HistoryRow['past']): ReadonlyMap<string, readonly PastPrice[]> {
  const prices = new Map<string, PastPrice[]>()
  for (const { currency, ...one } of past) {
    const list = prices.get(currency) ?? []
    list.push(toPastPrice(one))
    prices.set(currency, list)
  }
  return prices
}

/** The past price that the JSON holds. */
export function toPastPrice({ since, until, ...spans }: StoredPastPrice): PastPrice {
  return { since, until, ...toSpans(spans) }
}

/** The spans that the JSON holds. */
export function toSpans({ starts, amounts, sales }: StoredSpans): Omit<PastPrice, 'since' | 'until'> {
  return { starts: starts.map(Number), amounts, sales }
}
