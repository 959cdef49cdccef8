import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import type { GraphqlHandler } from '../../src/graphql/server/server.ts'
import { useDatabase } from '../support/database.ts'
import { waitUntil } from '../support/live.ts'
import { sendRaw } from '../support/raw-http.ts'
import { startTestServer } from '../support/server.ts'

const database = useDatabase()
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A /graphql handler that starts its response at once and ends it later. */
const slow =
  (milliseconds: number): GraphqlHandler =>
  async (_, res) => {
    res.writeHead(200).write('begun ')
    await pause(milliseconds)
    res.end('done')
  }

test('at a stop requests in flight end, idle connections close, new ones are refused', async () => {
  const server = await startTestServer(database, { graphql: slow(300) })
  const idle = sendRaw(server.url, ['GET /health HTTP/1.1\r\nHost: x\r\n\r\n'])
  await waitUntil(() => server.logs.some(({ path }) => path === '/health'))
  const running = await fetch(`${server.url}/graphql`)
  const start = performance.now()
  await server.app.stop(60_000)
  // Long before the limit, which idle connections don't wait for.
  expect(performance.now() - start).toBeLessThan(30_000)
  expect(await running.text()).toBe('begun done')
  expect(await idle).toContain('200 OK')
  await expect(fetch(`${server.url}/health`)).rejects.toThrow()
})

test('a request that was on its way at a stop gets its response with Connection: close, and /ready reports 503', async () => {
  const server = await startTestServer(database)
  const connected = once(server.app.server, 'connection') as Promise<[Socket]>
  let finish = (): void => undefined
  const rest = new Promise<string>((resolve) => {
    finish = () => resolve('\r\n')
  })
  const response = sendRaw(server.url, ['GET /ready HTTP/1.1\r\nHost: x\r\n', rest])
  const [socket] = await connected
  await waitUntil(() => socket.bytesRead > 0)
  const stopped = server.app.stop(20_000)
  await pause(100)
  finish()
  await stopped
  expect(await response).toMatch(/^HTTP\/1\.1 503 /)
  expect(await response).toMatch(/^Connection: close/im)
})

test('connections that the kernel took before a stop are all accepted and get their response', async () => {
  const server = await startTestServer(database)
  // The kernel takes a connection at once; the process accepts one in each turn of its event loop.
  const responses = Array.from({ length: 12 }, () => sendRaw(server.url, ['GET /health HTTP/1.1\r\nHost: x\r\n\r\n']))
  await server.app.stop(20_000)
  const statuses = (await Promise.allSettled(responses)).map((result) => String(Object.values(result)[1]).slice(0, 15))
  expect(statuses).toEqual(responses.map(() => 'HTTP/1.1 200 OK'))
})

test('a request that arrives while a stopping process is blocked is answered over its idle connection', async () => {
  const server = await startTestServer(database)
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (data) => (received += String(data)))
  const closed = new Promise<string>((resolve) => {
    socket.on('error', (error) => (received += String(error)))
    socket.on('close', () => resolve(received))
  })
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
  await waitUntil(() => received.endsWith('"}'))
  received = ''
  const stopped = server.app.stop(20_000)
  await pause(500)
  // After this phase of the event loop timers come before what has arrived, and idle connections are closed by a timer.
  await new Promise((resolve) => setImmediate(resolve))
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
  await stopped
  expect(await closed).toMatch(/^HTTP\/1\.1 200 OK/)
})

test('http.drain-before-stop: while a server drains /ready is 503, /health 200, and requests are taken over new connections', async () => {
  const server = await startTestServer(database)
  const ask = async (path: string) => (await server.rest('GET', path, { headers: { connection: 'close' } })).status
  expect(await ask('/ready')).toBe(200)
  server.app.drain()
  expect([await ask('/ready'), await ask('/health'), await ask('/openapi.json')]).toEqual([503, 200, 200])
  expect((await server.gql('{ __typename }')).data).toEqual({ __typename: 'Query' })
  const { headers } = await server.rest('GET', '/health')
  expect(headers.get('connection')).not.toBe('close')
  await server.stop()
  await expect(fetch(`${server.url}/health`)).rejects.toThrow()
})

test('token.keys-before-ready: /ready is 503 until the keys were there once, and says so', async () => {
  let known = false
  const keys = { find: () => Promise.reject(new Error('not asked')), isKnown: () => known, load: async () => undefined }
  const server = await startTestServer(database, { keys })
  const reply = await server.rest('GET', '/ready', { token: null })
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1'])
  expect(reply.body.errors[0].detail).toContain('the keys of AUTH_JWKS_URL were not there yet')
  expect((await server.rest('GET', '/health', { token: null })).status).toBe(200)
  known = true
  expect((await server.rest('GET', '/ready', { token: null })).status).toBe(200)
  await server.stop()
})

test('/ready reports 503 too when the shutdown begins while it waits for the database', async () => {
  let answer = (): void => undefined
  const stopped = new Promise<void>((resolve) => (answer = resolve))
  let isAsked = false
  const query = async (...given: Parameters<typeof database.pool.query>) => {
    isAsked = true
    await stopped
    return database.pool.query(...given)
  }
  const server = await startTestServer({ ...database, probe: { query } } as never)
  const reply = server.rest('GET', '/ready', { token: null })
  await waitUntil(() => isAsked)
  const stop = server.app.stop(20_000)
  answer()
  expect((await reply).status).toBe(503)
  await stop
})

test('requests that do not end in time at a stop are disconnected', async () => {
  const server = await startTestServer(database, { graphql: slow(60_000) })
  const cut = expect((await fetch(`${server.url}/graphql`)).text()).rejects.toThrow()
  const start = performance.now()
  await server.app.stop(200)
  expect(performance.now() - start).toBeLessThan(30_000)
  await cut
})

test('a server without its database responds 503 to /ready and 200 to /health', async () => {
  const probe = { query: () => Promise.reject(new Error('connect ECONNREFUSED postgres://user:hush@host')) }
  const server = await startTestServer({ ...database, probe } as never)
  const reply = await server.rest('GET', '/ready', { token: null })
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1'])
  expect(reply.body.errors[0]).toMatchObject({
    title: 'Service Unavailable',
    status: '503',
    code: 'SERVICE_UNAVAILABLE',
  })
  expect(reply.text).not.toContain('hush')
  expect((await server.rest('GET', '/health', { token: null })).status).toBe(200)
  await server.stop()
})
