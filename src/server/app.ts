/**
 * The node:http edge: gives each request an id and an instant, sends /graphql one way and all else to the facade, writes one line about
 * it, and knows what is in flight so that a stop can wait for it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { IssueToken } from '../auth/issue.ts'
import type { Authenticate } from '../auth/verify.ts'
import { FILES_PATH } from '../graphql/server/graphiql-files.ts'
import { sendUnavailable } from '../graphql/server/respond.ts'
import type { Logger } from '../lib/log.ts'
import { TimeSlices } from '../lib/time-slices.ts'
import { createPrefersHtml } from '../pages/html-response.ts'
import { isMigrated } from '../persistence/database/migrate.ts'
import { readMigrations } from '../persistence/database/migrations.ts'
import { ConcurrencyLimiter } from '../request/concurrency-limiter.ts'
import type { Services } from '../request/context.ts'
import type { RateLimit } from '../request/rate-limit.ts'
import { hasSingleHost, type RequestInfo, readRequestInfo } from '../request/request-info.ts'
import { NO_STORE } from '../response-cache/http-caching.ts'
import { ResponseCache } from '../response-cache/response-cache.ts'
import { hostRefused, unavailable, unexpected } from '../rest/http/errors.ts'
import { createRoutes } from '../rest/routes.ts'
import { createRest, send } from '../rest/server.ts'
import { respondToClientError } from './client-error.ts'
import { type ConnectionLimits, connectionLimits, limitFirstHead, timeoutOptions } from './connections.ts'
import { type Cors, createCors } from './cors.ts'
import { type InFlightLimits, InFlightRequests } from './in-flight-requests.ts'
import { createLandingPage } from './landing-page.ts'

/** A filter may fill a head of 64 KiB (filter.clauses-all-hold); the other headers need room beside it. */
export const HEAD_MAX = 80 * 1024
/** /ready says within a second that the database does not answer, the wait for a connection included. */
export const READY_MS = 800
/** At a stop, how long connections without a request stay open. */
export const IDLE_CLOSE_MS = 1_000
/** A request without Host, or with several, and one with an `Expect` that Node does not know, are answered here: Node's own answers have no body. */
const serverOptions = { maxHeaderSize: HEAD_MAX, requireHostHeader: false }
/** Answered however much there is to do. */
const probes: ReadonlySet<string> = new Set(['/health', '/ready'])
const prefersLandingPage = createPrefersHtml(['application/json'])

/** What /graphql is made with. */
export interface GraphqlParts {
  readonly authenticate: Authenticate
  /** For the token that GraphiQL is handed (token.demo-tokens-stay-local). */
  readonly issueToken: IssueToken | null
  readonly rateLimit?: RateLimit
  /** Absent: every response is made anew. */
  readonly cache?: ResponseCache
}

export type GraphqlHandler = (req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo) => void | Promise<void>

export interface AppParts {
  readonly services: Services
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly authenticate: Authenticate
  /** Null where tokens come from elsewhere (token.issued-with-own-secret). */
  readonly issue: IssueToken | null
  readonly createGraphql: (services: Services, parts: GraphqlParts) => GraphqlHandler
  /** False: every response is made anew. */
  readonly cacheResponses?: boolean
  /** Absent: nobody is limited. */
  readonly rateLimit?: RateLimit | undefined
  readonly limits?: Partial<InFlightLimits>
  readonly connections?: Partial<ConnectionLimits>
}

export interface App {
  readonly server: Server
  /** Takes no new connection, lets requests in flight end, and resolves; what still runs after `limitMs` is cut off. */
  readonly stop: (limitMs: number) => Promise<void>
}

export function createApp({
  services: processServices,
  clock,
  authenticate,
  issue,
  createGraphql,
  cacheResponses = true,
  rateLimit,
  limits,
  connections,
}: AppParts): App {
  const services: Services = { ...processServices, slices: new TimeSlices(), concurrencyLimiter: new ConcurrencyLimiter() }
  let stopping = false
  const migrations = readMigrations()
  const isReady = async () => !stopping && (await within(READY_MS, isMigrated(services.database.pool, migrations)))
  const routes = createRoutes({ auth: services.config.auth, issue, isReady })
  const parts = {
    ...(rateLimit && { rateLimit }),
    ...(cacheResponses && { cache: new ResponseCache((catalogId, releaseId) => services.releases.getCached(catalogId, releaseId)) }),
  }
  const rest = createRest({ services, authenticate, routes, ...parts })
  const cors = createCors(services.config.corsOrigins)
  const graphql = createGraphql(services, { authenticate, issueToken: issue, ...parts })
  const landingPage = createLandingPage(services.config, issue)
  const inFlight = new InFlightRequests(services.log, limits)
  // What a line of a request holds is all said in logWhenDone; the net for secrets would cost more than the line.
  const lines = services.log.child({}, { redact: [] })

  async function handle(req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo): Promise<void> {
    if (!hasSingleHost(req)) return send(req, res, hostRefused)
    try {
      if (requestInfo.path === '/' && prefersLandingPage(req)) await landingPage(req, res, requestInfo.now)
      else if (requestInfo.path !== '/graphql' && !requestInfo.path.startsWith(FILES_PATH)) await rest(req, res, requestInfo)
      else if (req.method === 'OPTIONS') send(req, res, { status: 204, headers: { Allow: 'GET, POST, OPTIONS' } })
      else await graphql(req, res, requestInfo)
    } catch (error) {
      services.log.error({ requestId: requestInfo.id, err: error }, 'request failed')
      if (res.headersSent) res.destroy()
      else send(req, res, unexpected)
    }
  }

  const timeouts = { ...connectionLimits, ...connections }
  const server = createServer({ ...serverOptions, ...timeoutOptions(timeouts) }, (req, res) => {
    const requestInfo = readRequestInfo(req, clock())
    if (req.headers.authorization !== undefined) res.setHeader('Cache-Control', NO_STORE)
    const refuse = (): void => (requestInfo.path === '/graphql' ? sendUnavailable(req, res) : send(req, res, unavailable))
    const deadline = probes.has(requestInfo.path) ? undefined : inFlight.admit(req, res, refuse)
    if (deadline === null) return inFlight.shed(req, res, refuse)
    res.setHeader('X-Request-Id', requestInfo.id)
    if (stopping) res.setHeader('Connection', 'close')
    applyCors(cors, req, res)
    const admitted: RequestInfo = deadline ? { ...requestInfo, deadline } : requestInfo
    logWhenDone(lines, req, res, admitted)
    // An answer that had begun before the stop could not tell its client to close.
    res.once('close', () => !server.listening && setTimeout(() => server.closeIdleConnections(), IDLE_CLOSE_MS).unref())
    void handle(req, res, admitted)
  })
  limitFirstHead(server, timeouts)
  server.on('clientError', respondToClientError)
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  return {
    server,
    stop: (limitMs) => {
      stopping = true
      services.changes?.stop()
      return stopServer(server, limitMs).finally(() => inFlight.close())
    },
  }
}

function applyCors(cors: Cors, req: IncomingMessage, res: ServerResponse): void {
  for (const [name, value] of cors(req.headers.origin, req.method === 'OPTIONS')) res.setHeader(name, value)
}

/** One line per request; neither headers nor the query string, which may hold what nobody else should read. */
function logWhenDone(log: Logger, req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo): void {
  const { id, path } = requestInfo
  const start = performance.now()
  res.once('close', () => {
    const milliseconds = Math.round((performance.now() - start) * 10) / 10
    const { refusal } = requestInfo
    const line = { requestId: id, method: req.method, path, status: res.statusCode, ms: milliseconds, ...(refusal && { refusal }) }
    log.info(res.writableFinished ? line : { ...line, aborted: true }, 'request')
  })
}

/**
 * Connections between two requests are closed only after a while: whoever sends on one meanwhile is answered, and told to close. Closed at
 * once, as Node's own close does, it would lose requests that are on their way.
 */
async function stopServer(server: Server, limitMs: number): Promise<void> {
  // Connections that the kernel has taken already are accepted first; closed over them, they would be reset.
  await new Promise((resolve) => setImmediate(resolve))
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  const idle = setTimeout(() => server.close(), Math.min(IDLE_CLOSE_MS, limitMs / 4))
  const cut = setTimeout(() => server.closeAllConnections(), limitMs)
  await closed
  clearTimeout(idle)
  clearTimeout(cut)
  // Ends what Node checks connections with.
  server.close()
}

/** False when the promise fails or takes longer. */
async function within(milliseconds: number, promise: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
