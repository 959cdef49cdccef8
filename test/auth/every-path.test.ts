/**
 * Tokens on every path (token.refusal-says-why, http.open-routes, token.one-pinned-algorithm): an invalid token is 401
 * with the reason wherever a token is required, and nowhere else.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentedRoutes } from '../../src/rest/routes.ts'
import { useDatabase } from '../support/database.ts'
import { START, startTestServer, type TestServer, testAuth } from '../support/server.ts'

const database = useDatabase()
const seconds = START / 1000
const good = { sub: 'x', role: 'admin', exp: seconds + 600, iss: 'https://id.example', aud: 'store' }
const secret = new TextEncoder().encode(testAuth.secret)
const servers: { secret: TestServer; keys: TestServer } = {} as never
/** A description of the token, the token, and the reason of its rejection; null where none was given. */
const bad: Record<'secret' | 'keys', [string, string | null, string | null][]> = { secret: [], keys: [] }
const SIGNATURE = 'The signature of the token is not one that this server accepts'
const NO_JWT = 'The token is not a JSON Web Token with a signature'
const accepted: Record<'secret' | 'keys', string> = {} as never
const ISSUER = 'The issuer of the token is not the one that this server accepts'
const AUDIENCE = 'The audience of the token is not this server'
const without = (name: keyof typeof good): JWTPayload =>
  Object.fromEntries(Object.entries(good).filter(([one]) => one !== name))
const claim = (name: string) => `The claim ${name} of the token is missing or not valid`
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
  servers.keys = await startTestServer(database, { config: { auth: { ...testAuth, kind: 'jwks', url, ...demands } } })

  accepted.secret = await sign(good, secret, 'HS256')
  accepted.keys = await sign(good, known.privateKey, 'RS256', 'one')
  const pem = new TextEncoder().encode(await exportSPKI(known.publicKey))
  for (const kind of ['secret', 'keys'] as const) {
    const [key, alg, kid] =
      kind === 'secret' ? ([secret, 'HS256'] as const) : ([known.privateKey, 'RS256', 'one'] as const)
    const [head = '', body = '', signature = ''] = accepted[kind].split('.')
    bad[kind].push(
      ['none', null, null],
      ['empty', '', null],
      ['no JWT', 'secret', NO_JWT],
      ['expired', await sign({ ...good, exp: seconds - 61 }, key, alg, kid), 'The token has expired'],
      ['not yet valid', await sign({ ...good, nbf: seconds + 61 }, key, alg, kid), 'The token is not valid yet'],
      ['of another issuer', await sign({ ...good, iss: 'https://else.example' }, key, alg, kid), ISSUER],
      ['of no issuer', await sign(without('iss'), key, alg, kid), ISSUER],
      ['for another audience', await sign({ ...good, aud: 'else' }, key, alg, kid), AUDIENCE],
      ['for no audience', await sign(without('aud'), key, alg, kid), AUDIENCE],
      ['of no role', await sign({ ...good, role: 'root' }, key, alg, kid), claim('role')],
      ['without a role', await sign(without('role'), key, alg, kid), claim('role')],
      ['without a subject', await sign(without('sub'), key, alg, kid), claim('sub')],
      ['that never expires', await sign(without('exp'), key, alg, kid), claim('exp')],
      [
        'of an account that is no UUID',
        await sign({ ...good, account_id: 'mine' }, key, alg, kid),
        claim('account_id'),
      ],
      ['alg none', `${part({ alg: 'none' })}.${body}.`, SIGNATURE],
      ['alg None', `${part({ alg: 'None' })}.${body}.${signature}`, SIGNATURE],
      ['alg none with a signature', `${part({ alg: 'none', typ: 'JWT' })}.${body}.${signature}`, SIGNATURE],
      ['without its signature', `${head}.${body}.`, SIGNATURE],
      ['tampered', `${head}.${part({ ...good, sub: 'root' })}.${signature}`, SIGNATURE],
      ['with another signature', `${head}.${body}.${signature.slice(0, -4)}AAAA`, SIGNATURE],
      [
        'with another algorithm',
        await sign(good, new TextEncoder().encode(testAuth.secret.repeat(2)), 'HS512'),
        SIGNATURE,
      ],
      ['signed by the public key as a secret', await sign(good, pem, 'HS256', 'one'), SIGNATURE],
      ['signed by a stranger', await sign(good, stranger.privateKey, 'RS256', 'one'), SIGNATURE],
      [
        'expired, and signed by a stranger',
        await sign({ ...good, exp: seconds - 61 }, stranger.privateKey, 'RS256', 'one'),
        SIGNATURE,
      ],
      [
        'that names its own key',
        `${part({ alg: 'RS256', jwk: await exportJWK(stranger.publicKey) })}.${body}.${signature}`,
        SIGNATURE,
      ],
      [
        'that names a key of an unknown place',
        `${part({ alg, kid: '../../dev/null', jku: 'http://127.0.0.1:1/' })}.${body}.${signature}`,
        SIGNATURE,
      ],
      [
        'with a critical header that nobody knows',
        `${part({ alg, crit: ['x'], x: 1 })}.${body}.${signature}`,
        SIGNATURE,
      ],
      ['of the other kind of server', accepted[kind === 'secret' ? 'keys' : 'secret'] ?? 'x', SIGNATURE],
    )
  }
})
afterAll(async () => {
  keySet.close()
  for (const server of Object.values(servers)) await server.stop()
})

const guarded: [string, string][] = [
  ...documentedRoutes
    .filter(({ right }) => right !== 'open')
    .flatMap((route) =>
      route.paths.map((path): [string, string] => [
        route.method,
        path.replace(/\{\w+\}/g, '0190a000-0000-7000-8000-00000000000a'),
      ]),
    ),
  ['POST', '/graphql'],
  ['GET', '/graphql?query={__typename}'],
]

describe.each(['secret', 'keys'] as const)('token.one-pinned-algorithm: with a %s', (kind) => {
  test('token.refusal-says-why: an invalid token is 401 on every path, with a reason in header, error and log, and the error says where tokens come from', async () => {
    for (const [method, path] of guarded) {
      const fine = await servers[kind].rest(method, path, { token: accepted[kind] })
      expect(fine.status, `${method} ${path}`).not.toBe(401)
      for (const [what, token, reason] of bad[kind]) {
        servers[kind].logs.length = 0
        const reply = await servers[kind].rest(method, path, { token })
        const challenge = reason === null ? 'Bearer' : `Bearer error="invalid_token", error_description="${reason}"`
        expect([what, method, path, reply.status, reply.headers.get('www-authenticate')]).toEqual([
          what,
          method,
          path,
          401,
          challenge,
        ])
        const source =
          kind === 'secret' ? 'POST /oauth/access_token gives one' : "this server's identity provider gives one"
        const sentence = `${reason ?? 'A valid bearer token is needed'}: ${source}`
        const graphql = { message: sentence, extensions: { code: 'UNAUTHENTICATED' } }
        const rest = { title: 'Unauthorized', status: '401', detail: sentence, code: 'UNAUTHENTICATED' }
        expect(reply.body).toEqual({ errors: [path.startsWith('/graphql') ? graphql : rest] })
        await expect.poll(() => servers[kind].logs, { interval: 1 }).toHaveLength(1)
        expect([servers[kind].logs[0]?.msg, servers[kind].logs[0]?.refusal ?? null]).toEqual(['request', reason])
        if (token) expect(reply.text + JSON.stringify([...reply.headers, servers[kind].logs])).not.toContain(token)
      }
    }
  })

  test('http.paths-are-no-secret: an unknown path is 404 and an unknown method 405 with any token, and the log says no more', async () => {
    for (const [, token] of bad[kind]) {
      servers[kind].logs.length = 0
      expect((await servers[kind].rest('GET', '/nowhere', { token })).status).toBe(404)
      for (const path of ['/pcm/pricebooks/x/prices', '/graphql'])
        expect((await servers[kind].rest('DELETE', path, { token })).status).toBe(405)
      await expect.poll(() => servers[kind].logs, { interval: 1 }).toHaveLength(3)
      expect(servers[kind].logs.map(({ refusal }) => refusal)).toEqual([undefined, undefined, undefined])
    }
  })

  test('a header that is no bearer token is 401', async () => {
    for (const authorization of [
      'Basic eDp4',
      accepted[kind],
      `Bearer`,
      `Bearer ${accepted[kind]} x`,
      `Bearer, ${accepted[kind]}`,
      `Token ${accepted[kind]}`,
    ]) {
      expect(
        (await servers[kind].rest('GET', guarded[0]?.[1] ?? '', { token: null, headers: { authorization } })).status,
      ).toBe(401)
    }
  })

  test('http.open-routes: a route that needs no token responds with any token', async () => {
    for (const [, token] of bad[kind]) {
      for (const path of ['/', '/health', '/ready', '/openapi.json'])
        expect((await servers[kind].rest('GET', path, { token })).status).toBe(200)
      expect((await servers[kind].rest('OPTIONS', '/graphql', { token })).status).toBe(204)
      expect((await servers[kind].rest('POST', '/oauth/access_token', { token, body: {} })).status).toBe(
        kind === 'secret' ? 422 : 404,
      )
    }
  })
})
