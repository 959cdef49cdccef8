/** Connections whose clients send too little, over raw sockets and with small limits. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { reset, useDatabase } from '../support/database.ts'
import { books } from '../support/import-jobs.ts'
import { type TestServer, useServer } from '../support/server.ts'

/** The limits that a test does not wait for are far away, so that a busy machine may be late. */
const FAR_MS = 60_000
const HEAD_MS = 500
const BODY_MS = 1_500
const SILENT_MS = 3_000
const KEEP_ALIVE_MS = 6_000
const database = useDatabase()
const server = useServer(database, { connections: { headMs: HEAD_MS, bodyMs: FAR_MS, keepAliveMs: FAR_MS } })
const ofRequests = useServer(database, {
  connections: { headMs: HEAD_MS, bodyMs: BODY_MS, fileSilentMs: SILENT_MS, keepAliveMs: FAR_MS },
})
const ofPauses = useServer(database, {
  connections: { headMs: HEAD_MS, bodyMs: FAR_MS, keepAliveMs: KEEP_ALIVE_MS },
})

interface Ended {
  /** Milliseconds from the connection to its end. */
  readonly after: number
  readonly response: string
}

/**
 * Connects, sends `first` at once and each of `later` at its milliseconds, and resolves when the server ends the
 * connection.
 */
function send(
  first: string,
  later: readonly (readonly [at: number, text: string])[] = [],
  to: TestServer = server,
): Promise<Ended> {
  const { hostname, port } = new URL(to.url)
  return new Promise((resolve, reject) => {
    let response = ''
    const start = performance.now()
    const timers: NodeJS.Timeout[] = []
    const socket = connect(Number(port), hostname, () => {
      if (first !== '') socket.write(first)
      for (const [at, text] of later) timers.push(setTimeout(() => socket.write(text), at))
    })
    socket.on('data', (data) => {
      response += data.toString('latin1')
    })
    // What a client sends to a connection that has just ended resets it.
    socket.on('error', (error) => (response === '' ? reject(error) : undefined))
    socket.on('close', () => {
      for (const timer of timers) clearTimeout(timer)
      resolve({ after: performance.now() - start, response })
    })
  })
}

function expectAt(after: number, limit: number): void {
  // A timer may be a few milliseconds early by another clock.
  expect(after).toBeGreaterThan(limit - 20)
  expect(after).toBeLessThan(FAR_MS / 2)
}

const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
const TOKEN =
  'POST /oauth/access_token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n'

describe('a connection ends', () => {
  test('a connection whose client never sends a byte ends after the timeout of a head, without a response', async () => {
    const { after, response } = await send('')
    expectAt(after, HEAD_MS)
    expect(response).toBe('')
    // Node looks for late heads once in a while, and on a busy machine may find this one first.
    ofRequests.app.server.once('connection', (socket) =>
      ofRequests.app.server.emit(
        'clientError',
        Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
        socket,
      ),
    )
    expect((await send('', [], ofRequests)).response).toBe('')
  })

  test.each([
    ['one byte', 'G'],
    ['half a head', 'GET /health HTTP/1.1\r\nHost'],
    ['an empty line, which begins no request', '\r\n'],
  ])('a connection whose client sends %s and no more ends at the limit of a head and with 408', async (_, text) => {
    const { after, response } = await send(text)
    expectAt(after, HEAD_MS)
    expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(response).toContain('"The request took too long to arrive"')
  })

  test('a connection whose client sends a head byte by byte ends in time: no byte extends the timeout', async () => {
    const head = `${HEALTH.trimEnd()}${'x'.repeat(FAR_MS / 100)}`
    const slowly = [...head].map((byte, at) => [at * 100 + 50, byte] as const)
    const { after, response } = await send('', slowly)
    expectAt(after, HEAD_MS)
    expect(response).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('a connection whose client sends a head and no body ends after the timeout of a request, with 408', async () => {
    const { after, response } = await send(TOKEN, [], ofRequests)
    expectAt(after, BODY_MS)
    expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  })

  test('a connection whose client sends half of a second head ends', async () => {
    const { after, response } = await send(HEALTH, [[600, 'GET /he']])
    expectAt(after, 600 + HEAD_MS)
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*HTTP\/1\.1 408 Request Timeout\r\n/)
  })
})

describe('job.upload-at-its-pace: the body of a request', () => {
  const half = BODY_MS / 2
  const slowly = (count: number, every: number) =>
    Array.from({ length: count }, (_, at) => [(at + 1) * every, ' '] as const)
  const upload = (length: number, token: string, path = '/imports') =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${length}\r\n\r\n`
  const jobs = async () => (await database.pool.query('SELECT state, bytes FROM import_job')).rows
  const file = books('Sent')

  test('job.upload-at-its-pace: a file that comes byte by byte, far longer than other bodies may take, is taken', async () => {
    const later = slowly(8, half)
    const head = upload(later.length + file.length, ofRequests.admin)
    const { after, response } = await send(head, [...later, [9 * half, file]], ofRequests)
    expect(after).toBeGreaterThan(BODY_MS * 4)
    expect(response).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
  })

  test('job.upload-at-its-pace: a file of which no further byte comes ends in time, with 408, and is no import', async () => {
    await reset(database)
    const { after, response } = await send(upload(100, ofRequests.admin), [[500, '{']], ofRequests)
    expectAt(after, 500 + SILENT_MS)
    expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    // Nothing is sent to the database for a client that is gone: the rest goes a little later.
    for (const { state } of await jobs()) expect(state).toBe('uploading')
  })

  test.each([
    ['a request of another route', '/pcm/pricebooks', 'admin'],
    ['a file of somebody who may not send one', '/imports', 'shopper'],
    ['a path that there is not', '/nothing', 'admin'],
  ] as const)('job.upload-at-its-pace: %s must arrive whole in time, whatever bytes come', async (_, path, who) => {
    const head = upload(1_000, ofRequests[who], path).replace('Connection: close\r\n', '')
    const { after } = await send(head, slowly(100, 200), ofRequests)
    expectAt(after, BODY_MS)
    expect(after).toBeLessThan(100 * 200)
  })
})

describe('a connection stays open', () => {
  test('a connection stays open between two requests, for longer than the timeout of a head', async () => {
    const { after, response } = await send(HEALTH, [[HEAD_MS * 2.5, HEALTH]], ofPauses)
    expect(response.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
    // Node keeps the connection open for up to a second more than it announces.
    expect(after).toBeGreaterThan(HEAD_MS * 2.5 + KEEP_ALIVE_MS - 20)
  })

  test('a connection stays open when its head has arrived in time and the process, which stood still, reads it late', async () => {
    const { hostname, port } = new URL(server.url)
    const accepted = once(server.app.server, 'connection')
    const socket = connect(Number(port), hostname)
    await Promise.all([accepted, once(socket, 'connect')])
    socket.write(HEALTH)
    for (const end = performance.now() + HEAD_MS + 50; performance.now() < end; );
    const [data] = await once(
      socket.on('close', () => socket.emit('data', 'closed')),
      'data',
    )
    socket.destroy()
    expect(String(data)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  test('a connection stays open while a request is handled whose body arrives after the timeout of a head', async () => {
    const body = JSON.stringify({ grant_type: 'implicit', client_id: 'demo' }).padEnd(100)
    const { response } = await send(TOKEN.replace('Content-Type', 'Connection: close\r\nContent-Type'), [
      [HEAD_MS * 2, body],
    ])
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })
})
