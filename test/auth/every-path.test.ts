/** HTTP-3, HTTP-8, AUTH-1: a bad token is 401 wherever a token is asked for, and asked for nowhere else. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contractRoutes } from '../../src/rest/routes.ts'
import { useDatabase } from '../support/database.ts'
import { START, startTestServer, type TestServer, testAuth } from '../support/server.ts'

const database = useDatabase()
const seconds = START / 1000
const good = { sub: 'x', role: 'admin', exp: seconds + 600, iss: 'https://id.example', aud: 'store' }
const secret = new TextEncoder().encode(testAuth.secret)
const servers: { secret: TestServer; keys: TestServer } = {} as never
const bad: Record<'secret' | 'keys', [string, string | null][]> = { secret: [], keys: [] }
const accepted: Record<'secret' | 'keys', string> = {} as never
let keySet: Server

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const sign = (claims: JWTPayload, key: Uint8Array | CryptoKey, alg: string, kid?: string) =>
  new SignJWT(claims).setProtectedHeader({ alg, ...(kid !== undefined && { kid }) }).sign(key)

beforeAll(async () => {
  const [known, stranger] = [await generateKeyPair('RS256', { extractable: true }), await generateKeyPair('RS256')]
  const keys = [{ ...(await exportJWK(known.publicKey)), alg: 'RS256', kid: 'one' }]
  keySet = createServer((_, res) => res.setHeader('content-type', 'application/json').end(JSON.stringify({ keys })))
  await new Promise<void>((resolve) => keySet.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(keySet.address() as AddressInfo).port}/keys`
  const demands = { issuer: good.iss, audience: good.aud }
  servers.secret = await startTestServer(database, { config: { auth: { ...testAuth, ...demands } } })
  servers.keys = await startTestServer(database, { config: { auth: { kind: 'jwks', url, ...demands } } })

  accepted.secret = await sign(good, secret, 'HS256')
  accepted.keys = await sign(good, known.privateKey, 'RS256', 'one')
  const pem = new TextEncoder().encode(await exportSPKI(known.publicKey))
  for (const kind of ['secret', 'keys'] as const) {
    const [key, alg, kid] = kind === 'secret' ? ([secret, 'HS256'] as const) : ([known.privateKey, 'RS256', 'one'] as const)
    const [head = '', body = '', signature = ''] = accepted[kind].split('.')
    bad[kind].push(
      ['none', null],
      ['empty', ''],
      ['no JWT', 'secret'],
      ['expired', await sign({ ...good, exp: seconds - 61 }, key, alg, kid)],
      ['of another issuer', await sign({ ...good, iss: 'https://else.example' }, key, alg, kid)],
      ['for another audience', await sign({ ...good, aud: 'else' }, key, alg, kid)],
      ['of no role', await sign({ ...good, role: 'root' }, key, alg, kid)],
      ['alg none', `${part({ alg: 'none' })}.${body}.`],
      ['alg None', `${part({ alg: 'None' })}.${body}.${signature}`],
      ['alg none with a signature', `${part({ alg: 'none', typ: 'JWT' })}.${body}.${signature}`],
      ['without its signature', `${head}.${body}.`],
      ['tampered', `${head}.${part({ ...good, sub: 'root' })}.${signature}`],
      ['with another signature', `${head}.${body}.${signature.slice(0, -4)}AAAA`],
      ['with another algorithm', await sign(good, new TextEncoder().encode(testAuth.secret.repeat(2)), 'HS512')],
      ['signed by the public key as a secret', await sign(good, pem, 'HS256', 'one')],
      ['signed by a stranger', await sign(good, stranger.privateKey, 'RS256', 'one')],
      ['that names its own key', `${part({ alg: 'RS256', jwk: await exportJWK(stranger.publicKey) })}.${body}.${signature}`],
      ['that names a key of an unknown place', `${part({ alg, kid: '../../dev/null', jku: 'http://127.0.0.1:1/' })}.${body}.${signature}`],
      ['with a critical header that nobody knows', `${part({ alg, crit: ['x'], x: 1 })}.${body}.${signature}`],
      ['of the other kind of server', accepted[kind === 'secret' ? 'keys' : 'secret'] ?? 'x'],
    )
  }
})
afterAll(async () => {
  keySet.close()
  for (const server of Object.values(servers)) await server.stop()
})

const guarded: [string, string][] = [
  ...contractRoutes
    .filter(({ right }) => right !== 'open')
    .flatMap((route) =>
      route.paths.map((path): [string, string] => [route.method, path.replace(/\{\w+\}/g, '0190a000-0000-7000-8000-00000000000a')]),
    ),
  ['POST', '/graphql'],
  ['GET', '/graphql?query={__typename}'],
  ['PUT', '/graphql'],
  ['GET', '/nowhere'],
  ['DELETE', '/pcm/pricebooks'],
]

describe.each(['secret', 'keys'] as const)('AUTH-1 with a %s', (kind) => {
  test('every bad token is 401 on every guarded path, with WWW-Authenticate, and told nothing of why', async () => {
    for (const [method, path] of guarded) {
      const fine = await servers[kind].rest(method, path, { token: accepted[kind] })
      expect(fine.status, `${method} ${path}`).not.toBe(401)
      const told = new Set<string>()
      for (const [what, token] of bad[kind]) {
        const reply = await servers[kind].rest(method, path, { token })
        expect([what, method, path, reply.status, reply.headers.get('www-authenticate')]).toEqual([what, method, path, 401, 'Bearer'])
        told.add(reply.text)
      }
      expect(told.size).toBe(1)
    }
  }, 60_000)

  test('a header that is no bearer token is 401', async () => {
    for (const authorization of [
      'Basic eDp4',
      accepted[kind],
      `Bearer`,
      `Bearer ${accepted[kind]} x`,
      `Bearer, ${accepted[kind]}`,
      `Token ${accepted[kind]}`,
    ]) {
      expect((await servers[kind].rest('GET', guarded[0]?.[1] ?? '', { token: null, headers: { authorization } })).status).toBe(401)
    }
  })

  test('HTTP-8 what asks for no token answers whatever token comes along', async () => {
    for (const [, token] of bad[kind]) {
      for (const path of ['/', '/health', '/ready', '/openapi.json'])
        expect((await servers[kind].rest('GET', path, { token })).status).toBe(200)
      expect((await servers[kind].rest('OPTIONS', '/graphql', { token })).status).toBe(204)
      expect((await servers[kind].rest('POST', '/oauth/access_token', { token, body: {} })).status).toBe(kind === 'secret' ? 422 : 404)
    }
  })
})
