/** The clean-up of releases and of their prices at the start of a server. */
import { settleFirstPrices } from '../../persistence/catalog/price-history-clean-up.ts'
import { tryPublishLock } from '../../persistence/catalog/publish/lock.ts'
import { nameSales } from '../../persistence/catalog/publish/price-spans.ts'
import { failInterrupted, removeRetired } from '../../persistence/catalog/publish/retention.ts'
import type { Database } from '../../persistence/database/database.ts'

/**
 * Marks interrupted publishes as failed, removes retired releases, and names sales where an upgrade requires it.
 * Returns false when a publish holds the lock.
 */
export async function cleanUpReleases(database: Database, now: number): Promise<boolean> {
  const done = await tryPublishLock(database, async (client) => {
    await failInterrupted(client)
    await removeRetired(client, now)
    await nameSales(client)
    return true
  })
  return done === true
}

/** Settles what an upgrade leaves open of past prices, which are kept for `keepMs`. One statement. */
export function settlePastPrices({ pool }: Database, now: number, keepMs: number): Promise<void> {
  return settleFirstPrices(pool, now - keepMs)
}
