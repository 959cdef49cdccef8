/** Files of imports: the chunks of a request's body as they come, within their limits (job.upload-limits). */
import type { IncomingMessage } from 'node:http'
import { createGunzip, type Gunzip } from 'node:zlib'
import { CHUNK_BYTES, type JobFormat, UNPACKED_FACTOR } from '../../domain/imports/import-job.ts'
import { contentOf, declaresMore } from '../../lib/request-body.ts'
import { Disconnected } from '../http/body.ts'
import { HttpFailure } from '../http/errors.ts'

/** The media types of files, and what they hold. */
export const fileTypes: Readonly<Record<string, JobFormat>> = {
  'application/json': 'json',
  'application/x-ndjson': 'json',
  'application/jsonl': 'json',
  'text/csv': 'csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
}

/** What the headers say of a file. Throws 415 for what is not taken. */
export function readFileHeaders(req: IncomingMessage): { format: JobFormat; gzipped: boolean } {
  const { type, isEncoded } = contentOf(req)
  const gzipped = req.headers['content-encoding']?.toLowerCase() === 'gzip'
  if (isEncoded && !gzipped) throw new HttpFailure(415, 'Content-Encoding must be gzip, or absent')
  const format = Object.hasOwn(fileTypes, type) ? fileTypes[type] : undefined
  if (format) return { format, gzipped }
  throw new HttpFailure(415, `Content-Type must be one of ${Object.keys(fileTypes).join(', ')}`)
}

/**
 * The file in chunks of CHUNK_BYTES. Throws 413 when it is larger than `max` bytes, or than ten times that when it is
 * unpacked; 400 when it is empty or broken; Disconnected. What is left of the body is then discarded.
 */
export async function* fileChunks(req: IncomingMessage, gzipped: boolean, max: number): AsyncGenerator<Buffer> {
  const unpacked = gzipped ? new Unpacked(max * UNPACKED_FACTOR) : null
  try {
    if (declaresMore(req, max)) throw tooLarge(max)
    let pieces: Buffer[] = []
    let waiting = 0
    let sent = 0
    for await (const piece of piecesOf(req)) {
      if (sent === 0 && !gzipped && piece[0] === 0x1f && piece[1] === 0x8b)
        throw new HttpFailure(400, 'The body is compressed: Content-Encoding: gzip must say so')
      sent += piece.length
      if (sent > max) throw tooLarge(max)
      await unpacked?.take(piece)
      pieces.push(piece)
      waiting += piece.length
      if (waiting < CHUNK_BYTES) continue
      const bytes = Buffer.concat(pieces)
      let at = 0
      for (; waiting - at >= CHUNK_BYTES; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES)
      pieces = [bytes.subarray(at)]
      waiting -= at
    }
    if (sent === 0) throw new HttpFailure(400, 'The body is empty')
    await unpacked?.end()
    if (waiting > 0) yield Buffer.concat(pieces)
  } finally {
    unpacked?.close()
    req.resume()
  }
}

/** The body as it comes. An early end of the loop does not destroy the request, whose response is still to be sent. */
async function* piecesOf(req: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* req.iterator({ destroyOnReturn: false })
  } catch {
    throw new Disconnected()
  }
}

function tooLarge(max: number): HttpFailure {
  return new HttpFailure(413, `The body must be at most ${max} bytes`)
}

/** What a gzipped body comes to, without keeping any of it. */
class Unpacked {
  private readonly gunzip: Gunzip = createGunzip()
  private bytes = 0
  private failure: Error | null = null
  private isEnded = false
  private endWaiting = (): void => undefined
  /** Resolves when nothing more comes: at the end, which zeros may follow, or after a failure. */
  private readonly ended = new Promise<void>((resolve) => {
    this.endWaiting = () => {
      this.isEnded = true
      resolve()
    }
  })

  constructor(max: number) {
    this.gunzip.on('data', ({ length }: Buffer) => {
      this.bytes += length
      if (this.bytes > max) this.fail(new HttpFailure(413, `The body must be at most ${max} bytes when it is unpacked`))
    })
    this.gunzip.on('end', () => this.endWaiting())
    this.gunzip.on('error', () => this.fail(new HttpFailure(400, 'The body is not gzip, or broken')))
  }

  /** Unpacks a piece. Throws when the body can't be taken. */
  async take(piece: Buffer): Promise<void> {
    const written = (resolve: () => void): void => void this.gunzip.write(piece, () => resolve())
    if (!this.isEnded) await Promise.race([new Promise<void>(written), this.ended])
    if (this.failure) throw this.failure
  }

  /** Throws when the body is not complete. */
  async end(): Promise<void> {
    this.gunzip.end()
    await this.ended
    if (this.failure) throw this.failure
  }

  close(): void {
    this.gunzip.destroy()
  }

  private fail(failure: Error): void {
    this.failure ??= failure
    this.gunzip.destroy()
    this.endWaiting()
  }
}
