/** token.endpoint-for-clients, token.issued-with-own-secret: POST /oauth/access_token. */
import { describe, expect, test } from 'vitest'
import { globalId } from '../../src/graphql/schema/ids.ts'
import { OPEN_BODY_MAX } from '../../src/rest/http/body.ts'
import { useDatabase } from '../support/database.ts'
import { sendRaw } from '../support/raw-http.ts'
import { START, startTestServer, testAuth, useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)
const path = '/oauth/access_token'
const admin = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

const post = (body: unknown) => server.rest('POST', path, { token: null, body })
const postForm = (raw: string) => server.rest('POST', path, { token: null, raw, headers: form })

describe('token.endpoint-for-clients: the token endpoint', () => {
  test('the token endpoint gives an admin for client_credentials, from JSON and from a form', async () => {
    for (const reply of [
      await post(admin),
      await postForm('grant_type=client_credentials&client_id=demo&client_secret=demo%2Dsecret'),
    ]) {
      expect(reply.status).toBe(200)
      expect(reply.headers.get('cache-control')).toBe('private, no-store')
      expect(reply.body).toEqual({
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 3600,
        expires: START / 1000 + 3600,
        identifier: 'client_credentials',
      })
      expect(claimsOf(reply.body.access_token)).toEqual({
        sub: 'demo',
        role: 'admin',
        iat: START / 1000,
        exp: START / 1000 + 3600,
      })
      expect(
        (await server.rest('PUT', '/v2/subscriptions/products/x', { token: reply.body.access_token, body: {} })).status,
      ).toBe(400)
    }
  })

  test('the token endpoint gives a shopper for implicit, with a new subject each time', async () => {
    const first = await post({ grant_type: 'implicit', client_id: 'demo' })
    const second = await postForm('grant_type=implicit&client_id=demo')
    expect([first.body.identifier, second.body.identifier]).toEqual(['implicit', 'implicit'])
    const [one, other] = [claimsOf(first.body.access_token), claimsOf(second.body.access_token)]
    expect([one.role, other.role]).toEqual(['shopper', 'shopper'])
    expect(one.sub).not.toBe(other.sub)
    expect(
      (await server.rest('PUT', '/v2/subscriptions/products/x', { token: first.body.access_token, body: {} })).status,
    ).toBe(403)
  })
})

describe('token.demo-tokens-stay-local: a shopper with an account', () => {
  const account = 'C0FFEE00-00aa-4000-8000-000000000007'
  const grant = { grant_type: 'implicit', client_id: 'demo', account_id: account }

  test('a shopper with an account gets a token on a loopback address, from JSON and from a form, with which it subscribes', async () => {
    for (const reply of [
      await post(grant),
      await postForm(`grant_type=implicit&client_id=demo&account_id=${account}`),
    ]) {
      expect([reply.status, reply.body.identifier, reply.headers.get('cache-control')]).toEqual([
        200,
        'implicit',
        'private, no-store',
      ])
      const { data } = await server.gql('{ viewer { role accountId } }', {}, { token: reply.body.access_token })
      expect(data).toEqual({ viewer: { role: 'ACCOUNT', accountId: globalId('Account', account.toLowerCase()) } })
    }
  })

  test('a shopper who names no account_id, or null in JSON, gets a token without account', async () => {
    for (const absent of [{}, { account_id: null }]) {
      const reply = await post({ grant_type: 'implicit', client_id: 'demo', ...absent })
      expect(claimsOf(reply.body.access_token)).not.toHaveProperty('account_id')
    }
  })

  test.each([
    [{ account_id: 'x' }, 'account_id: must be a UUID'],
    [{ account_id: '' }, 'account_id: must be a UUID'],
    [{ account_id: 7 }, 'account_id: must be a string'],
    [{ ...admin }, 'account_id: is for the grant implicit alone'],
  ])('the token endpoint refuses %o with 422', async (members, detail) => {
    const reply = await post({ ...grant, ...members })
    expect([reply.status, reply.body.errors[0].detail]).toEqual([422, detail])
    expect(reply.body).not.toHaveProperty('access_token')
  })

  test.each([
    ['in production', { production: true }, undefined],
    ['where the server listens on another address', { host: '0.0.0.0' }, undefined],
    ['for a request that names another host', {}, 'shop.example'],
  ])(
    'a shopper with an account is refused %s, where shoppers without an account still get one',
    async (_, config, host) => {
      const other = await startTestServer(database, { config })
      try {
        const reply = async (body: string) => {
          const named = `Host: ${host ?? new URL(other.url).host}`
          const head = [
            `POST ${path} HTTP/1.1`,
            named,
            'Connection: close',
            `Content-Length: ${body.length}`,
            `Content-Type: ${form['content-type']}`,
          ]
          return sendRaw(other.url, [`${head.join('\r\n')}\r\n\r\n${body}`])
        }
        const refused = await reply(`grant_type=implicit&client_id=demo&account_id=${account}`)
        expect(refused).toMatch(/^HTTP\/1.1 403 /)
        expect(refused).toContain(
          'A token with an account_id is given here only for tries: outside production, on a loopback address',
        )
        expect(refused).not.toContain('access_token')
        expect(await reply('grant_type=implicit&client_id=else&account_id=x')).toMatch(/^HTTP\/1.1 422 /)
        expect(await reply(`grant_type=implicit&client_id=else&account_id=${account}`)).toMatch(/^HTTP\/1.1 401 /)
        expect(await reply('grant_type=implicit&client_id=demo')).toMatch(/^HTTP\/1.1 200 /)
      } finally {
        await other.stop()
      }
    },
  )
})

describe('token.endpoint-for-clients, http.first-failure-wins: the token endpoint refuses', () => {
  test.each([
    { ...admin, client_id: 'else' },
    { ...admin, client_secret: 'demo-secreT' },
    { ...admin, client_secret: '' },
    { grant_type: 'implicit', client_id: 'else' },
  ])(
    'token.endpoint-for-clients: the token endpoint refuses a wrong client with 401 and what is wrong: %o',
    async (body) => {
      const reply = await post(body)
      expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
      expect(reply.body.errors).toEqual([
        {
          title: 'Unauthorized',
          status: '401',
          detail: 'The client is not known, or its secret is wrong',
          code: 'UNAUTHENTICATED',
        },
      ])
    },
  )

  test.each([
    [{}, ['grant_type: must be given', 'client_id: must be given']],
    [[], ['grant_type: must be given', 'client_id: must be given']],
    [{ ...admin, grant_type: 'password' }, ['grant_type: must be one of client_credentials, implicit']],
    [{ ...admin, client_secret: undefined }, ['client_secret: must be given']],
    [{ ...admin, client_id: 7 }, ['client_id: must be a string']],
  ])('the token endpoint refuses what breaks a rule with 422: %o', async (body, details) => {
    const reply = await post(body)
    expect(reply.status).toBe(422)
    expect(reply.body.errors.map(({ detail }: { detail: string }) => detail)).toEqual(details)
  })

  test('the token endpoint has 405, 413, 415 and 400 as on other paths, without a token', async () => {
    const get = await server.rest('GET', path, { token: null })
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    const send = async (raw: string, type: string) =>
      (await server.rest('POST', path, { token: null, raw, headers: { 'content-type': type } })).status
    expect(await send('x'.repeat(OPEN_BODY_MAX + 1), 'text/plain')).toBe(413)
    expect(await send('{}', 'text/plain')).toBe(415)
    expect(await send('{', 'application/json')).toBe(400)
    expect(await send('client_id=a&client_id=b', 'application/x-www-form-urlencoded')).toBe(400)
    expect(await send('__proto__=a&client_id=b', 'application/x-www-form-urlencoded')).toBe(422)
    const twice = await server.rest('POST', `${path}?a=1&a=2`, { token: null, body: {} })
    expect([twice.status, twice.body.errors[0].detail]).toEqual([400, 'a: must be given once'])
  })
})

describe('token.issued-with-own-secret: with an external identity provider', () => {
  const other = useServer(database, { config: { auth: { ...testAuth, kind: 'jwks', url: 'http://127.0.0.1:1/keys' } } })

  test('with an external identity provider there is no token endpoint, with or without a token', async () => {
    for (const token of [null, other.admin]) {
      for (const method of ['POST', 'GET']) expect((await other.rest(method, path, { token })).status).toBe(404)
    }
  })

  test('a request is 503 and not 401 while the keys can not be fetched', async () => {
    const guarded = '/v2/subscriptions/products/x'
    expect((await other.rest('GET', guarded, { token: null })).status).toBe(401)
    expect((await other.rest('GET', guarded, { token: 'x' })).status).toBe(401)
    // A token of the shared secret is refused by its algorithm, before any key is fetched.
    expect((await other.rest('GET', guarded)).status).toBe(401)
  })

  test('the OpenAPI document lacks the token endpoint with an external identity provider', async () => {
    expect((await other.rest('GET', '/openapi.json', { token: null })).body.paths).not.toHaveProperty(path)
    expect((await server.rest('GET', '/openapi.json', { token: null })).body.paths).toHaveProperty(path)
  })
})

test('requests at the token endpoint log no secret', () => {
  const lines = JSON.stringify(server.logs)
  expect(lines).toContain(path)
  expect(lines).not.toContain(testAuth.clientSecret)
  expect(lines).not.toContain('eyJ')
})
