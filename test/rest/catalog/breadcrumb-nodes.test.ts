/**
 * list.nodes-before-products, record.order-of-writing-decides: `in(id, ...)` with as many nodes as fit into a request's
 * head.
 */
import { beforeAll, expect, it } from 'vitest'
import { countStatements, useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { idOf } from '../../support/products.ts'
import { listingPath, publishStore } from '../../support/published.ts'
import { manualClock, START, startTestServer, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const COUNT = 1_500
const INSTANTS = 300

/** Written in the order of their numbers; five share each instant, and the instants are in no order. */
const nodes = Array.from({ length: COUNT }, (_, number) => ({
  id: idOf(0x10000 + number),
  parent_id: ids.hierarchy,
  hierarchy_id: ids.hierarchy,
  name: `Node ${number}`,
  slug: `node-${number}`,
  created_at: START - 1_000_000,
  updated_at: START - ((number * 7) % INSTANTS),
}))

/** Last updated first; of one instant the one written last. */
const expected = nodes
  .map(({ id, updated_at }, written) => ({ id, updated_at, written }))
  .sort((left, right) => right.updated_at - left.updated_at || right.written - left.written)
  .map(({ id }) => id)

/** In yet another order, with the root, an unknown one and two products among them. */
const shuffled = nodes.map((_, at) => (nodes[(at * 1_013) % COUNT] as { id: string }).id)
const wanted = [ids.manual, ids.hierarchy, ...shuffled, idOf(0xdead), ids.beans, ...shuffled.slice(0, 3)]

beforeAll(async () => {
  const store = fullStore()
  store.nodes.push(...nodes)
  await publishStore(server, store)
})

const pathOf = (named: readonly string[], offset: number): string =>
  listingPath(ids.catalog, ids.hierarchy, `filter=in(id,${named.join(',')})&page[limit]=100&page[offset]=${offset}`)

it('in() returns 1,500 nodes by their last update, then products, each once, over sixteen pages', async () => {
  expect(new Set(shuffled).size).toBe(COUNT)
  const seen: string[] = []
  for (let offset = 0; offset <= COUNT; offset += 100) {
    const { status, body } = await server.rest('GET', pathOf(wanted, offset))
    expect([status, body.meta.results.total, body.meta.page.total]).toEqual([200, COUNT + 2, 16])
    seen.push(...body.data.map((item: { id: string }) => item.id))
  }
  expect(seen).toEqual([...expected, ids.beans, ids.manual])
})

it('a page of 100 nodes costs as many statements as one of three', async () => {
  const counts = async (named: readonly string[]): Promise<number[]> => {
    const cold = await startTestServer(database, { elapsed: manualClock() })
    const ask = async (offset: number) =>
      (await countStatements(database, () => cold.rest('GET', pathOf(named, offset)))).count
    const found = [await ask(0), await ask(1), await ask(2)]
    await cold.stop()
    return found
  }
  // The release and what matches, which is known from then on; no product is on these pages.
  expect(await counts(shuffled.slice(0, 3))).toEqual([2, 0, 0])
  expect(await counts(shuffled)).toEqual([2, 0, 0])
})
