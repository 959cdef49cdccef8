/**
 * REST server: routing, authentication, rate limit, response cache, admission, and errors. Every failure becomes the
 * `errors` array (http.every-failure-has-errors).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { InvalidToken } from '../auth/invalid-token.ts'
import type { Authenticate } from '../auth/verify.ts'
import { DomainError, Overloaded, Unavailable } from '../domain/input/errors.ts'
import { assertRight } from '../operations/operation.ts'
import { createWork, type Services } from '../request/context.ts'
import type { RateLimit } from '../request/rate-limit.ts'
import type { RequestInfo } from '../request/request-info.ts'
import { createExchange } from '../request/shared-caching.ts'
import type { ResponseCache } from '../response-cache/response-cache.ts'
import { Disconnected, readOpenBody } from './http/body.ts'
import { failureOf, HttpFailure, unexpected } from './http/errors.ts'
import { readQuery } from './http/query.ts'
import { readRequest } from './http/request.ts'
import {
  allowedMethods,
  compileRoutes,
  type GuardedRoute,
  type Match,
  type OpenRoute,
  type RestRequest,
  type RestResponse,
  type Route,
} from './http/route.ts'

/** Collaborators of the REST handler. */
export interface RestParts {
  readonly services: Services
  readonly authenticate: Authenticate
  readonly routes: readonly Route[]
  /** Absent: no limit. */
  readonly rateLimit?: RateLimit
  /** Absent: no response is cached. */
  readonly cache?: ResponseCache
}

/** Handles one request and writes its response. */
export type RestHandler = (req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo) => Promise<void>

/** Creates the REST handler. Throws when two routes have the same path and method. */
export function createRest({ services, authenticate, routes, rateLimit, cache }: RestParts): RestHandler {
  const match = compileRoutes(routes)

  async function respond(req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo): Promise<RestResponse> {
    const found = match(requestInfo.path)
    if (req.method === 'OPTIONS') return options(found)
    const route = findRoute(found, req.method)
    requestInfo.operation = `${route.method} ${route.paths[0]}`
    if (route.right === 'open') return handleOpen(route, req, requestInfo)
    const viewer = await authenticate(req.headers.authorization, requestInfo.now)
    const wait = (await rateLimit?.(viewer.token)) ?? null
    if (wait !== null) throw new HttpFailure(429, 'Too many requests, try again later', { 'Retry-After': String(wait) })
    assertRight(route.right, viewer)
    const { path, query, now } = requestInfo
    const caching = { req, res, text: `${path}?${query}`, now, contentType: 'application/json' }
    const exchange = route.method === 'GET' ? createExchange(services, cache, viewer, caching) : null
    const cached = exchange?.find()
    if (cached) return cached
    const work = createWork(services, requestInfo.deadline)
    try {
      const request = await readRequest(services, route, found?.members ?? {}, viewer, work, req, requestInfo)
      // A file comes slowly and costs little.
      if (!route.file) await work.admit(services.concurrencyLimiter, viewer.token, pointsOf(route, request))
      const response = await Promise.race([route.handle(request), work.aborted])
      return (
        (response.status === 200 && !response.headers && exchange?.store(response.body, request.ctx.cachePolicy)) ||
        response
      )
    } finally {
      work.releasePermit()
      work.releaseBody()
    }
  }

  return async (req, res, requestInfo) => {
    try {
      send(res, await respond(req, res, requestInfo))
    } catch (error) {
      // The client has disconnected, or the sweep has sent 503.
      if (error instanceof Disconnected || requestInfo.deadline?.abortReason) return
      if (error instanceof InvalidToken) requestInfo.refusal = error.reason
      const expected = failureOf(error, requestInfo.path === '/oauth/access_token' ? [] : ['data'])
      if (expected === null || (error instanceof Unavailable && !(error instanceof Overloaded)))
        services.log.error({ requestId: requestInfo.id, err: error }, 'request failed')
      send(res, expected ?? unexpected)
    }
  }
}

/** Estimated points of a request: a page costs ten points per item, other requests ten points. */
function pointsOf({ query }: GuardedRoute, { page }: RestRequest): number {
  return query?.page ? (1 + page.limit) * 10 : 10
}

function findRoute(found: Match | null, method: string | undefined): Route {
  if (found === null) throw new HttpFailure(404, 'There is nothing at this path')
  const route = found.byMethod.get(method === 'HEAD' ? 'GET' : (method ?? ''))
  if (route) return route
  const allow = allowedMethods(found)
  throw new HttpFailure(405, `The methods of this path are ${allow}`, { Allow: allow })
}

/** The response to OPTIONS; server/app.ts adds the CORS headers of a preflight. */
function options(found: Match | null): RestResponse {
  if (found === null) throw new HttpFailure(404, 'There is nothing at this path')
  return { status: 204, headers: { Allow: allowedMethods(found) } }
}

async function handleOpen(route: OpenRoute, req: IncomingMessage, { now, query }: RequestInfo): Promise<RestResponse> {
  const body = route.body ? await readOpenBody(req) : undefined
  const { violations } = readQuery(query)
  if (violations.length > 0) throw new DomainError('badRequest', violations)
  return route.handle({ now, host: req.headers.host, body })
}

/** Sends a response as JSON, unless one was sent already or the client has disconnected. */
export function send(res: ServerResponse, { status, body, pieces, headers }: RestResponse): void {
  const source = pieces && Readable.from(pieces)
  // A failure ends the connection, so that the client knows that the body is not complete.
  source?.on('error', () => res.destroy())
  // What is not sent is not read: its source ends.
  if (res.headersSent || res.destroyed) return void source?.destroy()
  if (source) {
    res.writeHead(status, headers)
    res.on('close', () => source.destroy())
    source.pipe(res)
    return
  }
  if (body === undefined) {
    res.writeHead(status, headers).end()
    return
  }
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length, ...headers })
  res.end(bytes)
}
