/** The stretches by which /explore draws a subscription, worked out from its changes and events. */
import { describe, expect, test } from 'vitest'
import { bandsOf, type Current, phasesOf, type Stretch, type Terms } from '../../src/explore/subscription-bands.ts'

const day = (count: number): string => new Date(Date.UTC(2030, 0, count)).toISOString()
const at = (count: number): number => Date.UTC(2030, 0, count)
const current: Current = { phase: 'ACTIVE', trialEndsAt: null }
const seen = (stretches: readonly Stretch[]) => stretches.map(({ name, from, to }) => [name, from, to])

describe('terms', () => {
  const beans = { name: 'Beans', sku: 'B-1', quantity: 2, unitAmount: { formatted: '$3.00' } }
  const gone = { name: null, sku: null, quantity: 1, unitAmount: null }
  const terms: Terms[] = [
    { from: day(1), to: day(5), plan: { name: 'Monthly' }, items: [beans] },
    { from: day(5), to: null, plan: { name: 'Yearly' }, items: [beans, gone] },
  ]

  test('each band has the plan and the items that hold then, with their amounts', () => {
    expect(seen(bandsOf(terms, Infinity))).toEqual([
      ['Monthly: 2 × Beans (B-1) at $3.00', at(1), at(5)],
      ['Yearly: 2 × Beans (B-1) at $3.00, 1 × a product that is gone at no price', at(5), Infinity],
    ])
  })

  test('the end of the subscription cuts them off', () => {
    expect(seen(bandsOf(terms, at(6))).map(([, from, to]) => [from, to])).toEqual([
      [at(1), at(5)],
      [at(5), at(6)],
    ])
    expect(seen(bandsOf(terms, at(5))).map(([, from, to]) => [from, to])).toEqual([[at(1), at(5)]])
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
