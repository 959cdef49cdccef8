/** The stretches by which /explore draws a subscription, worked out from its changes and events. */
import { describe, expect, test } from 'vitest'
import { type Change, type Current, phasesOf, type Stretch, termsOf } from '../../src/explore/subscription-bands.ts'

const day = (count: number): string => new Date(Date.UTC(2030, 0, count)).toISOString()
const at = (count: number): number => Date.UTC(2030, 0, count)
const current: Current = {
  ...{ startsAt: day(1), phase: 'ACTIVE', trialEndsAt: null, plan: { name: 'Monthly' } },
  items: [{ name: 'Beans', quantity: 2 }],
}
const change = (type: string, status: string, count: number, more: Partial<Change> = {}): Change => ({
  ...{ type, status, at: day(count), plan: null, items: null },
  ...more,
})
const seen = (stretches: readonly Stretch[]) => stretches.map(({ name, from, to }) => [name, from, to])

describe('terms', () => {
  test('terms without a change are the ones of now, from the start to the end of the subscription', () => {
    const others = [change('PAUSE', 'EFFECTIVE', 3), change('CHANGE', 'UNDONE', 4), change('CHANGE', 'OVERTAKEN', 5)]
    expect(seen(termsOf(current, others, Infinity))).toEqual([['Monthly: 2 × Beans', at(1), Infinity]])
    expect(seen(termsOf(current, others, at(9)))).toEqual([['Monthly: 2 × Beans', at(1), at(9)]])
  })

  test('a change that is ahead ends the terms of now, and keeps their plan unless it has one', () => {
    const items = [{ name: null, quantity: 1 }]
    const ahead = [
      change('CHANGE', 'SCHEDULED', 9, { items, plan: { name: 'Yearly' } }),
      change('CHANGE', 'SCHEDULED', 5, { items }),
    ]
    expect(seen(termsOf(current, ahead, Infinity))).toEqual([
      ['Monthly: 2 × Beans', at(1), at(5)],
      ['Monthly: 1 × a product that is gone', at(5), at(9)],
      ['Yearly: 1 × a product that is gone', at(9), Infinity],
    ])
    // A cancellation that comes first leaves no terms behind it.
    expect(seen(termsOf(current, ahead, at(5)))).toEqual([['Monthly: 2 × Beans', at(1), at(5)]])
  })

  test('what held before a change that has come is not guessed', () => {
    const items = [{ name: 'Beans', quantity: 2 }]
    expect(seen(termsOf(current, [change('CHANGE', 'EFFECTIVE', 5, { items })], Infinity))).toEqual([
      ['Monthly', at(1), at(5)],
      ['Monthly: 2 × Beans', at(5), Infinity],
    ])
    const other = change('CHANGE', 'EFFECTIVE', 5, { items, plan: { name: 'Monthly' } })
    expect(seen(termsOf(current, [other], Infinity))[0]).toEqual(['as first agreed', at(1), at(5)])
  })
})

describe('phases', () => {
  const event = (type: string, count: number) => ({ type, at: day(count) })

  test('phases begin with the events of the timeline; others than those of phases begin none', () => {
    const events = [
      ...[event('BEGINS', 1), event('TRIAL_BEGINS', 1), event('PAUSES', 3), event('BECOMES_INACTIVE', 3)],
      ...[event('RESUMES', 5), event('TRIAL_ENDS', 8), event('PERIOD', 8), event('INVOICE', 8), event('CHANGES', 9)],
      ...[event('CANCELS', 10), event('RESUMES', 12), event('PAUSES', 13), event('CLOSES', 14)],
    ]
    expect(seen(phasesOf({ ...current, trialEndsAt: day(8) }, events, at(1)))).toEqual([
      ...[
        ['trial', at(1), at(3)],
        ['paused', at(3), at(5)],
        ['trial', at(5), at(8)],
        ['active', at(8), at(10)],
      ],
      ...[
        ['canceled', at(10), at(12)],
        ['active', at(12), at(13)],
        ['paused', at(13), at(14)],
      ],
      ['closed', at(14), Infinity],
    ])
  })

  test('a trial that ends within a pause leaves the pause', () => {
    const events = [event('TRIAL_BEGINS', 1), event('PAUSES', 3), event('TRIAL_ENDS', 4), event('RESUMES', 5)]
    expect(seen(phasesOf({ ...current, trialEndsAt: day(4) }, events, at(1)))).toEqual([
      ...[
        ['trial', at(1), at(3)],
        ['paused', at(3), at(5)],
        ['active', at(5), Infinity],
      ],
    ])
  })

  test.each([
    ['PAUSES', 'active'],
    ['CANCELS', 'active'],
    ['TRIAL_ENDS', 'trial'],
    ['RESUMES', 'inactive'],
    ['BEGINS', 'pending'],
  ])('before the first event, %s, it is %s', (type, name) => {
    expect(seen(phasesOf(current, [event('INVOICE', 2), event(type, 3)], -Infinity))[0]).toEqual([
      name,
      -Infinity,
      at(3),
    ])
  })

  test('without an event it is in the phase of now', () => {
    expect(seen(phasesOf({ ...current, phase: 'CANCELED' }, [], -Infinity))).toEqual([
      ['canceled', -Infinity, Infinity],
    ])
  })
})
