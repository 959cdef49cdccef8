import { parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { createIssueToken } from '../../../src/auth/issue.ts'
import { demoIds } from '../../../src/demo/demo-ids.ts'
import { mayIssueDemoTokens } from '../../../src/demo/demo-tokens.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { examples } from '../../../src/graphql/server/examples.ts'
import { useGraph } from '../../support/graph.ts'
import { frameSchema } from '../../support/graph-nouns.ts'
import { testAuth } from '../../support/server.ts'

const issueToken = createIssueToken(testAuth)
const local = useGraph(frameSchema, { host: '127.0.0.1', production: false }, { issueToken })
const production = useGraph(frameSchema, { host: '127.0.0.1', production: true }, { issueToken })
const foreign = useGraph(frameSchema, { host: '127.0.0.1', production: false }, { issueToken: null })

const open = (graph: typeof local) =>
  graph.send({ method: 'GET', headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, token: null })
const settingsOf = (page: string) =>
  JSON.parse((/data-settings="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"'))

describe("token.demo-tokens-stay-local: GraphiQL's demo tokens", () => {
  test.each([
    [false, '127.0.0.1', '127.0.0.1:4000', true],
    [false, '127.0.0.1', 'localhost:4000', true],
    [false, 'localhost', 'LOCALHOST', true],
    [false, '::1', '[::1]:4000', true],
    [false, '127.8.8.8', 'localhost', true],
    [true, '127.0.0.1', 'localhost:4000', false],
    [false, '0.0.0.0', 'localhost:4000', false],
    [false, '::', 'localhost:4000', false],
    [false, '192.168.1.5', 'localhost:4000', false],
    [false, '127.0.0.1', 'rebound.example:4000', false],
    [false, '127.0.0.1', 'localhost.example', false],
    [false, '127.0.0.1', '127.0.0.1.example', false],
    [false, '127.0.0.1', undefined, false],
    [false, '127.0.0.1', '', false],
  ])(
    "whether GraphiQL's page has demo tokens in production %s, listening on %s, requested with Host %s: %s",
    (isProduction, host, hostHeader, expected) => {
      expect(mayIssueDemoTokens({ production: isProduction, host }, hostHeader)).toBe(expected)
    },
  )

  test("demo tokens are issued on a loopback address, for an admin and a shopper, at each load of GraphiQL's page", async () => {
    const { tokens } = settingsOf((await open(local)).text)
    const claimsOf = (token = '') => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const iat = Date.UTC(2026, 0, 15, 12) / 1000
    expect(claimsOf(tokens.admin)).toEqual({ sub: 'admin', role: 'admin', iat, exp: iat + 3600 })
    expect(claimsOf(tokens.shopper)).toEqual({
      sub: 'shopper',
      role: 'shopper',
      account_id: demoIds.account,
      iat,
      exp: iat + 3600,
    })
  })

  test('demo tokens are absent in production and with an external identity provider', async () => {
    for (const graph of [production, foreign]) {
      const { text } = await open(graph)
      expect(text).not.toMatch(/eyJ/)
      expect(settingsOf(text)).toMatchObject({ tokens: null })
    }
  })
})

describe("GraphiQL's page", () => {
  test("GraphiQL's page may load resources of this server only", async () => {
    const { status, headers, text } = await open(local)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    expect(text.match(/(?:src|href)="(?!\/graphql\/|data:)[^"]*"|<script>|<style>/g) ?? []).toEqual([])
    expect(Buffer.byteLength(text)).toBeLessThan(18_432)
  })

  test("GraphiQL's page needs no token, and is sent to browsers only", async () => {
    const asData = await local.send({ method: 'GET', path: '?query={hello}', headers: { accept: 'application/json' } })
    expect(asData.body).toEqual({ data: { hello: 'world' } })
  })

  test("GraphiQL's page runs an example as a shopper when a shopper may run it", async () => {
    const { tabs } = settingsOf((await open(local)).text) as { tabs: { name: string; role: string }[] }
    const roles = Object.fromEntries(tabs.map(({ name, role }) => [name, role]))
    expect(roles).toMatchObject({ Category: 'shopper', PriceBook: 'admin' })
  })

  test("GraphiQL's page opens with examples that are valid", () => {
    expect(examples.length).toBeGreaterThan(0)
    for (const { query } of examples) expect(validate(schema, parse(query))).toEqual([])
  })
})

test('errors that GraphiQL shows have no suggestions in production', async () => {
  const { body } = await production.post({ query: '{ helo poke }' })
  expect(body.errors.map((error: Error) => error.message)).toEqual([
    'Cannot query field "helo" on type "Query".',
    'Cannot query field "poke" on type "Query".',
  ])
  expect(body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
})
