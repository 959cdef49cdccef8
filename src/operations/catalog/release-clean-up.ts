/** What the start of a server does for releases. */
import { tryPublishLock } from '../../persistence/catalog/publish/lock.ts'
import { failInterrupted, removeRetired } from '../../persistence/catalog/publish/retention.ts'
import { countWantedWords } from '../../persistence/catalog/publish/run.ts'
import type { Database } from '../../persistence/database/database.ts'

/**
 * Fails interrupted publishes, removes retired releases and counts words where an upgrade wants that, at the start of a
 * server. False when a publish holds the lock.
 */
export async function cleanUpReleases(database: Database, now: number): Promise<boolean> {
  const done = await tryPublishLock(database, async (client) => {
    await failInterrupted(client)
    await removeRetired(client, now)
    await countWantedWords(client, now)
    return true
  })
  return done === true
}
