import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileProduct } from '../../../src/domain/pricing/compile-product.ts'
import { resolvePrice } from '../../../src/domain/pricing/price.ts'
import type { ReleasePricing } from '../../../src/domain/pricing/price-record.ts'
import { quantitySteps } from '../../../src/domain/pricing/quantity-steps.ts'
import { runs } from '../../support/effort.ts'
import {
  bundleId,
  bundleProduct,
  childProduct,
  currency,
  instant,
  plainProduct,
  quantity,
  selection,
} from '../../support/price-arbitraries.ts'
import { at, bundle, child, modifier, price, priceRecord, product, sale, usd } from '../../support/price-builders.ts'

const march = ['2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z'] as const

/** Quantity, amount, sale and tier of each step in US dollars. */
const stepsOf = (item: ReleasePricing, now = '2026-03-15T00:00:00Z') =>
  quantitySteps(compileProduct(item), { now: at(now), currency: 'USD' }).steps.map(
    ({ quantity: from, price: found }) => [from, found?.amount ?? null, found?.sale?.name ?? null, found?.tier ?? null],
  )

describe('price.steps-by-quantity: the steps of a price', () => {
  const tiered = usd(1000, { four: [4, 700], ten: [10, 900] })

  test('the steps of a price are the sale, the list tier that is lower, and the sale again at a dearer tier', () => {
    const item = product(priceRecord(tiered, [sale('s', ...march, usd(800))]))
    expect(stepsOf(item)).toEqual([
      [1, 800, 's', null],
      [4, 700, null, 'four'],
      [10, 800, 's', null],
    ])
    expect(stepsOf(item, march[1])).toEqual([
      [1, 1000, null, null],
      [4, 700, null, 'four'],
      [10, 900, null, 'ten'],
    ])
  })

  test('a price without tiers has one step, and a product without a price one without a price', () => {
    expect(stepsOf(product(priceRecord(usd(1000))))).toEqual([[1, 1000, null, null]])
    expect(stepsOf(product(null))).toEqual([[1, null, null, null]])
    expect(stepsOf(product(priceRecord({ EUR: price(1) })))).toEqual([[1, null, null, null]])
    expect(stepsOf(bundle([]))).toEqual([[1, null, null, null]])
  })

  test('a tier of a modifier begins a step, under the name of no tier', () => {
    const item = child(priceRecord(usd(1000)), [modifier('p', 'price_increment', usd(50, { two: [2, 40] }))])
    expect(stepsOf(item)).toEqual([
      [1, 1050, null, null],
      [2, 1040, null, null],
    ])
  })

  test('a tier of an option begins a step at the number of bundles that take enough of it', () => {
    const mug = product(priceRecord(tiered), 'mug')
    const spoon = product(priceRecord(usd(100)), 'spoon')
    const options = [
      { id: 'mug', quantity: 3 },
      { id: 'spoon', quantity: 1 },
    ]
    const set = bundle([mug, spoon], { main: { name: 'Set', min: 2, max: null, options } })
    expect(stepsOf(set)).toEqual([
      [1, 3100, null, null],
      [2, 2200, null, null],
      [4, 2800, null, null],
    ])
  })
})

const item = fc.oneof(plainProduct('p1'), childProduct('p1'), bundleProduct)
const anyQuery = fc.record({ now: instant, currency, bundleId })

test('price.steps-by-quantity: the last step that a quantity reaches is its price, for any product and query', () => {
  fc.assert(
    fc.property(item, anyQuery, quantity, selection, (frozen, given, count, chosen) => {
      const unit = compileProduct(frozen)
      const query = { ...given, selection: chosen }
      const { steps } = quantitySteps(unit, query)
      const shown = (found: (typeof steps)[number]['price']) =>
        found && [found.amount, found.includesTax, found.sale?.name, found.tier]
      const priceAt = (of: number) => shown(resolvePrice(unit, { ...query, quantity: of }).price)
      expect(steps[0]?.quantity).toBe(1)
      expect(shown(steps.findLast((step) => step.quantity <= count)?.price ?? null)).toEqual(priceAt(count))
      for (const { quantity: from, price: found } of steps) {
        expect(shown(found)).toEqual(priceAt(from))
        if (from > 1) expect(priceAt(from - 1)).not.toEqual(priceAt(from))
      }
    }),
    runs(1000),
  )
})

test('price.steps-by-quantity: the steps stay as they are until the instant at which they may change', () => {
  fc.assert(
    fc.property(item, anyQuery, (frozen, query) => {
      const unit = compileProduct(frozen)
      const { steps, changesAt } = quantitySteps(unit, query)
      if (changesAt !== null) expect(quantitySteps(unit, { ...query, now: changesAt - 1 }).steps).toEqual(steps)
    }),
    runs(300),
  )
})

test('sale.makes-no-quantity-dearer: with the tax flag of the list price and nothing above its amount a sale makes no quantity dearer', () => {
  fc.assert(
    fc.property(plainProduct('p1'), instant, currency, quantity, (frozen, now, code, count) => {
      const own = frozen.own
      const list = own?.currencies[code]
      if (!own || !list || list.amount === null) return
      const listAmount = list.amount
      const kept = own.sales.map((one) => {
        const offered = one.currencies[code]
        if (!offered) return one
        const tiers = Object.entries(offered.tiers ?? {}).map(([name, tier]) => {
          return [name, { ...tier, amount: tier.amount && Math.min(tier.amount, listAmount) }] as const
        })
        const lowered = {
          ...offered,
          amount: offered.amount && Math.min(offered.amount, listAmount),
          includes_tax: list.includes_tax,
          tiers: Object.fromEntries(tiers),
        }
        return { ...one, currencies: { ...one.currencies, [code]: lowered } }
      })
      const query = { now, currency: code, quantity: count }
      const amount = (sales: typeof kept) =>
        resolvePrice(compileProduct({ ...frozen, own: { ...own, sales } }), query).price?.amount as number
      expect(amount(kept)).toBeLessThanOrEqual(amount([]))
    }),
    runs(1000),
  )
})
