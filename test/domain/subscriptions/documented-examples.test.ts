/** What Stripe and Lago document of prorations, months, trials, pauses and cancels, computed here. */
import { expect, test } from 'vitest'
import type { AgreedChange, Agreement, Item } from '../../../src/domain/subscriptions/agreement.ts'
import { timeline } from '../../../src/domain/subscriptions/life-readings.ts'
import { agreementWith, itemWith, planWith } from '../../support/agreements.ts'

const monthly = { billingIntervalType: 'month', billingFrequency: 1, trialPeriod: 0, planLength: 12 } as const
const asked = (at: number) => ({ id: `c${at}`, askedAt: at, at, undoneAt: null })
const changeTo = (item: Item, at: number): AgreedChange => ({
  ...{ ...asked(at), type: 'change', plan: null, items: [item], proration: 'by_time', prorateAt: null },
})

/** The invoices of a monthly subscription that starts then: the day, and the amounts of the lines. */
function invoices(startsAt: number, to: number, item: Item, given: Partial<Agreement> & { trialDays?: number } = {}) {
  const { trialDays = 0, ...more } = given
  const plan = planWith({ ...monthly, trialPeriod: trialDays })
  const agreement = agreementWith({ startsAt, plan, items: [item], changes: [], ...more })
  return [...timeline(agreement, startsAt, to)].flatMap((entry) =>
    entry.type === 'invoice'
      ? [[new Date(entry.at).toISOString().slice(0, 10), ...entry.lines.map(({ amount }) => amount)]]
      : [],
  )
}

const [ten, twenty] = [itemWith('a', 1000), itemWith('a', 2000)]

test("Stripe's upgrade from 10 to 20 halfway through a period gives back 5 and charges 10, here at once", () => {
  const [start, half] = [Date.UTC(2026, 3, 1), Date.UTC(2026, 3, 16)]
  expect(invoices(start, Date.UTC(2026, 4, 2), ten, { changes: [changeTo(twenty, half)] })).toEqual([
    ['2026-04-01', 1000],
    ['2026-04-16', -500, 1000],
    ['2026-05-01', 2000],
  ])
})

test("Stripe's subscription of January 31 is due on the last day of shorter months, and on the 31st again", () => {
  expect(invoices(Date.UTC(2026, 0, 31), Date.UTC(2026, 4, 1), ten).map(([day]) => day)).toEqual([
    '2026-01-31',
    '2026-02-28',
    '2026-03-31',
    '2026-04-30',
  ])
})

test("Lago's upgrade from 100 to 200 on January 15 costs 154.84 for the month, as its two invoices in arrears do", () => {
  const [hundred, twoHundred] = [itemWith('a', 10_000), itemWith('a', 20_000)]
  const change = changeTo(twoHundred, Date.UTC(2026, 0, 15))
  const found = invoices(Date.UTC(2026, 0, 1), Date.UTC(2026, 1, 1), hundred, { changes: [change] })
  expect(found).toEqual([
    ['2026-01-01', 10_000],
    ['2026-01-15', -5484, 10_968],
  ])
  // 14/31 of 100 and 17/31 of 200.
  expect(10_000 - 5484 + 10_968).toBe(4516 + 10_968)
})

test('a trial of 14 days is followed by the first invoice, from which months count', () => {
  expect(invoices(Date.UTC(2026, 0, 1), Date.UTC(2026, 2, 1), ten, { trialDays: 14 })).toEqual([
    ['2026-01-15', 1000],
    ['2026-02-15', 1000],
  ])
})

test('a pause has no invoice, and a resume charges the rest of the period that nobody paid', () => {
  const pause = { ...asked(Date.UTC(2026, 0, 20)), at: Date.UTC(2026, 1, 1), type: 'pause', atPeriodEnd: true } as const
  const resume = { ...asked(Date.UTC(2026, 1, 15)), type: 'resume', proration: 'by_time', pauseId: null } as const
  const changes: AgreedChange[] = [{ ...pause, proration: 'none', reason: null }, resume]
  expect(invoices(Date.UTC(2026, 0, 1), Date.UTC(2026, 2, 2), ten, { changes })).toEqual([
    ['2026-01-01', 1000],
    ['2026-02-15', 500],
    ['2026-03-01', 1000],
  ])
})

test('a cancel halfway gives back the half where it settles by time, and nothing otherwise', () => {
  const half = Date.UTC(2026, 3, 16)
  const cancel = (proration: 'by_time' | 'none'): AgreedChange[] => [
    { ...asked(half), type: 'cancel', atPeriodEnd: false, proration, reason: null },
  ]
  const found = (proration: 'by_time' | 'none') =>
    invoices(Date.UTC(2026, 3, 1), Date.UTC(2026, 5, 1), ten, { changes: cancel(proration) })
  expect([found('by_time'), found('none')]).toEqual([
    [
      ['2026-04-01', 1000],
      ['2026-04-16', -500],
    ],
    [['2026-04-01', 1000]],
  ])
})
