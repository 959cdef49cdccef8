/** Request bodies: the bytes of a request up to a limit, as UTF-8 text, and what its headers say of them. Each edge has its own errors. */
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
 * The bytes of a body, in the pieces in which they came: many at once would take long to join (textOf does it, in its
 * turn).
 */
export interface BodyBytes {
  readonly pieces: readonly Buffer[]
  readonly length: number
}

/** Whether the Content-Length is more than `limit` bytes. */
export function declaresMore({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers['content-length'] ?? 0) > limit
}

/** Reads the whole body. Rejects past `limit` bytes, by Content-Length or by the bytes received; the rest is then discarded. */
export function readBytes(req: IncomingMessage, limit: number, errors: BodyErrors): Promise<BodyBytes> {
  if (declaresMore(req, limit)) return Promise.reject(errors.tooLarge())
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let length = 0
    const take = (piece: Buffer): void => {
      length += piece.length
      if (length <= limit) {
        pieces.push(piece)
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
    // `close` comes after `end` as well; the check avoids creating an error, with its stack, for each complete request.
    const close = (): void => {
      if (!hasEnded) reject(errors.incomplete())
    }
    req.on('error', close)
    req.on('close', close)
  })
}

/** The text of a body, without the byte order mark that it may begin with. Throws when it is not UTF-8. */
export function textOf({ pieces, length }: BodyBytes, errors: BodyErrors): string {
  const [first] = pieces
  const bytes = first && pieces.length === 1 ? first : Buffer.concat(pieces, length)
  if (isUtf8(bytes)) return bytes.toString('utf8').replace(/^\uFEFF/, '')
  throw errors.notUtf8()
}

/** The media type and the charset of Content-Type in lower case, and whether the body is compressed. */
export function contentOf({ headers }: IncomingMessage): { type: string; charset: string | undefined; isEncoded: boolean } {
  const encoding = headers['content-encoding']
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find((found) => found !== undefined)
  return { type: type.trim(), charset, isEncoded: encoding !== undefined && encoding.toLowerCase() !== 'identity' }
}
