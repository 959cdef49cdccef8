/** Prices under a plan, and items that keep them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pinnedItem, planAmount } from '../../../src/domain/subscriptions/plan-price.ts'
import { runs } from '../../support/effort.ts'

const price = { USD: { amount: 1005, includes_tax: false }, JPY: { amount: 999, includes_tax: true } }
const fixedPrice = { USD: { amount: 700, includes_tax: false } }

describe('plan.fixed-price-before-percentage', () => {
  test.each([
    [{ fixedPrice, basePricePercentage: 50 }, 'USD', 700],
    [{ fixedPrice, basePricePercentage: 50 }, 'JPY', 500],
    [{ fixedPrice: null, basePricePercentage: 50 }, 'USD', 503],
    [{ fixedPrice: null, basePricePercentage: 49.9 }, 'USD', 501],
    [{ fixedPrice: null, basePricePercentage: 0 }, 'USD', 0],
    [{ fixedPrice: null, basePricePercentage: 1e-7 }, 'USD', 0],
    [{ fixedPrice: null, basePricePercentage: null }, 'USD', 1005],
    [{ fixedPrice, basePricePercentage: null }, 'EUR', null],
    [{ fixedPrice, basePricePercentage: null }, 'constructor', null],
  ])('the price of the plan %j in %s is %s', (plan, currency, amount) => {
    expect(planAmount(plan, { price }, currency)).toBe(amount)
  })

  test("a plan's percentage rounds a half up, without the errors of binary fractions", () => {
    const of = (amount: number, basePricePercentage: number) =>
      planAmount({ fixedPrice: null, basePricePercentage }, { price: { USD: { amount, includes_tax: false } } }, 'USD')
    // In binary 35 * 1.1 is 38.500000000000004 and 1.005 * 100 is 100.49999999999999.
    expect([of(3500, 1.1), of(50, 1), of(49, 1), of(1, 100.5), of(100, 100.5)]).toEqual([39, 1, 0, 1, 101])
    const hundredths = fc.integer({ min: 0, max: 1_000_000 })
    fc.assert(
      fc.property(fc.maxSafeNat(), hundredths, (amount, percentage) => {
        const exact = (BigInt(amount) * BigInt(percentage) + 5000n) / 10_000n
        expect(of(amount, percentage / 100)).toBe(exact > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(exact))
      }),
      runs(2000),
    )
  })
})

describe('subscription.pinned-prices: an item', () => {
  const product = { name: 'Paper', sku: 'paper', price }

  test("an item keeps its product's name, SKU, price under the plan and tax flag", () => {
    const half = { fixedPrice, basePricePercentage: 50 }
    expect(pinnedItem(half, 'p', product, 'JPY', 3)).toEqual({
      productId: 'p',
      name: 'Paper',
      sku: 'paper',
      unitAmount: 500,
      includesTax: true,
      quantity: 3,
    })
    expect(pinnedItem(half, 'p', product, 'USD')).toMatchObject({ unitAmount: 700, includesTax: false, quantity: 1 })
  })

  test('an item without a price has neither amount nor tax flag, and one of a product that is gone no name', () => {
    const plan = { fixedPrice, basePricePercentage: null }
    expect(pinnedItem(plan, 'p', product, 'EUR')).toMatchObject({ name: 'Paper', unitAmount: null, includesTax: null })
    expect(pinnedItem(plan, 'p', null, 'USD')).toMatchObject({ name: null, sku: null, unitAmount: null })
  })
})
