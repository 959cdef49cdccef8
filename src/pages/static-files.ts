/** Static files of pages, scripts and styles, with long-lived caching and gzip. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Negotiator from 'negotiator'

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

interface File {
  readonly type: string
  readonly body: Buffer
  /** The body with gzip, created at its first request. */
  zipped?: Promise<Buffer>
}

/** The files of a page by their paths. */
export interface StaticFiles {
  /**
   * The path of the folder, without a slash at the end. Its last segment is a hash of all files, so that browsers may cache them forever.
   */
  readonly folder: string
  readonly find: (path: string) => File | undefined
}

/** Files by their names, under a path prefix that ends with a slash. */
export function createStaticFiles(prefix: string, texts: Readonly<Record<string, string>>): StaticFiles {
  const hash = createHash('sha256')
  const files = new Map<string, File>()
  for (const [name, text] of Object.entries(texts)) {
    const body = Buffer.from(text)
    hash.update(name).update(body)
    files.set(name, { type: name.endsWith('.css') ? STYLE : SCRIPT, body })
  }
  const folder = `${prefix}${hash.digest('hex').slice(0, 16)}`
  return { folder, find: (path) => (path.startsWith(`${folder}/`) ? files.get(path.slice(folder.length + 1)) : undefined) }
}

/** The methods of a file, as the value of the Allow header. */
export const FILE_METHODS = 'GET, HEAD'

/**
 * Responds with a file, and returns whether it did: else there is none, 404, or the method is not one of FILE_METHODS,
 * 405. It needs no token, since the files are part of a page (http.open-routes).
 */
export async function sendFile(req: IncomingMessage, res: ServerResponse, file: File | undefined): Promise<boolean> {
  if (!file || req.method !== 'GET') return false
  const isZipped = new Negotiator(req).encoding(['gzip', 'identity']) === 'gzip'
  if (isZipped) file.zipped ??= promisify(gzip)(file.body)
  const body = (isZipped && (await file.zipped)) || file.body
  res.writeHead(200, {
    'Content-Type': file.type,
    'Content-Length': body.length,
    ...(isZipped && { 'Content-Encoding': 'gzip' }),
    Vary: 'Accept-Encoding',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  })
  res.end(body)
  return true
}
