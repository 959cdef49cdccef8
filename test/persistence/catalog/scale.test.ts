/**
 * A store four times as big costs no further statement: neither its publish nor a page of it, wherever the page lies.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { listingPath, publish } from '../../support/published.ts'
import { manualClock, type RestReply, startTestServer, type TestServer } from '../../support/server.ts'

const database = useDatabase()

const sql = readFileSync(new URL('../../bench/publish.sql', import.meta.url), 'utf8')
const made = (kind: number, number: number) => `${kind}0000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
const [catalog, hierarchy, book] = [made(6, 1), made(2, 1), made(5, 1)]
const PAGE = 100

interface Ask {
  readonly rest: (query: string) => Promise<RestReply['body'][]>
  readonly prices: (query: string) => Promise<RestReply['body'][]>
  /** The products' names, and where the page ends. */
  readonly graph: (
    args: string,
  ) => Promise<{ nodes: unknown[]; pageInfo: { startCursor: string; endCursor: string }; totalCount: number }>
}

function asking(server: TestServer): Ask {
  const data = async (path: string) => {
    const { body, status } = await server.rest('GET', path)
    expect(status).toBe(200)
    return body.data
  }
  return {
    rest: (query) => data(listingPath(catalog, hierarchy, `page[limit]=${PAGE}&${query}`)),
    prices: (query) => data(`/pcm/pricebooks/${book}/prices?page[limit]=${PAGE}&${query}`),
    graph: async (args) => {
      const answer =
        await server.gql(`{ catalog(id: "${catalog}") { release(id: "latest") { hierarchy(id: "${hierarchy}") { products(${args}) {
        totalCount pageInfo { startCursor endCursor } nodes { name price { amount { amount } sale { name } } breadCrumbs { node { name } } } } } } } }`)
      expect(answer.errors).toBeUndefined()
      return answer.data.catalog.release.hierarchy.products
    },
  }
}

/**
 * Fills the database and returns the statements of a publish, and of each step of `walk` on a server with empty caches.
 */
async function counted(products: number): Promise<{ publish: number; pages: Record<string, number> }> {
  await reset(database)
  await database.pool.query(sql.replaceAll(':products', String(products)))
  const publisher = await startTestServer(database)
  const published = await countStatements(database, () => publish(publisher, catalog))
  await publisher.stop()
  expect(published.result.productCount).toBe(products)

  const pages: Record<string, number> = {}
  const walk = async (
    steps: (ask: Ask, step: <T>(name: string, work: () => Promise<T>) => Promise<T>) => Promise<void>,
  ) => {
    const server = await startTestServer(database, { elapsed: manualClock() })
    await steps(asking(server), async (name, work) => {
      const { count, result } = await countStatements(database, work)
      pages[name] = count
      return result
    })
    await server.stop()
  }
  const full = async (page: Promise<unknown[]>) => expect(await page).toHaveLength(PAGE)
  await walk(async ({ rest }, step) => {
    await step('REST cold', () => full(rest('page[offset]=0')))
    await step('REST next', () => full(rest(`page[offset]=${PAGE}`)))
    await step('REST middle', () => full(rest(`page[offset]=${products / 4}`)))
    await step('REST again', () => full(rest('page[offset]=0')))
    await step('REST past the end', async () => expect(await rest('page[offset]=10000')).toEqual([]))
  })
  await walk(async ({ rest }, step) => {
    await step('REST filter', async () => expect((await rest('filter=in(tags,t3,t5)')).length).toBeGreaterThan(0))
  })
  await walk(async ({ graph }, step) => {
    const { pageInfo, totalCount } = await step('graph cold', () => graph(`first: ${PAGE}`))
    expect(totalCount).toBeGreaterThan(products / 3)
    await step('graph next', () =>
      full(graph(`first: ${PAGE}, after: "${pageInfo.endCursor}"`).then(({ nodes }) => nodes)),
    )
    await step('graph last', () => full(graph(`last: ${PAGE}`).then(({ nodes }) => nodes)))
  })
  await walk(async ({ prices }, step) => {
    await step('prices cold', () => full(prices('page[offset]=0')))
    await step('prices late', () => full(prices(`page[offset]=${products - PAGE}`)))
  })
  // A publish cuts the prices that have rules of their own in batches, so it is counted by its different statements.
  // Whether it refreshes the statistics of records depends on when the database counted what was inserted.
  const statements = new Set(published.statements.filter((text) => !text.includes('ANALYZE (SKIP_LOCKED)')))
  return { publish: statements.size, pages }
}

describe('the statements of a catalog page', () => {
  it('release.is-a-snapshot: the statements of a catalog page are the same for 1,000 products and for 4,000', async () => {
    const [small, big] = [await counted(1_000), await counted(4_000)]
    expect(big).toEqual(small)
    // Every step of a publish is one at least.
    expect(small.publish).toBeGreaterThan(24)
    expect(small.pages).toEqual({
      'REST cold': 2,
      'REST next': 1,
      'REST middle': 1,
      'REST again': 0,
      'REST past the end': 0,
      'REST filter': 3,
      'graph cold': 2,
      'graph next': 1,
      'graph last': 1,
      'prices cold': 1,
      'prices late': 1,
    })
  })
})
