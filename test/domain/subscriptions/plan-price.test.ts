/** Prices under a plan, and the next invoice. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextAmount, planAmount } from '../../../src/domain/subscriptions/plan-price.ts'
import { statusAt } from '../../../src/domain/subscriptions/subscription-state.ts'
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
  ])('%j in %s is %s', (plan, currency, amount) => {
    expect(planAmount(plan, { price }, currency)).toBe(amount)
  })

  test('a half is rounded up, without the errors of binary fractions', () => {
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

describe('subscription.next-invoice-sums-products', () => {
  const start = Date.parse('2026-01-15T10:00:00Z')
  const plan = {
    ...{ id: 'p', externalRef: null, name: 'Monthly', description: null, createdAt: 0, updatedAt: 0 },
    ...({ billingIntervalType: 'month', billingFrequency: 1, trialPeriod: 0, planLength: 3, endBehavior: 'close' } as const),
    ...{ canPause: true, canResume: true, canCancel: true, basePricePercentage: 50, fixedPrice: null },
  }
  const never = { pausedAt: null, canceledAt: null, resumedAt: null, inactivationRequestedAt: null }
  const life = { paused: false, canceled: false, ...never, createdAt: start, updatedAt: start, plan, currency: 'USD' }

  test('is the sum of the products under the plan', () => {
    expect(nextAmount(life, [{ price }, { price }], start)).toBe(1006)
    expect(nextAmount(life, [], start)).toBe(0)
  })

  test('is unknown when a product is gone, lacks the currency, or the sum is too large', () => {
    expect(nextAmount(life, [{ price }, null], start)).toBeNull()
    expect(nextAmount({ ...life, currency: 'EUR' }, [{ price }], start)).toBeNull()
    const most = { price: { USD: { amount: Number.MAX_SAFE_INTEGER, includes_tax: false } } }
    const whole = { ...life, plan: { ...plan, basePricePercentage: null } }
    expect(nextAmount(whole, [most], start)).toBe(Number.MAX_SAFE_INTEGER)
    expect(nextAmount(whole, [most, { price }], start)).toBeNull()
  })

  test('there is none when paused or canceled, nor from the last billing instant on', () => {
    expect(nextAmount({ ...life, paused: true }, [{ price }], start)).toBeNull()
    expect(nextAmount({ ...life, canceled: true }, [{ price }], start)).toBeNull()
    const last = Date.parse('2026-03-15T10:00:00Z')
    expect(statusAt(life, last).endDate).toBe(Date.parse('2026-04-15T10:00:00Z'))
    expect(nextAmount(life, [{ price }], last - 1)).toBe(503)
    expect(nextAmount(life, [{ price }], last)).toBeNull()
    const rolling = { ...life, plan: { ...plan, endBehavior: 'roll' as const } }
    expect(nextAmount(rolling, [{ price }], last)).toBe(503)
  })
})
