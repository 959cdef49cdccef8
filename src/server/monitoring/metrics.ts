/**
 * GET /metrics for Prometheus, for clients with METRICS_TOKEN. lib/metrics.ts has what is counted where it happens.
 * Here is what each scrape reads: the state of this server and of its process.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { collectDefaultMetrics, Gauge, Registry, register } from 'prom-client'
import { InvalidToken, noToken } from '../../auth/invalid-token.ts'
import { sameSecret } from '../../auth/issue.ts'
import { bearerToken } from '../../auth/verify.ts'
import { statementSeconds } from '../../lib/metrics.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import { newestPublication } from '../../persistence/catalog/release.ts'
import type { Database } from '../../persistence/database/database.ts'
import type { RequestInfo } from '../../request/request-info.ts'
import { failureOf, HttpFailure } from '../../rest/http/errors.ts'
import { send } from '../../rest/server.ts'

/** The path. Like /health it needs no admission, so a loaded server stays observable. */
export const METRICS_PATH = '/metrics'
/** Milliseconds that a scrape waits for the database. Without an answer it lacks what only the database knows. */
const DATABASE_MS = 800

/** Collaborators of the metrics. */
export interface MetricsParts {
  readonly database: Database
  /** METRICS_TOKEN. */
  readonly token: string
  readonly requestsInFlight: () => number
  /** Epoch milliseconds. */
  readonly clock: () => number
}

/** The metrics of a server. */
export interface Metrics {
  /** Responds to a scrape. */
  readonly handle: (req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo) => Promise<void>
  /** Stops observing statements. */
  readonly stop: () => void
}

/** Creates the metrics, and starts observing statements. */
export function createMetrics({ database, token, requestsInFlight, clock }: MetricsParts): Metrics {
  const own = new Registry()
  collectDefaultMetrics({ register: own })
  gauge(own, 'commerce_requests_in_flight', 'Admitted requests whose response has not ended.', requestsInFlight)
  observePool(own, database)
  observeReleases(own, database, clock)
  const stop = observeStatements(database)
  const all = Registry.merge([register, own])

  const handle: Metrics['handle'] = async (req, res, requestInfo) => {
    try {
      assertMethod(req.method)
      requestInfo.operation = `GET ${METRICS_PATH}`
      assertToken(req.headers.authorization, token)
      const body = Buffer.from(await all.metrics())
      res.writeHead(200, { 'Content-Type': all.contentType, 'Content-Length': body.length }).end(body)
    } catch (error) {
      const failure = failureOf(error)
      if (failure === null) throw error
      send(res, failure)
    }
  }
  return { handle, stop }
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read())
    },
  })
}

function observePool(registry: Registry, { pool, bulkheads }: Database): void {
  gauge(
    registry,
    'commerce_pool_connections_max',
    'Connections to the database at most (POOL_MAX).',
    () => pool.options.max,
  )
  new Gauge({
    name: 'commerce_pool_connections',
    help: 'Connections to the database, by state: used, idle; and requests that wait for one: waiting.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set(
        { state: 'waiting' },
        Object.values(bulkheads).reduce((sum, { waiting }) => sum + waiting, pool.waitingCount),
      )
    },
  })
}

/** One number for all catalogs, since the number of catalogs is not limited. */
function observeReleases(registry: Registry, database: Database, clock: () => number): void {
  new Gauge({
    name: 'commerce_newest_release_timestamp_seconds',
    help: 'When the newest release of any catalog became public; absent while nothing is, or the database does not respond.',
    registers: [registry],
    async collect() {
      const newest = await withTimeout(newestPublication(database, clock()), DATABASE_MS, null).catch(() => null)
      this.remove()
      if (newest !== null) this.set(newest / 1_000)
    },
  })
}

function observeStatements(database: Database): () => void {
  return database.onStatement((_, onEnd) => {
    const start = performance.now()
    onEnd((failed) =>
      statementSeconds.observe({ outcome: failed ? 'failed' : 'ok' }, (performance.now() - start) / 1_000),
    )
  })
}

function assertMethod(method: string | undefined): void {
  if (method !== 'GET') throw new HttpFailure(405, 'The methods of this path are GET, HEAD', { Allow: 'GET, HEAD' })
}

function assertToken(authorization: string | undefined, token: string): void {
  const given = bearerToken(authorization)
  const source = 'it is METRICS_TOKEN of the configuration'
  if (given === null) throw noToken(source)
  if (!sameSecret(given, token)) throw new InvalidToken('The token is not the one for metrics', source)
}
