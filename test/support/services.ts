import { type Config, loadConfig } from '../../src/config.ts'
import type { Services } from '../../src/context.ts'
import { createLogger } from '../../src/log.ts'
import type { Database } from '../../src/persistence/database.ts'
import { ReleaseStore } from '../../src/persistence/release-store.ts'

/** What a process has, without a server. */
export function servicesOf(database: Database, config: Partial<Config> = {}): Services {
  const whole = { ...loadConfig({ NODE_ENV: 'test', AUTH_SECRET: 'a secret of the tests, long enough for HS256' }), ...config }
  return { config: whole, database, releases: new ReleaseStore(database), log: createLogger('silent') }
}
