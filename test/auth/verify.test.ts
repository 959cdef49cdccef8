import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIssueToken, sameSecret, TOKEN_SECONDS } from '../../src/auth/issue.ts'
import { CLOCK_SKEW_SECONDS, createAuthenticate } from '../../src/auth/verify.ts'
import { defaultClaims } from '../../src/config/auth-config.ts'
import { Unavailable } from '../../src/domain/input/errors.ts'

const NOW = Date.UTC(2026, 0, 15, 12)
const seconds = NOW / 1000
const secret = 'a secret of the tests, long enough for HS256'
const rules = { issuer: null, audience: null, claims: defaultClaims }
const auth = { kind: 'secret', secret, ...rules } as const
const account = '0198f3c1-0000-7000-8000-00000000000a'
const claims = { sub: 'someone', role: 'admin', exp: seconds + 100 }

function sign(
  payload: JWTPayload,
  key: Uint8Array | CryptoKey = new TextEncoder().encode(secret),
  alg = 'HS256',
  kid?: string,
): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg, ...(kid !== undefined && { kid }) }).sign(key)
}

type Authenticate = ReturnType<typeof createAuthenticate>
const ask = async (authenticate: Authenticate, token: string, now = NOW) => authenticate(`Bearer ${token}`, now)
const refused = { name: 'DomainError', kind: 'unauthenticated' }

describe('token.one-pinned-algorithm: HS256 with the secret', () => {
  const authenticate = createAuthenticate(auth)

  test('a token of HS256 gives its viewer', async () => {
    const token = await sign({ ...claims, role: 'shopper', account_id: account.toUpperCase() })
    expect(await ask(authenticate, token)).toEqual({
      subject: 'someone',
      role: 'shopper',
      accountId: account,
      channel: null,
      tags: [],
      expiresAt: (seconds + 100 + CLOCK_SKEW_SECONDS) * 1000,
      token: expect.stringMatching(/^[\w+/]{43}=$/),
    })
  })

  test('a token without account_id, or with null, gives a viewer without account', async () => {
    expect(await ask(authenticate, await sign(claims))).toMatchObject({ role: 'admin', accountId: null })
    expect(await ask(authenticate, await sign({ ...claims, account_id: null }))).toMatchObject({ accountId: null })
  })

  test.each([
    ['no sub', { ...claims, sub: undefined }],
    ['an empty sub', { ...claims, sub: '' }],
    ['value.text-can-be-stored: a sub with U+0000', { ...claims, sub: 'some\u0000one' }],
    ['value.text-can-be-stored: a sub with a lone surrogate', { ...claims, sub: 'some\ud800one' }],
    ['no role', { ...claims, role: undefined }],
    ['another role', { ...claims, role: 'root' }],
    ['a role that is no text', { ...claims, role: ['admin'] }],
    ['an account_id that is no UUID', { ...claims, account_id: 'me' }],
    ['an account_id that is no text', { ...claims, account_id: 7 }],
    ['no exp', { ...claims, exp: undefined }],
    ['nbf ahead of the skew', { ...claims, nbf: seconds + CLOCK_SKEW_SECONDS + 1 }],
  ])('a token with %s is refused', async (_, payload) => {
    await expect(ask(authenticate, await sign(payload as JWTPayload))).rejects.toMatchObject(refused)
  })

  test('a token is accepted until exactly 60 s after exp, also when it is cached', async () => {
    const token = await sign({ ...claims, exp: seconds })
    const last = NOW + CLOCK_SKEW_SECONDS * 1000 - 1000
    expect(await ask(authenticate, token, last)).toMatchObject({ role: 'admin' })
    await expect(ask(authenticate, token, last + 1000)).rejects.toMatchObject(refused)
    expect(await ask(authenticate, token, NOW - 1)).toMatchObject({ role: 'admin' })
    await expect(ask(authenticate, token, last + 1000)).rejects.toMatchObject(refused)
  })

  test('a cached token is verified without a promise', async () => {
    const token = await sign({ ...claims, jti: 'twice' })
    expect(authenticate(`Bearer ${token}`, NOW)).toBeInstanceOf(Promise)
    const viewer = await authenticate(`Bearer ${token}`, NOW)
    expect(authenticate(`Bearer ${token}`, NOW + 1)).toBe(viewer)
  })

  test('a token with another algorithm is refused', async () => {
    const key = new TextEncoder().encode(secret.repeat(2))
    const longer = createAuthenticate({ ...auth, secret: secret.repeat(2) })
    await expect(ask(longer, await sign(claims, key, 'HS512'))).rejects.toMatchObject(refused)
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`
    await expect(ask(authenticate, none)).rejects.toMatchObject(refused)
  })

  test('a token of another key, one with a changed claim and malformed ones are refused', async () => {
    const token = await sign(claims)
    const [head, , signature] = token.split('.')
    const forged = [
      head,
      Buffer.from(JSON.stringify({ ...claims, sub: 'else' })).toString('base64url'),
      signature,
    ].join('.')
    for (const bad of [
      await sign(claims, new TextEncoder().encode(`${secret}!`)),
      forged,
      'x',
      'a.b.c',
      token.slice(0, -3),
    ]) {
      await expect(ask(authenticate, bad)).rejects.toMatchObject(refused)
    }
  })

  test.each([undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'Token abc'])(
    'the Authorization header "%s" is refused',
    (header) => {
      expect(() => authenticate(header, NOW)).toThrowError(expect.objectContaining(refused))
    },
  )

  test('the scheme Bearer is accepted in any case', async () => {
    expect(await authenticate(`bEARER ${await sign(claims)}`, NOW)).toMatchObject({ subject: 'someone' })
  })
})

describe('token.one-pinned-algorithm: issuer and audience when configured', () => {
  const authenticate = createAuthenticate({ ...auth, issuer: 'https://id.example', audience: 'store' })

  test.each([
    [{ iss: 'https://id.example', aud: 'store' }, true],
    [{ iss: 'https://id.example', aud: ['other', 'store'] }, true],
    [{ iss: 'https://else.example', aud: 'store' }, false],
    [{ iss: 'https://id.example', aud: 'other' }, false],
    [{ iss: 'https://id.example' }, false],
    [{ aud: 'store' }, false],
  ])('the issuer and audience of a token are checked when they are configured: %o', async (given, good) => {
    const answer = ask(authenticate, await sign({ ...claims, ...given }))
    if (good) expect(await answer).toMatchObject({ subject: 'someone' })
    else await expect(answer).rejects.toMatchObject(refused)
  })
})

describe('token.one-pinned-algorithm: RS and ES against a key set', () => {
  const keys: Record<'RS256' | 'ES256', CryptoKey> = {} as never
  let server: Server
  let url: string
  let answers = 0

  beforeAll(async () => {
    const set: object[] = []
    for (const alg of ['RS256', 'ES256'] as const) {
      const pair = await generateKeyPair(alg)
      keys[alg] = pair.privateKey
      set.push({ ...(await exportJWK(pair.publicKey)), alg, kid: alg })
    }
    server = createServer((_, res) => {
      answers++
      res.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: set }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  })
  afterAll(() => server.close())

  test('RS256 and ES256 are accepted, and the key set is fetched once', async () => {
    const authenticate = createAuthenticate({ kind: 'jwks', url, ...rules })
    answers = 0
    for (const alg of ['RS256', 'ES256'] as const) {
      expect(await ask(authenticate, await sign(claims, keys[alg], alg, alg))).toMatchObject({ subject: 'someone' })
    }
    expect(answers).toBe(1)
  })

  test('a token signed with a shared secret or an unknown key is refused', async () => {
    const authenticate = createAuthenticate({ kind: 'jwks', url, ...rules })
    await expect(ask(authenticate, await sign(claims))).rejects.toMatchObject(refused)
    await expect(ask(authenticate, await sign(claims, keys.RS256, 'RS256', 'unknown'))).rejects.toMatchObject(refused)
    await expect(ask(authenticate, await sign(claims, keys.RS256, 'RS256', 'ES256'))).rejects.toMatchObject(refused)
  })

  test('an unreachable key set is Unavailable, and no reason to reject the token', async () => {
    const authenticate = createAuthenticate({ kind: 'jwks', url: 'http://127.0.0.1:1/keys', ...rules })
    await expect(ask(authenticate, await sign(claims, keys.RS256, 'RS256', 'RS256'))).rejects.toBeInstanceOf(
      Unavailable,
    )
  })

  test('a withdrawn key is noticed after five minutes, whatever exp says', async () => {
    const authenticate = createAuthenticate({ kind: 'jwks', url, ...rules })
    const token = await sign({ ...claims, exp: seconds + 86_400 }, keys.RS256, 'RS256', 'RS256')
    await ask(authenticate, token)
    expect(authenticate(`Bearer ${token}`, NOW + 299_999)).not.toBeInstanceOf(Promise)
    expect(authenticate(`Bearer ${token}`, NOW + 300_000)).toBeInstanceOf(Promise)
  })
})

describe('token.role-from-claim: the roles of a provider', () => {
  const admin = (roles: object) => ({ ...claims, role: undefined, ...roles })
  const keycloak = {
    ...rules.claims,
    role: 'realm_access.roles',
    adminRoles: ['shop-admin', 'owner'],
    areProviderRoles: true,
  }
  const namespaced = { ...keycloak, role: 'https://shop.example/role', account: 'https://shop.example/account' }
  const roleBy = async (named: typeof keycloak, payload: object) =>
    (await ask(createAuthenticate({ ...auth, claims: named }), await sign(payload as JWTPayload))).role

  test.each([
    ['shop-admin', 'admin'],
    [['offline_access', 'owner'], 'admin'],
    [['offline_access', 'uma_authorization'], 'shopper'],
    [[], 'shopper'],
    ['customer', 'shopper'],
    [['admin'], 'shopper'],
    ['Shop-Admin', 'shopper'],
  ])('the role %j of a provider makes an %s', async (roles, role) => {
    expect(await roleBy(keycloak, admin({ realm_access: { roles } }))).toBe(role)
    expect(await roleBy(namespaced, admin({ 'https://shop.example/role': roles }))).toBe(role)
  })

  test.each([
    ['nothing', {}],
    ['the claim without its member', { realm_access: {} }],
    ['null', { realm_access: { roles: null } }],
    ['a text in place of the object', { realm_access: 'shop-admin' }],
    ['a list with a number', { realm_access: { roles: ['shop-admin', 1] } }],
    ['an object in place of a list', { realm_access: { roles: { 0: 'shop-admin' } } }],
    ['the default claim', { role: 'admin' }],
  ])('token.refusal-says-why: a token with %s is refused by an error that names the claim', async (_, payload) => {
    await expect(roleBy(keycloak, admin(payload))).rejects.toMatchObject({
      ...refused,
      reason: 'The claim realm_access.roles of the token is missing or not valid',
    })
  })

  test('token.account-from-claim: the account of a viewer is the claim of the configured name, and an error names it', async () => {
    const authenticate = createAuthenticate({ ...auth, claims: namespaced })
    const token = (given: unknown) =>
      sign({ ...claims, 'https://shop.example/role': [], 'https://shop.example/account': given })
    expect(await ask(authenticate, await token(account))).toMatchObject({ role: 'shopper', accountId: account })
    expect(await ask(authenticate, await token(null))).toMatchObject({ accountId: null })
    await expect(ask(authenticate, await token('me'))).rejects.toMatchObject({
      reason: 'The claim https://shop.example/account of the token is missing or not valid',
    })
  })

  test.each([
    ['its whole name before the way', 'a.b', { 'a.b': 'owner', a: { b: 'customer' } }, 'admin'],
    ['the way into an object', 'a.b.c', { a: { b: { c: 'owner' } } }, 'admin'],
    [
      'the way through names with dots',
      'resource_access.shop.example.roles',
      { resource_access: { 'shop.example': { roles: ['owner'] } } },
      'admin',
    ],
    ['the whole name though it is no role', 'a.b', { 'a.b': 'customer', a: { b: 'owner' } }, 'shopper'],
  ])('token.claim-by-name-or-path: a claim is found by %s', async (_, name, payload, role) => {
    expect(await roleBy({ ...keycloak, role: name }, admin(payload))).toBe(role)
  })

  test('token.claim-by-name-or-path: members that every object has are no claims', async () => {
    for (const name of ['constructor.name', '__proto__.x', 'toString', 'sub.length'])
      await expect(roleBy({ ...keycloak, role: name }, admin({}))).rejects.toMatchObject(refused)
  })

  test('tokens of this server have the configured claims, and are accepted', async () => {
    for (const named of [keycloak, namespaced]) {
      const issue = createIssueToken({ ...auth, claims: named })
      for (const role of ['admin', 'shopper'] as const) {
        const { token } = await issue({ subject: 'x', role, accountId: account }, NOW)
        expect(await ask(createAuthenticate({ ...auth, claims: named }), token)).toMatchObject({
          role,
          accountId: account,
        })
      }
    }
  })
})

describe('token.context-from-claims: the channel and the tags of a token', () => {
  const read = async (given: object, named = defaultClaims) =>
    ask(createAuthenticate({ ...auth, claims: named }), await sign({ ...claims, role: 'shopper', ...given }))

  test.each([
    [{ channel: 'web', context_tags: ['gold', 'new'] }, 'web', ['gold', 'new']],
    [{ context_tags: 'gold' }, null, ['gold']],
    [{ channel: '', context_tags: [] }, null, []],
    [{ channel: null, context_tags: null }, null, []],
    [{}, null, []],
  ])('the claims %j give their channel and tags', async (given, channel, tags) => {
    expect(await read(given)).toMatchObject({ channel, tags })
  })

  test.each([
    ['channel', { channel: ['web'] }],
    ['channel', { channel: 7 }],
    ['channel', { channel: 'we\u0000b' }],
    ['context_tags', { context_tags: { gold: true } }],
    ['context_tags', { context_tags: ['gold', 7] }],
    ['context_tags', { context_tags: ['gold', ['new']] }],
    ['context_tags', { context_tags: ['\ud800'] }],
  ])('a token whose claim %s has another form is refused: %j', async (claim, given) => {
    await expect(read(given)).rejects.toThrow(`The claim ${claim} of the token is missing or not valid`)
  })

  test('other claims can be named, by a path too, and one can be that of the roles', async () => {
    const named = { ...defaultClaims, role: 'groups', areProviderRoles: true, channel: 'shop.channel', tags: 'groups' }
    const given = { groups: ['member'], shop: { channel: 'web' }, channel: 7, context_tags: 7 }
    expect(await read(given, named)).toMatchObject({ role: 'shopper', channel: 'web', tags: ['member'] })
  })

  test('tokens of this server have the channel and the tags that they are made with', async () => {
    const issue = createIssueToken(auth)
    const { token } = await issue({ subject: 'x', role: 'shopper', channel: 'web', tags: ['gold', 'new'] }, NOW)
    expect(await ask(createAuthenticate(auth), token)).toMatchObject({ channel: 'web', tags: ['gold', 'new'] })
  })
})

describe('token.issued-with-own-secret: tokens of this server', () => {
  test('tokens of this server are valid for an hour and have the requested claims', async () => {
    const strict = { ...auth, issuer: 'https://id.example', audience: 'store' }
    const { token, expires } = await createIssueToken(strict)(
      { subject: 'x', role: 'shopper', accountId: account },
      NOW,
    )
    expect(expires).toBe(seconds + TOKEN_SECONDS)
    expect(await ask(createAuthenticate(strict), token)).toEqual({
      subject: 'x',
      role: 'shopper',
      accountId: account,
      channel: null,
      tags: [],
      expiresAt: (expires + CLOCK_SKEW_SECONDS) * 1000,
      token: expect.any(String),
    })
    await expect(ask(createAuthenticate({ ...strict, audience: 'other' }), token)).rejects.toMatchObject(refused)
  })

  test('tokens of this server are issued for the exact client secret only', () => {
    expect(sameSecret('demo-secret', 'demo-secret')).toBe(true)
    for (const wrong of ['', 'demo', 'demo-secret ', 'Demo-secret'])
      expect(sameSecret(wrong, 'demo-secret')).toBe(false)
  })
})
