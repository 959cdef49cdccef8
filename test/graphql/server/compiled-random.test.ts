/** Random operations over the schema: what the server responds, run after run, against graphql-js alone. */
import { parse, validate } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { expectSameRuns, RUNS } from '../../support/compiled-runs.ts'
import { useDatabase } from '../../support/database.ts'
import { times } from '../../support/effort.ts'
import { insertHiddenStore, seen } from '../../support/hidden-store.ts'
import { growth, METRICS_TOKEN } from '../../support/metrics.ts'
import type { KnownValues } from '../../support/random-input.ts'
import { randomOperation } from '../../support/random-operation.ts'
import { randomFrom } from '../../support/random-store.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
// A response from the cache would be no run; in production no suggestion stands behind graphql-js's messages.
const server = useServer(database, { config: { production: true, responseCacheMb: 0, metricsToken: METRICS_TOKEN } })
const known: Record<string, string[]> = {}

beforeAll(async () => {
  await insertHiddenStore(server)
  const idsOf = async (table: string) =>
    (await database.pool.query<{ id: string }>(`SELECT id::text FROM ${table} ORDER BY id LIMIT 8`)).rows.map(
      ({ id }) => id,
    )
  const tables = {
    priceBook: 'price_book',
    product: 'product',
    offering: 'offering',
    plan: 'plan',
    productPrice: 'product_price',
    release: 'release',
  }
  for (const [name, table] of Object.entries(tables)) known[name] = await idsOf(table)
  const products = await database.pool.query<{ sku: string; slug: string }>(
    'SELECT sku, slug FROM product WHERE sku IS NOT NULL LIMIT 8',
  )
  Object.assign(known, {
    catalog: [seen.catalog],
    release: ['latest', 'latest', ...(known.release ?? [])],
    releaseId: ['latest'],
    hierarchy: [seen.hierarchy],
    account: [seen.ownAccount],
    sku: products.rows.map(({ sku }) => sku),
    slug: products.rows.map(({ slug }) => slug),
    id: [...(known.product ?? []), ...(known.priceBook ?? []), seen.catalog, seen.hierarchy],
    ids: [globalId('Catalog', seen.catalog), globalId('PriceBook', seen.book), 'x'],
    node: [globalId('Catalog', seen.catalog), globalId('Hierarchy', seen.hierarchy)],
  } satisfies KnownValues)
})

const PARTS = 10

test.each(Array.from({ length: PARTS }, (_, part) => part + 1))(
  `each of ${RUNS} runs of an operation responds as graphql-js does, whatever its conditions and variables (graph.each-run-alike): part %i of ${PARTS}`,
  async (part) => {
    const found = { same: 0, refused: 0 }
    const [hits = 0] = await growth(
      server,
      ['commerce_cache_lookups_total{cache="compiled_operations",result="hit"}'],
      async () => {
        for (let seed = part * 1_000_000; found.same < times(2_500 / PARTS); seed++) {
          const random = randomFrom(seed)
          const { text, requests } = randomOperation(random, schema, known)
          if (validate(schema, parse(text)).length > 0) continue
          for (const request of requests)
            found[
              await expectSameRuns(server, {
                query: text,
                ...request,
                role: random.pick(['admin', 'admin', 'shopper']),
              })
            ]++
        }
      },
    )
    // Most are compiled from their third run on, and few cost too much.
    expect(hits).toBeGreaterThan(2 * found.same)
    expect(found.refused).toBeLessThan(found.same / 3)
  },
)
