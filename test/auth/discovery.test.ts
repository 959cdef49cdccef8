/** The addresses of an identity provider: when they are fetched, through which proxy, and which are taken. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDiscovery } from '../../src/auth/discovery.ts'
import { noProxies } from '../../src/lib/proxies.ts'
import { startProxy } from '../support/proxy.ts'

let server: Server
let issuer: string
/** What the provider says, its status, and the paths at which it was asked. */
let metadata: Record<string, unknown>
let status: number
let asked: (string | undefined)[]
let lines: Record<string, unknown>[]
const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) })

beforeEach(async () => {
  lines = []
  asked = []
  status = 200
  server = createServer((req, res) => {
    asked.push(req.url)
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(metadata))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realms/shop`
  metadata = {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: 'https://tokens.example/token',
    end_session_endpoint: `${issuer}/logout`,
    id_token_signing_alg_values_supported: ['RS256'],
    userinfo_endpoint: `${issuer}/me`,
  }
})
afterEach(() => {
  server.close()
  server.closeAllConnections()
})

test('token.pages-sign-in: the addresses of the provider are fetched once, for all who ask, and pages get no others', async () => {
  const discover = createDiscovery(issuer, noProxies, log)
  expect(asked).toEqual([])
  const { userinfo_endpoint: _, ...wanted } = metadata
  expect(await Promise.all([discover(), discover()])).toEqual([wanted, wanted])
  expect(await discover()).toEqual(wanted)
  expect(asked).toEqual(['/realms/shop/.well-known/openid-configuration'])
  expect(lines).toEqual([])
})

test('a provider that is away is asked again by the next page, and the log says why, without its address', async () => {
  const discover = createDiscovery(issuer, noProxies, log)
  status = 503
  expect(await discover()).toBeNull()
  expect(lines.map(({ level, msg, reason }) => [level, msg, reason])).toEqual([
    [
      40,
      'the addresses of the provider of AUTH_ISSUER cannot be fetched',
      '"response" is not a conform Authorization Server Metadata response (unexpected HTTP status code)',
    ],
  ])
  status = 200
  expect(await discover()).toMatchObject({ issuer })
})

test.each([
  ['another issuer', { issuer: 'https://other.example' }, /"issuer" property does not match/],
  ['no address to sign in', { authorization_endpoint: undefined }, /^its authorization_endpoint is missing/],
  ['no address for tokens', { token_endpoint: undefined }, /^its token_endpoint is missing/],
  ['an address that is a script', { authorization_endpoint: 'javascript:alert(1)' }, /^its authorization_endpoint/],
  ['an address to sign out that is none', { end_session_endpoint: 'logout' }, /^its end_session_endpoint/],
])('a provider with %s is not taken', async (_, change, reason) => {
  metadata = { ...metadata, ...change }
  expect(await createDiscovery(issuer, noProxies, log)()).toBeNull()
  expect(lines.map((line) => line.reason)).toEqual([expect.stringMatching(reason)])
})

test('a provider without an address to sign out is one, and is asked through the proxy', async () => {
  const proxy = await startProxy()
  try {
    metadata = { ...metadata, end_session_endpoint: undefined }
    const discover = createDiscovery(issuer, { ...noProxies, http: proxy.url }, log)
    expect(await discover()).toMatchObject({ token_endpoint: 'https://tokens.example/token' })
    expect(asked).toHaveLength(1)
    expect(proxy.asked).toHaveLength(1)
  } finally {
    await proxy.close()
  }
})
