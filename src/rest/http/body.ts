/**
 * Request bodies: at most BODY_MAX bytes, JSON (the token endpoint also takes a form). The failures come in the order of
 * http.first-failure-wins.
 */
import type { IncomingMessage } from 'node:http'
import { jsonProblem, parseJson } from '../../lib/json.ts'
import { type BodyErrors, contentOf, readBytes, textOf } from '../../lib/request-body.ts'
import { HttpFailure } from './errors.ts'

/** Bytes of a body: 1 MiB. */
export const BODY_MAX = 1024 * 1024

/** Error of a request whose client disconnected before its body was complete: no response can be sent. */
export class Disconnected extends Error {
  override readonly name = 'Disconnected'
}

/**
 * Reads a body as JSON, with `acceptsForm` also as a form (an object of texts). Rejects with HttpFailure 413, 415 or 400, or Disconnected.
 */
export async function readBody(req: IncomingMessage, acceptsForm = false): Promise<unknown> {
  const bytes = await readBytes(req, BODY_MAX, bodyErrors)
  return parseBody(bytes, bodyFormat(req, bytes.length, acceptsForm))
}

const bodyErrors: BodyErrors = {
  tooLarge: () => new HttpFailure(413, `The body must be at most ${BODY_MAX} bytes`),
  incomplete: () => new Disconnected(),
  notUtf8: () => new HttpFailure(400, 'The body is not UTF-8'),
}

type BodyFormat = 'json' | 'form'

/** The format by the headers; throws 415 for an unsupported one. An empty body needs no Content-Type, since parsing fails anyway. */
function bodyFormat(req: IncomingMessage, length: number, acceptsForm: boolean): BodyFormat {
  const { type, charset, isEncoded } = contentOf(req)
  if (isEncoded) throw unsupported('Content-Encoding is not supported')
  if (req.headers['content-type'] === undefined && length === 0) return 'json'
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') {
    if (/^application\/(?:[\w.+-]+\+)?json$/.test(type)) return 'json'
    if (acceptsForm && type === 'application/x-www-form-urlencoded') return 'form'
  }
  throw unsupported(`Content-Type must be application/json${acceptsForm ? ' or application/x-www-form-urlencoded' : ''}, in UTF-8`)
}

/** Parses the body; throws 400 when it is malformed. */
function parseBody(bytes: Buffer, format: BodyFormat): unknown {
  const text = textOf(bytes, bodyErrors)
  if (format === 'form') return readForm(text)
  try {
    return parseJson(text)
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
