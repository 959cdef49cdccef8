/** The key set of an identity provider: when it is fetched, and through which proxy. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { pino } from 'pino'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createKeySet } from '../../src/auth/key-set.ts'
import { createAuthenticate } from '../../src/auth/verify.ts'
import { defaultClaims } from '../../src/config/auth-config.ts'
import { Unavailable } from '../../src/domain/input/errors.ts'
import { noProxies } from '../../src/lib/proxies.ts'
import { makeCertificate } from '../support/certificate.ts'
import { startProxy, type TestProxy } from '../support/proxy.ts'

const rules = { issuer: null, audience: null, claims: defaultClaims }
const servers: Server[] = []
const keys: object[] = []
let token = ''
/** How the provider responds, and how often it was asked. */
let respond: RequestListener
let requests = 0
let proxy: TestProxy
let lines: Record<string, unknown>[]
const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })
const viewerBy = async (set: ReturnType<typeof createKeySet>) =>
  createAuthenticate({ kind: 'jwks', url: 'http://unused.example', ...rules }, set)(`Bearer ${token}`, Date.now())

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  keys.push({ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'one' })
  const claims = { sub: 'theirs', role: 'admin', exp: Date.now() / 1000 + 600 }
  token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey)
})
beforeEach(async () => {
  lines = []
  requests = 0
  respond = (_, res) => void res.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }))
  proxy = await startProxy()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
  await proxy.close()
})

async function start(server: Server, port = 0): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
const handle: RequestListener = (req, res) => {
  requests++
  respond(req, res)
}

test('token.keys-before-ready: the keys of an identity provider are fetched again and again until they are there, and the log says each failure once', async () => {
  const port = await start(createServer(handle))
  respond = (_, res) => void res.writeHead(500).end()
  const set = createKeySet(`http://127.0.0.1:${port}/keys`, noProxies)
  const loaded = set.load(log)
  await expect.poll(() => requests, { timeout: 20_000 }).toBeGreaterThanOrEqual(2)
  expect(set.isKnown()).toBe(false)
  respond = (_, res) => void res.end(JSON.stringify({ keys }))
  await loaded
  expect(set.isKnown()).toBe(true)
  expect(lines.map(({ level, msg, reason }) => [level, msg, reason])).toEqual([
    [
      40,
      'the keys of AUTH_JWKS_URL cannot be fetched: trying again',
      'Expected 200 OK from the JSON Web Key Set HTTP response',
    ],
    [30, 'the keys of AUTH_JWKS_URL are there', undefined],
  ])
  expect(await viewerBy(set)).toMatchObject({ subject: 'theirs' })
})

test('token.keys-before-ready: keys that a request fetched count too, and no outage takes them back', async () => {
  const port = await start(createServer(handle))
  const set = createKeySet(`http://127.0.0.1:${port}/keys`)
  expect(set.isKnown()).toBe(false)
  expect(await viewerBy(set)).toMatchObject({ subject: 'theirs' })
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
  expect(set.isKnown()).toBe(true)
  expect(await viewerBy(set)).toMatchObject({ subject: 'theirs' })
})

const redirect: RequestListener = (_, res) => void res.writeHead(302, { location: '/' }).end()
const noKeys: RequestListener = (_, res) => void res.end('{}')
test.each([
  ['a provider that is not there', null, 'ECONNREFUSED'],
  ['what is no key set', noKeys, 'JSON Web Key Set malformed'],
  ['a redirect', redirect, 'Expected 200 OK from the JSON Web Key Set HTTP response'],
])('%s is Unavailable, and no reason to reject the token', async (_, answer, reason) => {
  const port = answer ? await start(createServer(handle)) : 1
  if (answer) respond = answer
  const set = createKeySet(`http://127.0.0.1:${port}/keys`)
  await expect(viewerBy(set)).rejects.toBeInstanceOf(Unavailable)
  void set.load(log)
  await expect.poll(() => lines[0]?.reason).toBe(reason)
})

test('http.proxies-of-the-environment: keys by http are asked of the proxy, and those that NO_PROXY names are not', async () => {
  const port = await start(createServer(handle))
  const url = `http://127.0.0.1:${port}/keys`
  const proxies = { http: proxy.url.replace('//', '//user:p%40ss@'), https: null, except: [] }
  expect(await viewerBy(createKeySet(url, proxies))).toMatchObject({ subject: 'theirs' })
  expect(proxy.asked).toEqual([{ method: 'GET', target: url, credentials: 'user:p@ss' }])
  expect(await viewerBy(createKeySet(url, { ...proxies, except: ['127.0.0.1'] }))).toMatchObject({ subject: 'theirs' })
  expect(proxy.asked).toHaveLength(1)
})

test('http.proxies-of-the-environment: keys by https come through CONNECT, and a refused one is not an answer', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  proxy.port = await start(createSecureServer(makeCertificate('DNS:id.example'), handle))
  const set = createKeySet('https://id.example/keys', { ...noProxies, https: proxy.url })
  expect(await viewerBy(set)).toMatchObject({ subject: 'theirs' })
  expect(proxy.asked).toEqual([{ method: 'CONNECT', target: 'id.example:443', credentials: null }])
  proxy.respond = 407
  const refused = createKeySet('https://id.example/keys', {
    ...noProxies,
    https: proxy.url.replace('//', '//user:hush@'),
  })
  await expect(viewerBy(refused)).rejects.toBeInstanceOf(Unavailable)
  void refused.load(log)
  await expect.poll(() => lines[0]?.reason).toBe('the proxy responded with status 407')
  expect(JSON.stringify(lines)).not.toContain('hush')
})

test('http.proxies-of-the-environment: a proxy that says nothing when keys are fetched is given up after three seconds', async () => {
  proxy.respond = null
  const set = createKeySet('https://id.example/keys', { ...noProxies, https: proxy.url })
  void set.load(log)
  await expect.poll(() => lines[0]?.reason, { timeout: 30_000 }).toBe('request timed out')
})
