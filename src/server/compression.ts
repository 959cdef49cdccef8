/** Compression of responses (brotli or gzip, as Accept-Encoding prefers), by the package compression. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import compression from 'compression'

/** Bytes from which on a response is compressed; a shorter one fits into one packet as it is. */
export const COMPRESSED_BYTES_MIN = 1_024

/** Streams of events are not compressed, since each event has to leave at once. */
const streams = /^(text\/event-stream|multipart\/)/

/** JSON lines, which the package does not know. */
const lines = /^application\/x-ndjson/

const compress = compression({
  threshold: COMPRESSED_BYTES_MIN,
  filter: (req, res) => {
    const type = String(res.getHeader('Content-Type') ?? '')
    return !streams.test(type) && (lines.test(type) || compression.filter(req, res))
  },
})

/** Bytes of whole responses in the compressor, until all their compressed bytes have reached the socket. */
const compressing = new WeakMap<ServerResponse, number>()

/**
 * Makes `res` compress what is written to it, when the client accepts that. The ETags are weak, so they hold for every
 * encoding.
 */
export function compressResponse(req: IncomingMessage, res: ServerResponse): void {
  // The package's types are Express'; it uses only what node:http has.
  compress(req as never, res as never, () => undefined)
  const end = res.end.bind(res) as (...parameters: unknown[]) => ServerResponse
  res.end = ((...parameters: unknown[]) => {
    const result = end(...parameters)
    const [body] = parameters
    if (!res.writableEnded && (typeof body === 'string' || body instanceof Uint8Array))
      compressing.set(res, Buffer.byteLength(body))
    return result
  }) as typeof res.end
}

/** Whether the whole response was written. Its compressor may still wait for a client that does not read. */
export function isWritten(res: ServerResponse): boolean {
  return res.writableEnded || compressing.has(res)
}

/** Bytes of the response that wait for the client; an upper bound while they are compressed. */
export function unsentBytes(res: ServerResponse): number {
  return res.writableLength + (res.writableEnded ? 0 : (compressing.get(res) ?? 0))
}
