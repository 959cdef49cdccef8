/**
 * Price history: what products cost in a catalog until a publish changed that, kept for PRICE_HISTORY_DAYS, independent of RELEASES_KEPT
 * (price.history-outlives-releases).
 */
import type { PastPrice } from '../../domain/pricing/lowest-prior.ts'
import type { Database } from '../database/database.ts'
import { type Queryable, query } from '../database/query.ts'
import { loadersBy } from '../loading/loader.ts'

/** The change of a catalog's latest release from one to another; null for none. `at` is epoch milliseconds. */
export interface LatestChange {
  readonly catalogId: string
  readonly from: string | null
  readonly to: string | null
  readonly at: number
}

/** The documents of release `one` that release `other` lacks. */
const onlyIn = (one: string, other: string): string => `
  SELECT unnest(documents) AS id FROM release_listing WHERE release_id = ${one}::uuid AND scope = ${one}::uuid
  EXCEPT SELECT unnest(documents) FROM release_listing WHERE release_id = ${other}::uuid AND scope = ${other}::uuid`

const pricesOf = (documents: string): string => `
  SELECT d.product_id, p.currency, p.starts, p.amounts
  FROM ${documents} g JOIN release_document d ON d.id = g.id JOIN release_document_price p ON p.document_id = g.id`

/** Documents are content-addressed, so a product whose document both releases have has kept its price. */
const insertChanged = `
WITH gone AS MATERIALIZED (${onlyIn('$2', '$3')}),
come AS MATERIALIZED (${onlyIn('$3', '$2')}),
before AS (${pricesOf('gone')}),
after AS (${pricesOf('come')})
INSERT INTO price_history (catalog_id, product_id, currency, until, starts, amounts)
SELECT $1::uuid, product_id, currency, $4::timestamptz, coalesce(b.starts, '{}'), coalesce(b.amounts, '{}')
FROM before b FULL JOIN after a USING (product_id, currency)
WHERE (b.starts, b.amounts) IS DISTINCT FROM (a.starts, a.amounts)
ON CONFLICT DO NOTHING`

/** Remembers the prices of `from` that `to` changed. One statement. */
export async function rememberPrices(on: Queryable, { catalogId, from, to, at }: LatestChange): Promise<void> {
  if (from !== to) await on.query(insertChanged, [catalogId, from, to, new Date(at)])
}

/**
 * Removes what ended before `keptFrom`, epoch milliseconds, save the last price of each product and currency: it tells since when the next
 * one was in force. One statement.
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

/** The id of the catalog's latest release, null for none. */
export async function latestReleaseId(on: Queryable, catalogId: string): Promise<string | null> {
  const text = 'SELECT latest_release_id AS id FROM catalog WHERE id = $1::uuid'
  const [row] = await query<{ id: string | null }>(on, 'latest_release_id', text, [catalogId])
  return row?.id ?? null
}

const historyOfProducts = `
SELECT product_id AS "productId", json_agg(json_build_object('currency', currency,
    'until', (extract(epoch FROM until) * 1000)::bigint, 'starts', starts, 'amounts', amounts) ORDER BY until) AS past
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
