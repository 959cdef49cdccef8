/**
 * The handler of /graphql. A plain JSON POST takes the short path: Yoga's parse and validate, then the executor, straight to node:http.
 * Whatever is unusual (GET, other media types, errors of the request, subscriptions) goes through Yoga whole.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type DocumentNode, type GraphQLSchema, getOperationAST } from 'graphql'
import { InvalidToken } from '../auth/invalid-token.ts'
import type { IssueToken } from '../auth/issue.ts'
import type { Authenticate } from '../auth/verify.ts'
import { type Context, createContext, type Services } from '../context.ts'
import { languageKey } from '../domain/accept-language.ts'
import { DomainError } from '../domain/errors.ts'
import { isObject } from '../domain/read.ts'
import type { Incoming } from '../incoming.ts'
import { jsonBytes } from '../json-bytes.ts'
import type { KeptAnswers } from '../kept-answers.ts'
import type { RateLimit } from '../rate-limit.ts'
import { readSurroundings } from '../surroundings.ts'
import type { UnchangedAnswers } from '../unchanged-answers.ts'
import { createExecutor, type Operation } from './executor.ts'
import { createGraphiql } from './graphiql.ts'
import { createIsKept } from './kept-operations.ts'
import type { StreamLimits } from './open-streams.ts'
import { readGet, readParams, readPost, UnreadableRequest } from './params.ts'
import { createPersisted } from './persisted.ts'
import { acceptedTypes, answerType, failureOf, send } from './respond.ts'
import { schema as commerceSchema } from './schema.ts'
import { createGraphqlYoga, type Yoga } from './yoga.ts'

/** A request that sends it, whatever its value, is told the cost of its operation in `extensions.cost`. */
export const COST_HEADER = 'graphql-cost'

export interface GraphqlOptions {
  readonly authenticate: Authenticate
  /** Makes the token that GraphiQL is handed (AUTH-4); null where this server issues none. */
  readonly issueToken: IssueToken | null
  /** Absent: nobody is limited. */
  readonly rateLimit?: RateLimit
  /** Absent: every answer is made anew. */
  readonly answers?: KeptAnswers
  readonly unchanged?: UnchangedAnswers
  readonly streams?: Partial<StreamLimits>
  /** False: every request goes through Yoga whole, with the same answers. */
  readonly shortPath?: boolean
}

export type GraphqlHandler = (req: IncomingMessage, res: ServerResponse, incoming: Incoming) => Promise<void>

export function createGraphqlServer(
  services: Services,
  { authenticate, issueToken, rateLimit, answers, unchanged, streams, shortPath = true }: GraphqlOptions,
  schema: GraphQLSchema = commerceSchema,
): GraphqlHandler {
  const execute = createExecutor(schema)
  const yoga = createGraphqlYoga(schema, execute, { log: services.log, suggestions: !services.config.production, streams })
  const prepare = createPrepare(yoga)
  const isKept = createIsKept(schema)
  const resolve = createPersisted(services.config)
  const graphiql = createGraphiql(services.config, issueToken)

  /**
   * The answer of the short path, undefined when the request is not one for it. It is kept under the key when nothing failed and nothing
   * but what is published went in, or nothing but what is stored.
   */
  async function answerShort(params: unknown, ctx: Context, key: string | undefined, snapshot?: string): Promise<Buffer | undefined> {
    const asked = readPlain(params)
    const document = asked && prepare(asked.query)
    const operation = document && getOperationAST(document, asked.operationName)
    if (!operation || operation.operation === 'subscription') return undefined
    const result = await execute({ ...asked, document }, ctx)
    // Without data nothing was run: the variables were refused, and Yoga says so by its rules of status and media type.
    if (!('data' in result)) return undefined
    const body = jsonBytes(result)
    if (key === undefined || result.errors || operation.operation !== 'query') return body
    if (isKept(document, operation)) answers?.keep(key, body, ctx)
    else if (isOfRecords(ctx)) unchanged?.keep(key, body, snapshot).catch(() => undefined)
    return body
  }

  /** Throws DomainError (unauthenticated; badRequest for a header), UnreadableRequest (429), or Unavailable. */
  async function contextOf(req: IncomingMessage, { id, now, lifetime }: Incoming): Promise<Context> {
    const viewer = await authenticate(req.headers.authorization, now)
    const wait = (await rateLimit?.(viewer.token)) ?? null
    if (wait !== null) throw new UnreadableRequest(429, 'THROTTLED', 'Too many requests, try again later', { 'retry-after': String(wait) })
    const { value: surroundings, violations } = readSurroundings(req.headers)
    if (violations.length > 0) throw new DomainError('badRequest', violations)
    return createContext(services, { viewer, now, surroundings, requestId: id, lifetime, showCost: req.headers[COST_HEADER] !== undefined })
  }

  async function answer(req: IncomingMessage, res: ServerResponse, incoming: Incoming): Promise<void> {
    if (graphiql.wants(req, incoming)) return graphiql.answer(req, res, incoming)
    assertMethod(req.method)
    const commerce = await contextOf(req, incoming)
    const accepted = acceptedTypes(req.headers.accept)
    if (accepted.length === 0) throw new UnreadableRequest(406, 'NOT_ACCEPTABLE', 'An answer is application/json')
    // Yoga knows no q values: it is handed what they come to.
    req.headers.accept = accepted.join(', ')
    if (req.method !== 'POST') {
      const target = req.url ?? ''
      return yoga(req, res, { commerce, params: req.method === 'GET' ? resolve(readGet(target)) : undefined, length: target.length })
    }
    const text = await readPost(req)
    const type = shortPath ? answerType(req.headers.accept) : undefined
    const key = type && answers && !commerce.showCost ? keyOf(commerce, text) : undefined
    const kept = key && answers?.find(key, incoming.now)
    if (type && kept) return send(res, 200, type, kept)
    const same = key && commerce.viewer.role === 'admin' ? await unchanged?.find(key).catch(() => undefined) : undefined
    if (type && same?.body) return send(res, 200, type, same.body)
    const params = resolve(readParams(text))
    const body = type && (await answerShort(params, commerce, key, same?.snapshot))
    return type && body ? send(res, 200, type, body) : yoga(req, res, { commerce, params, length: text.length })
  }

  return async (req, res, incoming) => {
    try {
      await answer(req, res, incoming)
    } catch (error) {
      // Nobody is there any more, or was told already.
      if (incoming.lifetime?.ended) return
      if (error instanceof InvalidToken) incoming.refusal = error.message
      const failure = failureOf(error)
      if (!failure.expected) services.log.error({ err: error, requestId: incoming.id }, 'unexpected error in GraphQL')
      if (res.headersSent) res.destroy()
      else send(res, failure.status, answerType(req.headers.accept) ?? 'application/json', failure.body, failure.headers)
    }
  }
}

/** HTTP-3: 405 comes before 401. A mutation by GET is refused later, once its document is read. */
function assertMethod(method: string | undefined): void {
  if (method === 'GET' || method === 'POST') return
  throw new UnreadableRequest(405, 'METHOD_NOT_ALLOWED', 'The methods of this path are GET and POST', { allow: 'GET, POST' })
}

/** Whether the answer depends on records alone, and on nothing of the viewer: an admin reads them all (AUTH-2). */
function isOfRecords({ viewer, validity, loaders }: Context): boolean {
  return viewer.role === 'admin' && validity.ofStored && !validity.ofReleases && loaders.releases.resolved.length === 0
}

/** All that a kept answer depends on besides what it read and the instant: the body holds query, name and variables. No key of the facade's. */
function keyOf({ viewer, surroundings: { currency, acceptLanguage } }: Context, text: string): string {
  return `graphql ${viewer.role}\n${currency ?? ''}\n${languageKey(acceptLanguage ?? undefined)}\n${text}`
}

/** The valid document of a text by Yoga's parse and validate, with all plugins that guard them; undefined when there is none. */
function createPrepare(yoga: Yoga): (query: string) => DocumentNode | undefined {
  const { parse, validate, schema: served } = yoga.getEnveloped({} as never)
  // A valid document stays valid, so it is looked at once; held by the tree, which the bounded cache of texts holds.
  const valid = new WeakSet<DocumentNode>()
  return (query) => {
    try {
      const document = parse(query) as DocumentNode
      if (valid.has(document)) return document
      if (validate(served, document).length > 0) return undefined
      valid.add(document)
      return document
    } catch {
      return undefined
    }
  }
}

const plainMembers: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions'])

/** The parameters when they are of the plain form; anything else is Yoga's to judge. */
function readPlain(params: unknown): (Omit<Operation, 'document'> & { query: string }) | undefined {
  if (!isObject(params)) return undefined
  const { query, variables, operationName, extensions } = params
  const plain =
    typeof query === 'string' &&
    (variables == null || isObject(variables)) &&
    (operationName == null || typeof operationName === 'string') &&
    (extensions == null || isObject(extensions)) &&
    Object.keys(params).every((name) => plainMembers.has(name))
  return plain
    ? { query, variables: variables as Operation['variables'], operationName: operationName as Operation['operationName'] }
    : undefined
}
