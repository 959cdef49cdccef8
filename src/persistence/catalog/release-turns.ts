/**
 * Release turns: the instants at which scheduled releases become the latest of a catalog.
 *
 * SQL, since Prisma's `distinct` is applied in this process, to all rows.
 */
import type { ReleaseTurn } from '../../domain/catalog/release-activation.ts'
import { formatInstant } from '../../domain/input/instant.ts'
import { epochMs } from '../database/columns.ts'
import type { Database } from '../database/database.ts'

/** Of several releases with one instant the last one is the latest. */
const turnsOfCatalog = `
SELECT DISTINCT ON (effective_at) release_id AS "releaseId", ${epochMs('effective_at')} AS at
FROM release_activation WHERE catalog_id = $1::uuid AND scheduled AND effective_at <= $2::timestamptz ORDER BY effective_at, id DESC`

/**
 * The turns of a catalog up to `now`, epoch milliseconds, in their order, of releases that are still there. One
 * statement.
 */
export function releaseTurns(database: Database, catalogId: string, now: number): Promise<ReleaseTurn[]> {
  return database.query<ReleaseTurn>('release_turns', turnsOfCatalog, [catalogId, formatInstant(now)])
}
