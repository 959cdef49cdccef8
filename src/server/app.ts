/**
 * HTTP server on node:http: request ids, routing, request log and graceful shutdown.
 *
 * Every request gets an id, one instant and, after admission, a deadline. /graphql goes to GraphQL, `/` from a browser
 * to the landing page, /explore, /sign-in and /docs to the pages of that name, everything else to REST. Each request is
 * logged on one line.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { IssueToken } from '../auth/issue.ts'
import type { KeySet } from '../auth/key-set.ts'
import type { Authenticate } from '../auth/verify.ts'
import { FILES_PATH } from '../graphql/server/graphiql-files.ts'
import { graphqlMethods, sendUnavailable } from '../graphql/server/respond.ts'
import type { GraphqlHandler, GraphqlOptions } from '../graphql/server/server.ts'
import { TimeSlices } from '../lib/time-slices.ts'
import { createPrefersHtml } from '../pages/html-response.ts'
import { createSignIn } from '../pages/sign-in.ts'
import { createReadiness } from '../persistence/database/readiness.ts'
import { ConcurrencyLimiter } from '../request/concurrency-limiter.ts'
import type { Services } from '../request/context.ts'
import { createBodyLimiter } from '../request/long-bodies.ts'
import type { RateLimit } from '../request/rate-limit.ts'
import { hasSingleHost, type RequestInfo, readRequestInfo } from '../request/request-info.ts'
import { NO_STORE } from '../response-cache/http-caching.ts'
import { hostRefused, unavailable, unexpected } from '../rest/http/errors.ts'
import { createRoutes } from '../rest/routes.ts'
import { createRest, send } from '../rest/server.ts'
import { createBundledPages } from './bundled-pages.ts'
import { respondToClientError, respondToConnect } from './client-error.ts'
import { compressResponse } from './compression.ts'
import { type ConnectionLimits, connectionLimits, limitBody, limitFirstHead, timeoutOptions } from './connections.ts'
import { createCors } from './cors.ts'
import { createResponseCache } from './create-response-cache.ts'
import { type InFlightLimits, InFlightRequests } from './in-flight-requests.ts'
import { createLandingPage } from './landing-page.ts'
import { createMetrics, METRICS_PATH } from './monitoring/metrics.ts'
import type { Traces } from './monitoring/traces.ts'
import { RequestLog } from './request-log.ts'
import { closeIdleLater, IDLE_CLOSE_MS, stopListener } from './stop-listener.ts'

/**
 * Bytes of a request's head. A filter may take 64 KiB of it (filter.clauses-all-hold); the rest is for the other
 * headers.
 */
export const HEAD_MAX = 80 * 1024
/**
 * Milliseconds that /ready waits for the database, including the wait for a connection, so that it reports a failure
 * within a second.
 */
export const READY_MS = 800
/**
 * This server refuses a request without Host itself: Node's response would have no body. The same holds for an unknown
 * `Expect`.
 */
const serverOptions = { maxHeaderSize: HEAD_MAX, requireHostHeader: false }
/** Paths that bypass admission, so that a loaded server stays observable. */
const probes: ReadonlySet<string> = new Set(['/health', '/ready', METRICS_PATH])
const prefersLandingPage = createPrefersHtml(['application/json'])

/** Collaborators and limits of the HTTP server; tests replace some of them. */
export interface AppParts {
  readonly services: Services
  /** Epoch milliseconds. */
  readonly clock: () => number
  readonly authenticate: Authenticate
  /** The keys of an identity provider. The server is not ready until they have been fetched once. */
  readonly keys?: KeySet | null
  /** Null when an external identity provider issues the tokens (token.issued-with-own-secret). */
  readonly issue: IssueToken | null
  readonly createGraphql: (services: Services, options: GraphqlOptions) => GraphqlHandler
  /** Absent: no limit. */
  readonly rateLimit?: RateLimit | undefined
  /** Absent: traces are off. */
  readonly traces?: Traces | undefined
  readonly limits?: Partial<InFlightLimits>
  readonly connections?: Partial<ConnectionLimits>
}

/** The HTTP server, not yet listening, and its graceful shutdown. */
export interface App {
  readonly server: Server
  /** Makes /ready report 503, while requests are still taken (http.drain-before-stop). */
  readonly drain: () => void
  /**
   * Graceful shutdown: accepts no new connection and waits for requests in flight. After `limitMs` it closes their
   * connections.
   */
  readonly stop: (limitMs: number) => Promise<void>
}

/** Creates the HTTP server with both edges, CORS, connection timeouts and admission of requests. It does not listen. */
export function createApp({
  services: processServices,
  clock,
  authenticate,
  keys,
  issue,
  createGraphql,
  rateLimit,
  traces,
  limits,
  connections,
}: AppParts): App {
  const limiters = { concurrencyLimiter: new ConcurrencyLimiter(), bodyLimiter: createBodyLimiter() }
  const slices = new TimeSlices()
  const services: Services = { slices, ...limiters, ...processServices }
  let draining = false
  let stopping = false
  const isDatabaseReady = createReadiness(services.database, READY_MS)
  const isServing = (): boolean => !draining && (!keys || keys.isKnown())
  const isReady = async () => isServing() && (await isDatabaseReady()) && isServing()
  const routes = createRoutes({ config: services.config, issue, isReady })
  const { responseCacheMb } = services.config
  const parts = {
    ...(rateLimit && { rateLimit }),
    ...(responseCacheMb > 0 && { cache: createResponseCache(services.releases, responseCacheMb) }),
  }
  const rest = createRest({ services, authenticate, routes, ...parts })
  const cors = createCors(services.config.corsOrigins, services.config.corsHeaders)
  const signIn = createSignIn(services.config, services.log)
  const graphql = createGraphql(services, { authenticate, issueToken: issue, signIn, ...parts })
  const landingPage = createLandingPage(services.config, issue)
  const bundledPages = createBundledPages(services.config, issue, signIn)
  const inFlight = new InFlightRequests(services.log, limits)
  const { metricsToken: token, slowOperationMs } = services.config
  // The request log writes no secrets, and redaction would cost more than the line.
  const requestLog = new RequestLog(services.log.child({}, { redact: [] }), slowOperationMs, token !== null, traces)
  const metrics =
    token === null
      ? null
      : createMetrics({ database: services.database, token, requestsInFlight: () => inFlight.count, clock })

  async function handle(req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo): Promise<void> {
    if (!hasSingleHost(req)) return send(res, hostRefused)
    try {
      if (metrics && requestInfo.path === METRICS_PATH) await metrics.handle(req, res, requestInfo)
      else if (requestInfo.path === '/' && prefersLandingPage(req)) await landingPage(req, res, requestInfo.now)
      else if (bundledPages.wants(req, requestInfo)) await bundledPages.serve(req, res, requestInfo)
      else if (requestInfo.path !== '/graphql' && !requestInfo.path.startsWith(FILES_PATH))
        await rest(req, res, requestInfo)
      else if (req.method === 'OPTIONS') send(res, { status: 204, headers: { Allow: graphqlMethods } })
      else await graphql(req, res, requestInfo)
    } catch (error) {
      services.log.error({ requestId: requestInfo.id, err: error }, 'request failed')
      if (res.headersSent) res.destroy()
      else send(res, unexpected)
    }
  }

  const timeouts = { ...connectionLimits, ...connections }
  const server = createServer({ ...serverOptions, ...timeoutOptions(timeouts) }, (req, res) => {
    const requestInfo = readRequestInfo(req, clock())
    res.setHeader('X-Request-Id', requestInfo.id)
    if (req.headers.authorization !== undefined) res.setHeader('Cache-Control', NO_STORE)
    const refuse = (): void => (requestInfo.path === '/graphql' ? sendUnavailable(req, res) : send(res, unavailable))
    const deadline = probes.has(requestInfo.path) ? undefined : inFlight.admit(req, res, refuse)
    res.once(
      'close',
      limitBody(server, req, timeouts, () => deadline?.isStreamed === true),
    )
    if (deadline === null) return inFlight.shed(req, res, refuse)
    if (stopping) res.setHeader('Connection', 'close')
    for (const [name, value] of cors(req.headers.origin, req.method === 'OPTIONS')) res.setHeader(name, value)
    const admitted: RequestInfo = deadline ? { ...requestInfo, deadline } : requestInfo
    requestLog.observe(req, res, admitted)
    // HEAD is GET without the body, which Node does not send (http.head-is-get).
    if (req.method === 'HEAD') req.method = 'GET'
    compressResponse(req, res)
    // A response whose headers were sent before the shutdown began does not carry `Connection: close`.
    res.once('close', () => !server.listening && closeIdleLater(server, IDLE_CLOSE_MS))
    const run = (): Promise<void> => handle(req, res, admitted)
    void (admitted.trace ? admitted.trace.run(run) : run())
  })
  const drain = (): void => {
    draining = true
  }
  server.on('connection', () => slices.accept())
  limitFirstHead(server, timeouts, respondToClientError)
  server.on('connect', respondToConnect)
  server.on('checkExpectation', (req, res) => server.emit('request', req, res))
  return {
    server,
    drain,
    stop: (limitMs) => {
      drain()
      stopping = true
      services.changes?.stop()
      services.saleClock?.stop()
      services.importWatch?.stop()
      metrics?.stop()
      return stopListener(server, limitMs)
        .finally(() => inFlight.close())
        .finally(traces?.stop)
    },
  }
}
