/**
 * Request bodies: at most BODY_MAX bytes, JSON (the token endpoint also takes a form). The failures come in the order of
 * http.first-failure-wins.
 */
import type { IncomingMessage } from 'node:http'
import { jsonProblem, parseJson } from '../../lib/json.ts'
import { HttpFailure } from './errors.ts'

/** Bytes of a body: 1 MiB. */
export const BODY_MAX = 1024 * 1024

/** Error of a request whose client disconnected before its body was complete: no response can be sent. */
export class Disconnected extends Error {
  override readonly name = 'Disconnected'
}

/** Reads a body as JSON, with `acceptsForm` also as a form (an object of texts). Rejects with HttpFailure 413, 415 or 400, or Disconnected. */
export async function readBody(req: IncomingMessage, acceptsForm = false): Promise<unknown> {
  const bytes = await readBytes(req)
  return parseBody(bytes, bodyFormat(req, bytes.length, acceptsForm))
}

/** The whole body. Rejects with 413 past BODY_MAX, by Content-Length or by the bytes received; the rest is then discarded. */
function readBytes(req: IncomingMessage): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > BODY_MAX) return Promise.reject(tooLarge())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const take = (chunk: Buffer): void => {
      length += chunk.length
      if (length <= BODY_MAX) {
        chunks.push(chunk)
        return
      }
      req.off('data', take)
      req.resume()
      reject(tooLarge())
    }
    req.on('data', take)
    req.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    req.on('error', () => reject(new Disconnected()))
    req.on('close', () => reject(new Disconnected()))
  })
}

type BodyFormat = 'json' | 'form'

/** The format by the headers; throws 415 for an unsupported one. An empty body needs no Content-Type, since parsing fails anyway. */
function bodyFormat(req: IncomingMessage, length: number, acceptsForm: boolean): BodyFormat {
  const encoding = req.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw unsupported('Content-Encoding is not supported')
  const given = req.headers['content-type']
  if (given === undefined && length === 0) return 'json'
  const [type = '', ...parameters] = (given ?? '').toLowerCase().split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  if (charset === undefined || charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii') {
    if (/^\s*application\/(?:[\w.+-]+\+)?json\s*$/.test(type)) return 'json'
    if (acceptsForm && type.trim() === 'application/x-www-form-urlencoded') return 'form'
  }
  throw unsupported(`Content-Type must be application/json${acceptsForm ? ' or application/x-www-form-urlencoded' : ''}, in UTF-8`)
}

/** Parses the body; throws 400 when it is malformed. */
function parseBody(bytes: Buffer, format: BodyFormat): unknown {
  const text = utf8(bytes)
  if (format === 'form') return readForm(text)
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new HttpFailure(400, `The body ${jsonProblem(error)}`)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function utf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new HttpFailure(400, 'The body is not UTF-8')
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

function tooLarge(): HttpFailure {
  return new HttpFailure(413, `The body must be at most ${BODY_MAX} bytes`)
}

function unsupported(message: string): HttpFailure {
  return new HttpFailure(415, message)
}
