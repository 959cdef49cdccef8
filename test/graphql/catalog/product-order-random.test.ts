/** Lists by price through both edges, over random stores, compared with the prices that the products themselves show at the instant. */
import { describe, expect, it } from 'vitest'
import { reset, useDatabase } from '../../support/database.ts'
import { amountOf, boundaries, inPriceOrder, type PricedProduct } from '../../support/price-order.ts'
import { listingPath, publishStore } from '../../support/published.ts'
import { randomFrom, randomStore } from '../../support/random-store.ts'
import { useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

describe('list.by-the-price-of-the-instant: through both edges', () => {
  it('order, range, filters and counts of 200 random lists follow the prices that the products show', async () => {
    for (let seed = 1, cases = 0; cases < 200; seed++) {
      await reset(database)
      server.services.releases.invalidate()
      const random = randomFrom(seed)
      const store = randomStore(random)
      await publishStore(server, store)
      const catalog = random.pick(store.catalogs)
      const hierarchy = catalog.hierarchy_ids[0]
      if (hierarchy === undefined) continue
      for (const instant of random.some(boundaries(store), 12)) {
        server.now = instant
        const currency = random.pick(['USD', 'EUR', 'GBP'])
        const { token } = await server.issue({ subject: 'shopper', role: 'shopper' }, instant)
        const options = { token, headers: { 'x-moltin-currency': currency } }
        const products = (args: string, fields: string) => `products(first: 100, descendants: true, ${args}) { ${fields} }`
        const query = `{ catalog(id: "${catalog.id}") { latestRelease { hierarchy(id: "${hierarchy}") {
          all: ${products('', 'nodes { key price { amount { amount } sale { name } } }')}
          up: ${products('orderBy: { field: PRICE }', 'nodes { key } priceRange { min { amount } max { amount } }')}
          down: ${products('orderBy: { field: PRICE, direction: DESC }', 'nodes { key }')}
          middle: ${products('filter: { price: { min: 200, max: 600 } }', 'totalCount')}
          sold: ${products('filter: { onSale: true }', 'nodes { key } facets(keys: [{ onSale: true }]) { values { value count } }')} } } } }`
        const { data, errors } = await server.gql(query, {}, options)
        expect(errors).toBeUndefined()
        const lists = data.catalog.latestRelease.hierarchy
        const all: PricedProduct[] = lists.all.nodes
        const ids = (list: { nodes: PricedProduct[] }) => list.nodes.map(({ key }) => key)
        const [rising, falling] = ([1, -1] as const).map((sign) => inPriceOrder(all, sign).map(({ key }) => key))
        const amounts = all.map(amountOf).filter((amount) => amount !== null)
        const { body } = await server.rest('GET', listingPath(catalog.id, hierarchy, 'sort=-price'), options)
        const sold = all.filter(({ price }) => price?.sale != null).map(({ key }) => key)
        const counts = Object.fromEntries(
          lists.sold.facets[0].values.map((one: { value: string; count: number }) => [one.value, one.count]),
        )
        const where = `seed ${seed}, ${new Date(instant).toISOString()}, ${currency}`
        expect(ids(lists.up), where).toEqual(rising)
        expect(ids(lists.down), where).toEqual(falling)
        expect(
          body.data.map(({ id }: { id: string }) => id),
          where,
        ).toEqual(falling)
        const range = lists.up.priceRange && [lists.up.priceRange.min.amount, lists.up.priceRange.max.amount]
        expect(range, where).toEqual(amounts.length === 0 ? null : [Math.min(...amounts), Math.max(...amounts)])
        expect(lists.middle.totalCount, where).toBe(amounts.filter((amount) => amount >= 200 && amount <= 600).length)
        expect(ids(lists.sold), where).toEqual(sold)
        expect([counts.true ?? 0, counts.false ?? 0], where).toEqual([sold.length, all.length - sold.length])
        cases++
      }
    }
  }, 120_000)
})
