import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { resolvePrice } from '../../../src/domain/pricing/price.ts'
import type { ReleasePriceRecord, ReleasePricing, ReleaseSale } from '../../../src/domain/pricing/price-record.ts'
import { priceSpans } from '../../../src/domain/pricing/price-spans.ts'
import type { PriceableProduct } from '../../../src/domain/pricing/priceable-product.ts'
import { runs } from '../../support/effort.ts'
import { bundleProduct, childProduct, currencies, plainProduct } from '../../support/price-arbitraries.ts'

/** The instants on, before and after every bound that a generated sale can have. */
const instants = Array.from({ length: 11 }, (_, step) => [-1, 0, 1].map((off) => step * 1000 - 1000 + off)).flat()

const price = (amount: number | null) => ({ USD: { amount, includes_tax: false } })
const withPrice = (record: ReleasePriceRecord): ReleasePriceRecord => {
  const { USD } = record.currencies
  return USD && USD.amount !== null ? record : { ...record, currencies: { ...record.currencies, ...price(300) } }
}
const option = fc.oneof(
  { arbitrary: plainProduct('').map((item) => ({ ...item, own: item.own && withPrice(item.own) })), weight: 10 },
  { arbitrary: childProduct('').map((item) => ({ ...item, base: item.base && withPrice(item.base) })), weight: 4 },
  { arbitrary: bundleProduct, weight: 1 },
)

/** A bundle of up to eight options, a few of them bundles, each with several overlapping sales. */
const largeBundle: fc.Arbitrary<ReleasePricing> = fc
  .array(fc.tuple(option, fc.integer({ min: 1, max: 3 })), { minLength: 4, maxLength: 8 })
  .map((chosen) => {
    const options = Object.fromEntries(chosen.map(([item], index) => [`o${index}`, { ...item, id: `o${index}` }]))
    const quantities = chosen.map(([, quantity], index) => ({ id: `o${index}`, quantity }))
    const components = { all: { name: 'All', min: chosen.length, options: quantities } }
    return { id: 'outer', own: null, base: null, components, options }
  })

/** Compares the spans with the price at every instant, in every currency. */
function agree(pricing: ReleasePricing): void {
  const spans = priceSpans(compileProduct(pricing))
  const fresh = compileProduct(pricing)
  for (const currency of currencies) {
    const cut = spans.get(currency) ?? { starts: [Number.NEGATIVE_INFINITY], amounts: [null], sales: [null] }
    const prices = instants.map((now) => {
      const { price } = resolvePrice(fresh, { now, currency, quantity: 1 })
      return [now, price?.amount ?? null, price?.sale?.name ?? null]
    })
    const found = instants.map((now) => {
      const at = cut.starts.findLastIndex((start) => start <= now)
      return [now, cut.amounts[at], cut.sales[at]]
    })
    expect(found).toEqual(prices)
    expect(cut.starts[0]).toBe(Number.NEGATIVE_INFINITY)
    expect([cut.amounts.length, cut.sales.length]).toEqual([cut.starts.length, cut.starts.length])
    const different = (at: number) => cut.amounts[at] !== cut.amounts[at - 1] || cut.sales[at] !== cut.sales[at - 1]
    expect(cut.starts.every((start, at) => at === 0 || (start > (cut.starts[at - 1] as number) && different(at)))).toBe(
      true,
    )
  }
}

describe('price.spans-equal-prices: at every instant, before, on and after every bound, the spans have the price of one unit', () => {
  test('price spans of products with a price record equal their prices at every instant', () => {
    fc.assert(fc.property(plainProduct('p1'), agree), runs(1500))
  })

  test('price spans of children with modifiers equal their prices at every instant', () => {
    fc.assert(fc.property(childProduct('p1'), agree), runs(1000))
  })

  test('price spans of bundles, summed or with a price record, equal their prices at every instant', () => {
    fc.assert(fc.property(bundleProduct, agree), runs(1500))
  })

  test('price spans equal the prices of bundles of many options, whose sales begin and end together and whose sums become too large and small again', () => {
    fc.assert(fc.property(largeBundle, agree), runs(1500))
  })
})

const sale = (name: string, from: number | null, to: number | null, amount: number): ReleaseSale => {
  return { name, from, to, bundles: [], currencies: price(amount) }
}
const withSales = (sales: readonly ReleaseSale[]): ReleasePricing => {
  return { id: 'p', own: { id: 'r', book: 'b', currencies: price(1000), sales, shopper_attributes: null }, base: null }
}
const spansOf = (pricing: ReleasePricing) => Object.fromEntries(priceSpans(compileProduct(pricing)))
const start = Number.NEGATIVE_INFINITY

describe('the spans of a price', () => {
  test('a price that never changes has one span, from the beginning of time, also during a permanent sale', () => {
    expect(spansOf(withSales([]))).toEqual({ USD: { starts: [start], amounts: [1000], sales: [null] } })
    expect(spansOf(withSales([sale('always', null, null, 700)]))).toEqual({
      USD: { starts: [start], amounts: [700], sales: ['always'] },
    })
  })

  test('a span of a price begins and ends with a sale, also with one of the same amount, which only its name shows', () => {
    const cut = spansOf(withSales([sale('one', 10, 20, 700), sale('two', 20, 30, 700), sale('three', 30, 40, 1000)]))
    expect(cut).toEqual({
      USD: {
        starts: [start, 10, 20, 30, 40],
        amounts: [1000, 700, 700, 1000, 1000],
        sales: [null, 'one', 'two', 'three', null],
      },
    })
  })

  test('a currency in which a product never has a price has no price spans', () => {
    expect(spansOf({ id: 'p', own: null, base: null })).toEqual({})
    const own = {
      id: 'r',
      book: 'b',
      currencies: price(null),
      sales: [sale('one', 10, 20, 700)],
      shopper_attributes: null,
    }
    expect(spansOf({ id: 'p', own, base: null })).toEqual({})
  })

  const sales = Array.from({ length: 200 }, (_, at) => sale(`s${at}`, at * 10, 10_000 - at * 10, 1 + at))

  /** A bundle whose options never change at the same instant. */
  function bundleOf(count: number): ReleasePricing {
    const options = Object.fromEntries(
      Array.from({ length: count }, (_, option) => {
        const later = sales.map(({ from, to, ...rest }) => ({
          ...rest,
          from: (from ?? 0) + option / 100,
          to: (to ?? 0) + option / 100,
        }))
        return [`o${option}`, { ...withSales(later), id: `o${option}` }]
      }),
    )
    const components = {
      all: { name: 'All', min: count, options: Object.keys(options).map((id) => ({ id, quantity: 1 })) },
    }
    return { id: 'bundle', own: null, base: null, components, options }
  }

  test('a price has at most two more spans for each sale, and a bundle for each sale of every option', () => {
    expect(spansOf(withSales(sales)).USD?.starts).toHaveLength(401)
    expect(spansOf(bundleOf(10)).USD?.starts).toHaveLength(1 + 10 * 400)
  })

  test("cutting the price spans of a bundle reads an option only at the option's own changes, not at those of all options", () => {
    const readsOf = (count: number): number => {
      let reads = 0
      const get = (option: PriceableProduct, key: keyof PriceableProduct) => {
        reads++
        return option[key]
      }
      const item = compileProduct(bundleOf(count))
      const chosen =
        item.bundle?.chosen?.map(({ product, quantity }) => ({ quantity, product: new Proxy(product, { get }) })) ?? []
      priceSpans({ ...item, bundle: item.bundle && { ...item.bundle, chosen } })
      return reads
    }
    const reads = readsOf(10)
    expect(reads).toBeGreaterThan(10 * 400)
    expect(readsOf(40)).toBeLessThan(4.5 * reads)
  })
})
