/** GraphiQL's static files, served from its package with long-lived caching. They are read when the page is first opened. */
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Negotiator from 'negotiator'
import { readPage } from '../../pages/html-response.ts'

/** Path prefix of the files. The next segment is a hash of all files, so that browsers may cache them forever. */
export const FILES_PATH = '/graphql/graphiql/'

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

interface File {
  readonly type: string
  readonly body: Buffer
  /** The body with gzip, created at its first request. */
  zipped?: Promise<Buffer>
}

/** The files by their paths. */
export interface GraphiqlFiles {
  /** The path of the folder, without a slash at the end. */
  readonly folder: string
  readonly find: (path: string) => File | undefined
}

let loading: Promise<GraphiqlFiles> | undefined

/** Loads the files, nine megabytes, once per process. */
export function graphiqlFiles(): Promise<GraphiqlFiles> {
  loading ??= load()
  return loading
}

async function load(): Promise<GraphiqlFiles> {
  const graphiql = await import('@graphql-yoga/render-graphiql/graphiql')
  const texts = {
    'graphiql.js': graphiql.js,
    'graphiql.css': graphiql.css,
    'editorWorkerService.worker.js': graphiql.editorWorkerService,
    'graphql.worker.js': graphiql.graphqlWorker,
    'json.worker.js': graphiql.jsonWorker,
    'page.css': readPage('graphiql.css'),
    'page.mjs': readPage('graphiql.mjs'),
  }
  const hash = createHash('sha256')
  const files = new Map<string, File>()
  for (const [name, text] of Object.entries(texts)) {
    const body = Buffer.from(text)
    hash.update(name).update(body)
    files.set(name, { type: name.endsWith('.css') ? STYLE : SCRIPT, body })
  }
  const folder = `${FILES_PATH}${hash.digest('hex').slice(0, 16)}`
  return { folder, find: (path) => (path.startsWith(`${folder}/`) ? files.get(path.slice(folder.length + 1)) : undefined) }
}

/** Responds to a request for a path under FILES_PATH. It needs no token, since the files are part of GraphiQL's page (http.open-routes). */
export async function sendFile(req: IncomingMessage, res: ServerResponse, path: string): Promise<void> {
  const file = (await graphiqlFiles()).find(path)
  const isRead = req.method === 'GET' || req.method === 'HEAD'
  if (!file || !isRead) {
    res.writeHead(file ? 405 : 404, { ...(file && { Allow: 'GET, HEAD' }), 'Cache-Control': 'no-store' }).end()
    return
  }
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
  res.end(req.method === 'HEAD' ? undefined : body)
}
