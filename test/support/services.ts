import { type Config, loadConfig } from '../../src/config/config.ts'
import { createLogger } from '../../src/lib/log.ts'
import type { Searcher } from '../../src/persistence/catalog/product-search.ts'
import type { ReleaseReader } from '../../src/persistence/catalog/readable-releases.ts'
import { ReleaseCache } from '../../src/persistence/catalog/release-cache.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import type { Services } from '../../src/request/context.ts'

/** The services of a process without a server. */
export function servicesOf(database: Database, config: Partial<Config> = {}): Services {
  const whole = {
    ...loadConfig({ NODE_ENV: 'test', AUTH_SECRET: 'a secret of the tests, long enough for HS256' }),
    ...config,
  }
  return {
    config: whole,
    database,
    releases: new ReleaseCache(database, { storeLanguage: whole.storeLanguage }),
    log: createLogger('silent'),
  }
}

/** A shopper who reads releases at an instant after all that tests schedule. */
export const shopperReader: ReleaseReader = { now: Date.UTC(2100, 0, 1), readsAll: false, proof: null }

/** A searcher without limits. */
export const searcher: Searcher = { owner: 'test', spend: () => undefined, assertActive: () => undefined }
