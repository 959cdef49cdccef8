/**
 * Clean-up of the price history: what goes after PRICE_HISTORY_DAYS (price.history-outlives-releases), and what an
 * upgrade leaves to be settled.
 *
 * SQL, since it runs under the publish lock, whose connection is not Prisma's.
 */
import { type PriceHistory, spansWithin } from '../../domain/pricing/charged-prices.ts'
import { removableUntil } from '../../domain/pricing/lowest-prior.ts'
import type { Period } from '../../domain/pricing/price-timeline.ts'
import { epochMs } from '../database/columns.ts'
import { namedQuery, type Queryable } from '../database/query.ts'
import { pastPrices, type StoredPastPrice, type StoredSpans, toPastPrice, toSpans } from './price-history.ts'

/** Products whose reductions are looked at in one batch; other requests run between batches. */
const BATCH = 1_000

/**
 * $1: the instant up to which prices are old, $2: now, $3: now in epoch milliseconds. Deletes the old prices of
 * products that no sale reduces now, except the last one of each product and currency: its end is the start of the next
 * price. Returns the other products with old prices. Where the latest release lacks its spans nothing goes. Aged and
 * reduced prices meet in a GROUP BY, since the planner would join such lists in a loop.
 */
const removeUnneeded = `
WITH aged AS MATERIALIZED (
  SELECT catalog_id, product_id, currency, max(until) AS last FROM price_history WHERE until <= $1::timestamptz
  GROUP BY catalog_id, product_id, currency HAVING count(*) > 1),
latest AS MATERIALIZED (
  SELECT c.id AS catalog_id, r.has_price_spans, l.documents FROM catalog c
  JOIN release r ON r.id = latest_release(c.id, $2::timestamptz) JOIN release_listing l ON l.release_id = r.id AND l.scope = r.id
  WHERE c.id IN (SELECT catalog_id FROM aged)),
reduced AS (
  SELECT l.catalog_id, d.product_id, p.currency, d.id
  FROM latest l CROSS JOIN LATERAL unnest(l.documents) u (id) JOIN release_document d ON d.id = u.id
  JOIN release_document_price p ON p.document_id = d.id
  WHERE p.sales IS NULL OR p.sales[width_bucket($3::float8, p.starts)] IS NOT NULL),
judged AS MATERIALIZED (
  SELECT catalog_id, product_id, currency, max(last) AS last, max(document) AS document
  FROM (SELECT catalog_id, product_id, currency, last, NULL::int AS document FROM aged
    UNION ALL SELECT catalog_id, product_id, currency, NULL, id FROM reduced) found
  WHERE catalog_id NOT IN (SELECT catalog_id FROM latest WHERE NOT has_price_spans)
  GROUP BY catalog_id, product_id, currency HAVING max(last) IS NOT NULL),
removed AS (
  DELETE FROM price_history h USING judged j
  WHERE j.document IS NULL AND h.catalog_id = j.catalog_id AND h.product_id = j.product_id AND h.currency = j.currency AND h.until < j.last)
SELECT catalog_id AS "catalogId", product_id AS "productId", currency, document FROM judged WHERE document IS NOT NULL`

/** A product with old prices that a sale reduces now. */
interface Reduced {
  readonly catalogId: string
  readonly productId: string
  readonly currency: string
  readonly document: number
}

const keys = 'catalog_id, product_id, currency'
const keyTypes = '$1::uuid[], $2::uuid[], $3::text[]'

const historyOfReduced = `
SELECT k.catalog_id AS "catalogId", k.product_id AS "productId", k.currency, ${epochMs('c.first_published_at')} AS "firstPublishedAt",
  ${epochMs('c.price_history_from')} AS "begunAt", h.past,
  json_build_object('starts', p.starts, 'amounts', p.amounts, 'sales', p.sales) AS present
FROM unnest(${keyTypes}, $4::int[]) k (${keys}, document_id)
JOIN catalog c ON c.id = k.catalog_id AND c.first_published_at IS NOT NULL
JOIN release_document_price p ON p.document_id = k.document_id AND p.currency = k.currency
CROSS JOIN LATERAL (
  SELECT ${pastPrices} AS past FROM price_history h
  WHERE h.catalog_id = k.catalog_id AND h.product_id = k.product_id AND h.currency = k.currency) h`

interface ReducedRow extends Omit<Reduced, 'document'>, Omit<PriceHistory, 'past'> {
  readonly past: readonly StoredPastPrice[]
  readonly present: StoredSpans
}

const removeBefore = `
DELETE FROM price_history h USING unnest(${keyTypes}, $4::timestamptz[]) k (${keys}, until)
WHERE h.catalog_id = k.catalog_id AND h.product_id = k.product_id AND h.currency = k.currency AND h.until < k.until`

/**
 * Removes prices that ended `keepMs` before `now`, epoch milliseconds, except the last one of each product and currency
 * and those that a reduction needs. One statement, and two for each BATCH of products that are on sale and have such
 * prices.
 */
export async function removeOldPrices(on: Queryable, now: number, keepMs: number): Promise<void> {
  const values = [new Date(now - keepMs), new Date(now), now]
  const reduced = await namedQuery<Reduced>(on, 'remove_old_prices', removeUnneeded, values)
  for (let at = 0; at < reduced.length; at += BATCH) {
    const batch = reduced.slice(at, at + BATCH)
    const documents = batch.map(({ document }) => document)
    const rows = await namedQuery<ReducedRow>(on, 'history_of_reduced', historyOfReduced, [...keysOf(batch), documents])
    const old = rows.flatMap((row) => {
      const last = lastRemovable(row, now, keepMs)
      return last === null || row.past[0]?.until === last ? [] : { ...row, until: new Date(last) }
    })
    if (old.length === 0) continue
    await namedQuery(on, 'remove_unneeded_prices', removeBefore, [...keysOf(old), old.map(({ until }) => until)])
  }
}

function keysOf(rows: readonly Omit<Reduced, 'document'>[]): string[][] {
  return [
    rows.map(({ catalogId }) => catalogId),
    rows.map(({ productId }) => productId),
    rows.map(({ currency }) => currency),
  ]
}

/** The end of the last past price that may be removed, epoch milliseconds; null when none may. */
function lastRemovable({ past, present, ...catalog }: ReducedRow, now: number, keepMs: number): number | null {
  const spans = toSpans(present)
  const history = { ...catalog, past: past.map(toPastPrice) }
  const latest = { since: now, pricesIn: (period: Period) => spansWithin(spans, period) }
  const removable = removableUntil(history, latest, now, keepMs)
  return removable === null ? null : (past.findLast(({ until }) => until <= removable)?.until ?? null)
}

/**
 * Settles since when first past prices were in force that an older version of the program stored: since the history
 * began where that version can't have removed prices before them, which it did when they had ended by `keptFrom`, epoch
 * milliseconds; otherwise for no time that is known. One statement.
 */
export async function settleFirstPrices(on: Queryable, keptFrom: number): Promise<void> {
  await on.query(
    `
UPDATE price_history h
SET since = CASE WHEN h.until > $1 THEN least(h.until, greatest(c.first_published_at, c.price_history_from)) ELSE h.until END
FROM catalog c WHERE c.id = h.catalog_id AND h.since IS NULL`,
    [new Date(keptFrom)],
  )
}
