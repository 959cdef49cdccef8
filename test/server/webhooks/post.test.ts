/**
 * Webhooks: an attempt ends, whatever the receiver does, and a kept connection that the receiver has closed is no
 * failure.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noProxies } from '../../../src/lib/proxies.ts'
import { createPoster } from '../../../src/server/webhooks/post.ts'

const servers: Server[] = []
const sockets = new Set<Socket>()
let collecting: NodeJS.Timeout
beforeAll(() => {
  // Memory is collected all the time, as on a busy server.
  setFlagsFromString('--expose-gc')
  collecting = setInterval(runInNewContext('gc') as () => void, 500)
})
afterAll(() => {
  clearInterval(collecting)
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})

/** The URL of a receiver that answers each request by the same bytes, and says nothing more. */
async function receiverThatSends(answer: string): Promise<string> {
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.once('data', () => socket.write(answer))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/`
}

const patience = () =>
  new Promise<string>((resolve) => setTimeout(resolve, 60_000, 'the attempt has not ended').unref())

// Those that time out wait for their ten seconds together.
test.concurrent.each([
  ['nothing', '', 'no response within 10 seconds'],
  ['half of a head', 'HTTP/1.1 200 OK\r\nA: ', 'no response within 10 seconds'],
  ['100 Continue and nothing more', 'HTTP/1.1 100 Continue\r\n\r\n', 'no response within 10 seconds'],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    'the request failed: ECONNRESET',
  ],
  ['what is not HTTP', 'hello\r\n\r\n', 'the request failed: HPE_INVALID_CONSTANT'],
])('an attempt at a receiver that sends %s ends, also while memory is collected', async (_, answer, failure) => {
  const { post, close } = createPoster({ proxies: noProxies })
  const attempt = post({ url: await receiverThatSends(answer), headers: {}, body: '{}' }, new AbortController().signal)
  expect(await Promise.race([attempt, patience()])).toBe(failure)
  close()
})

test.concurrent('a stop ends an attempt that is on its way, also after memory was collected', async () => {
  const { post, close } = createPoster({ proxies: noProxies })
  const stopping = new AbortController()
  const attempt = post({ url: await receiverThatSends(''), headers: {}, body: '{}' }, stopping.signal)
  setTimeout(() => stopping.abort(), 2_000)
  expect(await Promise.race([attempt, patience()])).toBe('the request failed: ECONNRESET')
  close()
})

/**
 * A receiver that acknowledges the first request of each connection and does `then` at the next one, or at `first` at
 * the first.
 */
async function receiverThatKeeps(then: (socket: Socket) => void, first?: (socket: Socket) => void) {
  const requests: number[] = []
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    const connection = requests.push(0) - 1
    socket.on('data', () => {
      const before = requests[connection] ?? 0
      requests[connection] = before + 1
      if (before > 0) then(socket)
      else if (first) first(socket)
      else socket.write('HTTP/1.1 204 No Content\r\nConnection: keep-alive\r\n\r\n')
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The head of a request and its body of no bytes arrive as one.
  return {
    message: { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`, headers: {}, body: '' },
    requests,
  }
}

// What a receiver does that closes an idle connection at the moment at which an event is posted on it.
test.concurrent.each([
  ['resets', (socket: Socket) => void socket.resetAndDestroy()],
  ['ends', (socket: Socket) => void socket.end()],
])('a webhook sends a message again over another connection when the receiver %s the kept one', async (_, cut) => {
  const { post, close } = createPoster({ proxies: noProxies })
  const { message, requests } = await receiverThatKeeps(cut)
  const results: (string | null)[] = []
  for (let n = 0; n < 3; n++) results.push(await post(message, new AbortController().signal))
  expect([results, requests]).toEqual([
    [null, null, null],
    [2, 2, 1],
  ])
  close()
})

test.concurrent('a webhook does not send a message again when the connection was made for it, nor after a stop', async () => {
  const { post, close } = createPoster({ proxies: noProxies })
  const cut = await receiverThatKeeps(
    () => undefined,
    (socket) => socket.resetAndDestroy(),
  )
  expect(await post(cut.message, new AbortController().signal)).toBe('the request failed: ECONNRESET')
  expect(cut.requests).toEqual([1])
  const stopping = new AbortController()
  const stopped = await receiverThatKeeps(() => stopping.abort())
  expect(await post(stopped.message, stopping.signal)).toBe(null)
  expect(await post(stopped.message, stopping.signal)).toBe('the request failed: ECONNRESET')
  expect(stopped.requests).toEqual([2])
  close()
})
