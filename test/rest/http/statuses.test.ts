/**
 * Every error status of REST with its title and code, each caused on a started server (http.fixed-statuses-and-titles).
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../../src/config/project-root.ts'
import { databaseOver } from '../../../src/persistence/database/open-database.ts'
import { serverPool } from '../../../src/persistence/database/pool.ts'
import { BODY_MAX } from '../../../src/rest/http/body.ts'
import { failures } from '../../../src/rest/http/errors.ts'
import { useDatabase } from '../../support/database.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { sendRaw } from '../../support/raw-http.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const limited = useServer(database, { config: { rateLimit: 1 } })
// Nobody listens on port 1.
const away = databaseOver(
  'server',
  serverPool({ url: 'postgres://127.0.0.1:1/none', max: 1, statementTimeoutMs: 0, onError: () => {} }),
)
const lost = useServer(away)

const PRODUCT = '/v2/subscriptions/products/0198f3c1-0000-7000-8000-000000000001'
const price = (attributes: object) => ({ body: { data: { type: 'product-price', attributes } } })
let prices = ''

beforeAll(async () => {
  const ctx = contextOf(server.services, START)
  const book = (await makeBook(ctx, 'Book')).id
  await makePrice(ctx, book, 'TAKEN')
  prices = `/pcm/pricebooks/${book}/prices`
})
afterAll(() => away.close())

interface AnyResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape
  readonly body: any
}

/** What came back over a bare socket. */
function parsed(response: string): AnyResponse {
  const [head = '', body = ''] = response.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  return {
    status: Number(first.split(' ')[1]),
    headers: new Headers(lines.map((line) => line.split(': ') as [string, string])),
    body: JSON.parse(body),
  }
}

/** A request that never becomes whole; Node looks for those twice a minute, which is not waited for. */
async function tooSlow(): Promise<AnyResponse> {
  const { hostname, port } = new URL(server.url)
  const accepted = once(server.app.server, 'connection') as Promise<[Socket]>
  const client = connect(Number(port), hostname)
  const [socket] = await accepted
  client.write('G')
  while (socket.bytesRead === 0) await setImmediate()
  server.app.server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  return parsed(await text(client))
}

/** A statement that fails unexpectedly. */
async function broken(): Promise<AnyResponse> {
  const whole = server.services.database
  const { query } = whole
  Object.assign(whole, { query: () => Promise.reject(new Error('SELECT hush')) })
  try {
    return await server.rest('GET', prices)
  } finally {
    Object.assign(whole, { query })
  }
}

const met: readonly [status: number, title: string, code: string, detail: string, () => Promise<AnyResponse>][] = [
  [
    400,
    'Bad Request',
    'BAD_REQUEST',
    'The body is not JSON',
    () => server.rest('PUT', PRODUCT, { raw: '{', headers: { 'content-type': 'application/json' } }),
  ],
  [
    400,
    'Bad Request',
    'INVALID_FORMAT',
    'product_uuid: must be a UUID',
    () => server.rest('GET', '/v2/subscriptions/products/x'),
  ],
  [
    401,
    'Unauthorized',
    'UNAUTHENTICATED',
    'A valid bearer token is needed: POST /oauth/access_token gives one',
    () => server.rest('GET', PRODUCT, { token: null }),
  ],
  [
    401,
    'Unauthorized',
    'UNAUTHENTICATED',
    'The token is not a JSON Web Token with a signature: POST /oauth/access_token gives one',
    () => server.rest('GET', PRODUCT, { token: 'x' }),
  ],
  [
    403,
    'Forbidden',
    'FORBIDDEN',
    'The token lacks the role admin',
    () => server.rest('PUT', PRODUCT, { token: server.shopper, body: {} }),
  ],
  [404, 'Not Found', 'NOT_FOUND', 'There is nothing at this path', () => server.rest('GET', '/nowhere')],
  [404, 'Not Found', 'NOT_FOUND', 'No such subscription product', () => server.rest('GET', PRODUCT)],
  [
    405,
    'Method Not Allowed',
    'METHOD_NOT_ALLOWED',
    'The methods of this path are GET, HEAD, PUT, OPTIONS',
    () => server.rest('DELETE', PRODUCT),
  ],
  [408, 'Request Timeout', 'REQUEST_TIMEOUT', 'The request took too long to arrive', tooSlow],
  [
    409,
    'Conflict',
    'PRICE_EXISTS',
    'The price already exists',
    () => server.rest('POST', prices, price({ sku: 'TAKEN', currencies: {} })),
  ],
  [
    413,
    'Payload Too Large',
    'PAYLOAD_TOO_LARGE',
    'The body must be at most 1048576 bytes',
    () => server.rest('POST', prices, { raw: ' '.repeat(BODY_MAX + 1) }),
  ],
  [
    415,
    'Unsupported Media Type',
    'UNSUPPORTED_MEDIA_TYPE',
    'Content-Type must be application/json, in UTF-8',
    () => server.rest('POST', prices, { raw: '{}' }),
  ],
  [
    422,
    'Failed Validation',
    'TOO_SHORT',
    'data.attributes.sku: must be 1 to 1024 characters',
    () => server.rest('POST', prices, price({ sku: '', currencies: {} })),
  ],
  [
    429,
    'Too Many Requests',
    'THROTTLED',
    'Too many requests, try again later',
    async () => {
      await limited.rest('GET', PRODUCT)
      return limited.rest('GET', PRODUCT)
    },
  ],
  [
    431,
    'Request Header Fields Too Large',
    'REQUEST_HEADER_FIELDS_TOO_LARGE',
    'The head of the request is too large',
    async () => parsed(await sendRaw(server.url, [`GET /${'x'.repeat(90_000)} HTTP/1.1\r\nHost: x\r\n\r\n`])),
  ],
  [500, 'Internal Server Error', 'INTERNAL_SERVER_ERROR', 'An unexpected error occurred', broken],
  [
    503,
    'Service Unavailable',
    'SERVICE_UNAVAILABLE',
    'The service is not available at the moment, try again',
    () => lost.rest('GET', PRODUCT),
  ],
]

test.each(met)('http.fixed-statuses-and-titles: the status %i %s, %s: %s', async (status, title, code, detail, ask) => {
  const response = await ask()
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.body).toEqual({ errors: [{ title, status: String(status), detail, code }] })
})

test('http.fixed-statuses-and-titles: src/rest/README.md lists all statuses', () => {
  const statuses = [...new Set(met.map(([status]) => status))]
  expect(Object.keys(failures).map(Number)).toEqual(statuses)
  const ruled = { 400: "`BAD_REQUEST`, or the rule's", 409: "the rule's", 422: "the rule's" } as Record<number, string>
  const rows = statuses.map((status) => {
    const [, title, code] = met.find(([other]) => other === status) ?? []
    return `| ${status} | ${title} | ${ruled[status] ?? `\`${code}\``} |`
  })
  const readme = readFileSync(join(projectRoot, 'src/rest/README.md'), 'utf8')
  expect(/^\| status \| title \| code \|\n\|---\|---\|---\|\n([\s\S]*?)\n\n/m.exec(readme)?.[1]?.split('\n')).toEqual(
    rows,
  )
})
