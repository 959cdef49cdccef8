/**
 * The cache of listings: how often it reads the prices of a release, counted at the price column that it reads from.
 */
import { describe, expect, it } from 'vitest'
import type { ListingScope } from '../../../src/domain/catalog/listing-scope.ts'
import type { PriceColumn } from '../../../src/domain/catalog/price-snapshot.ts'
import { ProductOrder } from '../../../src/domain/catalog/product-order.ts'
import type { Effort } from '../../../src/lib/effort.ts'
import { ListingCache } from '../../../src/persistence/catalog/listing-cache.ts'

/** When the sale of the first `onSale` products begins; that of all others never does. */
const SALE = 100
const AMOUNT = 1_000_000
const SALE_AMOUNT = 1

/**
 * A scope of `products`, of which the first `onSale` are cheaper from SALE on, with a cache and counts of what it does.
 */
function listed(products: number, onSale: number) {
  const counts = { reads: 0, points: 0, pauses: 0 }
  const documents = Int32Array.from({ length: products }, (_, at) => at)
  const scope: ListingScope = { order: new ProductOrder(documents, 0), ranks: documents }
  const column: PriceColumn = {
    at(document, instant) {
      counts.reads++
      const isOnSale = document < onSale && instant >= SALE
      return {
        amount: isOnSale ? SALE_AMOUNT : AMOUNT - document,
        isOnSale,
        from: isOnSale ? SALE : null,
        until: document < onSale && instant < SALE ? SALE : null,
      }
    },
  }
  const effort: Effort = {
    spend: (points) => {
      counts.points += points
    },
    pause: () => {
      counts.pauses++
      return undefined
    },
  }
  const cache = new ListingCache()
  const prices = (instant: number, isOrdered: boolean, key = 'release scope EUR') =>
    cache.pricesOf({ key, scope, column, instant, isOrdered }, effort)
  /** What getting the prices adds to the counts. */
  const cost = async (instant: number, isOrdered = false, key?: string) => {
    Object.assign(counts, { reads: 0, points: 0, pauses: 0 })
    await prices(instant, isOrdered, key)
    return { ...counts }
  }
  return { counts, cost, prices }
}

const reads = async (cost: Promise<{ reads: number }>) => (await cost).reads

describe('the prices of a scope', () => {
  it('the prices of a list are read once, and after the turn of a sale only where they changed', async () => {
    const { cost, prices } = listed(1_000, 1)
    const counted: number[] = []
    for (const instant of [0, 0, SALE - 1, SALE, SALE, SALE + 1, SALE - 1])
      counted.push(await reads(cost(instant, true)))
    expect(counted).toEqual([1_000, 0, 0, 1, 0, 0, 0])
    const { ascending, amounts, onSale, from, until } = await prices(SALE, true)
    expect([from, until, [...(ascending ?? [])].slice(0, 3)]).toEqual([SALE, Number.POSITIVE_INFINITY, [0, 999, 998]])
    expect([amounts[0], onSale[0], amounts[1], onSale[1]]).toEqual([SALE_AMOUNT, 1, AMOUNT - 1, 0])
  })

  it('the prices of a list are read for each key, and once by requests that want the same at once', async () => {
    const { cost, counts, prices } = listed(1_000, 1)
    expect(await reads(cost(0))).toBe(1_000)
    expect(await reads(cost(0, false, 'release scope USD'))).toBe(1_000)
    expect([await reads(cost(0)), await reads(cost(0, false, 'release scope USD'))]).toEqual([0, 0])
    counts.reads = 0
    const snapshots = await Promise.all([1, 2, 3].map(() => prices(0, true, 'later scope EUR')))
    expect([counts.reads, new Set(snapshots).size]).toEqual([1_000, 1])
  })

  it('the prices of a list are ordered from what was read, and are not ordered before an order is wanted', async () => {
    const { cost, prices } = listed(1_000, 1)
    expect((await prices(0, false)).ascending).toBeNull()
    expect(await cost(0, true)).toEqual({ reads: 0, points: 50, pauses: 1 })
    expect(await cost(0, true)).toEqual({ reads: 0, points: 0, pauses: 0 })
    expect([...((await prices(0, false)).ascending ?? [])].slice(0, 2)).toEqual([999, 998])
  })

  it('the prices of a list count as a point of work per 20 products, and after a turn by what changed', async () => {
    const { cost } = listed(1_000, 10)
    expect(await cost(0)).toEqual({ reads: 1_000, points: 50, pauses: 1 })
    expect(await cost(SALE)).toEqual({ reads: 10, points: 2 + 1, pauses: 0 })
  })

  it('the prices of a list let others run after each 10,000 products', async () => {
    expect(await listed(10_000, 0).cost(0)).toEqual({ reads: 10_000, points: 500, pauses: 1 })
    expect(await listed(10_001, 0).cost(0)).toEqual({ reads: 10_001, points: 500.05, pauses: 2 })
  })

  it('the prices of a list are all read again, with pauses, after a turn of more than 10,000', async () => {
    const most = listed(20_000, 10_000)
    await most.prices(0, true)
    expect(await most.cost(SALE, true)).toEqual({ reads: 10_000, points: 2_020, pauses: 0 })
    const more = listed(20_000, 10_001)
    await more.prices(0, true)
    // Two pauses of the reading; those of sorting are two of its blocks and one of their merge.
    expect(await more.cost(SALE, true)).toEqual({ reads: 20_000, points: 2_000, pauses: 2 + 3 })
    const orders = await Promise.all([most, more].map(({ prices }) => prices(SALE, true)))
    const ends = orders.map(({ ascending }) => [
      ascending?.[0],
      ascending?.[9_999],
      ascending?.[10_000],
      ascending?.at(-1),
    ])
    expect(ends).toEqual([
      [0, 9_999, 19_999, 10_000],
      [0, 9_999, 10_000, 10_001],
    ])
  })
})
