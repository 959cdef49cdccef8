import { randomBytes } from 'node:crypto'
import { connect as openSocket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Unavailable } from '../../src/domain/input/errors.ts'
import { sendJson } from '../../src/graphql/server/respond.ts'
import type { GraphqlHandler } from '../../src/graphql/server/server.ts'
import type { RequestDeadline } from '../../src/lib/deadline.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { CONNECTION_QUEUE_MAX, RequestDatabase } from '../../src/persistence/database/request-database.ts'
import { useDatabase } from '../support/database.ts'
import { sendRaw } from '../support/raw-http.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/server.ts'

const database = useDatabase()
const servers: TestServer[] = []
const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
  const server = await startTestServer(database, options)
  servers.push(server)
  return server
}
afterEach(async () => {
  gate.open()
  for (const server of servers.splice(0)) await server.stop()
})

/** While it is shut, every statement outside a transaction, and every transaction, waits for its connection. */
const gate = { open: () => {}, passed: Promise.resolve(), waiting: 0 }
function shutGate(): void {
  gate.waiting = 0
  gate.passed = new Promise((resolve) => {
    gate.open = resolve
  })
}
const { pool } = database
const connect = pool.connect.bind(pool) as (done?: unknown) => unknown
pool.connect = ((done?: unknown) => {
  gate.waiting++
  return gate.passed.then(() => connect(done))
}) as typeof pool.connect

/** What was sent to the database from now on, apart from what begins and ends transactions. */
function statements(): string[] {
  const sent: string[] = []
  ends.push(database.onStatement(({ text }) => void (/^\s*(BEGIN|COMMIT|ROLLBACK|SET)/.test(text) || sent.push(text))))
  return sent
}
const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

const BOOK = '0190a000-0000-7000-8000-0000000000aa'
beforeEach(async () => {
  await database.pool.query(
    `INSERT INTO price_book (id, name, created_at, updated_at) VALUES ($1, 'Book', now(), now()) ON CONFLICT DO NOTHING`,
    [BOOK],
  )
})

const requests: [string, (server: TestServer, signal?: AbortSignal) => Promise<Response>][] = [
  [
    'a read of the facade',
    (server, signal) =>
      fetch(`${server.url}/pcm/pricebooks/${BOOK}/prices`, { headers: headers(server), ...(signal && { signal }) }),
  ],
  [
    'a write of the facade',
    (server, signal) => {
      const body = JSON.stringify({ data: { type: 'product-price', attributes: { sku: 'GONE', currencies: {} } } })
      return fetch(`${server.url}/pcm/pricebooks/${BOOK}/prices`, {
        method: 'POST',
        body,
        headers: headers(server),
        ...(signal && { signal }),
      })
    },
  ],
  [
    'a read of the graph',
    (server, signal) => graph(server, '{ priceBooks { totalCount nodes { id prices { nodes { id } } } } }', signal),
  ],
  [
    'a write of the graph',
    (server, signal) =>
      graph(
        server,
        `mutation { addProductPrice(input: { priceBookId: "${BOOK}", sku: "GONE", prices: [] }) { userErrors { code } } }`,
        signal,
      ),
  ],
]

const headers = (server: TestServer) => ({
  authorization: `Bearer ${server.admin}`,
  'content-type': 'application/json',
})
const graph = (server: TestServer, query: string, signal?: AbortSignal) =>
  fetch(`${server.url}/graphql`, {
    method: 'POST',
    body: JSON.stringify({ query }),
    headers: headers(server),
    ...(signal && { signal }),
  })
const prices = async () => (await database.pool.query('SELECT 1 FROM product_price')).rowCount

describe('after the client has disconnected', () => {
  test.each(requests)(
    'after its client has disconnected, %s starts no further statement, writes nothing, and logs no error',
    async (title, ask) => {
      const server = await start()
      shutGate()
      const sent = statements()
      const controller = new AbortController()
      const gone = expect(ask(server, controller.signal)).rejects.toThrow()
      await expect.poll(() => gate.waiting).toBeGreaterThan(0)
      controller.abort()
      await gone
      await expect.poll(() => server.logs.some(({ aborted }) => aborted)).toBe(true)
      gate.open()
      await pause(400)
      // What was waiting for its connection when the client went may run; nothing may follow it.
      expect(sent.length).toBeLessThanOrEqual(title.includes('read') ? 3 : 0)
      expect(await prices()).toBe(0)
      expect(server.logs.filter(({ level }) => (level as number) >= 50)).toEqual([])
    },
  )
})

describe('the deadline', () => {
  test.each(requests)('%s gets 503 when the deadline passes, and nothing is sent after that', async (title, ask) => {
    const server = await start({ limits: { deadlineMs: 200 } })
    shutGate()
    const response = await ask(server)
    const body = (await response.json()) as { errors: { code?: string; extensions?: { code: string } }[] }
    const code = title.includes('graph') ? body.errors[0]?.extensions?.code : body.errors[0]?.code
    expect([response.status, code, response.headers.get('retry-after')]).toEqual([503, 'SERVICE_UNAVAILABLE', '1'])
    const sent = statements()
    gate.open()
    await pause(400)
    expect(sent.length, sent.join('\n')).toBeLessThanOrEqual(title.includes('read') ? 3 : 0)
    expect(await prices()).toBe(0)
    // With so short a deadline one may be late on a busy machine.
    await expect.poll(async () => (await graph(server, '{ __typename }')).status).toBe(200)
    expect(server.logs.filter(({ level }) => (level as number) >= 50)).toEqual([])
  })

  test('the deadline does not end exempt work such as a publish', async () => {
    const patient: GraphqlHandler = async (_, res, { deadline }) => {
      if (deadline) deadline.exempt = true
      await pause(3_500)
      sendJson(res, 200, 'application/json', {})
    }
    const server = await start({ limits: { deadlineMs: 2_500 }, graphql: patient })
    expect((await graph(server, '{ __typename }')).status).toBe(200)
  })

  test.each(['identity', 'gzip'])(
    'a client that does not read its response is disconnected (encoding %s)',
    async (encoding) => {
      const server = await start({ limits: { deadlineMs: 300 }, graphql: big(64) })
      await unread(server, encoding)
      expect(server.logs).toContainEqual(
        expect.objectContaining({
          requestId: expect.any(String),
          msg: 'disconnected a client that does not read its response',
        }),
      )
    },
  )
})

/** A /graphql handler with a response of so many MiB. */
const big =
  (size: number): GraphqlHandler =>
  async (_, res) => {
    // Random bytes stay as many when they are compressed.
    res.setHeader('content-type', 'application/json')
    res.end(randomBytes(size * 1024 * 1024))
  }

/** Asks without reading; resolves when the server has hung up. */
function unread(server: TestServer, encoding = 'identity'): Promise<void> {
  const socket = openSocket(Number(new URL(server.url).port), '127.0.0.1')
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.admin}\r\nAccept-Encoding: ${encoding}\r\nContent-Length: 0\r\n\r\n`,
  )
  socket.pause()
  return new Promise((resolve) => {
    const done = (): void => resolve()
    socket.on('error', done)
    socket.on('close', done)
    // The client does not read, so only a write detects that the connection is closed.
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('\r\n')), 50)
  })
}

describe('overload', () => {
  test.each(['identity', 'gzip'])(
    'clients of unread responses above the limit are disconnected, oldest first, long before the deadline (encoding %s)',
    async (encoding) => {
      let begun = 0
      const graphql: GraphqlHandler = (...given) => {
        begun++
        return big(64)(...given)
      }
      const server = await start({ limits: { unsentMax: 100 * 1024 * 1024, deadlineMs: 600_000 }, graphql })
      const first = unread(server, encoding)
      await expect.poll(() => begun).toBe(1)
      const second = unread(server, encoding)
      await first
      expect(await Promise.race([second, pause(500, 'still open')])).toBe('still open')
    },
  )

  test('clients of incomplete requests above the limit are disconnected, oldest first, and no new request is admitted meanwhile', async () => {
    const server = await start({ limits: { receivedMax: 1_000_000 } })
    let arriving = 0
    server.app.server.on('request', () => arriving++)
    const head = `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.admin}\r\nContent-Type: application/json\r\n`
    const body = JSON.stringify({ query: '{ __typename }' }).padEnd(600_000)
    const sender = async () => {
      const before = arriving
      const socket = openSocket(Number(new URL(server.url).port), '127.0.0.1')
      const ended = new Promise<string>((resolve) => {
        let response = ''
        socket.on('data', (data) => {
          response += data.toString('latin1')
          if (response.includes('\r\n\r\n{')) resolve(response)
        })
        socket.on('error', () => resolve('cut off'))
        socket.on('close', () => resolve('cut off'))
      })
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`)
      await expect.poll(() => arriving).toBe(before + 1)
      return { ended, finish: () => socket.write(' '), close: () => socket.destroy() }
    }
    const [first, second] = [await sender(), await sender()]
    expect(await first.ended).toBe('cut off')
    expect(server.logs.map(({ msg }) => msg)).toContain('disconnected a client that sends its request too slowly')
    second.finish()
    expect(await second.ended).toContain('{"data":{"__typename":"Query"}}')
    second.close()
  })

  test('no new request is admitted while waiting requests take more bytes than the limit', async () => {
    let entered = 0
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const reading: GraphqlHandler = async (req, res) => {
      for await (const _ of req);
      entered++
      await released
      sendJson(res, 200, 'application/json', { data: {} })
    }
    const server = await start({ limits: { receivedMax: 1_000_000 }, graphql: reading })
    const post = (size: number) =>
      fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${server.admin}` },
        body: 'x'.repeat(size),
      })
    const first = [post(600_000), post(600_000)]
    await expect.poll(() => entered).toBe(2)
    await expect.poll(async () => (await fetch(`${server.url}/pcm/pricebooks/${BOOK}/prices`)).status).toBe(503)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    release()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
    await expect.poll(async () => (await fetch(`${server.url}/pcm/pricebooks/${BOOK}/prices`)).status).toBe(401)
  })

  test('requests above the limit in flight get 503 at once on both edges; probes and admitted requests are served', async () => {
    let entered = 0
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: GraphqlHandler = async (_, res) => {
      entered++
      await released
      sendJson(res, 200, 'application/json', { data: {} })
    }
    const server = await start({ limits: { inFlightMax: 3 }, graphql: slow })
    const first = [1, 2, 3].map(() => graph(server, '{ __typename }'))
    await expect.poll(() => entered).toBe(3)
    const refused = [await graph(server, '{ __typename }'), await fetch(`${server.url}/pcm/pricebooks/${BOOK}/prices`)]
    expect(refused.map(({ status }) => status)).toEqual([503, 503])
    for (const response of refused) {
      expect(response.headers.get('retry-after')).toBe('1')
      expect(JSON.stringify(await response.json())).toContain('"SERVICE_UNAVAILABLE"')
    }
    for (const path of ['/health', '/ready']) expect((await fetch(server.url + path)).status).toBe(200)
    release()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await graph(server, '{ __typename }')).status).toBe(200)
  })

  test('shedding a request with an unread body leaves its connection usable', async () => {
    const server = await start({ limits: { inFlightMax: 0 } })
    const body = 'x'.repeat(100_000)
    const head = `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`
    const sentAt = performance.now()
    const response = await sendRaw(server.url, [
      head,
      body,
      pause(100).then(() => 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ])
    expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 503', 'HTTP/1.1 200'])
    // Whoever does not wait as long as Retry-After says is not read any sooner.
    expect(performance.now() - sentAt).toBeGreaterThan(900)
    expect(server.logs.filter(({ level }) => level === 40).map(({ requests }) => requests)).toEqual([1])
  })

  test('the number of requests that wait for a database connection is bounded', async () => {
    const deadline: RequestDeadline = { abortReason: null, exempt: false }
    const crowded = {
      ...database,
      pool: { waitingCount: CONNECTION_QUEUE_MAX },
      query: async () => ['row'],
    } as unknown as Database
    const refused = new RequestDatabase(crowded, deadline)
    await expect(refused.query('x', 'SELECT 1')).rejects.toBeInstanceOf(Unavailable)
    expect(() => refused.prisma.priceBook).toThrow(Unavailable)
    expect(() => refused.pool).toThrow(Unavailable)
    const free = { ...crowded, pool: { waitingCount: CONNECTION_QUEUE_MAX - 1 } } as unknown as Database
    expect(await new RequestDatabase(free, deadline).query('x', 'SELECT 1')).toEqual(['row'])
  })
})

describe('while a statement runs', () => {
  test('while a statement runs /health responds, requests end at their deadline, and a shutdown completes', async () => {
    const isAlone = database.kind === 'embedded'
    // Nothing ends at the deadline where there are other sessions, and a busy machine may take longer than a short one.
    const server = await start({ limits: { deadlineMs: isAlone ? 300 : 60_000 } })
    const client = await database.pool.connect()
    // Embedded this occupies the one session; on a server it is one of several. It is work too, which takes a busy
    // machine longer.
    const long = client.query(`
      DO $$ DECLARE n int := 0; BEGIN
        WHILE n < 10000000 OR clock_timestamp() < now() + interval '5 seconds' LOOP n := n + 1; END LOOP;
      END $$`)
    let ended = false
    const watched = long.then(() => {
      ended = true
    })
    for (let n = 0; n < 10; n++) expect([(await fetch(`${server.url}/health`)).status, ended]).toEqual([200, false])
    const response = await graph(server, '{ priceBooks { totalCount } }')
    expect(response.status).toBe(isAlone ? 503 : 200)
    await server.stop()
    expect(ended).toBe(false)
    await watched
    client.release()
  })
})
