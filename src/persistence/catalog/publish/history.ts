/** Publish steps, part 5: the prices that the publish changes go into the catalog's price history (price-history.ts). */
import type pg from 'pg'
import { rememberPrices } from '../price-history.ts'
import type { PublishStep } from './selection.ts'

/**
 * Notes which release was the latest before, unless it was published by a version of the program that kept no spans. The pointer step then
 * begins the catalog's history anew.
 */
export const previousRelease: PublishStep = {
  name: 'previous release',
  sql: `
INSERT INTO pub_previous
SELECT r.id FROM catalog c JOIN release r ON r.id = c.latest_release_id AND r.has_price_spans WHERE c.id = :catalog`,
}

/** Remembers the prices that differ from those of the release before; a first publish changes none. */
export async function saveHistory(client: pg.PoolClient, releaseId: string, now: number): Promise<void> {
  const { rows } = await client.query<{ from: string; catalogId: string }>(`
    SELECT p.release_id AS "from", r.catalog_id AS "catalogId" FROM pub_previous p JOIN release r ON r.id = p.release_id`)
  for (const row of rows) await rememberPrices(client, { ...row, to: releaseId, at: now })
}
