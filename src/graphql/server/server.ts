/**
 * HTTP handler of /graphql: authentication, rate limit, content negotiation, response cache, admission, and then
 * GraphQL Yoga.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import { InvalidToken } from '../../auth/invalid-token.ts'
import type { IssueToken } from '../../auth/issue.ts'
import type { Authenticate, Bearer } from '../../auth/verify.ts'
import { DomainError } from '../../domain/input/errors.ts'
import type { SignIn } from '../../pages/sign-in.ts'
import { HEAVY_POINTS } from '../../request/concurrency-limiter.ts'
import { type Context, createContext, createWork, type Services } from '../../request/context.ts'
import { admitBody, jsonLimitsOf, SHORT_BODY_MAX } from '../../request/long-bodies.ts'
import type { RateLimit } from '../../request/rate-limit.ts'
import type { RequestInfo } from '../../request/request-info.ts'
import type { RequestWork } from '../../request/request-work.ts'
import { createExchange } from '../../request/shared-caching.ts'
import { readShopperHeaders } from '../../request/shopper-headers.ts'
import type { CachedExchange } from '../../response-cache/http-caching.ts'
import type { ResponseCache } from '../../response-cache/response-cache.ts'
import { schema as commerceSchema } from '../schema.ts'
import { createExecutor } from './executor.ts'
import { createGraphiql } from './graphiql.ts'
import type { StreamLimits } from './open-streams.ts'
import { readGet, readPost, scanParams, textOfPost, UnreadableRequest } from './params.ts'
import { createPersisted } from './persisted.ts'
import {
  acceptedTypes,
  contentTypeOf,
  graphqlMethods,
  responseType,
  sendCached,
  sendJson,
  toFailureResponse,
} from './respond.ts'
import { createGraphqlYoga } from './yoga.ts'

/** Request header that adds the operation's cost to the response as `extensions.cost`; its value does not matter. */
export const COST_HEADER = 'graphql-cost'
/** Vary headers of /graphql besides those of the response cache. Responses with a cost are not cached. */
const vary = ['Accept', 'GraphQL-Cost']

/** Collaborators of the handler. */
export interface GraphqlOptions {
  readonly authenticate: Authenticate
  /** Issues the demo tokens of GraphiQL (token.demo-tokens-stay-local); null where this server issues none. */
  readonly issueToken: IssueToken | null
  /** How GraphiQL signs in; null, or absent: not. */
  readonly signIn?: SignIn | null
  /** Absent: no limit. */
  readonly rateLimit?: RateLimit
  /** Absent: no response is cached. */
  readonly cache?: ResponseCache
  /** Limits of GraphQL subscriptions, for tests. */
  readonly streams?: Partial<StreamLimits>
}

/** Who sent a request, and what its headers say. */
type Requester = Pick<Context, 'shopperHeaders' | 'showCost'> & { readonly viewer: Bearer }

/** A request that may run. */
interface Admitted {
  readonly requester: Requester
  readonly work: RequestWork
  readonly text: string
  readonly exchange: CachedExchange | undefined
  readonly requestInfo: RequestInfo
}

/** Handles one request to /graphql and writes its response. */
export type GraphqlHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  requestInfo: RequestInfo,
) => void | Promise<void>

/** Creates the handler; `schema` can be replaced in tests. Throws when the persisted documents can't be read. */
export function createGraphqlServer(
  services: Services,
  { authenticate, issueToken, signIn = null, rateLimit, cache, streams }: GraphqlOptions,
  schema: GraphQLSchema = commerceSchema,
): GraphqlHandler {
  const execute = createExecutor(schema)
  const yoga = createGraphqlYoga(schema, execute, {
    log: services.log,
    production: services.config.production,
    streams,
  })
  const resolve = createPersisted(services.config)
  const graphiql = createGraphiql(services.config, issueToken, signIn)

  /** Throws DomainError (unauthenticated; badRequest for a header), UnreadableRequest (429), or Unavailable. */
  async function readRequester(req: IncomingMessage, { now }: RequestInfo): Promise<Requester> {
    const viewer = await authenticate(req.headers.authorization, now)
    const wait = (await rateLimit?.(viewer.token)) ?? null
    if (wait !== null)
      throw new UnreadableRequest(429, 'THROTTLED', 'Too many requests, try again later', {
        'retry-after': String(wait),
      })
    const { value: shopperHeaders, violations } = readShopperHeaders(req.headers)
    if (violations.length > 0) throw new DomainError('badRequest', violations)
    return { viewer, shopperHeaders, showCost: req.headers[COST_HEADER] !== undefined }
  }

  async function respond(req: IncomingMessage, res: ServerResponse, requestInfo: RequestInfo): Promise<void> {
    if (graphiql.wants(req, requestInfo)) return graphiql.serve(req, res, requestInfo)
    assertMethod(req.method, requestInfo)
    const requester = await readRequester(req, requestInfo)
    const accepted = acceptedTypes(req.headers.accept)
    if (accepted.length === 0) throw new UnreadableRequest(406, 'NOT_ACCEPTABLE', 'A response is application/json')
    // Yoga ignores q values, so the header is replaced by the negotiated order.
    req.headers.accept = accepted.join(', ')
    const { text, work } = await readText(req, requester.viewer, requestInfo)
    try {
      const type = responseType(req.headers.accept)
      const { viewer, showCost } = requester
      const caching = { req, res, text, now: requestInfo.now, vary }
      // Long bodies are not used as keys of the response cache, and the response to a POST needs no ETag.
      const isExchanged = type && !showCost && (req.method === 'GET' || text.length <= SHORT_BODY_MAX)
      const exchange = isExchanged
        ? createExchange(services, cache, viewer, { ...caching, contentType: contentTypeOf(type) })
        : undefined
      const cached = exchange?.find()
      if (cached) {
        requestInfo.operation = cached.operation
        return sendCached(res, cached)
      }
      await work.admit(services.concurrencyLimiter, viewer.token, pointsOfText(text))
      // Parsing a document takes milliseconds, and many requests may arrive at once.
      await work.nextTurn()
      await run(req, res, { requester, work, text, exchange, requestInfo })
    } finally {
      work.releasePermit()
      work.releaseBody()
    }
  }

  /**
   * Reads the target of a GET or the body of a POST, whose bytes are garbage afterwards. The work counter is created
   * after the last byte: like the context (see run), it must not be old when the operation runs.
   */
  async function readText(
    req: IncomingMessage,
    viewer: Bearer,
    { deadline }: RequestInfo,
  ): Promise<{ text: string; work: RequestWork }> {
    const bytes = req.method === 'GET' ? null : await readPost(req)
    const work = createWork(services, deadline)
    if (bytes === null) return { text: req.url ?? '', work }
    try {
      await admitBody(services, viewer, work, bytes.length)
      return { text: textOfPost(bytes), work }
    } catch (error) {
      work.releaseBody()
      throw error
    }
  }

  /**
   * Runs an operation once it may run. Its context is created here. A context that had waited would be old for the
   * garbage collector, which would then keep everything that the request creates until its next major collection.
   */
  async function run(
    req: IncomingMessage,
    res: ServerResponse,
    { requester, work, text, exchange, requestInfo }: Admitted,
  ): Promise<void> {
    const { id, now, deadline, statements, trace } = requestInfo
    const limits = jsonLimitsOf(requester.viewer)
    const parse = req.method === 'GET' ? () => readGet(text, limits) : scanParams(text, limits)
    if (text.length > SHORT_BODY_MAX) await work.nextTurn()
    const params = resolve(parse())
    const commerce = createContext(services, { ...requester, now, requestId: id, deadline, statements, trace, work })
    // Yoga's promise stays pending when the client disconnects before it has read the whole response.
    await Promise.race([yoga(req, res, { commerce, params, length: text.length, exchange, requestInfo }), closed(res)])
  }

  return async (req, res, requestInfo) => {
    try {
      await respond(req, res, requestInfo)
    } catch (error) {
      // The client has disconnected, or the sweep has sent 503.
      if (requestInfo.deadline?.abortReason) return
      if (error instanceof InvalidToken) requestInfo.refusal = error.reason
      const failure = toFailureResponse(error)
      if (!failure.expected) services.log.error({ err: error, requestId: requestInfo.id }, 'request failed')
      if (res.headersSent) res.destroy()
      else
        sendJson(
          res,
          failure.status,
          responseType(req.headers.accept) ?? 'application/json',
          failure.body,
          failure.headers,
        )
    }
  }
}

function closed(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => res.once('close', resolve))
}

/**
 * Estimated points for parsing and validating a request: at most those of a light one, since documents have limits of
 * their own.
 */
function pointsOfText({ length }: string): number {
  return Math.min(HEAVY_POINTS, 50 + length / 2)
}

/**
 * Throws 405, also without a token (http.paths-are-no-secret). A mutation by GET is refused later, once its document is
 * parsed.
 */
function assertMethod(method: string | undefined, { isHead }: RequestInfo): void {
  if (!isHead && (method === 'GET' || method === 'POST')) return
  throw new UnreadableRequest(405, 'METHOD_NOT_ALLOWED', `The methods of this path are ${graphqlMethods}`, {
    allow: graphqlMethods,
  })
}
