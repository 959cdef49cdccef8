/** Webhooks through a proxy: what it is asked, and what an attempt tells when it fails. */
import dns from 'node:dns'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { TUNNEL_MS } from '../../../src/lib/outgoing-agents.ts'
import { createPoster, type Poster, TIMEOUT_MS } from '../../../src/server/webhooks/post.ts'
import { type Certificate, makeCertificate } from '../../support/certificate.ts'
import { startProxy, type TestProxy } from '../../support/proxy.ts'
import { startReceiver } from '../../support/webhooks.ts'

const never = new AbortController().signal
const message = (url: string) => ({ url, headers: {}, body: '{}' })
let certificate: Certificate
let receiver: Server
let port = 0
/** What clients of the receiver took it for: the names of TLS, and their Host headers. */
const names: unknown[] = []
let proxy: TestProxy
let poster: Poster
const start = (publicOnly: boolean, except: readonly string[] = [], credentials = '') => {
  const url = proxy.url.replace('//', `//${credentials}`)
  poster = createPoster({ publicOnly, proxies: { http: url, https: url, except } })
}
const post = (url: string, signal = never) => poster.post(message(url), signal)

beforeAll(async () => {
  certificate = makeCertificate('DNS:hooks.example')
  receiver = createServer(certificate, (req, res) => {
    names.push([(req.socket as Socket & { servername?: string | false }).servername, req.headers.host])
    res.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  port = (receiver.address() as AddressInfo).port
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})
beforeEach(async () => {
  proxy = await startProxy()
  proxy.port = port
  names.length = 0
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  poster.close()
  await proxy.close()
})

/** The authority of the test's certificate is not known to this process. */
const trustAll = () => vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
const resolveTo = (...addresses: readonly string[]) =>
  vi.spyOn(dns.promises, 'lookup').mockResolvedValue(addresses.map((address) => ({ address, family: 4 })) as never)

describe('webhook.public-addresses-only: in production', () => {
  test('the proxy of a webhook gets the address that the name has, TLS and the request the name, and a kept connection is used again', async () => {
    trustAll()
    resolveTo('8.8.8.8')
    start(true)
    expect([await post('https://hooks.example/a'), await post('https://hooks.example/b')]).toEqual([null, null])
    expect(proxy.asked).toEqual([{ method: 'CONNECT', target: '8.8.8.8:443', credentials: null }])
    expect(names).toEqual([
      ['hooks.example', 'hooks.example'],
      ['hooks.example', 'hooks.example'],
    ])
  })

  test('the proxy of a webhook gets an IPv6 address in brackets', async () => {
    trustAll()
    resolveTo('2606:4700::1111')
    start(true)
    await post('https://hooks.example:8443/')
    expect(proxy.asked[0]?.target).toBe('[2606:4700::1111]:8443')
  })

  test.each([
    ['resolves to a private address', 'https://hooks.example/', ['10.0.0.1']],
    ['resolves to a public and a private address', 'https://hooks.example/', ['8.8.8.8', '::ffff:127.0.0.1']],
    ['is a private address', 'https://[::7f00:1]/', ['8.8.8.8']],
    ['is this machine', 'https://localhost/', ['8.8.8.8']],
  ])('the proxy of a webhook is not asked for %s', async (_, url, addresses) => {
    resolveTo(...addresses)
    start(true)
    expect(await post(url)).toBe('the address is not public')
    expect(proxy.asked).toEqual([])
  })

  test('a webhook tries the next address when the proxy does not reach one', async () => {
    trustAll()
    resolveTo('8.8.8.8', '9.9.9.9')
    start(true)
    proxy.respond = 502
    expect(await post('https://hooks.example/')).toBe('the proxy responded with status 502')
    expect(proxy.asked.map(({ target }) => target)).toEqual(['8.8.8.8:443', '9.9.9.9:443'])
  })

  test('a webhook refuses a certificate of another authority through a proxy, as without one', async () => {
    resolveTo('8.8.8.8')
    start(true)
    expect(await post('https://hooks.example/')).toBe('the request failed: DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(names).toEqual([])
  })
})

describe('http.proxies-of-the-environment: a webhook', () => {
  test('a webhook by https goes through CONNECT by its name, with the user and the password of the proxy', async () => {
    trustAll()
    start(false, [], 'user:p%40ss@')
    expect(await post('https://hooks.example:8443/')).toBeNull()
    expect(proxy.asked).toEqual([{ method: 'CONNECT', target: 'hooks.example:8443', credentials: 'user:p@ss' }])
  })

  test('a webhook by http is sent to the proxy, with the whole URL', async () => {
    const plain = await startReceiver()
    start(false, [], 'user:p%40ss@')
    expect([await post(`${plain.url}/a`), await post(`${plain.url}/b`)]).toEqual([null, null])
    expect(proxy.asked).toEqual(
      ['/a', '/b'].map((path) => ({ method: 'POST', target: `${plain.url}${path}`, credentials: 'user:p@ss' })),
    )
    expect(plain.received.map(({ path, body }) => [path, body])).toEqual([
      ['/a', '{}'],
      ['/b', '{}'],
    ])
    await plain.close()
  })

  test('a webhook that NO_PROXY names goes out directly', async () => {
    trustAll()
    start(false, ['127.0.0.1'])
    expect(await post(`https://127.0.0.1:${port}/`)).toBeNull()
    expect(proxy.asked).toEqual([])
  })

  test.each([204, 302, 407])(
    'a webhook is not delivered when the proxy responds with %i in place of a connection',
    async (status) => {
      start(false)
      proxy.respond = status
      expect(await post('https://hooks.example/')).toBe(`the proxy responded with status ${status}`)
    },
  )

  test('a webhook fails when its proxy is not there, in words without address and password', async () => {
    start(false, [], 'user:hush@')
    await proxy.close()
    expect(await post('https://hooks.example/')).toBe('the proxy cannot be reached: ECONNREFUSED')
    expect(await post('http://hooks.example/')).toBe('the request failed: ECONNREFUSED')
  })

  test('a webhook fails when its proxy says nothing, before the attempt ends', async () => {
    start(false)
    proxy.respond = null
    expect(TUNNEL_MS).toBeLessThan(TIMEOUT_MS)
    expect(await post('https://hooks.example/')).toBe('the proxy does not respond')
  })

  test('a webhook fails in time when its proxy says nothing for any of its addresses', async () => {
    resolveTo('8.8.8.8', '9.9.9.9', '1.1.1.1')
    start(true)
    proxy.respond = null
    expect(await post('https://hooks.example/')).toBe('no response within 10 seconds')
  })

  test('a stop ends a webhook whose proxy says nothing', async () => {
    start(false)
    proxy.respond = null
    const stopping = new AbortController()
    const attempt = post('https://hooks.example/', stopping.signal)
    await expect.poll(() => proxy.asked).toHaveLength(1)
    stopping.abort()
    expect(await attempt).toBe('the request failed: ECONNRESET')
  })
})
