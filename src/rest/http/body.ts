/**
 * Request bodies: JSON of at most BODY_MAX bytes; on open routes JSON or a form of at most OPEN_BODY_MAX bytes.
 * Failures come in the order of http.first-failure-wins.
 */
import type { IncomingMessage } from 'node:http'
import { type JsonLimits, jsonProblem, parseJson } from '../../lib/json.ts'
import { type BodyErrors, contentOf, readBytes, textOf } from '../../lib/request-body.ts'
import { HttpFailure } from './errors.ts'

/** Bytes of a body: 1 MiB. */
export const BODY_MAX = 1024 * 1024
/** Bytes of a body that comes without a token, such as that of the token endpoint: 16 KiB. */
export const OPEN_BODY_MAX = 16 * 1024

/** Error of a request whose client disconnected before its body was complete: no response can be sent. */
export class Disconnected extends Error {
  override readonly name = 'Disconnected'
}

/** What a body may hold, and what happens between its last byte and its parsing. */
export interface BodyRules extends JsonLimits {
  /** Waits until a body of `bytes` bytes may be decoded and parsed. */
  readonly admit: (bytes: number) => Promise<void>
}

/** Reads a body as JSON. Rejects with HttpFailure 413, 415 or 400, Disconnected, or as `admit` does. */
export async function readBody(req: IncomingMessage, { admit, ...limits }: BodyRules): Promise<unknown> {
  const bytes = await readBytes(req, BODY_MAX, bodyErrors)
  const format = bodyFormat(req, bytes.length, false)
  await admit(bytes.length)
  return parseBody(textOf(bytes, bodyErrors), format, limits)
}

/**
 * Reads the body of an open route as JSON or as a form, an object of texts. Rejects with HttpFailure 413, 415 or 400,
 * or Disconnected.
 */
export async function readOpenBody(req: IncomingMessage): Promise<unknown> {
  const bytes = await readBytes(req, OPEN_BODY_MAX, openBodyErrors)
  const format = bodyFormat(req, bytes.length, true)
  return parseBody(textOf(bytes, openBodyErrors), format, {})
}

const errorsOf = (bytesMax: number): BodyErrors => ({
  tooLarge: () => new HttpFailure(413, `The body must be at most ${bytesMax} bytes`),
  incomplete: () => new Disconnected(),
  notUtf8: () => new HttpFailure(400, 'The body is not UTF-8'),
})
const bodyErrors = errorsOf(BODY_MAX)
const openBodyErrors = errorsOf(OPEN_BODY_MAX)

type BodyFormat = 'json' | 'form'

/**
 * The format by the headers. Throws 415 for an unsupported one. An empty body needs no Content-Type, since parsing
 * fails anyway.
 */
function bodyFormat(req: IncomingMessage, length: number, acceptsForm: boolean): BodyFormat {
  const { type, charset, isEncoded } = contentOf(req)
  if (isEncoded) throw unsupported('Content-Encoding is not supported')
  if (req.headers['content-type'] === undefined && length === 0) return 'json'
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') {
    if (/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json'
    if (acceptsForm && type === 'application/x-www-form-urlencoded') return 'form'
  }
  throw unsupported(
    `Content-Type must be application/json${acceptsForm ? ' or application/x-www-form-urlencoded' : ''}, in UTF-8`,
  )
}

/** Parses the body; throws 400 when it is malformed. */
function parseBody(text: string, format: BodyFormat, limits: JsonLimits): unknown {
  if (format === 'form') return readForm(text)
  try {
    return parseJson(text, limits)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new HttpFailure(400, `The body ${jsonProblem(error)}`)
  }
}

function readForm(text: string): Record<string, string> {
  const form: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    if (name in form) throw new HttpFailure(400, 'The form gives a field twice')
    form[name] = value
  }
  return form
}

function unsupported(message: string): HttpFailure {
  return new HttpFailure(415, message)
}
