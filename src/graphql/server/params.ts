/**
 * Parameters of a GraphQL request: reads and validates the body of a POST and the query string of a GET, in place of
 * Yoga's parser.
 */
import type { IncomingMessage } from 'node:http'
import { type JsonLimits, jsonProblem, scanJson } from '../../lib/json.ts'
import { type BodyBytes, type BodyErrors, contentOf, declaresMore, readBytes, textOf } from '../../lib/request-body.ts'

/** Bytes of a body. */
export const GRAPHQL_BODY_MAX = 8 * 1024 * 1024

/** Error of a request that is refused before any GraphQL runs, with its HTTP status and error code. */
export class UnreadableRequest extends Error {
  override readonly name = 'UnreadableRequest'

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message)
  }
}

/** Reads the body of a POST. Rejects with UnreadableRequest: 413 for its size, 415 for its type. */
export async function readPost(req: IncomingMessage): Promise<BodyBytes> {
  if (declaresMore(req, GRAPHQL_BODY_MAX)) throw bodyErrors.tooLarge()
  const { type, charset, isEncoded } = contentOf(req)
  if (type !== 'application/json' || (charset !== undefined && charset !== 'utf-8'))
    throw unsupported('The Content-Type must be application/json')
  if (isEncoded) throw unsupported('Content-Encoding is not supported')
  return readBytes(req, GRAPHQL_BODY_MAX, bodyErrors)
}

/** The body of a POST as text. Throws UnreadableRequest, 400, for another encoding than UTF-8. */
export function textOfPost(bytes: BodyBytes): string {
  return textOf(bytes, bodyErrors)
}

/**
 * Scans the body of a POST and returns the function that parses it. Neither checks its shape; both throw
 * UnreadableRequest. With a long body, yield to other requests between the two (scanJson).
 */
export function scanParams(text: string, limits: JsonLimits): () => unknown {
  return scanned(text, 'The body', limits)
}

const parameters = ['query', 'operationName', 'variables', 'extensions', 'documentId']

/** Reads the parameters of a GET from its query string. Throws UnreadableRequest. */
export function readGet(url: string, limits: JsonLimits): Record<string, unknown> {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))
  for (const name of parameters)
    if (query.getAll(name).length > 1) throw badRequest(`The parameter ${name} must be given once`)
  const params = Object.fromEntries(['query', 'operationName'].map((name) => [name, query.get(name) ?? undefined]))
  const documentId = query.get('documentId')
  if (documentId !== null) params.documentId = documentId
  for (const name of ['variables', 'extensions']) {
    const text = query.get(name)
    if (text) params[name] = scanned(text, `The parameter ${name}`, limits)() as string
  }
  return params
}

function scanned(text: string, what: string, limits: JsonLimits): () => unknown {
  const readable = <T>(read: () => T): T => {
    try {
      return read()
    } catch (error) {
      throw badRequest(`${what} ${jsonProblem(error)}`)
    }
  }
  const parse = readable(() => scanJson(text, limits))
  return () => readable(parse)
}

function badRequest(message: string): UnreadableRequest {
  return new UnreadableRequest(400, 'BAD_REQUEST', message)
}

function unsupported(message: string): UnreadableRequest {
  return new UnreadableRequest(415, 'UNSUPPORTED_MEDIA_TYPE', message)
}

const bodyErrors: BodyErrors = {
  // The rest of the body is discarded; the response closes the connection.
  tooLarge: () =>
    new UnreadableRequest(413, 'PAYLOAD_TOO_LARGE', `The body must be at most ${GRAPHQL_BODY_MAX} bytes`, {
      connection: 'close',
    }),
  incomplete: () => badRequest('The body ended early'),
  notUtf8: () => badRequest('The body is not UTF-8'),
}
