/** Publishing, part 4: products that have no price although their parts do (pricing F8, H1), for the release's notes. */
import type pg from 'pg'
import type { FrozenBody } from '../../domain/frozen-body.ts'
import { priceWarnings } from '../../domain/price-warning.ts'
import { readDocument } from '../../domain/release-document.ts'
import type { ReleaseWarning } from '../../domain/release-summary.ts'

/** How many warnings a release keeps; their number is told whole. */
export const WARNINGS_KEPT = 100

const BATCH = 500

// Summed bundles, and children whose modifiers work on amounts so large that a sum could pass 2^53-1.
const candidates = `
WITH large AS (
  SELECT p.id FROM product_price p
  WHERE p.id IN (SELECT base_price FROM pub_product WHERE modifier_names IS NOT NULL)
    AND (jsonb_path_exists(p.currencies, '$.**.amount ? (@ > 1000000000000)')
      OR EXISTS (SELECT FROM sale s WHERE s.product_price_id = p.id AND jsonb_path_exists(s.currencies, '$.**.amount ? (@ > 1000000000000)')))),
large_modifier AS (
  SELECT m.price_book_id, m.name FROM price_modifier m
  WHERE m.price_book_id IN (SELECT DISTINCT base_book FROM pub_product)
    AND jsonb_path_exists(m.currencies, '$.**.amount ? (@ > 1000000000000)'))
SELECT u.document_id AS id FROM pub_product u
WHERE u.is_bundle AND u.own_price IS NULL OR u.modifier_names IS NOT NULL AND (
  u.base_price IN (SELECT id FROM large)
  OR EXISTS (SELECT FROM large_modifier m WHERE m.price_book_id = u.base_book AND m.name = ANY (u.modifier_names)))
ORDER BY u.rank`

/** Writes what it finds into the release's notes, in the order of the listing. One statement for the candidates, one for each 500 of them, one to write. */
export async function noteWarnings(client: pg.PoolClient, releaseId: string, now: number): Promise<void> {
  const { rows } = await client.query<{ id: number }>(candidates)
  const kept: ReleaseWarning[] = []
  let count = 0
  for (let at = 0; at < rows.length; at += BATCH) {
    const ids = rows.slice(at, at + BATCH).map(({ id }) => id)
    const text = `SELECT d.id, d.body FROM unnest($1::int[]) WITH ORDINALITY w (id, place) JOIN release_document d ON d.id = w.id ORDER BY w.place`
    const documents = await client.query<{ id: number; body: FrozenBody }>(text, [ids])
    for (const { id, body } of documents.rows) {
      const { product, unit } = readDocument(id, body, 0)
      const found = priceWarnings(unit, now)
      count += found.length
      kept.push(...found.slice(0, WARNINGS_KEPT - kept.length).map((warning) => ({ ...warning, product_id: product.id })))
    }
  }
  if (count === 0) return
  await client.query('UPDATE release SET notes = $2 WHERE id = $1', [releaseId, JSON.stringify({ warnings: kept, warning_count: count })])
}
