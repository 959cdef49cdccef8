import { type AddressInfo, createServer, type Socket } from 'node:net'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { GraphqlHandler } from '../../src/graphql/server/server.ts'
import { databaseOver } from '../../src/persistence/database/open-database.ts'
import { serverPool } from '../../src/persistence/database/pool.ts'
import { useDatabase } from '../support/database.ts'
import { sendRaw } from '../support/raw-http.ts'
import { type RestOptions, startTestServer, useServer } from '../support/server.ts'
import { startWorkingClock } from '../support/working-clock.ts'

const database = useDatabase()
const server = useServer(database, { config: { corsOrigins: ['https://shop.example', 'https://admin.example'] } })
const open = (method: string, path: string, headers: Record<string, string> = {}) =>
  server.rest(method, path, { token: null, headers })

describe('http.open-routes: paths without a token', () => {
  // On a busy machine the first connection takes longer than /ready waits for it.
  beforeAll(() => vi.waitFor(async () => expect((await open('GET', '/ready')).status).toBe(200), 60_000))

  test.each([
    ['/', { graphql: '/graphql', openapi: '/openapi.json' }],
    ['/health', { status: 'ok' }],
    ['/ready', { status: 'ready' }],
    ['/openapi.json', { openapi: '3.1.0' }],
  ])('GET and HEAD %s need no token', async (path, body) => {
    const reply = await open('GET', path)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(reply.body).toMatchObject(body)
    const head = await open('HEAD', path)
    expect([head.status, head.text]).toEqual([200, ''])
    const post = await open('POST', path)
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test.each(['/', '/health', '/ready', '/openapi.json'])(
    'http.first-failure-wins: a query that can not be read is 400 on %s as anywhere',
    async (path) => {
      expect((await open('GET', `${path}?x&y=1`)).status).toBe(200)
      const reply = await open('GET', `${path}?x=1&y=%ff&x=2`)
      expect([reply.status, reply.body.errors.map(({ detail }: { detail: string }) => detail)]).toEqual([
        400,
        ['y: is not percent-encoded UTF-8', 'x: must be given once'],
      ])
    },
  )

  test('every path but the open ones needs a token', async () => {
    const reply = await open('GET', '/v2/subscriptions/products/x')
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect(reply.body.errors[0]).toMatchObject({ title: 'Unauthorized', status: '401' })
  })

  test.each(['/nowhere', '/health/', '/openapi', '/pcm', '/graphql/'])(
    'http.paths-are-no-secret: %s is no path: 404 without a token',
    async (path) => {
      const reply = await open('GET', path)
      expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([404, null])
      expect(reply.body.errors[0]).toMatchObject({ title: 'Not Found', status: '404' })
    },
  )

  test('http.paths-are-no-secret: a method that a path does not have is 405 with Allow without a token', async () => {
    const reply = await open('DELETE', '/v2/subscriptions/products/x')
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, OPTIONS'])
  })

  test.each(['/docs', '/explore'])(
    'the page %s has the methods GET, HEAD and OPTIONS: others are 405 with Allow',
    async (path) => {
      const [post, options] = [await open('POST', path), await open('OPTIONS', path)]
      expect([post.status, options.status]).toEqual([405, 204])
      expect(post.body.errors[0]).toMatchObject({
        status: '405',
        detail: 'The methods of this path are GET, HEAD, OPTIONS',
      })
      for (const reply of [post, options]) expect(reply.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    },
  )

  test('an invalid token does not matter for paths without a token', async () => {
    expect((await open('GET', '/health', { authorization: 'Bearer x' })).status).toBe(200)
  })

  test('OPTIONS works on any path without a token', async () => {
    expect((await open('OPTIONS', '/graphql')).headers.get('allow')).toBe('GET, POST, OPTIONS')
    expect((await open('OPTIONS', '/v2/subscriptions/products/x')).headers.get('allow')).toBe('GET, HEAD, PUT, OPTIONS')
  })
})

test('with a database that accepts connections and never responds, /ready is 503 within a second and /health 200', async () => {
  const sockets: Socket[] = []
  const frozen = createServer((socket) => sockets.push(socket))
  await new Promise<void>((resolve) => frozen.listen(0, '127.0.0.1', resolve))
  const url = `postgres://127.0.0.1:${(frozen.address() as AddressInfo).port}/none`
  const silent = databaseOver('server', serverPool({ url, max: 1, statementTimeoutMs: 0, onError: () => {} }))
  const waiting = await startTestServer(silent)
  const clock = startWorkingClock()
  const started = clock.now()
  // The second one waits for the connection that the first one has.
  const replies = await Promise.all(['/ready', '/ready'].map((path) => waiting.rest('GET', path, { token: null })))
  expect(replies.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
    [503, '1'],
    [503, '1'],
  ])
  expect(clock.now() - started).toBeLessThan(1_000)
  clock.stop()
  expect((await waiting.rest('GET', '/health', { token: null })).status).toBe(200)
  await waiting.stop()
  frozen.close()
  for (const socket of sockets) socket.destroy()
  await silent.close()
})

test('graph.other-failures-at-top-level: both edges accept and refuse the same tokens', async () => {
  expect((await server.gql('{ __typename }', {}, { token: server.shopper })).data).toEqual({ __typename: 'Query' })
  expect((await server.gql('{ __typename }', {}, { token: null })).status).toBe(401)
})

describe('responses to a token are not cacheable by others', () => {
  const control = async (method: string, path: string, options: RestOptions) =>
    (await server.rest(method, path, options)).headers.get('cache-control')

  test.each([
    ['a page', 'GET', '/v2/subscriptions/products/0198f3c1-0000-7000-8000-000000000001', {}],
    ['a wrong token', 'GET', '/v2/subscriptions/products/x', { token: 'x' }],
    ['no such path', 'GET', '/nowhere', {}],
    ['no such method', 'DELETE', '/graphql', {}],
    ['what needs no token', 'GET', '/health', {}],
    ['a token', 'POST', '/oauth/access_token', { body: { grant_type: 'implicit', client_id: 'demo' } }],
    ['the start page', 'GET', '/', { headers: { accept: 'text/html' } }],
    ['a preflight', 'OPTIONS', '/graphql', {}],
    ['a query', 'POST', '/graphql', { body: { query: '{ __typename }' } }],
    ['a query by GET', 'GET', '/graphql?query={__typename}', {}],
    ['a query that can not be parsed', 'POST', '/graphql', { body: { query: '{' } }],
    ['a body that is no JSON', 'POST', '/graphql', { raw: '{', headers: { 'content-type': 'application/json' } }],
    ['a media type that is not there', 'POST', '/graphql', { body: {}, headers: { accept: 'image/png' } }],
    ['a stream', 'POST', '/graphql', { body: { query: '{ __typename }' }, headers: { accept: 'text/event-stream' } }],
  ])('a response to a token is not cacheable by others: %s', async (_, method, path, options) => {
    expect(await control(method, path, options)).toBe('private, no-store')
  })

  test('a response without a token has no Cache-Control', async () => {
    for (const path of ['/health', '/openapi.json', '/nowhere'])
      expect(await control('GET', path, { token: null })).toBeNull()
  })
})

describe('request ids', () => {
  test('a well-formed request id is used on both edges and logged', async () => {
    for (const path of ['/health', '/graphql', '/nowhere']) {
      expect((await open('GET', path, { 'x-request-id': `id-1:${path.length}` })).headers.get('x-request-id')).toBe(
        `id-1:${path.length}`,
      )
    }
    expect(server.logs).toContainEqual(
      expect.objectContaining({ requestId: 'id-1:7', method: 'GET', path: '/health', status: 200, msg: 'request' }),
    )
  })

  test.each(['', 'a b', 'x'.repeat(129), '<script>'])('the request id "%s" is replaced', async (given) => {
    expect((await open('GET', '/health', { 'x-request-id': given })).headers.get('x-request-id')).toMatch(
      /^[0-9a-f-]{36}$/,
    )
  })

  test('a request that is shed has a request id too, on both edges', async () => {
    const full = await startTestServer(database, { limits: { inFlightMax: 0 } })
    const headers = { 'x-request-id': 'shed-1' }
    const replies = await Promise.all(['/graphql', '/nowhere'].map((path) => full.rest('GET', path, { headers })))
    await full.stop()
    expect(replies.map((reply) => [reply.status, reply.headers.get('x-request-id')])).toEqual(
      Array(2).fill([503, 'shed-1']),
    )
  })

  test('a request id of 128 characters is used', async () => {
    expect((await open('GET', '/health', { 'x-request-id': 'x'.repeat(128) })).headers.get('x-request-id')).toBe(
      'x'.repeat(128),
    )
  })
})

test('the log has one line per request, without query string, headers or bodies', async () => {
  server.logs.length = 0
  await server.rest('GET', '/v2/subscriptions/products/secretless?access_token=hush&client_secret=hush')
  await server.rest('POST', '/oauth/access_token', {
    token: null,
    body: { client_secret: 'hush', grant_type: 'implicit', client_id: 'hush' },
  })
  expect(server.logs.map(({ path, status }) => [path, status])).toEqual([
    ['/v2/subscriptions/products/secretless', 400],
    ['/oauth/access_token', 401],
  ])
  expect(JSON.stringify(server.logs)).not.toMatch(/hush|eyJ|bearer/i)
})

describe('CORS', () => {
  const names = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('access-control-')).sort()

  test.each(['https://shop.example', 'https://admin.example'])(
    'CORS allows %s, on failures and on /graphql too',
    async (origin) => {
      for (const path of ['/health', '/nowhere', '/graphql']) {
        const { headers } = await open('GET', path, { origin })
        expect(headers.get('access-control-allow-origin')).toBe(origin)
        expect(headers.get('vary')).toContain('Origin')
        expect(headers.get('access-control-allow-credentials')).toBeNull()
      }
    },
  )

  test.each(['https://shop.example.evil', 'http://shop.example', 'null', 'https://SHOP.example'])(
    'CORS gives %s no header at all',
    async (origin) => {
      for (const method of ['GET', 'OPTIONS'])
        expect(names((await open(method, '/health', { origin })).headers)).toEqual([])
    },
  )

  test('a CORS preflight lists the allowed methods and headers', async () => {
    const { status, headers } = await open('OPTIONS', '/graphql', {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT')
    const allowed = headers.get('access-control-allow-headers')?.split(', ') ?? []
    expect(allowed.slice(0, 2)).toEqual(['Authorization', 'Content-Type'])
    const ofClients = ['baggage', 'sentry-trace', 'traceparent', 'tracestate']
    const ofApollo = ['apollographql-client-name', 'apollographql-client-version', 'apollo-require-preflight']
    expect([...ofClients, ...ofApollo].filter((name) => !allowed.includes(name))).toEqual([])
    expect(allowed).not.toContain('X-Shop')
  })

  test('a CORS preflight lists the headers of CORS_HEADERS too', async () => {
    const config = { corsOrigins: ['https://shop.example'], corsHeaders: ['X-Shop', 'X-Other'] }
    const configured = await startTestServer(database, { config })
    const { headers } = await configured.rest('OPTIONS', '/graphql', {
      token: null,
      headers: { origin: 'https://shop.example' },
    })
    expect(headers.get('access-control-allow-headers')).toMatch(/^Authorization, .*traceparent, .*, X-Shop, X-Other$/)
    await configured.stop()
  })

  test('without configured origins there are no CORS headers; with * any origin is allowed', async () => {
    const closed = await startTestServer(database)
    const any = await startTestServer(database, { config: { corsOrigins: ['*'] } })
    const ask = async ({ rest }: typeof any) =>
      (await rest('GET', '/health', { headers: { origin: 'https://x.example' } })).headers
    expect([names(await ask(closed)), (await ask(closed)).get('vary')]).toEqual([[], 'Accept-Encoding'])
    expect((await ask(any)).get('access-control-allow-origin')).toBe('*')
    await Promise.all([closed.stop(), any.stop()])
  })
})

describe('http.every-failure-has-errors: malformed HTTP', () => {
  const body = (response: string) => JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))
  const target = (length: number) => `/v2/subscriptions/products/x?filter=${'x'.repeat(length)}`

  test('filter.clauses-all-hold: a head above 64 KiB is accepted, one above 80 KiB is 431 with the errors array', async () => {
    expect((await open('GET', target(70_000))).status).toBe(401)
    const response = await sendRaw(server.url, [`GET ${target(90_000)} HTTP/1.1\r\nHost: x\r\n\r\n`])
    expect(response).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\nContent-Type: application\/json\r\n/)
    expect(body(response).errors).toEqual([
      {
        title: 'Request Header Fields Too Large',
        status: '431',
        detail: 'The head of the request is too large',
        code: 'REQUEST_HEADER_FIELDS_TOO_LARGE',
      },
    ])
  })

  test.each([
    'nonsense\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    'GET / HTTP/1.1\r\n a\r\n\r\n',
  ])('the malformed request %o is 400 with the errors array', async (text) => {
    const response = await sendRaw(server.url, [text])
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(body(response).errors[0]).toMatchObject({ title: 'Bad Request', status: '400' })
  })

  test.each([
    ['without a Host header', ''],
    ['with two', 'Host: x\r\nhost: y\r\n'],
    ['with one twice', 'Host: x\r\nHost: x\r\n'],
  ])('http.every-failure-has-errors: a request %s is 400 with the errors array', async (_, hosts) => {
    const ask = (version: string) =>
      sendRaw(server.url, [`GET /health HTTP/${version}\r\n${hosts}Connection: close\r\n\r\n`])
    const response = await ask('1.1')
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(body(response).errors).toEqual([
      { title: 'Bad Request', status: '400', detail: 'The request must have one Host header', code: 'BAD_REQUEST' },
    ])
    expect(await ask('1.0')).toContain(hosts === '' ? '200 OK' : '400 Bad Request')
  })

  test('http.every-failure-has-errors: an unknown Expect header is ignored', async () => {
    const ask = (path: string) =>
      sendRaw(server.url, [`GET ${path} HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n`])
    expect(body(await ask('/health'))).toEqual({ status: 'ok' })
    expect(body(await ask('/nowhere')).errors[0]).toMatchObject({ title: 'Not Found' })
  })

  test('malformed bytes after valid requests do not affect their responses, and are 400 after them', async () => {
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
    const responses = await sendRaw(server.url, [`${get('/ready')}${get('/nowhere')}${get('/ready')}nonsense\r\n\r\n`])
    expect(responses.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '404', '200', '400'])
    const closing = await sendRaw(server.url, [
      'GET /ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nnonsense\r\n\r\n',
    ])
    expect(closing.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200'])
  })

  test('http.every-failure-has-errors: CONNECT is 405 with the errors array, also after a request that is still running', async () => {
    const connect = 'CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example:443\r\n\r\n'
    const response = await sendRaw(server.url, [connect])
    expect(response).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/)
    expect(response).toMatch(/^Allow: GET, HEAD, POST, PUT, OPTIONS\r$/m)
    expect(body(response).errors).toEqual([
      {
        title: 'Method Not Allowed',
        status: '405',
        detail: 'This server is no proxy: its methods are GET, HEAD, POST, PUT, OPTIONS',
        code: expect.any(String),
      },
    ])
    const both = await sendRaw(server.url, [`GET /ready HTTP/1.1\r\nHost: x\r\n\r\n${connect}`])
    expect(both.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(['200', '405'])
  })

  test('http.every-failure-has-errors: a file of a page that is not there is 404 with the errors array, another method is 405', async () => {
    const page = (await open('GET', '/graphql', { accept: 'text/html' })).text
    const [file = ''] = /\/graphql\/graphiql\/\w+\/page\.css/.exec(page) ?? []
    expect((await open('GET', file)).status).toBe(200)
    const [missing, post] = [await open('GET', file.replace('page', 'none')), await open('POST', file)]
    expect([missing.status, missing.headers.get('cache-control'), missing.body.errors[0].extensions]).toEqual([
      404,
      'private, no-store',
      { code: 'NOT_FOUND' },
    ])
    expect([post.status, post.headers.get('allow'), post.body.errors[0].extensions]).toEqual([
      405,
      'GET, HEAD',
      { code: 'METHOD_NOT_ALLOWED' },
    ])
  })

  test.each(['websocket', 'h2c'])(
    'http.every-failure-has-errors: a request to upgrade to %s is answered without that',
    async (protocol) => {
      const ask = (path: string) =>
        sendRaw(server.url, [
          `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: ${protocol}\r\nConnection: upgrade, close\r\n\r\n`,
        ])
      expect(body(await ask('/health'))).toEqual({ status: 'ok' })
      expect(body(await ask('/graphql')).errors[0].extensions.code).toBe('UNAUTHENTICATED')
      expect(body(await ask('/nowhere')).errors[0]).toMatchObject({ title: 'Not Found', status: '404' })
    },
  )

  test('an absolute request target is accepted, non-ASCII bytes are refused', async () => {
    const ask = (path: string | Buffer) =>
      sendRaw(server.url, [
        Buffer.concat([
          Buffer.from('GET '),
          Buffer.from(path),
          Buffer.from(' HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
        ]),
      ])
    expect(await ask('http://somewhere.example/health?x')).toContain('200 OK')
    expect(await ask('http://somewhere.example')).toContain('"graphql":"/graphql"')
    expect(await ask('/nöwhere')).toContain('400 Bad Request')
  })
})

test('an edge that fails unexpectedly is masked and logged once', async () => {
  const graphql: GraphqlHandler = () => Promise.reject(new Error('SELECT postgres://user:hush@host'))
  const failing = await startTestServer(database, { graphql })
  const reply = await failing.rest('POST', '/graphql', { body: {} })
  expect([reply.status, reply.text.includes('hush')]).toEqual([500, false])
  expect(failing.logs.filter(({ msg }) => msg === 'request failed')).toHaveLength(1)
  await failing.stop()
})
