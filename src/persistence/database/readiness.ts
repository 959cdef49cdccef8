/** Readiness: whether the database serves this version, for /ready (http.ready-is-apart). */
import { SingleFlight } from '../../lib/single-flight.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Database } from './database.ts'
import { isMigrated } from './migrate.ts'
import { type Migration, readMigrations } from './migrations.ts'

/**
 * Makes the check, which takes at most `limitMs` and never rejects. It runs only on the connection of /ready, once for
 * all that ask at the same time. The embedded database has one connection, which others may hold. So it is ready while
 * it is alive, once its migrations were seen: no other process can change them.
 */
export function createReadiness(
  database: Database,
  limitMs: number,
  migrations: readonly Migration[] = readMigrations(),
): () => Promise<boolean> {
  const checks = new SingleFlight<'check', boolean>()
  let wasMigrated = false
  const check = async (): Promise<boolean> => {
    wasMigrated = await withTimeout(isMigrated(database, migrations), limitMs, false).catch(() => false)
    return wasMigrated
  }
  return async () => (wasMigrated && database.isAlive?.()) || checks.run('check', check)
}
