/** Webhooks: which addresses are reached. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noProxies } from '../../../src/lib/proxies.ts'
import { CLAIM_MS } from '../../../src/persistence/changes/webhook-queue.ts'
import { createPoster, TIMEOUT_MS } from '../../../src/server/webhooks/post.ts'
import { useDatabase } from '../../support/database.ts'
import { contextOf, makeBook } from '../../support/price-books.ts'
import { servicesOf } from '../../support/services.ts'
import { makeWebhook, startDeliverer, until } from '../../support/webhooks.ts'
import { startWorkingClock } from '../../support/working-clock.ts'

const database = useDatabase()
let server: Server
let port = 0
let connections = 0

beforeAll(async () => {
  server = createServer((_, res) => {
    res.writeHead(200)
    // A response that never ends.
    const timer = setInterval(() => res.write('x'.repeat(1_000)), 5)
    res.on('close', () => clearInterval(timer))
  })
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const message = (url: string) => ({ url, headers: {}, body: '{}' })
const never = new AbortController().signal

test('webhook.public-addresses-only: a webhook makes no connection to a private address, nor to a name that resolves to one', async () => {
  const { post, close } = createPoster({ publicOnly: true, proxies: noProxies })
  for (const host of [
    '127.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '0.0.0.0',
    'localhost',
    hostname(),
  ])
    expect([host, await post(message(`https://${host}:${port}/`), never)]).toEqual([host, 'the address is not public'])
  expect(await post(message(`http://localhost:${port}/`), never)).toBe('the address does not begin with https://')
  expect(connections).toBe(0)
  close()
})

test('webhook.public-addresses-only: a webhook that was stored before production reaches nothing private', async () => {
  const services = servicesOf(database)
  await makeWebhook(services, `https://localhost:${port}/`, ['price_book'])
  await makeBook(contextOf(services, Date.now()), 'Book')
  const started = startDeliverer(servicesOf(database, { production: true }))
  const failures = async () =>
    (await database.query<{ failure: string | null }>('test-failures', 'SELECT failure FROM webhook_event')).map(
      ({ failure }) => failure,
    )
  await until(async () => (await failures())[0] === 'the address is not public')
  expect(connections).toBe(0)
  await started.stop()
})

test('outside production a webhook reaches this machine, and a response that never ends is not read on', async () => {
  const { post, close } = createPoster({ proxies: noProxies })
  expect(await post(message(`http://localhost:${port}/`), never)).toBe(null)
  await until(
    async () => (await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))) === 0,
    'closed',
    TIMEOUT_MS / 2,
  )
  close()
})

test('an attempt of a webhook lasts until the body of its response has ended, or until its time is over', async () => {
  const slow = createServer((_, res) => {
    res.writeHead(500, { 'content-length': 2 }).write('x')
    setTimeout(() => res.end('y'), 300)
  })
  const endless = createServer((_, res) => void res.writeHead(200).write('x'))
  const { post, close } = createPoster({ proxies: noProxies })
  for (const [responding, result, least, most] of [
    [slow, 'responded with status 500', 300, TIMEOUT_MS],
    [endless, null, TIMEOUT_MS, CLAIM_MS],
  ] as const) {
    await new Promise<void>((resolve) => responding.listen(0, resolve))
    const working = startWorkingClock()
    const [began, beganWorking] = [performance.now(), working.now()]
    expect(await post(message(`http://127.0.0.1:${(responding.address() as AddressInfo).port}/`), never)).toBe(result)
    // A timer may fire a millisecond early.
    const took = performance.now() - began + 1
    expect([took >= least, working.now() - beganWorking < most]).toEqual([true, true])
    working.stop()
    responding.closeAllConnections()
    responding.close()
  }
  close()
})

test('a failure of a webhook says what happened, and nothing of the address', async () => {
  const { post, close } = createPoster({ proxies: noProxies })
  expect(await post(message('http://127.0.0.1:1/secret'), never)).toBe('the request failed: ECONNREFUSED')
  expect(await post(message(`https://127.0.0.1:${port}/secret`), never)).toMatch(/^the request failed: [A-Z_]+$/)
  close()
})
