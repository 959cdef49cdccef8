import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BillingTerms, billingIntervalWords } from '../../../src/domain/subscriptions/billing.ts'
import { startOf } from '../../../src/domain/subscriptions/cadence.ts'
import { lifeOf } from '../../../src/domain/subscriptions/life.ts'
import { lifeStatusAt, nextStart, stretchAt } from '../../../src/domain/subscriptions/life-readings.ts'
import { agreementWith, planWith } from '../../support/agreements.ts'

const DAY = 86_400_000
const at = (text: string) => Date.parse(text)
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

function terms(given: Partial<BillingTerms>): BillingTerms {
  return {
    billingIntervalType: 'month',
    billingFrequency: 1,
    trialPeriod: 0,
    planLength: 12,
    endBehavior: 'close',
    ...given,
  }
}

const agreed = (plan: BillingTerms, startsAt: number) => agreementWith({ startsAt, plan: planWith(plan) })
const billingInstant = (plan: BillingTerms, start: number, k: number) =>
  startOf(stretchAt(lifeOf(agreed(plan, start)), start).cadence, k)
const nextBilling = (plan: BillingTerms, start: number, instant: number) =>
  nextStart(lifeOf(agreed(plan, start)), instant)
const endInstant = (plan: BillingTerms, start: number) => lifeStatusAt(agreed(plan, start), start).endDate

describe('subscription.billing-instants: billing instants are start + trial + k intervals', () => {
  test.each([
    ['day', 1, 3, '2026-01-18T10:00:00.000Z'],
    ['day', 10, 3, '2026-02-14T10:00:00.000Z'],
    ['week', 1, 1, '2026-01-22T10:00:00.000Z'],
    ['week', 4, 2, '2026-03-12T10:00:00.000Z'],
    ['month', 1, 1, '2026-02-15T10:00:00.000Z'],
    ['month', 5, 3, '2027-04-15T10:00:00.000Z'],
    ['year', 1, 1, '2027-01-15T10:00:00.000Z'],
    ['year', 2, 2, '2030-01-15T10:00:00.000Z'],
  ] as const)(
    'a billing instant of %s x %i, k = %i, is start + trial + k intervals',
    (billingIntervalType, billingFrequency, k, expected) => {
      expect(iso(billingInstant(terms({ billingIntervalType, billingFrequency }), at('2026-01-15T10:00:00Z'), k))).toBe(
        expected,
      )
    },
  )

  test('the billing instant with k = 0 is the start itself, or the end of the trial', () => {
    const start = at('2026-01-15T10:00:00.123Z')
    expect(billingInstant(terms({}), start, 0)).toBe(start)
    expect(billingInstant(terms({ trialPeriod: 14 }), start, 0)).toBe(start + 14 * DAY)
  })

  test('a month that lacks the day of the start bills on its last day, and the next one on the day again', () => {
    const start = at('2026-01-31T23:59:59.999Z')
    const months = [0, 1, 2, 3, 4].map((k) => iso(billingInstant(terms({}), start, k)))
    expect(months).toEqual([
      '2026-01-31T23:59:59.999Z',
      '2026-02-28T23:59:59.999Z',
      '2026-03-31T23:59:59.999Z',
      '2026-04-30T23:59:59.999Z',
      '2026-05-31T23:59:59.999Z',
    ])
  })

  test('billing instants know the 29th of February in leap years', () => {
    expect(iso(billingInstant(terms({}), at('2027-12-31T00:00:00Z'), 2))).toBe('2028-02-29T00:00:00.000Z')
    const leapDay = at('2028-02-29T06:00:00Z')
    const yearly = terms({ billingIntervalType: 'year' })
    expect([1, 4].map((k) => iso(billingInstant(yearly, leapDay, k)))).toEqual([
      '2029-02-28T06:00:00.000Z',
      '2032-02-29T06:00:00.000Z',
    ])
    expect(iso(billingInstant(yearly, at('2096-02-29T00:00:00Z'), 4))).toBe('2100-02-28T00:00:00.000Z')
  })

  test('billing intervals are counted from the end of the trial', () => {
    const start = at('2026-01-30T00:00:00Z')
    expect([0, 1, 2].map((k) => iso(billingInstant(terms({ trialPeriod: 1 }), start, k)))).toEqual([
      '2026-01-31T00:00:00.000Z',
      '2026-02-28T00:00:00.000Z',
      '2026-03-31T00:00:00.000Z',
    ])
  })
})

describe('subscription.billing-instants: the next billing is strictly later', () => {
  const start = at('2026-01-31T10:00:00Z')

  test.each([
    ['before the start', start - 1, '2026-01-31T10:00:00.000Z'],
    ['at the start', start, '2026-02-28T10:00:00.000Z'],
    ['just before a billing', at('2026-02-28T09:59:59.999Z'), '2026-02-28T10:00:00.000Z'],
    ['at a billing', at('2026-02-28T10:00:00Z'), '2026-03-31T10:00:00.000Z'],
    ['just after a billing', at('2026-02-28T10:00:00.001Z'), '2026-03-31T10:00:00.000Z'],
    ['centuries later', at('2926-02-28T10:00:00.000Z'), '2926-03-31T10:00:00.000Z'],
  ])('the next billing is strictly later than the instant that is asked for: %s', (_, instant, expected) => {
    expect(iso(nextBilling(terms({}), start, instant))).toBe(expected)
  })

  test('the next billing during the trial is the end of the trial', () => {
    const trial = terms({ trialPeriod: 7 })
    expect(nextBilling(trial, start, start + 7 * DAY - 1)).toBe(start + 7 * DAY)
    expect(iso(nextBilling(trial, start, start + 7 * DAY))).toBe('2026-03-07T10:00:00.000Z')
  })
})

describe('subscription.closes-at-its-end: end_behavior', () => {
  test('a subscription whose end_behavior is close ends after the trial and plan_length intervals', () => {
    const start = at('2026-01-31T10:00:00Z')
    expect(iso(endInstant(terms({ planLength: 13 }), start))).toBe('2027-02-28T10:00:00.000Z')
    expect(
      iso(
        endInstant(terms({ billingIntervalType: 'week', billingFrequency: 2, planLength: 3, trialPeriod: 5 }), start),
      ),
    ).toBe('2026-03-19T10:00:00.000Z')
  })

  test('a subscription whose end_behavior is roll never ends', () => {
    expect(endInstant(terms({ endBehavior: 'roll' }), 0)).toBeNull()
  })
})

/** Counts single days by their dates: the day of the first billing, or the last day of a shorter month. */
function naiveInstants(
  { billingIntervalType, billingFrequency, trialPeriod }: BillingTerms,
  start: number,
  until: number,
): number[] {
  let first = start
  for (let day = 0; day < trialPeriod; day++) first += DAY
  const found: number[] = []
  if (billingIntervalType === 'day' || billingIntervalType === 'week') {
    const days = billingFrequency * (billingIntervalType === 'week' ? 7 : 1)
    for (let instant = first; ; instant += days * DAY) {
      found.push(instant)
      if (instant > until) return found
    }
  }
  let [year, month, day] = new Date(first).toISOString().slice(0, 10).split('-').map(Number) as [number, number, number]
  const time = new Date(first).toISOString().slice(10)
  for (;;) {
    let candidate = day
    const text = () => `${year}-${String(month).padStart(2, '0')}-${String(candidate).padStart(2, '0')}${time}`
    while (!Number.isFinite(Date.parse(text())) || new Date(text()).getUTCMonth() + 1 !== month) candidate--
    const instant = Date.parse(text())
    found.push(instant)
    if (instant > until) return found
    for (let step = 0; step < billingFrequency * (billingIntervalType === 'year' ? 12 : 1); step++) {
      month = month === 12 ? 1 : month + 1
      if (month === 1) year++
    }
  }
}

test('subscription.billing-instants: billing instants equal those of a day-by-day walk over the calendar', () => {
  const generated = fc.record({
    billingIntervalType: fc.constantFrom(...billingIntervalWords),
    billingFrequency: fc.integer({ min: 1, max: 14 }),
    trialPeriod: fc.integer({ min: 0, max: 70 }),
    planLength: fc.integer({ min: 1, max: 30 }),
    endBehavior: fc.constantFrom('close' as const, 'roll' as const),
  })
  const start = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2032-12-31T23:59:59Z') })
  const monthEnd = fc
    .tuple(fc.integer({ min: 2020, max: 2032 }), fc.integer({ min: 0, max: 11 }), fc.integer({ min: -2, max: 0 }))
    .map(([year, month, back]) => Date.UTC(year, month + 1, back, 12))
  fc.assert(
    fc.property(
      generated,
      fc.oneof(start, monthEnd),
      fc.integer({ min: -10, max: 3000 }),
      fc.constantFrom(-1, 0, 1),
      (plan, from, days, nudge) => {
        const all = naiveInstants(plan, from, from + 3100 * DAY)
        const billing = all.findLast((instant) => instant <= from + days * DAY)
        const instant = (billing ?? from + days * DAY) + nudge
        expect(nextBilling(plan, from, instant)).toBe(all.find((candidate) => candidate > instant))
        for (const [k, expected] of all.slice(0, 40).entries()) expect(billingInstant(plan, from, k)).toBe(expected)
      },
    ),
    { numRuns: 400 },
  )
})
