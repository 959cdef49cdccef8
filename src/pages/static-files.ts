/** Static files of pages, scripts, styles and drawings, with long-lived caching and gzip. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Negotiator from 'negotiator'

/** A drawing runs nothing and loads nothing, also when it is opened by itself; any site may show it. */
const DRAWING_HEADERS = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
}
/** The headers of a file by the ending of its name. */
const headersByEnding: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  css: { 'Content-Type': 'text/css; charset=utf-8', 'Cross-Origin-Resource-Policy': 'same-origin' },
  svg: DRAWING_HEADERS,
}
const SCRIPT_HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

interface File {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** The body compressed by gzip, made at the first request for it. */
  zipped?: Promise<Buffer>
}

/** The files of a page, by path. */
export interface StaticFiles {
  /**
   * The path of the folder, without a trailing slash. Its last segment is a hash of all files, so browsers may cache
   * them forever.
   */
  readonly folder: string
  readonly find: (path: string) => File | undefined
}

/** Files by name, under a path prefix that ends with a slash. */
export function createStaticFiles(prefix: string, texts: Readonly<Record<string, string>>): StaticFiles {
  const hash = createHash('sha256')
  const files = new Map<string, File>()
  for (const [name, text] of Object.entries(texts)) {
    const body = Buffer.from(text)
    hash.update(name).update(body)
    files.set(name, { headers: headersByEnding[name.split('.').at(-1) ?? ''] ?? SCRIPT_HEADERS, body })
  }
  const folder = `${prefix}${hash.digest('hex').slice(0, 16)}`
  return {
    folder,
    find: (path) => (path.startsWith(`${folder}/`) ? files.get(path.slice(folder.length + 1)) : undefined),
  }
}

/** The methods of a file, as the value of the Allow header. */
export const FILE_METHODS = 'GET, HEAD'

/**
 * Responds with a file, and returns whether it did: 404 without such a file, 405 for a method that is not in
 * FILE_METHODS. No token is needed, since the files belong to a page (http.open-routes).
 */
export async function sendFile(req: IncomingMessage, res: ServerResponse, file: File | undefined): Promise<boolean> {
  if (!file || req.method !== 'GET') return false
  const isZipped = new Negotiator(req).encoding(['gzip', 'identity']) === 'gzip'
  if (isZipped) file.zipped ??= promisify(gzip)(file.body)
  const body = (isZipped && (await file.zipped)) || file.body
  res.writeHead(200, {
    ...file.headers,
    'Content-Length': body.length,
    ...(isZipped && { 'Content-Encoding': 'gzip' }),
    Vary: 'Accept-Encoding',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  })
  res.end(body)
  return true
}
