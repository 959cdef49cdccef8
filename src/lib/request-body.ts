/**
 * Request bodies: the bytes of a request up to a limit, as UTF-8 text, and what its headers say about them. Each edge
 * has its own errors.
 */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

/** The errors of a body that can't be read. */
export interface BodyErrors {
  readonly tooLarge: () => Error
  /** The client disconnected before the end. */
  readonly incomplete: () => Error
  readonly notUtf8: () => Error
}

/**
 * The bytes of a body in the pieces in which they arrived. Joining many takes long, so textOf does it when it is the
 * request's turn.
 */
export interface BodyBytes {
  readonly pieces: readonly Buffer[]
  readonly length: number
}

/** Whether the Content-Length is more than `limit` bytes. */
export function declaresMore({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers['content-length'] ?? 0) > limit
}

/**
 * Reads the whole body. Rejects past `limit` bytes, by Content-Length or by the bytes received; the rest is then
 * discarded.
 */
export function readBytes(req: IncomingMessage, limit: number, errors: BodyErrors): Promise<BodyBytes> {
  if (declaresMore(req, limit)) return Promise.reject(errors.tooLarge())
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let length = 0
    const take = (piece: Buffer): void => {
      length += piece.length
      if (length <= limit) {
        pieces.push(piece)
        if (pieces.length > 1) pauseForTurn(req)
        return
      }
      req.off('data', take)
      req.resume()
      reject(errors.tooLarge())
    }
    let hasEnded = false
    req.on('data', take)
    req.on('end', () => {
      hasEnded = true
      resolve({ pieces, length })
    })
    // `close` follows `end` too. The check saves creating an error with its stack for each complete request.
    const close = (): void => {
      if (!hasEnded) reject(errors.incomplete())
    }
    req.on('error', close)
    req.on('close', close)
  })
}

/**
 * Reads on in the next turn of the event loop. Else Node reads two megabytes of each connection in one turn, and
 * /health waits for all of them.
 */
function pauseForTurn(req: IncomingMessage): void {
  req.pause()
  setImmediate(() => req.resume())
}

/** The text of a body, without a leading byte order mark. Throws when it is not UTF-8. */
export function textOf({ pieces, length }: BodyBytes, errors: BodyErrors): string {
  const [first] = pieces
  const bytes = first && pieces.length === 1 ? first : Buffer.concat(pieces, length)
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\uFEFF/, '')
  throw errors.notUtf8()
}

/** The media type and the charset of Content-Type in lower case, and whether the body is compressed. */
export function contentOf({ headers }: IncomingMessage): {
  type: string
  charset: string | undefined
  isEncoded: boolean
} {
  const encoding = headers['content-encoding']
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  return { type: type.trim(), charset, isEncoded: encoding !== undefined && encoding.toLowerCase() !== 'identity' }
}
