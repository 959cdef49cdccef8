/** CAT-2, pricing G4: an answer that is given again is, byte for byte, the one that would be made now. */
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { globalId } from '../../src/graphql/ids.ts'
import { deleteRelease } from '../../src/operations/release.ts'
import { countStatements, useDatabase } from '../support/database.ts'
import { at, flash, fullStore, ids, winter } from '../support/full-store.ts'
import { contextOf } from '../support/price-books.ts'
import { listingPath, publish, publishStore } from '../support/published.ts'
import { type RestReply, standingTime, startTestServer, type TestServer } from '../support/server.ts'
import { contextAs, idOf, makeOffering, makePlan, makeSubscription } from '../support/subscriptions.ts'

const database = useDatabase()
let fast: TestServer
let plain: TestServer

beforeAll(async () => {
  fast = await startTestServer(database, { elapsed: standingTime() })
  plain = await startTestServer(database, { cacheResponses: false })
  await publishStore(fast, fullStore())
  return async () => {
    await fast.stop()
    await plain.stop()
  }
})

const graph = `query Page($id: ID!, $hierarchy: ID!, $first: Int) {
  catalog(id: $id) {
    release(id: "latest") {
      sequence
      hierarchy(id: $hierarchy) {
        name
        products(first: $first) {
          totalCount
          nodes {
            productId name description language sku tags curated
            breadCrumbs { node { nodeId name } ancestors { nodeId name } }
            price { amount includesTax tier sale { name } saleExpires changesAt modifiers { name } list { amount } }
            prices(quantity: 3) { currency amount }
            displayPrice { withTax { amount currency formatted } }
            originalDisplayPrice { withTax { formatted } }
          }
        }
      }
    }
  }
}`

/** What is read besides what is published: never kept. */
const stored = graph.replace('sequence', 'sequence startedAt')

interface Question {
  readonly edge: 'rest' | 'graph' | 'stored'
  readonly role: 'admin' | 'shopper'
  readonly now: number
  readonly query: string
  readonly first: number
  readonly headers: Readonly<Record<string, string>>
}

async function ask(server: TestServer, { edge, role, now, query, first, headers }: Question): Promise<string> {
  server.now = now
  const { token } = await server.issue({ subject: role, role }, Math.floor(now / 1000) * 1000)
  const reply: RestReply =
    edge === 'rest'
      ? await server.rest('GET', listingPath(ids.catalog, ids.hierarchy, query), { token, headers })
      : await server.rest('POST', '/graphql', {
          token,
          headers,
          body: { query: edge === 'graph' ? graph : stored, variables: { id: ids.catalog, hierarchy: ids.hierarchy, first } },
        })
  return `${reply.status} ${reply.headers.get('content-type')} ${reply.text}`
}

const bounds = [winter.from, winter.to, flash.from, flash.to]
const question: fc.Arbitrary<Question> = fc.record({
  edge: fc.constantFrom('rest', 'graph', 'stored'),
  role: fc.constantFrom('admin', 'shopper'),
  now: fc.tuple(fc.constantFrom(...bounds), fc.constantFrom(-1000, -1, 0, 1, 1000)).map(([bound, by]) => bound + by),
  query: fc.constantFrom('', 'page[limit]=2', 'page[limit]=2&page[offset]=1', 'filter=eq(tags,coffee)', 'page[limit]=0'),
  first: fc.constantFrom(1, 25),
  headers: fc.constantFrom<Record<string, string>>(
    {},
    { 'x-moltin-currency': 'EUR' },
    { 'x-moltin-currency': 'EUR', 'accept-language': 'de-CH' },
    { 'accept-language': 'fr;q=0.5, de-CH' },
    { 'accept-language': 'de-CH;q=0' },
    { 'x-moltin-currency': 'euro' },
  ),
})

describe('kept answers', () => {
  it('G4: equal, byte for byte, those made anew, around the bounds of sales, whatever was asked before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(question, { minLength: 5, maxLength: 25 }), async (questions) => {
        for (const one of questions) expect(await ask(fast, one)).toBe(await ask(plain, one))
      }),
      { numRuns: 40 },
    )
  })

  it('need no statement; what reads anything else but releases does, each time', async () => {
    const now = at('2026-01-11T00:00:00Z')
    const shared = { role: 'shopper', now, query: '', first: 25, headers: {} } as const
    for (const [edge, statements] of [
      ['rest', 0],
      ['graph', 0],
      ['stored', 1],
    ] as const) {
      const first = await ask(fast, { ...shared, edge })
      await ask(fast, { ...shared, edge })
      const { result, count } = await countStatements(database, () => ask(fast, { ...shared, edge }))
      expect(result).toBe(first)
      expect([edge, count]).toEqual([edge, statements])
    }
  })

  it('AUTH-3: are not shared between roles, nor over the arguments of an instant', async () => {
    const now = at('2026-01-11T00:00:00Z')
    const query = `{ catalog(id: "${ids.catalog}") { release(id: "latest") { product(id: "${ids.machine}") {
      price(at: "${new Date(now).toISOString()}") { amount } } } } }`
    fast.now = now
    const token = (await fast.issue({ subject: 's', role: 'shopper' }, now)).token
    const admin = (await fast.issue({ subject: 'a', role: 'admin' }, now)).token
    expect((await fast.gql(query, {}, { token })).errors).toBeUndefined()
    fast.now = now + 1
    expect((await fast.gql(query, {}, { token: admin })).errors).toBeUndefined()
    expect((await fast.gql(query, {}, { token })).errors[0].extensions.code).toBe('FORBIDDEN')
  })
})

it('AUTH-2: what a shopper without an account is told of one is not told to the account', async () => {
  const now = at('2026-01-11T00:00:00Z')
  fast.now = now
  const accountId = idOf('account', 1)
  const ctx = contextAs(fast.services, now)
  await makePlan(ctx, idOf('plan', 1))
  await makeOffering(ctx, idOf('offering', 1), { plans: [idOf('plan', 1)] })
  await makeSubscription(ctx)
  const query = `{ node(id: "${globalId('Account', accountId)}") { id __typename } }`
  const ask = async (account: string | null) => {
    const { token } = await fast.issue({ subject: 's', role: 'shopper', accountId: account }, now)
    return (await fast.gql(query, {}, { token })).data.node
  }
  for (let again = 0; again < 3; again++) expect(await ask(null)).toBeNull()
  expect(await ask(accountId)).toEqual({ id: globalId('Account', accountId), __typename: 'Account' })
})

it('are not shared between the edges', async () => {
  const path = listingPath(ids.catalog, ids.hierarchy, 'page[limit]=1')
  for (let again = 0; again < 3; again++) expect((await fast.rest('GET', path)).status).toBe(200)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${fast.admin}` }
  expect((await fetch(`${fast.url}/graphql`, { method: 'POST', headers, body: path })).status).toBe(400)
})

describe('CAT-2 freshness of kept answers, two servers', () => {
  const now = at('2026-01-11T00:00:00Z')
  let other: TestServer

  beforeEach(async () => {
    other = await startTestServer(database)
    return () => other.stop()
  })

  const first = async (server: TestServer, edge: 'rest' | 'graph'): Promise<string> => {
    const text = await ask(server, { edge, role: 'shopper', now, query: 'page[limit]=1', first: 1, headers: {} })
    return /"name":"([^"]*)","(?:description|slug)/.exec(text)?.[1] ?? text.slice(0, 3)
  }

  it.each(['rest', 'graph'] as const)(
    '%s: a publish and a deletion are seen at once where they were made, and within a second elsewhere',
    async (edge) => {
      const before = await first(fast, edge)
      expect(await first(other, edge)).toBe(before)
      const renamed = `Renamed ${edge}`
      await database.pool.query('UPDATE product SET name = $1 WHERE name = $2', [renamed, before])
      expect(await first(fast, edge)).toBe(before)

      fast.now = now
      const { id } = await publish(fast, ids.catalog)
      expect(await first(fast, edge)).toBe(renamed)
      await expect.poll(() => first(other, edge), { timeout: 1_000, interval: 50 }).toBe(renamed)

      await deleteRelease(contextOf(fast.services, now), { releaseId: id })
      expect(await first(fast, edge)).toBe(before)
      await expect.poll(() => first(other, edge), { timeout: 1_000, interval: 50 }).toBe(before)
      await database.pool.query('UPDATE product SET name = $2 WHERE name = $1', [renamed, before])
    },
  )
})

