/** Parameters of a GraphQL request: reads and validates the body of a POST and the query string of a GET, in place of Yoga's parser. */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { jsonProblem, parseJson } from '../../lib/json.ts'

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

/** Reads the body of a POST as text. Rejects with UnreadableRequest: 413 for its size, 415 for its type, 400 for its encoding. */
export async function readPost(req: IncomingMessage): Promise<string> {
  const declared = Number(req.headers['content-length'] ?? 0)
  if (declared > GRAPHQL_BODY_MAX) throw tooLarge()
  if (!isJson(req.headers['content-type'])) throw unsupported('The Content-Type must be application/json')
  const encoding = req.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw unsupported('Content-Encoding is not supported')
  return readBody(req)
}

/** Parses the body of a POST; its shape is not checked. Throws UnreadableRequest. */
export function readParams(text: string): unknown {
  return readJson(text, 'The body')
}

/** Reads the parameters of a GET from its query string. Throws UnreadableRequest. */
export function readGet(url: string): Record<string, unknown> {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1 || url.length))
  const params = Object.fromEntries(['query', 'operationName'].map((name) => [name, query.get(name) ?? undefined]))
  const documentId = query.get('documentId')
  if (documentId !== null) params.documentId = documentId
  for (const name of ['variables', 'extensions']) {
    const text = query.get(name)
    if (text) params[name] = readJson(text, `The parameter ${name}`) as string
  }
  return params
}

function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('charset='))
  return type.trim() === 'application/json' && (charset === undefined || /^charset="?utf-8"?$/.test(charset))
}

function readBody(req: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= GRAPHQL_BODY_MAX) return chunks.push(chunk)
      // The rest of the body is discarded; the response closes the connection.
      req.removeAllListeners('data')
      req.resume()
      return reject(tooLarge())
    })
    req.on('end', () => {
      const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
      if (isUtf8(body)) resolve(body.toString('utf8'))
      else reject(badRequest('The body is not UTF-8'))
    })
    // `close` comes after `end` as well; the check avoids creating an error, with its stack, for each complete request.
    req.on('close', () => {
      if (!req.complete) reject(badRequest('The body ended early'))
    })
  })
}

function readJson(text: string, what: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw badRequest(`${what} ${jsonProblem(error)}`)
  }
}

function badRequest(message: string): UnreadableRequest {
  return new UnreadableRequest(400, 'BAD_REQUEST', message)
}

function unsupported(message: string): UnreadableRequest {
  return new UnreadableRequest(415, 'UNSUPPORTED_MEDIA_TYPE', message)
}

function tooLarge(): UnreadableRequest {
  return new UnreadableRequest(413, 'PAYLOAD_TOO_LARGE', `The body must be at most ${GRAPHQL_BODY_MAX} bytes`, { connection: 'close' })
}
