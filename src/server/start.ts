/**
 * Server startup: migrates the database, loads the demo store and listens. Afterwards it cleans up unfinished publishes
 * and completes releases of older versions.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createIssueToken } from '../auth/issue.ts'
import { createKeySet } from '../auth/key-set.ts'
import { createAuthenticate } from '../auth/verify.ts'
import type { AuthConfig } from '../config/auth-config.ts'
import type { Config } from '../config/config.ts'
import { loadDemo } from '../demo/demo-store.ts'
import { analyserOf } from '../domain/catalog/search-text.ts'
import { DAY_MS, setStoreTimeZone } from '../domain/input/instant.ts'
import { createGraphqlServer } from '../graphql/server/server.ts'
import type { Logger } from '../lib/log.ts'
import { cleanUpReleases, settlePastPrices } from '../operations/catalog/release-clean-up.ts'
import { cutLatestReleases } from '../persistence/catalog/publish/price-spans.ts'
import { ReleaseCache } from '../persistence/catalog/release-cache.ts'
import { analyseLatestReleases } from '../persistence/catalog/release-texts.ts'
import { ChangeFeed } from '../persistence/changes/change-feed.ts'
import { SaleClock } from '../persistence/changes/sale-clock.ts'
import type { Database } from '../persistence/database/database.ts'
import { assertReadable, migrate } from '../persistence/database/migrate.ts'
import { pruneIdempotencyKeys } from '../persistence/idempotency.ts'
import { ImportWatch } from '../persistence/imports/import-watch.ts'
import { deriveAgreementRows } from '../persistence/subscriptions/agreement-rows.ts'
import type { Services } from '../request/context.ts'
import { rateLimitOf } from '../request/rate-limit.ts'
import { type App, createApp } from './app.ts'
import { ImportRunner } from './imports/runner.ts'
import type { Traces } from './monitoring/traces.ts'
import { addressOf, startupBanner } from './startup-banner.ts'
import { WebhookDeliverer } from './webhooks/deliverer.ts'

/** Milliseconds between two attempts to clean up releases. */
const CLEAN_UP_AGAIN_MS = 2_000
/** Milliseconds between two prunings of idempotency keys. */
export const PRUNE_KEYS_EVERY_MS = 60 * 60 * 1000
/**
 * Connections that may wait to be accepted. The kernel drops more, and their clients retry after seconds instead of
 * getting a 503.
 */
const LISTEN_BACKLOG = 4_096

/** Progress of the startup: what a shutdown has to close so far. */
export interface StartupState {
  readonly log: Logger
  database: Database | null
  app: App | null
  deliverer: WebhookDeliverer | null
  runner: ImportRunner | null
  /** Set by a signal or a failed startup. */
  stopping: boolean
}

/**
 * Starts the server on an open database. Does nothing once a shutdown has begun, since that would wait for its
 * statements, and does not listen when a shutdown begins meanwhile. Rejects when a migration or listening fails.
 */
export async function listen(config: Config, database: Database, state: StartupState): Promise<void> {
  const { log } = state
  if (state.stopping) return
  setStoreTimeZone(config.storeTimeZone)
  await migrate(database.pool)
  await assertReadable(database)
  const releases = new ReleaseCache(database, {
    documentsMb: config.documentCacheMb,
    storeLanguage: config.storeLanguage,
  })
  const changes = new ChangeFeed({ database, releases, log, clock: Date.now })
  const saleClock = new SaleClock({ database, releases, log, clock: Date.now })
  const importWatch = new ImportWatch({ database, log })
  const services: Services = { config, database, releases, changes, saleClock, importWatch, log }
  if (await loadDemo(services)) log.info('loaded the demo store')
  const issue = config.auth.kind === 'secret' ? createIssueToken(config.auth) : null
  const keys = config.auth.kind === 'jwks' ? createKeySet(config.auth.url, config.proxies) : null
  const authenticate = createAuthenticate(config.auth, keys)
  if (state.stopping) return
  if (config.production && keys) warnOfOpenDoors(config.auth, log)
  void keys?.load(log)
  const rateLimit = rateLimitOf(config.rateLimit, database)
  const traces = await tracesOf(config, database, log)
  const parts = { services, clock: Date.now, authenticate, keys, issue, rateLimit, traces }
  await analyseLatest(services)
  await deriveAgreementRows(database, (subscriptions) =>
    log.info({ subscriptions }, 'indexing what subscriptions agree on'),
  )
  const app = createApp({ ...parts, createGraphql: createGraphqlServer })
  state.app = app
  await new Promise<void>((resolve, reject) => {
    app.server.once('error', (error) =>
      reject(
        new Error(
          `The server cannot listen: ${error.message}. Set PORT and HOST to an address of this machine that is free.`,
        ),
      ),
    )
    app.server.listen({ port: config.port, host: config.host, backlog: LISTEN_BACKLOG }, resolve)
  })
  // A shutdown that began meanwhile has stopped only what existed by then.
  if (state.stopping) return
  state.deliverer = new WebhookDeliverer({ config, database, log, clock: Date.now })
  state.deliverer.start()
  state.runner = new ImportRunner(services, Date.now)
  state.runner.start()
  changes.startPruning(config.historyDays * DAY_MS)
  // A stopping server closes the database without waiting for any of these. The next start does them again.
  const failed = (message: string) => (error: unknown) => state.stopping || log.warn({ err: error }, message)
  const pruneKeys = () => pruneIdempotencyKeys(database, Date.now()).catch(failed('could not prune idempotency keys'))
  setInterval(pruneKeys, PRUNE_KEYS_EVERY_MS).unref()
  void pruneKeys()
  cleanUp(database, config).catch(failed('could not clean up releases'))
  cutLatestReleases(database.pool, Date.now()).catch(failed('could not cut prices into spans'))
  const address = addressOf(app.server.address(), config.host)
  log.info({ address, database: database.kind }, 'listening')
  if (!config.production) console.log(await startupBanner(address, issue, Date.now()))
}

/** A server takes requests once what they search most is analysed; after an upgrade that takes some seconds. */
async function analyseLatest({ database, config, log }: Services): Promise<void> {
  const analyser = analyserOf(config.storeLanguage)
  await analyseLatestReleases(database, analyser, Date.now(), (at, count) =>
    log.info({ release: at + 1, releases: count }, 'analysing the texts of a release'),
  )
}

async function tracesOf(
  { tracesEndpoint, proxies }: Config,
  database: Database,
  log: Logger,
): Promise<Traces | undefined> {
  if (tracesEndpoint === null) return undefined
  const { createTraces } = await import('./monitoring/traces.ts')
  return createTraces(database, log, tracesEndpoint, proxies)
}

/** An identity provider signs tokens for other services too (token.issuer-and-audience-expected). */
function warnOfOpenDoors({ issuer, audience }: AuthConfig, log: Logger): void {
  if (issuer === null)
    log.warn('AUTH_ISSUER is not set: a token of any issuer is accepted whose key is in AUTH_JWKS_URL')
  if (audience === null)
    log.warn('AUTH_AUDIENCE is not set: tokens that the identity provider signed for other services are accepted')
}

/**
 * Settles what an upgrade leaves open, and removes what a killed process left of a publish. Retries while PostgreSQL
 * still runs that process's statement, which holds the lock.
 */
async function cleanUp(database: Database, { priceHistoryDays }: Config): Promise<void> {
  await settlePastPrices(database, Date.now(), priceHistoryDays * DAY_MS)
  while (!(await cleanUpReleases(database, Date.now()))) await pause(CLEAN_UP_AGAIN_MS, undefined, { ref: false })
}
