/**
 * Sale turns: the instants at which schedules change the prices of a release. SQL, since Prisma can't look into the
 * arrays of instants.
 */
import type { Release } from '../../domain/catalog/release.ts'
import type { SaleTurn } from '../../domain/catalog/sale-turn.ts'
import type { Database } from '../database/database.ts'

/** $1: documents, $2: epoch milliseconds. The first span of a price begins at -Infinity and is no turn. */
const nextTurnOfDocuments = `
WITH price AS MATERIALIZED (
  SELECT p.document_id, p.starts, p.on_sale FROM unnest($1::int[]) d (id) JOIN release_document_price p ON p.document_id = d.id
  WHERE p.starts[cardinality(p.starts)] > $2::float8),
next AS (SELECT min(s) AS at FROM price CROSS JOIN LATERAL unnest(starts) s WHERE s > $2::float8)
SELECT n.at, p.document_id AS document, bool_or(p.on_sale[array_position(p.starts, n.at)]) AS "onSale"
FROM next n JOIN price p ON n.at = ANY (p.starts) GROUP BY n.at, p.document_id`

interface TurnedRow {
  readonly at: number
  readonly document: number
  readonly onSale: boolean
}

/**
 * The first turn of a release after an instant, epoch milliseconds; null when no price of it changes any more. One
 * statement, which reads the prices of the whole release.
 */
export async function nextSaleChange(database: Database, release: Release, after: number): Promise<SaleTurn | null> {
  const { documents } = release.allProducts
  const rows = await database.query<TurnedRow>('next_turn', nextTurnOfDocuments, [`{${documents.join()}}`, after])
  const [first] = rows
  if (!first) return null
  const turned = new Map(rows.map(({ document, onSale }) => [document, onSale]))
  return {
    at: first.at,
    release,
    documents: documents.filter((document) => turned.has(document)),
    onSaleCount: rows.filter(({ onSale }) => onSale).length,
  }
}
