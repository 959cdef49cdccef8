import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fractionDigits } from '../../../src/domain/input/currency.ts'
import { PERCENT_PARTS, type Rounding, reducedAmount } from '../../../src/domain/pricing/sale-amount.ts'
import { runs } from '../../support/effort.ts'

const step = (size: number): Rounding => ({ step: size, ending: 0 })
const ending = (digits: string): Rounding => ({ step: 10 ** digits.length, ending: Number(digits) })
const percent = (amount: number, off: number, rounding?: Rounding) =>
  reducedAmount(amount, { percentParts: Math.round(off * PERCENT_PARTS) }, rounding)
const less = (amount: number, amountOff: number, rounding?: Rounding) => reducedAmount(amount, { amountOff }, rounding)

describe('reducedAmount', () => {
  it.each([
    ['nothing to round', percent(1000, 20), 800],
    ['just below a half', percent(1001, 50.05), 500],
    ['exactly a half', percent(1001, 50), 501],
    ['just above a half', percent(1001, 49.9999), 501],
    ['a third', percent(1000, 33.3333), 667],
    ['a step, just below a half', percent(1684, 50, step(5)), 840],
    ['a step, exactly a half', percent(1685, 50, step(5)), 845],
    ['an ending, nearer to the lower', percent(1696, 50, ending('99')), 799],
    ['an ending, half between two', percent(1698, 50, ending('99')), 899],
    ['an ending of one digit', percent(1000, 15, ending('9')), 849],
    ['an ending that begins with 0', percent(2000, 50, ending('05')), 1005],
    ['an amount off', less(1000, 150), 850],
    ['an amount off with an ending', less(1000, 150, ending('99')), 899],
    ['an amount off with a step', less(1002, 150, step(5)), 850],
  ])('campaign.rounds-half-up: a reduced amount is rounded half up: %s', (_, amount, expected) => {
    expect(amount).toBe(expected)
  })

  it.each([
    ['JPY', 0, 1299, 1039],
    ['EUR', 2, 1299, 1039],
    ['KWD', 3, 1299, 1039],
  ])(
    'campaign.rounds-half-up: a reduced amount is rounded to the minor unit of %s, which has %i decimals',
    (currency, digits, amount, expected) => {
      expect(fractionDigits(currency)).toBe(digits)
      expect(percent(amount, 20)).toBe(expected)
    },
  )

  it.each([
    ['the nearest one is as much', percent(899, 5, ending('99')), 899],
    ['the nearest one is above it', percent(880, 1, ending('99')), 799],
    ['none is left below it', percent(50, 20, ending('99')), null],
    ['a minor unit', percent(1, 10), 1],
    ['a step', percent(12, 1, step(5)), 10],
  ])('campaign.never-above-list-price: a reduced amount is never above the list price: %s', (_, amount, expected) => {
    expect(amount).toBe(expected)
  })

  it.each([
    ['all of it off', less(500, 500), null],
    ['more than all of it off', less(500, 501), null],
    ['all but the least off', less(500, 499), 1],
    ['an amount off nothing', less(0, 1), null],
    ['rounded down to nothing', percent(1, 60), null],
    ['rounded down to nothing by a step', percent(400, 50, step(500)), null],
    ['100 per cent off', percent(999, 100), 0],
    ['100 per cent off, whatever the ending', percent(999, 100, ending('99')), 0],
    ['a percentage of nothing', percent(0, 20, ending('99')), 0],
  ])('campaign.never-free-by-accident: a reduced amount is never 0 by accident: %s', (_, amount, expected) => {
    expect(amount).toBe(expected)
  })

  it('a reduction takes amounts up to 2^53-1 exactly', () => {
    expect(percent(Number.MAX_SAFE_INTEGER, 0.0001)).toBe(9_007_190_247_541_736)
    expect(less(Number.MAX_SAFE_INTEGER, 1)).toBe(Number.MAX_SAFE_INTEGER - 1)
    expect(percent(Number.MAX_SAFE_INTEGER, 0.0001, step(1_000_000))).toBe(9_007_190_248_000_000)
  })

  const amounts = fc.oneof(fc.nat(2_000), fc.maxSafeNat())
  const roundings = fc.oneof(
    fc.integer({ min: 1, max: 1_000_000 }).map(step),
    fc
      .integer({ min: 1, max: 6 })
      .chain((length) => fc.nat(10 ** length - 1).map((value) => ({ step: 10 ** length, ending: value }))),
  )
  const reductions = fc.oneof(
    fc.integer({ min: 1, max: 100 * PERCENT_PARTS }).map((percentParts) => ({ percentParts })),
    fc.integer({ min: 1, max: 3_000 }).map((amountOff) => ({ amountOff })),
  )

  it('campaign.rounds-half-up, campaign.never-above-list-price, campaign.never-free-by-accident: a reduced amount is the nearest of all allowed amounts', () => {
    const property = fc.property(amounts, reductions, roundings, (amount, reduction, rounding) => {
      // What is left, as a number of millionths of a minor unit.
      const left =
        'amountOff' in reduction
          ? BigInt(amount - reduction.amountOff) * 1_000_000n
          : BigInt(amount) * BigInt(1_000_000 - reduction.percentParts)
      const result = reducedAmount(amount, reduction, rounding)
      if (left <= 0n) return result === (left === 0n && 'percentParts' in reduction ? 0 : null)
      // The allowed amounts around it, and the best of them by distance, the higher of two.
      const size = BigInt(rounding.step)
      const around = left / 1_000_000n / size
      const allowed = [-2n, -1n, 0n, 1n, 2n].map((more) => (around + more) * size + BigInt(rounding.ending))
      const fitting = allowed.filter((one) => one <= BigInt(amount) && one > 0n)
      const distance = (one: bigint) => (one * 1_000_000n > left ? one * 1_000_000n - left : left - one * 1_000_000n)
      const nearest = [...allowed].sort((a, b) =>
        distance(a) === distance(b) ? Number(b - a) : distance(a) < distance(b) ? -1 : 1,
      )[0] as bigint
      const expected = nearest > 0n ? (nearest <= BigInt(amount) ? nearest : fitting.at(-1)) : undefined
      return result === (expected === undefined ? null : Number(expected))
    })
    fc.assert(property, runs(2_000))
  })
})
