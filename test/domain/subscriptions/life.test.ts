/** Lives of subscriptions, one rule at a time, with the amounts and instants that a reader can check by hand. */
import { describe, expect, test } from 'vitest'
import type { AgreedChange, Agreement, Hold, Item, TermsChange } from '../../../src/domain/subscriptions/agreement.ts'
import { inexactSums } from '../../../src/domain/subscriptions/first-terms.ts'
import { lifeStatusAt, nextAmount, timeline } from '../../../src/domain/subscriptions/life-readings.ts'
import { termsOf } from '../../../src/domain/subscriptions/terms.ts'
import { agreementWith, itemWith, planWith } from '../../support/agreements.ts'

const DAY = 86_400_000
const start = Date.UTC(2026, 0, 1)
const day = (n: number) => start + n * DAY
const days30 = planWith({ billingIntervalType: 'day', billingFrequency: 30 })

let ids = 0
const asked = (at: number, askedAt = at) => ({ id: `c${ids++}`, askedAt, at, undoneAt: null })

function change(at: number, items: readonly Item[], given: Partial<TermsChange> = {}): TermsChange {
  return { ...asked(at), type: 'change', plan: null, items, proration: 'by_time', prorateAt: null, ...given }
}

function hold(type: Hold['type'], at: number, given: Partial<Hold> = {}): Hold {
  return { ...asked(at), type, atPeriodEnd: false, proration: 'none', reason: null, ...given }
}

const resume = (at: number, proration: 'by_time' | 'none' = 'by_time'): AgreedChange => ({
  ...asked(at),
  type: 'resume',
  proration,
  pauseId: null,
})

function agreed(changes: readonly AgreedChange[], given: Partial<Agreement> = {}): Agreement {
  return agreementWith({ startsAt: start, plan: days30, changes, ...given })
}

/** What is told of a time, in short: the day, what happens, and the lines of an invoice. */
function told(agreement: Agreement, from: number, to: number): string[] {
  return [...timeline(agreement, from, to)].map((entry) => {
    const at = `${(entry.at - start) / DAY}`
    if (entry.type === 'period') return `${at} period to ${(entry.end - start) / DAY}`
    if (entry.type !== 'invoice') return `${at} ${entry.type}`
    const lines = entry.lines.map(({ item, reason, amount }) => `${item.productId} ${reason} ${amount}`)
    return `${at} invoice ${entry.amount}: ${lines.join(', ')}`
  })
}

const invoices = (agreement: Agreement, from: number, to: number) =>
  told(agreement, from, to).filter((text) => text.includes('invoice'))

describe('subscription.terms-from-an-instant: changes of terms', () => {
  const [a30, a60, b3] = [itemWith('a', 3000), itemWith('a', 6000), itemWith('b', 300)]

  test('a change BY_TIME credits the rest of what was charged, and charges the rest of the new price', () => {
    expect(invoices(agreed([change(day(10), [a60])]), day(1), day(31))).toEqual([
      '10 invoice 2000: a proration_credit -2000, a proration_charge 4000',
      '30 invoice 6000: a period 6000',
    ])
  })

  test('a gift by NONE stays one: going back has no line, and another item is charged alone', () => {
    const gift = change(day(10), [a60], { proration: 'none' })
    expect(invoices(agreed([gift, change(day(20), [a30])]), day(1), day(30))).toEqual([])
    expect(invoices(agreed([gift, change(day(20), [a60, b3])]), day(1), day(30))).toEqual([
      '20 invoice 100: b proration_charge 100',
    ])
  })

  test('of another quantity the whole cover is credited and the new one charged', () => {
    const items = [2, 5].map((quantity) => itemWith('a', 100, quantity))
    const agreement = agreed([change(day(20), items.slice(1))], { items: items.slice(0, 1) })
    expect(invoices(agreement, day(1), day(30))).toEqual([
      '20 invoice 100: a proration_credit -67, a proration_charge 167',
    ])
  })

  test('with another interval a period begins at the change', () => {
    const monthly = planWith({ billingIntervalType: 'month', billingFrequency: 1 })
    expect(told(agreed([change(day(10), [a30], { plan: monthly })]), day(1), day(42))).toEqual([
      '10 changes',
      '10 period to 41',
      '10 invoice 1000: a proration_credit -2000, a period 3000',
      '41 period to 69',
      '41 invoice 3000: a period 3000',
    ])
  })

  test('a named plan counts its length from the period at the change: month 10 of 12 to another 12 ends after month 21', () => {
    const yearly = planWith({ planLength: 12, endBehavior: 'close' })
    const inMonth10 = Date.UTC(2026, 9, 15)
    const ends = (changes: AgreedChange[]) =>
      new Date(lifeStatusAt(agreed(changes, { plan: yearly }), start).endDate ?? 0).toISOString().slice(0, 10)
    expect(ends([])).toBe('2027-01-01')
    expect(ends([change(inMonth10, [a30], { plan: yearly })])).toBe('2027-10-01')
    expect(ends([change(inMonth10, [a60])])).toBe('2027-01-01')
  })
})

describe('subscription.pauses-and-cancels: pauses, cancels and resumes', () => {
  test('a resume charges the rest of a period without cover, and nothing of one that is covered', () => {
    const paused = hold('pause', day(10))
    expect(invoices(agreed([paused, resume(day(20))]), day(1), day(31))).toEqual(['30 invoice 3000: a period 3000'])
    expect(invoices(agreed([paused, resume(day(40))]), day(1), day(61))).toEqual([
      '40 invoice 2000: a proration_charge 2000',
      '60 invoice 3000: a period 3000',
    ])
    expect(invoices(agreed([paused, resume(day(40), 'none')]), day(1), day(61))).toEqual([
      '60 invoice 3000: a period 3000',
    ])
  })

  test('a cancel that was asked for later overtakes a resume, and nothing is told after it', () => {
    const closing = { ...days30, endBehavior: 'close' as const, planLength: 3 }
    const changes = [hold('pause', day(10)), resume(day(50)), hold('cancel', day(20), { proration: 'by_time' })]
    expect(told(agreed(changes, { plan: closing }), day(1), day(400))).toEqual([
      '10 pauses',
      '10 becomes_inactive',
      '20 cancels',
      '20 invoice -1000: a proration_credit -1000',
    ])
    const later = lifeStatusAt(agreed(changes, { plan: closing }), day(60))
    expect(later).toMatchObject({ phase: 'canceled', paused: true, canceled: true, phaseUntil: day(90) })
  })
})

test('subscription.order-at-an-instant: a change at the end comes before the close, and renews', () => {
  const plan = { ...days30, endBehavior: 'close' as const, planLength: 2 }
  expect(told(agreed([], { plan }), day(31), day(400))).toEqual(['60 closes', '60 becomes_inactive'])
  const renewed = agreed([change(day(60), [itemWith('a', 3000)], { plan })], { plan })
  expect(told(renewed, day(31), day(61))).toEqual(['60 changes', '60 period to 90', '60 invoice 3000: a period 3000'])
  expect(lifeStatusAt(renewed, day(61)).endDate).toBe(day(120))
})

test('subscription.order-at-an-instant: of a cancel, a pause or a change that was asked for after a resume of the same instant, the later one holds', () => {
  const canceled = hold('cancel', day(10))
  const at = day(20)
  const after = (...changes: AgreedChange[]) => agreed([canceled, ...changes])
  const phase = (agreement: Agreement) => lifeStatusAt(agreement, at).phase
  const again = hold('cancel', at)
  expect(told(after(resume(at), again), at, day(61))).toEqual(['20 resumes', '20 cancels'])
  expect(lifeStatusAt(after(resume(at), again), at)).toMatchObject({
    phase: 'canceled',
    canceled: true,
    canceledAt: at,
  })
  expect(phase(after(resume(at), hold('pause', at)))).toBe('paused')
  expect(phase(after(resume(at), hold('cancel', at), resume(at)))).toBe('active')
  expect(phase(after(hold('cancel', at), resume(at)))).toBe('active')
  expect(told(after(resume(at), change(at, [itemWith('a', 6000)])), at, day(31))).toEqual([
    '20 resumes',
    '20 changes',
    '20 invoice 1000: a proration_credit -1000, a proration_charge 2000',
    '30 period to 60',
    '30 invoice 6000: a period 6000',
  ])
})

test('subscription.order-at-an-instant: of one instant a change comes first, then cancel, pause and resume, whichever was asked for first', () => {
  const at = day(10)
  const [dearer, paused, canceled] = [change(at, [itemWith('a', 6000)]), hold('pause', at), hold('cancel', at)]
  const settled = '10 invoice 2000: a proration_credit -2000, a proration_charge 4000'
  const all = (...changes: AgreedChange[]) => told(agreed(changes), day(1), day(20))
  expect(all(paused, dearer)).toEqual(['10 changes', '10 pauses', '10 becomes_inactive', settled])
  expect(all(canceled, dearer)).toEqual(['10 changes', '10 cancels', '10 becomes_inactive', settled])
  expect(all(paused, canceled)).toEqual(['10 cancels', '10 becomes_inactive'])
  // A change of a paused subscription is as NONE, also when a resume of the same instant was asked for before it.
  const resumed = [hold('pause', day(5)), resume(at, 'none')]
  expect(all(...resumed, dearer)).toEqual(['5 pauses', '5 becomes_inactive', '10 changes', '10 resumes'])
  expect(all(...resumed, paused, dearer)).toEqual([
    ...['5 pauses', '5 becomes_inactive', '10 changes', '10 resumes', '10 pauses'],
  ])
})

describe('subscription.terms-in-sequence: the terms one after another', () => {
  const [a30, a60, b3] = [itemWith('a', 3000), itemWith('a', 6000), itemWith('b', 300)]
  const seen = (changes: AgreedChange[], given: Partial<Agreement> = {}) =>
    termsOf(agreed(changes, given)).map(({ from, to, plan, items }) => [
      (from - start) / DAY,
      to === null ? null : (to - start) / DAY,
      plan.name,
      items.map(({ productId, unitAmount }) => `${productId} ${unitAmount}`).join(),
    ])

  test('there are those of the start, and those of each change, from its instant to the next one', () => {
    expect(seen([])).toEqual([[0, null, 'Monthly', 'a 3000']])
    const dearer = { plan: planWith({ name: 'Dearer' }) }
    const changes = [change(day(10), [a60], dearer), hold('pause', day(15)), change(day(20), [a60, b3])]
    expect(seen(changes)).toEqual([
      [0, 10, 'Monthly', 'a 3000'],
      [10, 20, 'Dearer', 'a 6000'],
      [20, null, 'Dearer', 'a 6000,b 300'],
    ])
    // Two of one instant are one, and equal terms begin anew.
    expect(seen([change(day(10), [a60]), change(day(10), [b3]), change(day(20), [b3])]).slice(1)).toEqual([
      [10, 20, 'Monthly', 'b 300'],
      [20, null, 'Monthly', 'b 300'],
    ])
  })

  test('what was undone or overtaken makes none, and what changed before the start or at it makes the first ones', () => {
    expect(seen([change(day(10), [a60], { undoneAt: day(5) })])).toHaveLength(1)
    expect(seen([hold('cancel', day(9)), change(day(10), [a60])])).toHaveLength(1)
    expect(seen([hold('cancel', day(9)), change(day(10), [a60]), change(day(12), [b3]), resume(day(11))])).toEqual([
      [0, 12, 'Monthly', 'a 3000'],
      [12, null, 'Monthly', 'b 300'],
    ])
    expect(seen([change(start - 1, [a60])])).toEqual([[0, null, 'Monthly', 'a 6000']])
    expect(seen([change(start - 1, [a60]), change(start, [b3])])).toEqual([[0, null, 'Monthly', 'b 300']])
    expect(seen([change(start + 1, [b3])], { items: [a30] })).toHaveLength(2)
  })
})

test('subscription.trial-before-periods, subscription.last-phase-counts: a trial is charged nothing, and a pause in it leaves its end', () => {
  const plan = { ...days30, trialPeriod: 14 }
  expect(told(agreed([], { plan }), start, day(15))).toEqual([
    '0 begins',
    '0 trial_begins',
    '14 trial_ends',
    '14 period to 44',
    '14 invoice 3000: a period 3000',
  ])
  const paused = agreed([hold('pause', day(3)), resume(day(5))], { plan })
  const phases = [-1, 0, 3, 5, 14].map((n) => lifeStatusAt(paused, day(n)).phase)
  expect(phases).toEqual(['pending', 'trial', 'paused', 'trial', 'active'])
  expect(lifeStatusAt(paused, day(3)).phaseUntil).toBe(day(5))
  const moved = agreed([{ ...asked(day(20), day(2)), type: 'trial' }], { plan })
  expect(invoices(moved, start, day(51))).toEqual(['20 invoice 3000: a period 3000', '50 invoice 3000: a period 3000'])
})

test('subscription.flags-turn: a flag turns at the request for the end of a period, else when the pause takes effect', () => {
  const atEnd = agreed([hold('pause', day(30), { askedAt: day(10), atPeriodEnd: true })])
  const atInstant = agreed([hold('pause', day(30), { askedAt: day(10) })])
  const flags = (agreement: Agreement) =>
    [day(10), day(30) - 1, day(30)].map((at) => lifeStatusAt(agreement, at).paused)
  expect(flags(atEnd)).toEqual([true, true, true])
  expect(flags(atInstant)).toEqual([false, false, true])
})

test('subscription.billing-day: a first period is the part of the interval that ends on the billing day', () => {
  const from31 = (plan: Agreement['plan'], items: Item[]) =>
    agreementWith({ startsAt: Date.UTC(2026, 0, 31), plan, items, billingDay: 15 })
  const due = (agreement: Agreement) =>
    [...timeline(agreement, start, Date.UTC(2027, 3))]
      .flatMap((entry) =>
        entry.type === 'invoice' ? [[new Date(entry.at).toISOString().slice(0, 10), entry.amount]] : [],
      )
      .slice(0, 2)
  expect(due(from31(planWith(), [itemWith('a', 3100)]))).toEqual([
    ['2026-01-31', 1500],
    ['2026-02-15', 3100],
  ])
  expect(due(from31(planWith({ billingIntervalType: 'year' }), [itemWith('a', 36_500)]))).toEqual([
    ['2026-01-31', 1500],
    ['2026-02-15', 36_500],
  ])
})

test('subscription.local-time: periods keep their local time, a gap moves one on, and a time that comes twice is the first', () => {
  const begin = Date.parse('2026-02-28T01:30:00Z')
  const daily = planWith({ billingIntervalType: 'month' })
  const starts = (startsAt: number, count: number) => {
    const found: string[] = []
    for (const entry of timeline(
      agreementWith({ startsAt, plan: daily, timeZone: 'Europe/Zurich' }),
      startsAt,
      Date.UTC(2027, 0),
    ))
      if (entry.type === 'period' && found.length < count) found.push(new Date(entry.at).toISOString())
    return found
  }
  // 02:30 in Zurich; on 29 March it does not exist.
  expect(starts(Date.parse('2026-01-29T01:30:00Z'), 4)).toEqual([
    '2026-01-29T01:30:00.000Z',
    '2026-02-28T01:30:00.000Z',
    '2026-03-29T01:30:00.000Z',
    '2026-04-29T00:30:00.000Z',
  ])
  // On 25 October 02:30 comes twice.
  expect(starts(Date.parse('2026-09-25T00:30:00Z'), 2)).toEqual([
    '2026-09-25T00:30:00.000Z',
    '2026-10-25T00:30:00.000Z',
  ])
  expect(starts(begin, 1)).toEqual(['2026-02-28T01:30:00.000Z'])
})

test('subscription.starts-count-from-the-first: two starts at one instant, where a zone skips a day, are one period, and both count in the length of the plan', () => {
  const fiveDays = planWith({ billingIntervalType: 'day', planLength: 5, endBehavior: 'close' })
  const begin = Date.parse('2011-12-28T20:00:00Z')
  const agreement = agreementWith({ startsAt: begin, plan: fiveDays, timeZone: 'Pacific/Apia' })
  const entries = [...timeline(agreement, begin, begin + 10 * DAY)]
  const at = (type: string) =>
    entries.filter((entry) => entry.type === type).map((entry) => new Date(entry.at).toISOString().slice(0, 16))
  // 10:00 of the 28th and 29th, of the 31st, since there was no 30th, and of 1 January; closed at that of the 2nd.
  expect(at('period')).toEqual(['2011-12-28T20:00', '2011-12-29T20:00', '2011-12-30T20:00', '2011-12-31T20:00'])
  expect(at('closes')).toEqual(['2012-01-01T20:00'])
})

describe('subscription.part-by-milliseconds: parts of amounts', () => {
  const days2 = planWith({ billingIntervalType: 'day', billingFrequency: 2 })
  const added = (amount: number, at: number) =>
    agreementWith({
      ...{ startsAt: start, plan: days2, items: [itemWith('a', 0)] },
      changes: [change(at, [itemWith('a', 0), itemWith('b', amount)])],
    })
  const charged = (amount: number, at: number) => invoices(added(amount, at), start + 1, day(2))

  test('a half is rounded up, a credit is its negative, and less than a half is rounded to a line of 0', () => {
    expect(charged(3, day(1))).toEqual(['1 invoice 2: b proration_charge 2'])
    expect(charged(3, day(1) + 1)).toEqual([`${1 + 1 / DAY} invoice 1: b proration_charge 1`])
    expect(charged(1, day(1) + 1)).toEqual([`${1 + 1 / DAY} invoice 0: b proration_charge 0`])
    const left = agreementWith({
      ...{ startsAt: start, plan: days2, items: [itemWith('a', 0), itemWith('b', 3)] },
      changes: [change(day(1), [itemWith('a', 0)])],
    })
    expect(invoices(left, start + 1, day(2))).toEqual(['1 invoice -2: b proration_credit -2'])
  })

  test('a part of no milliseconds has no line: a change at the start of a period charges that period alone', () => {
    expect(invoices(added(3, day(2)), day(2), day(3))).toEqual(['2 invoice 3: a period 0, b period 3'])
  })

  test('a charge replaces the cover of its item, also a longer one: with a shorter interval nothing is credited twice', () => {
    const month = agreed(
      [
        change(day(10), [itemWith('a', 3000)], {
          plan: planWith({ billingIntervalType: 'day', billingFrequency: 10 }),
        }),
      ],
      {
        items: [itemWith('a', 3000)],
      },
    )
    expect(invoices(month, day(1), day(31))).toEqual([
      '10 invoice 1000: a proration_credit -2000, a period 3000',
      '20 invoice 3000: a period 3000',
      '30 invoice 3000: a period 3000',
    ])
  })
})

describe('subscription.exact-sums: amounts of invoices', () => {
  test('an item without a price makes the invoice null, and 0 is a price', () => {
    const invoice = (amount: number | null) =>
      nextAmount(agreed([], { items: [itemWith('a', 5), itemWith('b', amount)] }), start)
    expect([invoice(null), invoice(0)]).toEqual([null, 5])
  })

  test('a sum of an invoice beyond 2^53-1 is found, to the unit', () => {
    const max = Number.MAX_SAFE_INTEGER
    const violations = (items: Item[], changes: AgreedChange[] = []) =>
      inexactSums(agreed(changes, { items }), ['items']).map(({ code }) => code)
    expect(violations([itemWith('a', max - 1), itemWith('b', 1)])).toEqual([])
    expect(violations([itemWith('a', max - 1), itemWith('b', 2)])).toEqual(['OUT_OF_RANGE'])
    expect(violations([itemWith('a', max, 2)])).toEqual(['OUT_OF_RANGE'])
    expect(violations([itemWith('a', 1)], [change(day(3), [itemWith('a', max), itemWith('b', 1)])])).toEqual([
      'OUT_OF_RANGE',
    ])
  })
})

test('subscription.next-amount: the next amount is null when no period is charged at the next start', () => {
  const closing = agreed([], { plan: { ...days30, endBehavior: 'close', planLength: 2 } })
  expect([nextAmount(closing, day(30) - 1), nextAmount(closing, day(30))]).toEqual([3000, null])
  const atEnd = agreed([hold('pause', day(30), { askedAt: day(3), atPeriodEnd: true })])
  expect(nextAmount(atEnd, day(4))).toBeNull()
  expect(lifeStatusAt(atEnd, day(4)).invoiceAfter).toBe(day(30))
})
