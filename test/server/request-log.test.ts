import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import type { GraphqlHandler } from '../../src/graphql/server/server.ts'
import { SLOW_DOCUMENT_MAX } from '../../src/server/request-log.ts'
import { useDatabase } from '../support/database.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const database = useDatabase()
let server: TestServer
afterEach(() => server.stop())

const slowLines = () => server.logs.filter(({ msg }) => msg === 'slow operation')
/** Everything is slow. */
const start = async (graphql?: GraphqlHandler, slowOperationMs = 1) => {
  server = await startTestServer(database, { config: { slowOperationMs }, ...(graphql && { graphql }) })
}
const withId = (requestId: string) => ({ headers: { 'x-request-id': requestId } })

describe('the log of slow operations', () => {
  test('the log of slow operations has the document without variables and literals, its hash and what was asked of the database', async () => {
    await start()
    const query = `mutation Slow($name: String!) {
  createPriceBook(input: {name: $name, description: "Ada, ada@example.com"}) { priceBook { name } userErrors { code } } }`
    await server.gql(query, { name: 'hush' }, withId('slow-1'))
    expect(slowLines()).toEqual([
      {
        level: 40,
        time: expect.any(Number),
        requestId: 'slow-1',
        path: '/graphql',
        operation: 'Slow',
        ms: expect.any(Number),
        statements: 3,
        mostSent: { transaction: 1, 'priceBook.createMany': 1, 'WITH change': 1 },
        databaseMs: expect.any(Number),
        documentHash: createHash('sha256').update(query).digest('hex'),
        document: expect.stringMatching(
          /^mutation Slow\(\$name: String!\) \{\n {2}createPriceBook\(input: \{name: \$name, description: ""\}\)/,
        ),
        msg: 'slow operation',
      },
    ])
    expect(JSON.stringify(server.logs)).not.toMatch(/hush|ada@example/)
  })

  test('the log of slow operations counts the statements of the request: a page is one, a relation of all its items another', async () => {
    await start()
    await server.gql('query Books { priceBooks(first: 2) { nodes { name } } }')
    await server.gql('query Counted { priceBooks(first: 2) { totalCount nodes { name } } }')
    const [books, counted] = slowLines() as { statements: number; mostSent: object; databaseMs: number }[]
    expect([books?.statements, counted?.statements]).toEqual([1, 2])
    expect([books?.mostSent, counted?.mostSent]).toEqual([
      { 'priceBook.findMany': 1 },
      { 'priceBook.findMany': 1, 'priceBook.count': 1 },
    ])
    expect(books?.databaseMs).toBeGreaterThan(0)
  })

  test('the log of slow operations has the route of REST, and the path without its query string', async () => {
    await start()
    const path = '/v2/subscriptions/products/0190a000-0000-7000-8000-0000000000aa'
    await server.rest('GET', `${path}?email=ada@example.com`)
    const route = { path, operation: 'GET /v2/subscriptions/products/{product_uuid}' }
    expect(slowLines()).toEqual([
      expect.objectContaining({ ...route, statements: 1, mostSent: { 'subscription products': 1 } }),
    ])
    expect(slowLines()[0]).not.toHaveProperty('document')
  })

  test(`the log of slow operations has at most ${SLOW_DOCUMENT_MAX} characters of a document`, async () => {
    await start()
    const fields = Array.from({ length: 15 }, (_, at) => `${'a'.repeat(200)}${at}: __typename`).join(' ')
    await server.gql(`{ ${fields} }`)
    expect(slowLines().map(({ document }) => String(document).length)).toEqual([SLOW_DOCUMENT_MAX])
  })

  test('the log of slow operations begins at SLOW_OPERATION_MS, and is off at 0', async () => {
    const waiting: GraphqlHandler = async (_, res) => {
      await pause(60)
      res.end()
    }
    for (const [limit, lines] of [
      [50, 1],
      [60_000, 0],
      [0, 0],
    ] as const) {
      if (limit !== 50) await server.stop()
      await start(waiting, limit)
      await server.gql('{ __typename }')
      await expect.poll(() => server.logs.some(({ msg }) => msg === 'request')).toBe(true)
      expect(slowLines()).toHaveLength(lines)
    }
  })
})
