/**
 * The handler of /graphql: who asks, what is asked, the response cache, and then Yoga, the only way into the graph.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import { InvalidToken } from '../../auth/invalid-token.ts'
import type { IssueToken } from '../../auth/issue.ts'
import type { Authenticate } from '../../auth/verify.ts'
import { DomainError } from '../../domain/input/errors.ts'
import { HEAVY_POINTS } from '../../request/concurrency-limiter.ts'
import { type Context, createContext, type Services } from '../../request/context.ts'
import type { RateLimit } from '../../request/rate-limit.ts'
import type { RequestInfo } from '../../request/request-info.ts'
import { readShopperHeaders } from '../../request/shopper-headers.ts'
import { CachedExchange } from '../../response-cache/http-caching.ts'
import type { ResponseCache } from '../../response-cache/response-cache.ts'
import { schema as commerceSchema } from '../schema.ts'
import { createExecutor } from './executor.ts'
import { createGraphiql } from './graphiql.ts'
import type { StreamLimits } from './open-streams.ts'
import { readGet, readParams, readPost, UnreadableRequest } from './params.ts'
import { createPersisted } from './persisted.ts'
import { acceptedTypes, contentTypeOf, failureOf, responseType, send, sendCached } from './respond.ts'
import { createGraphqlYoga } from './yoga.ts'

/** A request that sends it, whatever its value, is told the cost of its operation in `extensions.cost`. */
export const COST_HEADER = 'graphql-cost'
/** Headers that responses of this edge alone depend on; those with a cost are not cached. */
const vary = ['Accept', 'GraphQL-Cost']

export interface GraphqlOptions {
  readonly authenticate: Authenticate
  /** Makes the token that GraphiQL is handed (token.demo-tokens-stay-local); null where this server issues none. */
  readonly issueToken: IssueToken | null
  /** Absent: nobody is limited. */
  readonly rateLimit?: RateLimit
  /** Absent: every response is made anew. */
  readonly cache?: ResponseCache
  readonly streams?: Partial<StreamLimits>
}

export type GraphqlHandler = (req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo) => Promise<void>

export function createGraphqlServer(
  services: Services,
  { authenticate, issueToken, rateLimit, cache, streams }: GraphqlOptions,
  schema: GraphQLSchema = commerceSchema,
): GraphqlHandler {
  const execute = createExecutor(schema)
  const yoga = createGraphqlYoga(schema, execute, { log: services.log, suggestions: !services.config.production, streams })
  const resolve = createPersisted(services.config)
  const graphiql = createGraphiql(services.config, issueToken)

  /** Throws DomainError (unauthenticated; badRequest for a header), UnreadableRequest (429), or Unavailable. */
  async function contextOf(req: IncomingMessage, { id, now, deadline }: RequestInfo): Promise<{ commerce: Context; token: string }> {
    const viewer = await authenticate(req.headers.authorization, now)
    const wait = (await rateLimit?.(viewer.token)) ?? null
    if (wait !== null) throw new UnreadableRequest(429, 'THROTTLED', 'Too many requests, try again later', { 'retry-after': String(wait) })
    const { value: shopperHeaders, violations } = readShopperHeaders(req.headers)
    if (violations.length > 0) throw new DomainError('badRequest', violations)
    const showCost = req.headers[COST_HEADER] !== undefined
    return { commerce: createContext(services, { viewer, now, shopperHeaders, requestId: id, deadline, showCost }), token: viewer.token }
  }

  async function respond(req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo): Promise<void> {
    if (graphiql.wants(req, requestInfo)) return graphiql.serve(req, res, requestInfo)
    assertMethod(req.method)
    const { commerce, token } = await contextOf(req, requestInfo)
    const accepted = acceptedTypes(req.headers.accept)
    if (accepted.length === 0) throw new UnreadableRequest(406, 'NOT_ACCEPTABLE', 'An answer is application/json')
    // Yoga knows no q values: it is handed what they come to.
    req.headers.accept = accepted.join(', ')
    const isGet = req.method === 'GET'
    const text = isGet ? (req.url ?? '') : await readPost(req)
    const type = responseType(req.headers.accept)
    const exchange = type && !commerce.showCost ? exchangeOf(req, res, commerce, type, text) : undefined
    const cached = exchange?.find()
    if (cached) return sendCached(res, cached)
    commerce.work.permit = (await services.concurrencyLimiter?.acquire(token, pointsOfText(text))) ?? null
    try {
      if (requestInfo.deadline?.abortReason) throw requestInfo.deadline.abortReason
      // Reading a document takes milliseconds, and many may arrive at once.
      await Promise.race([commerce.work.yieldPoint(), commerce.work.aborted])
      const input = { commerce, params: resolve(isGet ? readGet(text) : readParams(text)), length: text.length, exchange }
      // A response that its client never reads to the end is not told of by Yoga, which waits to write the rest of it.
      await Promise.race([yoga(req, res, input), closed(res)])
    } finally {
      commerce.work.releasePermit()
    }
  }

  function exchangeOf(req: IncomingMessage, res: ServerResponse, { viewer, now }: Context, type: string, text: string): CachedExchange {
    const maxAge = services.config.cacheMaxAge
    return new CachedExchange(cache, { req, res, role: viewer.role, text, now, contentType: contentTypeOf(type), vary, maxAge })
  }

  return async (req, res, requestInfo) => {
    try {
      await respond(req, res, requestInfo)
    } catch (error) {
      // Nobody is there any more, or was told already.
      if (requestInfo.deadline?.abortReason) return
      if (error instanceof InvalidToken) requestInfo.refusal = error.message
      const failure = failureOf(error)
      if (!failure.expected) services.log.error({ err: error, requestId: requestInfo.id }, 'unexpected error in GraphQL')
      if (res.headersSent) res.destroy()
      else send(res, failure.status, responseType(req.headers.accept) ?? 'application/json', failure.body, failure.headers)
    }
  }
}

function closed(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => res.once('close', resolve))
}

/** What parsing and validating a request takes at most, in points of work; larger ones are held to limits of their own. */
function pointsOfText({ length }: string): number {
  return Math.min(HEAVY_POINTS, 50 + length / 2)
}

/** http.paths-are-no-secret: 405 comes before 401. A mutation by GET is refused later, once its document is read. */
function assertMethod(method: string | undefined): void {
  if (method === 'GET' || method === 'POST') return
  throw new UnreadableRequest(405, 'METHOD_NOT_ALLOWED', 'The methods of this path are GET and POST', { allow: 'GET, POST' })
}
