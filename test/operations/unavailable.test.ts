import { afterAll, describe, expect, it } from 'vitest'
import { databaseOver } from '../../src/persistence/database/open-database.ts'
import { serverPool } from '../../src/persistence/database/pool.ts'
import { useServer } from '../support/server.ts'

// No server listens on port 1.
const away = databaseOver(
  'server',
  serverPool({ url: 'postgres://127.0.0.1:1/none', max: 2, statementTimeoutMs: 0, onError: () => {} }),
)
const server = useServer(away)
const BOOK = '0190a000-0000-7000-8000-00000000000a'

afterAll(() => away.close())

describe('http.lost-database-is-unavailable, graph.other-failures-at-top-level: while the database can not be reached', () => {
  it.each([
    ['a read by hand-written SQL', 'GET', `/pcm/pricebooks/${BOOK}/prices`],
    ['a read by Prisma', 'GET', `/v2/subscriptions/products/${BOOK}`],
    ['a write', 'POST', `/pcm/pricebooks/${BOOK}/prices`],
  ])('%s is 503 by REST while the database can not be reached, without the cause', async (_, method, path) => {
    const body = { data: { type: 'product-price', attributes: { sku: 'A', currencies: {} } } }
    const reply = await server.rest(method, path, method === 'POST' ? { body } : {})
    expect([reply.status, reply.body.errors.map(({ code }: { code: string }) => code)]).toEqual([
      503,
      ['SERVICE_UNAVAILABLE'],
    ])
    expect(reply.text).not.toMatch(/127\.0\.0\.1|ECONN|SELECT|prisma/i)
  })

  it.each([
    ['a read', '{ priceBooks { nodes { name } } }'],
    [
      'a write',
      `mutation { addProductPrice(input: { priceBookId: "${BOOK}", sku: "A", prices: [] }) { userErrors { code } } }`,
    ],
  ])('%s is SERVICE_UNAVAILABLE in the graph while the database can not be reached', async (_, query) => {
    const { errors } = await server.gql(query)
    expect(errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
      'SERVICE_UNAVAILABLE',
    ])
    expect(JSON.stringify(errors)).not.toMatch(/127\.0\.0\.1|ECONN|SELECT|prisma/i)
  })
})
