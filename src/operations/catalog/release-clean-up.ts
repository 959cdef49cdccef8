/** The clean-up of releases and of their prices, at the start of a server and after a publish. */
import type pg from 'pg'
import type { ReleaseSummary } from '../../domain/catalog/release-summary.ts'
import { DAY_MS } from '../../domain/input/instant.ts'
import { removeOldPrices, settleFirstPrices } from '../../persistence/catalog/price-history-clean-up.ts'
import { tryPublishLock } from '../../persistence/catalog/publish/lock.ts'
import { nameSales } from '../../persistence/catalog/publish/price-spans.ts'
import { failInterrupted, outnumbered, removeRetired, retire } from '../../persistence/catalog/publish/retention.ts'
import { inClientTransaction } from '../../persistence/catalog/publish/run.ts'
import { readSummary } from '../../persistence/catalog/release.ts'
import type { Database } from '../../persistence/database/database.ts'
import { type Context, presentOf } from '../../request/context.ts'

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

/**
 * Removes what a publish makes superfluous, and returns the summary of the release. Releases retire at the present
 * instant, not at that of the request: schedules may have taken effect meanwhile, and requests may still be reading a
 * retired release.
 */
export async function afterPublish(
  ctx: Context,
  client: pg.PoolClient,
  { catalogId, id }: { readonly catalogId: string; readonly id: string },
): Promise<ReleaseSummary> {
  const now = presentOf(ctx)
  await inClientTransaction(client, async () => {
    await retire(client, catalogId, await outnumbered(client, catalogId, ctx.config.releasesKept, now), now)
  })
  await removeRetired(client, now)
  await removeOldPrices(client, now, ctx.config.priceHistoryDays * DAY_MS)
  return (await readSummary(client, id)) as ReleaseSummary
}
