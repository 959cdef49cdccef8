/** Random operations over the schema: what the server responds, run after run, against graphql-js alone. */
import { type ExecutionResult, execute, parse, validate } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { schema } from '../../../src/graphql/schema.ts'
import { forClient } from '../../../src/graphql/server/executor.ts'
import { useDatabase } from '../../support/database.ts'
import { times } from '../../support/effort.ts'
import { insertHiddenStore, seen } from '../../support/hidden-store.ts'
import { growth, METRICS_TOKEN } from '../../support/metrics.ts'
import { contextOf } from '../../support/price-books.ts'
import { type KnownValues, randomOperation } from '../../support/random-operation.ts'
import { randomFrom } from '../../support/random-store.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
// A response from the cache would be no run.
const server = useServer(database, { config: { responseCacheMb: 0, metricsToken: METRICS_TOKEN } })
const RUNS = 6
const known: Record<string, string[]> = {}

beforeAll(async () => {
  await insertHiddenStore(server)
  const idsOf = async (table: string) =>
    (await database.pool.query<{ id: string }>(`SELECT id::text FROM ${table} ORDER BY id LIMIT 8`)).rows.map(({ id }) => id)
  const tables = { priceBook: 'price_book', product: 'product', offering: 'offering', plan: 'plan', productPrice: 'product_price' }
  for (const [name, table] of Object.entries(tables)) known[name] = await idsOf(table)
  const products = await database.pool.query<{ sku: string; slug: string }>('SELECT sku, slug FROM product WHERE sku IS NOT NULL LIMIT 8')
  Object.assign(known, {
    catalog: [seen.catalog],
    release: ['latest'],
    releaseId: ['latest'],
    hierarchy: [seen.hierarchy],
    account: [seen.ownAccount],
    sku: products.rows.map(({ sku }) => sku),
    slug: products.rows.map(({ slug }) => slug),
    id: [...(known.product ?? []), ...(known.priceBook ?? []), seen.catalog, seen.hierarchy, 'latest', 'x'],
  } satisfies KnownValues)
})

const plain = ({ data, errors }: ExecutionResult) => JSON.stringify({ data, errors: errors?.map((error) => JSON.stringify(error)).sort() })

test(`each of ${RUNS} runs of an operation responds as graphql-js does, whatever its conditions and variables`, async () => {
  let compared = 0
  let refused = 0
  const [hits = 0] = await growth(server, ['commerce_cache_lookups_total{cache="compiled_operations",result="hit"}'], async () => {
    for (let seed = 1; compared < times(1_000); seed++) {
      const random = randomFrom(seed)
      const { text, requests } = randomOperation(random, schema, known)
      const document = parse(text)
      if (validate(schema, document).length > 0) continue
      for (const { operationName, variables } of requests) {
        const role = random.pick(['admin', 'shopper'] as const)
        const ctx = contextOf(server.services, server.now, role)
        const result = await execute({ schema, document, operationName, variableValues: variables, contextValue: ctx })
        const expected = plain(forClient(result, ctx, document.loc?.source))
        for (let run = 1; run <= RUNS; run++) {
          const { body } = await server.rest('POST', '/graphql', { body: { query: text, operationName, variables }, token: server[role] })
          if (body.errors?.some(({ extensions }: { extensions: { code: string } }) => extensions.code === 'QUERY_TOO_COSTLY')) {
            refused++
            break
          }
          expect(plain(body), `seed ${seed}, run ${run}, ${role}, ${operationName} ${JSON.stringify(variables)}\n${text}`).toBe(expected)
        }
        compared++
      }
    }
  })
  // Most are compiled from their third run on, and few cost too much.
  expect(hits).toBeGreaterThan(2 * compared)
  expect(refused).toBeLessThan(compared / 5)
})
