/** Where the unit amounts of a subscription come from, as /explore says it. */
import { describe, expect, test } from 'vitest'
import { agreedFrom, amountWords } from '../../src/explore/unit-amounts.ts'

const day = (count: number): string => new Date(Date.UTC(2030, 0, count)).toISOString()

describe('when an amount was agreed', () => {
  const terms = (from: number, planId: string, amounts: Record<string, number>) => ({
    from: day(from),
    plan: { planId },
    items: Object.entries(amounts).map(([productId, amount]) => ({ productId, unitAmount: { amount } })),
  })
  const life = [
    terms(1, 'monthly', { beans: 3 }),
    terms(5, 'monthly', { beans: 3, filter: 4 }),
    terms(9, 'monthly', { beans: 5, filter: 4 }),
    terms(13, 'yearly', { beans: 5 }),
  ]

  test('an amount is of the first terms that have it without a break, under the plan that holds', () => {
    expect(agreedFrom(life, 'beans', day(6))).toBe(day(1))
    expect(agreedFrom(life, 'filter', day(10))).toBe(day(5))
    expect(agreedFrom(life, 'beans', day(10))).toBe(day(9))
    expect(agreedFrom(life, 'beans', day(20))).toBe(day(13))
  })
})

describe('what an amount is made of', () => {
  const plan = { basePricePercentage: 1080, billingIntervalType: 'YEAR', billingFrequency: 1, fixedPrices: [] }
  const month = { unit: 'MONTH', amount: 1 }

  test('a percentage is told as so many times the price, and what it is less or more', () => {
    expect(amountWords(plan, 'EUR', [month, month])).toBe("12 × the subscription product's price, less 10%")
    expect(amountWords({ ...plan, basePricePercentage: 1200 }, 'EUR', [month])).toBe(
      "12 × the subscription product's price",
    )
    const weekly = { ...plan, basePricePercentage: 105, billingIntervalType: 'WEEK', billingFrequency: 2 }
    expect(amountWords(weekly, 'EUR', [{ unit: 'DAY', amount: 14 }])).toBe("the subscription product's price, plus 5%")
  })

  test('it is told as it is where the intervals of plan and product do not fit', () => {
    const words = "1,080% of the subscription product's price"
    for (const units of [[null], [{ unit: 'DAY', amount: 14 }], [month, { unit: 'MONTH', amount: 2 }]])
      expect(amountWords(plan, 'EUR', units)).toBe(words)
  })

  test('the own price of a plan in the currency goes before it, and without either it is the price of the product', () => {
    const fixed = { ...plan, fixedPrices: [{ amount: { currency: 'EUR' } }] }
    expect(amountWords(fixed, 'EUR', [month])).toBe("the plan's own price")
    expect(amountWords({ ...plan, basePricePercentage: null }, 'EUR', [month])).toBe("the subscription product's price")
  })
})
