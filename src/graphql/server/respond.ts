/**
 * HTTP responses of /graphql that bypass Yoga: cached ones, and failures before any GraphQL; and content negotiation.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { challengeOf } from '../../auth/invalid-token.ts'
import { DomainError, type DomainErrorKind, Unavailable } from '../../domain/input/errors.ts'
import { createNegotiation } from '../../lib/content-negotiation.ts'
import type { HttpResponse } from '../../response-cache/http-caching.ts'
import { domainError, isLost, UNAVAILABLE, UNEXPECTED } from '../schema/errors.ts'
import { UnreadableRequest } from './params.ts'

const plainTypes: readonly string[] = ['application/json', 'application/graphql-response+json']
/** Media type of GraphQL subscriptions (server-sent events). */
export const STREAM_TYPE = 'text/event-stream'
/** Media types of /graphql; Yoga alone responds with the last two. */
export const graphqlTypes: readonly string[] = [...plainTypes, STREAM_TYPE, 'multipart/mixed']

/** The methods of /graphql, as the value of the Allow header. */
export const graphqlMethods = 'GET, POST, OPTIONS'

/**
 * Content negotiation: the media types of /graphql that an Accept header allows, best first. With none the server
 * responds with 406.
 */
export const acceptedTypes = createNegotiation(graphqlTypes)

/** The media type for the result of a query or mutation; undefined when the client accepts none. */
export function responseType(accept: string | undefined): string | undefined {
  return acceptedTypes(accept).find((type) => plainTypes.includes(type))
}

type Headers = Readonly<Record<string, string>>

/** Sends JSON, unless a response was sent already or the client has disconnected. */
export function sendJson(
  res: ServerResponse,
  status: number,
  type: string,
  result: unknown,
  headers: Headers = {},
): void {
  if (res.headersSent || res.destroyed) return
  const body = Buffer.from(JSON.stringify(result))
  res.writeHead(status, { 'content-type': contentTypeOf(type), 'content-length': body.length, ...headers }).end(body)
}

/** The Content-Type header of a media type. */
export function contentTypeOf(type: string): string {
  return `${type}; charset=utf-8`
}

/** Sends a response from the response cache. */
export function sendCached(res: ServerResponse, { status, headers, body }: HttpResponse): void {
  if (res.headersSent || res.destroyed) return
  res.writeHead(status, body ? { ...headers, 'content-length': body.length } : headers).end(body)
}

/** The response to a failed request; `expected` is false for an error that must be logged. */
export interface FailureResponse {
  readonly expected: boolean
  readonly status: number
  readonly body: { readonly errors: readonly { readonly message: string; readonly extensions: object }[] }
  readonly headers: Headers
}

const statuses: Readonly<Record<DomainErrorKind, number>> = {
  unauthenticated: 401,
  forbidden: 403,
  badRequest: 400,
  notFound: 400,
  validation: 400,
  conflict: 400,
}

/** The response to a request that failed before any GraphQL. */
export function toFailureResponse(error: unknown): FailureResponse {
  const failure = (
    status: number,
    message: string,
    extensions: object,
    headers: Headers = {},
    expected = true,
  ): FailureResponse => ({
    expected,
    status,
    body: { errors: [{ message, extensions }] },
    headers,
  })
  if (error instanceof UnreadableRequest)
    return failure(error.status, error.message, { code: error.code }, error.headers)
  if (error instanceof Unavailable)
    return failure(503, UNAVAILABLE, { code: 'SERVICE_UNAVAILABLE' }, { 'retry-after': '1' }, !isLost(error))
  if (!(error instanceof DomainError)) return failure(500, UNEXPECTED, { code: 'INTERNAL_SERVER_ERROR' }, {}, false)
  const { message, extensions } = domainError(error)
  return failure(
    statuses[error.kind],
    message,
    extensions,
    error.kind === 'unauthenticated' ? { 'www-authenticate': challengeOf(error) } : {},
  )
}

/** Sends 503, for a request that was shed or whose deadline passed before it had a response. */
export function sendUnavailable(req: IncomingMessage, res: ServerResponse): void {
  const { status, body, headers } = toFailureResponse(new Unavailable('refused'))
  sendJson(res, status, responseType(req.headers.accept) ?? 'application/json', body, headers)
}
