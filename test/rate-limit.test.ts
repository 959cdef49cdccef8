import { describe, expect, test } from 'vitest'
import { createAuthenticate } from '../src/auth/verify.ts'
import { createRateLimit } from '../src/rate-limit.ts'
import { useDatabase } from './support/database.ts'
import { viewer } from './support/graph.ts'
import { START, testAuth, useServer } from './support/server.ts'

const database = useDatabase()
const server = useServer(database, { config: { rateLimit: 6 } })

describe('a bucket per token', () => {
  test('holds a minute of requests and refills one by one', () => {
    const limit = createRateLimit(6)
    const one = viewer('shopper')
    expect(Array.from({ length: 7 }, () => limit(one, START))).toEqual([null, null, null, null, null, null, 10])
    expect(limit(one, START + 9_999)).toBe(1)
    expect([limit(one, START + 10_000), limit(one, START + 10_000)]).toEqual([null, 10])
    expect(Array.from({ length: 7 }, () => limit(one, START + 600_000))).toEqual([null, null, null, null, null, null, 10])
  })

  test('is its own, also for the same subject', () => {
    const limit = createRateLimit(1)
    const [one, other] = [viewer('shopper'), viewer('shopper')]
    expect([limit(one, START), limit(other, START), limit(one, START), limit(other, START)]).toEqual([null, null, 60, 60])
  })

  test('a clock that is set back gives nothing away', () => {
    const limit = createRateLimit(1)
    const one = viewer('shopper')
    expect([limit(one, START), limit(one, START - 3_600_000), limit(one, START - 3_600_000 + 1)]).toEqual([null, 60, 60])
  })

  test('stays with its token when the token is verified again', async () => {
    const authenticate = createAuthenticate(testAuth)
    const { token } = await server.issue({ subject: 'again', role: 'shopper' }, START)
    const first = await authenticate(`Bearer ${token}`, START)
    expect(authenticate(`Bearer ${token}`, START + 300_001)).toBeInstanceOf(Promise)
    expect(await authenticate(`Bearer ${token}`, START + 300_001)).toBe(first)
  })
})

test('a token has one bucket, however its signature is written', async () => {
  const { token } = await server.issue({ subject: 'spelled', role: 'shopper' }, START)
  const spellings = spellingsOf(token)
  expect(spellings.length).toBeGreaterThanOrEqual(5)
  const statuses = []
  for (const spelling of [...spellings, ...spellings]) statuses.push((await server.rest('GET', '/nowhere', { token: spelling })).status)
  expect(statuses).toEqual(statuses.map((_, index) => (index < 6 ? 404 : 429)))
})

/** The token in other words, which say the same: the last character has two bits to spare, and padding is allowed. */
function spellingsOf(token: string): string[] {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = digits.indexOf(token.at(-1) ?? '')
  return [...[0, 1, 2, 3].map((bits) => `${token.slice(0, -1)}${digits[(last & ~3) + bits]}`), `${token}=`]
}

describe('RATE_LIMIT on a server', () => {
  test('both edges draw from one bucket: 429 with Retry-After, THROTTLED, and served again once refilled', async () => {
    const { token } = await server.issue({ subject: 'busy', role: 'shopper' }, START)
    for (let n = 0; n < 3; n++) {
      expect((await server.gql('{ __typename }', {}, { token })).data).toEqual({ __typename: 'Query' })
      expect((await server.rest('GET', '/v2/subscriptions/products/none', { token })).status).toBe(400)
    }
    const rest = await server.rest('GET', '/v2/subscriptions/products/none', { token })
    expect([rest.status, rest.headers.get('retry-after'), rest.body.errors[0]]).toEqual([
      429,
      '10',
      { title: 'Too Many Requests', status: '429', code: 'THROTTLED', detail: 'Too many requests, try again later' },
    ])
    const graph = await server.gql('{ __typename }', {}, { token })
    expect([graph.status, graph.headers.get('retry-after'), graph.errors[0].extensions.code]).toEqual([429, '10', 'THROTTLED'])
    expect((await server.rest('GET', '/nowhere', { token })).status).toBe(429)

    const { token: other } = await server.issue({ subject: 'busy', role: 'shopper', accountId: null }, START + 1000)
    expect((await server.gql('{ __typename }', {}, { token: other })).status).toBe(200)
    for (let n = 0; n < 20; n++) expect((await server.rest('GET', '/health', { token: null })).status).toBe(200)
    server.now += 10_000
    expect((await server.gql('{ __typename }', {}, { token })).status).toBe(200)
    expect((await server.gql('{ __typename }', {}, { token })).status).toBe(429)
    server.now -= 10_000
  })
})
