/**
 * Walks by cursors through lists of published products, over random stores, while releases are published and sales
 * turn.
 */
import { expect, it } from 'vitest'
import { reset, useDatabase } from '../../support/database.ts'
import { times } from '../../support/effort.ts'
import { publish, publishStore } from '../../support/published.ts'
import { randomFrom, randomStore } from '../../support/random-store.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const orders = [
  '',
  'orderBy: { field: UPDATED_AT, direction: DESC }',
  'orderBy: { field: CREATED_AT }',
  'orderBy: { field: PRICE }',
  'orderBy: { field: PRICE, direction: DESC }',
] as const
const narrowed = ['', 'filter: { tags: { eq: "red" } }', 'filter: { onSale: true }', 'groupVariants: true'] as const

it('list.walk-keeps-release-and-instant: pages of random sizes, forward or backward, are the whole list as it was at the first of them', async () => {
  // The first of the stores in which the turn of a sale changes a list of three and more.
  for (let seed = 52, walks = 0; walks < times(4); seed++) {
    await reset(database)
    server.services.releases.invalidate()
    const random = randomFrom(seed)
    const store = randomStore(random)
    await publishStore(server, store)
    const { id: catalog, hierarchy_ids } = random.pick(store.catalogs)
    const turns = store.prices
      .flatMap(({ sales }) => sales.flatMap(({ from, to }) => [from, to]))
      .filter((turn) => turn !== null)
    if (hierarchy_ids[0] === undefined || turns.length === 0) continue
    for (let walk = 0; walk < 24; walk++) {
      const turn = random.pick(turns)
      server.now = turn - 1
      const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, server.now)
      const [order, filter, backward] = [random.pick(orders), random.pick(narrowed), random.chance(50)]
      const list = async (page: string) => {
        const args = `descendants: true, ${order} ${filter} ${page}`
        const query = `{ catalog(id: "${catalog}") { latestRelease { hierarchy(id: "${hierarchy_ids[0]}") { products(${args}) {
          totalCount nodes { key } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } } }`
        const { data, errors } = await server.gql(query, {}, { token, headers: { 'x-moltin-currency': 'USD' } })
        expect(errors, `seed ${seed}: ${args}`).toBeUndefined()
        return data.catalog.latestRelease.hierarchy.products
      }
      const keysOf = ({ nodes }: { nodes: { key: string }[] }) => nodes.map(({ key }) => key)
      const whole = keysOf(await list('first: 100'))
      server.now = turn + 1
      const after = keysOf(await list('first: 100'))
      server.now = turn - 1
      // A list of a page or two, or one that the turn of the sale leaves as it is, would prove nothing.
      if (whole.length < 3 || whole.join() === after.join()) continue
      walks++
      const seen: string[] = []
      for (let cursor: string | null = null, isMore = true; isMore; ) {
        const size = 1 + random.below(2)
        const page = await list(
          `${backward ? 'last' : 'first'}: ${size}${cursor === null ? '' : `, ${backward ? 'before' : 'after'}: "${cursor}"`}`,
        )
        if (backward) seen.unshift(...keysOf(page))
        else seen.push(...keysOf(page))
        expect(page.totalCount, `seed ${seed}`).toBe(whole.length)
        const { hasNextPage, hasPreviousPage, startCursor, endCursor } = page.pageInfo
        ;[cursor, isMore] = backward ? [startCursor, hasPreviousPage] : [endCursor, hasNextPage]
        server.now = turn + random.below(2)
        if (random.chance(10)) {
          await database.pool.query(
            'UPDATE product SET name = name || $1, updated_at = updated_at + interval $$1 day$$ WHERE random() < 0.5',
            ['x'],
          )
          await publish(server, catalog)
        }
      }
      expect(seen, `seed ${seed}, walk ${walk}: ${order} ${filter} ${backward ? 'backward' : 'forward'}`).toEqual(whole)
    }
  }
})
