/** A request releases its permit whatever its client does. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { buildSchema } from 'graphql'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { Unavailable } from '../../../src/domain/input/errors.ts'
import { createGraphqlServer } from '../../../src/graphql/server/server.ts'
import type { RequestDeadline } from '../../../src/lib/deadline.ts'
import type { Services } from '../../../src/request/context.ts'
import { NOW, testConfig, viewer } from '../../support/graph.ts'

const open: { server?: Server; socket?: Socket } = {}

afterEach(() => {
  open.socket?.destroy()
  open.server?.close()
  open.server?.closeAllConnections()
})

/** Posts the query over a socket that is never read; returns the mock of the release of its permit. */
async function post(query: string, slice: (deadline: RequestDeadline) => Promise<void> | undefined) {
  const deadline: RequestDeadline = { abortReason: null, exempt: false }
  const release = vi.fn()
  const services = {
    config: testConfig(),
    database: { prisma: {}, pool: {}, kind: 'embedded' },
    releases: {},
    log: pino({ level: 'silent' }),
    slices: { turn: () => slice(deadline) },
    concurrencyLimiter: { acquire: async () => ({ points: 1, token: 'admin', resize: () => undefined, release }) },
  } as unknown as Services
  const schema = buildSchema('type Query { large: String }')
  Object.assign(schema.getQueryType()?.getFields().large ?? {}, { resolve: () => '€'.repeat(7_000_000) })
  const handler = createGraphqlServer(services, { authenticate: async () => viewer('admin'), issueToken: null }, schema)
  const server = createServer((req, res) => {
    res.once('close', () => {
      deadline.abortReason ??= new Unavailable('the client is gone')
    })
    void handler(req, res, { id: 'request-1', now: NOW, path: '/graphql', query: '', deadline })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  Object.assign(open, { server, socket })
  await once(socket, 'connect')
  const body = JSON.stringify({ query })
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  return release
}

test('a request releases its permit when its client disconnects while it waits for its first time slice', async () => {
  const release = await post('{ __typename }', async (deadline) => {
    deadline.abortReason = new Unavailable('the client is gone')
  })
  await vi.waitFor(() => expect(release).toHaveBeenCalled(), 60_000)
})

test('a request whose client does not read the response releases its permit once the response is computed', async () => {
  const release = await post('{ large }', () => undefined)
  await vi.waitFor(() => expect(release).toHaveBeenCalled(), 60_000)
})
