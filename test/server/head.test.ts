/** HEAD of every path. The client is node:http, since fetch hides which headers a response has. */
import { type IncomingHttpHeaders, request } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadDemo } from '../../src/demo/demo-store.ts'
import { createRoutes, documentedRoutes } from '../../src/rest/routes.ts'
import { COMPRESSED_BYTES_MIN } from '../../src/server/compression.ts'
import { useDatabase } from '../support/database.ts'
import { begin, runUntil } from '../support/import-jobs.ts'
import { METRICS_TOKEN } from '../support/metrics.ts'
import { testAuth, useServer } from '../support/server.ts'

const server = useServer(useDatabase(), {
  config: { metricsToken: METRICS_TOKEN, corsOrigins: ['https://shop.example'] },
})
/** An import that has refused an object. */
let importId = ''
beforeAll(async () => {
  await loadDemo(server.services)
  importId = await begin(server, '{"data":{"type":"pricebook"}}')
  await runUntil(server, importId, ['FAILED'])
})

interface Head {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: number
}

type Sent = Record<string, string>

function send(method: string, path: string, headers: Sent): Promise<Head> {
  return new Promise((resolve, reject) => {
    const call = request(server.url + path, { method, headers }, (res) => {
      let bytes = 0
      res.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      // Those of the message, and what differs between any two requests.
      const { date: _, 'transfer-encoding': __, 'x-request-id': id, ...rest } = res.headers
      expect(id).toBeDefined()
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: rest, bytes }))
    })
    call.on('error', reject)
    call.end()
  })
}

const encodings = ['identity', 'gzip', 'br', 'gzip;q=0.5, br;q=0.1']

/** Asks by both methods in each encoding, and returns what GET had. */
async function compare(path: string, headers: Sent = {}): Promise<Head[]> {
  const got: Head[] = []
  for (const encoding of encodings) {
    const sent = { origin: 'https://shop.example', ...headers, 'accept-encoding': encoding }
    const [get, head] = [await send('GET', path, sent), await send('HEAD', path, sent)]
    expect([path, encoding, head]).toEqual([path, encoding, { ...get, bytes: 0 }])
    got.push(get)
  }
  return got
}

const asAdmin = (): Sent => ({ authorization: `Bearer ${server.admin}` })
const routes = createRoutes({
  config: { auth: testAuth, production: false, host: '127.0.0.1' },
  issue: server.issue,
  isReady: async () => true,
}).filter(({ method }) => method === 'GET')
const paths = routes.flatMap(({ paths, document: { example } }) =>
  paths.map((path) => path.replace(/\{(\w+)\}/g, (_, name: string) => example?.path?.[name] ?? 'x')),
)

describe('http.head-is-get: HEAD has the status and the headers of GET, in each encoding', () => {
  test('HEAD of every route has the status and the headers of GET, in each encoding', async () => {
    expect(paths.length).toBeGreaterThan(documentedRoutes.filter(({ method }) => method === 'GET').length + 3)
    const compressed: string[] = []
    const ofImport = documentedRoutes.find(({ document: { id } }) => id === 'getRefusedObjects')?.document.example?.path
    for (const documented of paths) {
      const path = documented.replace(ofImport?.import_id ?? '-', importId)
      const got = await compare(path, asAdmin())
      expect([path, got.map(({ status }) => status)]).toEqual([path, encodings.map(() => 200)])
      if (got.some(({ headers }) => headers['content-encoding'] !== undefined)) compressed.push(path)
      else expect(got[0]?.bytes).toBeLessThan(COMPRESSED_BYTES_MIN)
    }
    expect(compressed).toContain('/openapi.json')
    expect(compressed.length).toBeGreaterThan(3)
  })

  test('HEAD of what is not changed, refused or not there has the status and the headers of GET', async () => {
    const [path = ''] = paths.filter((one) => one.includes('/hierarchies/'))
    const { etag } = (await send('GET', path, asAdmin())).headers
    const statuses = [
      await compare(path, { ...asAdmin(), 'if-none-match': etag ?? '' }),
      await compare(path),
      await compare(path, { authorization: 'Bearer x' }),
      await compare(`${path}?page[limit]=none`, asAdmin()),
      await compare('/nowhere'),
      await compare('/oauth/access_token'),
    ].map(([first]) => first?.status)
    expect(statuses).toEqual([304, 401, 401, 400, 404, 405])
  })

  test('HEAD of every page, and of its files, has the status and the headers of GET', async () => {
    const browser = { accept: 'text/html' }
    let files = 0
    for (const page of ['/', '/graphql']) {
      const [first] = await compare(page, browser)
      expect(first?.headers['content-type']).toBe('text/html; charset=utf-8')
      const html = await (await fetch(server.url + page, { headers: browser })).text()
      for (const [, file = ''] of html.matchAll(/(?:src|href)="(\/[^"]+\.(?:m?js|css))"/g)) {
        files++
        const got = await compare(file)
        expect([file, got.map(({ headers }) => headers['content-encoding'])]).toEqual([
          file,
          [undefined, 'gzip', 'br', 'gzip'],
        ])
      }
    }
    expect(files).toBeGreaterThanOrEqual(3)
    await compare('/graphql/graphiql/x/none.js')
  })

  test('HEAD of the metrics has the headers of GET, but for what each scrape counts', async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}`, 'accept-encoding': 'gzip' }
    const [get, head] = [await send('GET', '/metrics', headers), await send('HEAD', '/metrics', headers)]
    expect(head).toEqual({ ...get, bytes: 0 })
    expect(head.headers['content-encoding']).toBe('gzip')
    expect(head.headers['content-length']).toBeUndefined()
  })

  test('HEAD of /graphql is refused with the methods that it has', async () => {
    const { status, headers } = await send('HEAD', '/graphql?query={__typename}', asAdmin())
    expect([status, headers.allow, headers['content-type']]).toEqual([
      405,
      'GET, POST, OPTIONS',
      'application/json; charset=utf-8',
    ])
  })

  test('the log of a HEAD request says HEAD', () => {
    expect(server.logs.filter(({ method, path }) => method === 'HEAD' && path === '/openapi.json')).toHaveLength(
      encodings.length,
    )
  })
})
