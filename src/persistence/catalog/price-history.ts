/**
 * Price history: what products cost in a catalog until a publish changed that, kept for PRICE_HISTORY_DAYS, independent of RELEASES_KEPT
 * (price.history-outlives-releases).
 *
 * SQL, since it is written in the transaction of a publish, whose connection is not Prisma's.
 */
import type { PastPrice } from '../../domain/pricing/lowest-prior.ts'
import { epochMs } from '../database/columns.ts'
import type { Database } from '../database/database.ts'
import type { Queryable } from '../database/query.ts'
import { loadersBy } from '../loading/loader.ts'

/**
 * A change of a catalog's latest release from one to another, null for none. `at` is the instant of the change in epoch milliseconds, which
 * may be in the future.
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
  SELECT d.product_id, p.currency, p.starts, p.amounts
  FROM changed c JOIN release_document d ON d.id = c.${side} JOIN release_document_price p ON p.document_id = c.${side}`

/**
 * Documents are content-addressed, so a product whose document both releases have has kept its price. After a release of a version of the
 * program that kept no spans the history begins anew. While a catalog has no release, since all were deleted, there is no price.
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
INSERT INTO price_history (catalog_id, product_id, currency, until, starts, amounts)
SELECT $1::uuid, product_id, currency, $4::timestamptz, coalesce(b.starts, '{}'), coalesce(b.amounts, '{}')
FROM before b FULL JOIN after a USING (product_id, currency)
WHERE (b.starts, b.amounts) IS DISTINCT FROM (a.starts, a.amounts) AND (
  EXISTS (SELECT FROM release WHERE id = $2::uuid AND has_price_spans)
  OR $2::uuid IS NULL AND EXISTS (SELECT FROM catalog WHERE id = $1::uuid AND first_published_at < $4::timestamptz))
ON CONFLICT DO NOTHING`

/** Stores the prices of `from` that `to` changed. One statement. */
export async function rememberPrices(on: Queryable, { catalogId, from, to, at }: LatestChange): Promise<void> {
  if (from !== to) await on.query(insertChanged, [catalogId, from, to, new Date(at)])
}

/**
 * Removes prices that ended before `keptFrom`, epoch milliseconds, except the last of each product and currency: its end is when the next
 * one came into force. One statement.
 */
export async function removeOldPrices(on: Queryable, keptFrom: number): Promise<void> {
  await on.query(
    `
DELETE FROM price_history h
WHERE until <= $1 AND EXISTS (
  SELECT FROM price_history n
  WHERE n.catalog_id = h.catalog_id AND n.product_id = h.product_id AND n.currency = h.currency AND n.until > h.until AND n.until <= $1)`,
    [new Date(keptFrom)],
  )
}

/** Removes the prices that were going to end at instants still to come, epoch milliseconds. At most one statement. */
export async function forgetComingPrices(on: Queryable, catalogId: string, instants: readonly number[]): Promise<void> {
  if (instants.length === 0) return
  const text = 'DELETE FROM price_history WHERE catalog_id = $1::uuid AND until = ANY ($2::timestamptz[])'
  await on.query(text, [catalogId, instants.map((at) => new Date(at))])
}

const historyOfProducts = `
SELECT product_id AS "productId", json_agg(json_build_object('currency', currency,
    'until', ${epochMs('until')}, 'starts', starts, 'amounts', amounts) ORDER BY until) AS past
FROM price_history WHERE catalog_id = $1::uuid AND product_id = ANY ($2::uuid[]) GROUP BY product_id`

interface HistoryRow {
  readonly productId: string
  /** JSON has no -Infinity, which stands there as text. */
  readonly past: readonly (Omit<PastPrice, 'starts'> & { readonly currency: string; readonly starts: readonly (number | string)[] })[]
}

/** By raw product id, its past prices in a catalog by currency, each by rising `until`. One statement for all products of a catalog. */
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
  for (const { currency, starts, ...one } of past) {
    const list = prices.get(currency) ?? []
    list.push({ ...one, starts: starts.map(Number) })
    prices.set(currency, list)
  }
  return prices
}
