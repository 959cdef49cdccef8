/**
 * Lists by price through both edges, over random stores, compared with the prices that the products themselves show at
 * the instant.
 */
import { describe, expect, it } from 'vitest'
import { reset, useDatabase } from '../../support/database.ts'
import { times } from '../../support/effort.ts'
import { amountOf, boundaries, inPriceOrder, type PricedProduct } from '../../support/price-order.ts'
import { listingPath, publishStore } from '../../support/published.ts'
import { randomFrom, randomStore } from '../../support/random-store.ts'
import { useServer } from '../../support/server.ts'
import type { Store } from '../../support/store.ts'

const database = useDatabase()
const server = useServer(database)

interface Listed extends PricedProduct {
  readonly name: string
  readonly tags: readonly string[]
}

/** How often each value occurs. */
function counted(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/** The names of a product's options in its parent's variation Size, whether the parent is published or not. */
function sizesOf({ products }: Store, { key }: Listed): string[] {
  const child = products.find(({ id }) => id === key)
  const sizes = products.find(({ id }) => id === child?.parent_id)?.variations?.find(({ name }) => name === 'Size')
  return (sizes?.options ?? []).filter(({ id }) => child?.option_ids?.includes(id)).map(({ name }) => name)
}

const stepOf = (amount: number): string => (amount < 200 ? '..199' : amount < 600 ? '200..599' : '600..')

describe('list.by-the-price-of-the-instant: through both edges', () => {
  it('order, range, filters and counts by sale, tag, size and price of random lists follow the prices that the products show, on both edges', async () => {
    const wanted = times(50)
    let sized = 0
    // Few stores have a child with an option and a price between 200 and 600; among the first from here some have.
    for (let seed = 89, cases = 0; cases < wanted; seed++) {
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
        const products = (args: string, fields: string) =>
          `products(first: 100, descendants: true, ${args}) { ${fields} }`
        const keys = '{ onSale: true }, { tags: true }, { priceSteps: { steps: [200, 600] } }'
        const query = `{ catalog(id: "${catalog.id}") { latestRelease { hierarchy(id: "${hierarchy}") {
          all: ${products('', 'nodes { key name tags price { amount { amount } sale { name } } }')}
          up: ${products('orderBy: { field: PRICE }', 'nodes { key } priceRange { min { amount } max { amount } }')}
          down: ${products('orderBy: { field: PRICE, direction: DESC }', 'nodes { key }')}
          middle: ${products('filter: { price: { min: 200, max: 600 } }', 'totalCount facets { key values { value count } }')}
          named: ${products('filter: { name: { contains: "2" } }, orderBy: { field: PRICE }', 'totalCount nodes { key } facets(keys: [{ tags: true }]) { values { value count } }')}
          sold: ${products('filter: { onSale: true }', `nodes { key } facets(keys: [${keys}]) { values { value count } }`)} } } } }`
        const { data, errors } = await server.gql(query, {}, options)
        expect(errors).toBeUndefined()
        const lists = data.catalog.latestRelease.hierarchy
        const all: Listed[] = lists.all.nodes
        const ids = (list: { nodes: PricedProduct[] }) => list.nodes.map(({ key }) => key)
        const [rising, falling] = ([1, -1] as const).map((sign) => inPriceOrder(all, sign).map(({ key }) => key))
        const amounts = all.map(amountOf).filter((amount) => amount !== null)
        const middle = all.filter((one) => (amountOf(one) ?? 0) >= 200 && (amountOf(one) ?? 0) <= 600)
        const { body } = await server.rest('GET', listingPath(catalog.id, hierarchy, 'sort=-price'), options)
        const sold = all.filter(({ price }) => price?.sale != null)
        const countsOf = (facet: { values: { value: string; count: number }[] } | undefined) =>
          Object.fromEntries(
            (facet?.values ?? []).filter(({ count }) => count > 0).map(({ value, count }) => [value, count]),
          )
        const [onSale, tags, steps] = lists.sold.facets.map(countsOf)
        const sizes = countsOf(lists.middle.facets.find(({ key }: { key: string }) => key === 'variation:Size'))
        const where = `seed ${seed}, ${new Date(instant).toISOString()}, ${currency}`
        expect(ids(lists.up), where).toEqual(rising)
        expect(ids(lists.down), where).toEqual(falling)
        expect(
          body.data.map(({ id }: { id: string }) => id),
          where,
        ).toEqual(falling)
        const range = lists.up.priceRange && [lists.up.priceRange.min.amount, lists.up.priceRange.max.amount]
        expect(range, where).toEqual(amounts.length === 0 ? null : [Math.min(...amounts), Math.max(...amounts)])
        expect(lists.middle.totalCount, where).toBe(middle.length)
        const named = all.filter(({ name }) => name.includes('2'))
        expect([ids(lists.named), lists.named.totalCount], where).toEqual([
          inPriceOrder(named, 1).map(({ key }) => key),
          named.length,
        ])
        expect(countsOf(lists.named.facets[0]), where).toEqual(counted(named.flatMap((one) => one.tags)))
        expect(ids(lists.sold), where).toEqual(sold.map(({ key }) => key))
        expect([onSale.true ?? 0, onSale.false ?? 0], where).toEqual([sold.length, all.length - sold.length])
        expect(tags, where).toEqual(counted(sold.flatMap((one) => one.tags)))
        expect(sizes, where).toEqual(counted(middle.flatMap((one) => sizesOf(store, one))))
        expect(steps, where).toEqual(counted(sold.map((one) => stepOf(amountOf(one) ?? 0))))
        if (Object.keys(sizes).length > 0) sized++
        cases++
      }
    }
    expect(sized).toBeGreaterThan(wanted / 20)
  })
})
