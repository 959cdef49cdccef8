/** Connections whose clients send too little, over raw sockets and with small limits. */
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { useServer } from '../support/server.ts'

const LIMITS = { headMs: 500, requestMs: 3_000, keepAliveMs: 2_500 }
/** How much later than its limit a busy machine may be. */
const LATE_MS = 2_000
const server = useServer(useDatabase(), { connections: LIMITS })

interface Ended {
  /** Milliseconds from the connection to its end. */
  readonly after: number
  readonly response: string
}

/** Connects, sends `first` at once and each of `later` at its milliseconds, and resolves when the server ends the connection. */
function send(first: string, later: readonly (readonly [at: number, text: string])[] = []): Promise<Ended> {
  const { hostname, port } = new URL(server.url)
  return new Promise((resolve, reject) => {
    let response = ''
    const start = performance.now()
    const socket = connect(Number(port), hostname, () => {
      if (first !== '') socket.write(first)
      for (const [at, text] of later) setTimeout(() => socket.write(text), at)
    })
    socket.on('data', (data) => {
      response += data.toString('latin1')
    })
    socket.on('error', reject)
    socket.on('close', () => resolve({ after: performance.now() - start, response }))
  })
}

function expectWithin(after: number, limit: number): void {
  // A timer may be a few milliseconds early by another clock.
  expect(after).toBeGreaterThan(limit - 20)
  expect(after).toBeLessThan(limit + LATE_MS)
}

const HEALTH = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'
const TOKEN = 'POST /oauth/access_token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n'

describe('a connection ends', () => {
  test('when its client never sends a byte: after the timeout of a head, without a response', async () => {
    const { after, response } = await send('')
    expectWithin(after, LIMITS.headMs)
    expect(response).toBe('')
  })

  test.each([
    ['one byte', 'G'],
    ['half a head', 'GET /health HTTP/1.1\r\nHost'],
    ['an empty line, which begins no request', '\r\n'],
  ])('when its client sends %s and no more, at the limit of a head and with 408', async (_, text) => {
    const { after, response } = await send(text)
    expectWithin(after, LIMITS.headMs)
    expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(response).toContain('"The request took too long to arrive"')
  })

  test('when its client sends a head byte by byte: no byte extends the timeout', async () => {
    const slowly = Array.from({ length: 20 }, (_, at) => [at * 100, HEALTH[at] ?? ''] as const)
    const { after, response } = await send('', slowly)
    expectWithin(after, LIMITS.headMs)
    expect(response).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('when its client sends a head and no body: after the timeout of a request, with 408', async () => {
    const { after, response } = await send(TOKEN)
    expectWithin(after, LIMITS.requestMs)
    expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  })

  test('when its client sends half of a second head', async () => {
    const { after, response } = await send(HEALTH, [[600, 'GET /he']])
    expectWithin(after, 600 + LIMITS.headMs)
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*HTTP\/1\.1 408 Request Timeout\r\n/)
  })
})

describe('a connection stays open', () => {
  test('between two requests, for longer than the timeout of a head', async () => {
    const { after, response } = await send(HEALTH, [[LIMITS.headMs * 2.5, HEALTH]])
    expect(response.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
    // Node keeps the connection open for up to a second more than it announces.
    expect(after).toBeGreaterThan(LIMITS.headMs * 2.5 + LIMITS.keepAliveMs - 20)
  })

  test('while a request is handled whose body arrives after the timeout of a head', async () => {
    const body = JSON.stringify({ grant_type: 'implicit', client_id: 'demo' }).padEnd(100)
    const { response } = await send(TOKEN.replace('Content-Type', 'Connection: close\r\nContent-Type'), [[LIMITS.headMs * 2, body]])
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })
})
