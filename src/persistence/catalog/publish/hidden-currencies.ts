/**
 * Hidden currencies: what a publish finds where a higher price book has a SKU but lacks a currency that a lower one has
 * (price-book.hidden-currency-warned).
 *
 * SQL, since the connection of a publish is not Prisma's.
 */
import type { ReleaseWarning } from '../../../domain/catalog/release-summary.ts'
import type { Queryable } from '../../database/query.ts'

// The first book hides nothing of itself, so a catalog with one book reads no price. Most keys are in both prices, so
// keys alone are listed, in two thirds of the time of keys with values.
const hiddenCurrencies = `
WITH lower_book AS (
  SELECT b.price_book_id FROM release r JOIN catalog_price_book b ON b.catalog_id = r.catalog_id WHERE r.id = $1
  ORDER BY b.priority DESC, b.position OFFSET 1),
hidden AS MATERIALIZED (
  SELECT DISTINCT p.id, p.price_book_id, p.sku, c.currency
  FROM product_price l JOIN pub_price u ON u.sku = l.sku AND u.price_id <> l.id JOIN product_price p ON p.id = u.price_id
  CROSS JOIN LATERAL jsonb_object_keys(l.currencies) c (currency)
  WHERE l.price_book_id IN (SELECT price_book_id FROM lower_book)
    AND p.currencies -> c.currency ->> 'amount' IS NULL AND l.currencies -> c.currency ->> 'amount' IS NOT NULL)
SELECT h.price_book_id, h.currency, count(*)::int4 AS count,
  (array_agg(u.product_id ORDER BY u.rank))[1] AS product_id, (array_agg(h.sku ORDER BY u.rank))[1] AS sku
FROM hidden h JOIN pub_product u ON coalesce(u.own_price, u.base_price) = h.id
JOIN release r ON r.id = $1 JOIN catalog_price_book b ON b.catalog_id = r.catalog_id AND b.price_book_id = h.price_book_id
GROUP BY b.priority, b.position, h.price_book_id, h.currency ORDER BY b.priority DESC, b.position, h.currency COLLATE "C"`

type HiddenCurrency = Required<Pick<ReleaseWarning, 'price_book_id' | 'currency' | 'count' | 'product_id' | 'sku'>>

/** One warning for each book and hidden currency, with the number of products and the first of them. One statement. */
export async function* hiddenCurrenciesOf(
  client: Queryable,
  _now: number,
  releaseId: string,
): AsyncGenerator<ReleaseWarning[]> {
  const { rows } = await client.query<HiddenCurrency>(hiddenCurrencies, [releaseId])
  yield rows.map((hidden) => ({ code: 'CURRENCY_HIDDEN_BY_BOOK', ...hidden }))
}
