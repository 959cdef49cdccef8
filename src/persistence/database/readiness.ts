/** Readiness: whether the database serves this version, for /ready (http.ready-is-apart). */
import { SingleFlight } from '../../lib/single-flight.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Database } from './database.ts'
import { isMigrated } from './migrate.ts'
import { type Migration, readMigrations } from './migrations.ts'

/**
 * Makes the check, which takes `limitMs` at most and never rejects. It runs on the connection of /ready alone, once for all that ask at
 * the same time. The embedded database has one connection, which others may have: once its migrations were seen, which no other process
 * can change, it is ready while it is alive.
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
