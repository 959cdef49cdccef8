import { describe, expect, test } from 'vitest'
import { DomainError } from '../../../src/domain/input/errors.ts'
import {
  plainAction,
  readStateAction,
  type StateAction,
  stateActions,
} from '../../../src/domain/subscriptions/asked-action.ts'
import type { LifeStatus } from '../../../src/domain/subscriptions/life-readings.ts'
import { lifeStatusAt } from '../../../src/domain/subscriptions/life-readings.ts'
import type { Plan } from '../../../src/domain/subscriptions/plan.ts'
import { type Agreed, actionViolations, applyAction } from '../../../src/domain/subscriptions/subscription-state.ts'
import { agreementWith, planWith } from '../../support/agreements.ts'

const DAY = 86_400_000
const start = Date.parse('2026-01-15T10:00:00Z')
const monthly = planWith({ planLength: 3, endBehavior: 'close' })

const end = Date.parse('2026-04-15T10:00:00Z')
const secondBilling = Date.parse('2026-02-15T10:00:00Z')

function life(plan: Partial<Plan> = {}): Agreed {
  return { agreement: agreementWith({ startsAt: start, plan: { ...monthly, ...plan } }), updatedAt: start }
}

/** The subscription after each action at its instant. */
function lived(...steps: [StateAction, number][]): Agreed {
  return steps.reduce((one, [action, now], index) => applyAction(one, action, String(index), now), life())
}

function statusAt({ agreement }: Agreed, now: number): LifeStatus {
  return lifeStatusAt(agreement, now)
}

function refusal(subscription: Agreed, action: StateAction, now: number): string | null {
  try {
    applyAction(subscription, action, 'next', now)
    return null
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'conflict') throw error
    expect(error.violations).toEqual([
      { code: 'ACTION_REFUSED', path: ['attributes', 'action'], message: expect.any(String) },
    ])
    return error.violations[0]?.message ?? ''
  }
}

describe('subscription.billing-instants: the status', () => {
  test('the status of a new subscription is active', () => {
    expect(statusAt(life(), start)).toEqual({
      status: 'active',
      canceled: false,
      paused: false,
      closed: false,
      phase: 'active',
      phaseUntil: end,
      pausedAt: null,
      canceledAt: null,
      resumedAt: null,
      invoiceAfter: secondBilling,
      endDate: end,
    })
  })

  test('the status of a subscription is closed and inactive from the end date on, to the millisecond', () => {
    expect(statusAt(life(), end - 1)).toMatchObject({ closed: false, status: 'active' })
    expect(statusAt(life(), end)).toMatchObject({ closed: true, status: 'inactive' })
    expect(statusAt(life(), end + 1)).toMatchObject({ closed: true, status: 'inactive' })
  })

  test('a subscription whose plan rolls on has no end date', () => {
    const rolling = life({ endBehavior: 'roll' })
    expect(statusAt(rolling, end + 1000 * DAY)).toMatchObject({ closed: false, status: 'active', endDate: null })
  })
})

describe('subscription.inactive-from-next-billing: the status after a pause or cancel', () => {
  test.each(['pause', 'cancel'] as const)(
    'a subscription is inactive from the first billing after a %s, to the millisecond',
    (action) => {
      const held = lived([action, start + 3 * DAY])
      expect(statusAt(held, start + 3 * DAY).status).toBe('active')
      expect(statusAt(held, secondBilling - 1).status).toBe('active')
      expect(statusAt(held, secondBilling).status).toBe('inactive')
    },
  )

  test('a subscription that is paused at a billing instant is inactive from the next one', () => {
    const held = lived(['pause', secondBilling])
    const third = Date.parse('2026-03-15T10:00:00Z')
    expect(statusAt(held, third - 1).status).toBe('active')
    expect(statusAt(held, third).status).toBe('inactive')
  })

  test('a subscription that is paused during the trial is inactive from the end of the trial', () => {
    const held = applyAction(life({ trialPeriod: 7 }), 'pause', 'p', start + DAY)
    expect(statusAt(held, start + 7 * DAY - 1).status).toBe('active')
    expect(statusAt(held, start + 7 * DAY).status).toBe('inactive')
  })

  test('a subscription is inactive from the billing after its pause when a cancel follows the pause', () => {
    const held = lived(['pause', start + DAY], ['cancel', secondBilling + DAY])
    expect(statusAt(held, secondBilling).status).toBe('inactive')
  })

  test('a subscription is active again from a resume on', () => {
    const resumed = lived(['pause', start + DAY], ['resume', secondBilling + DAY])
    expect(statusAt(resumed, secondBilling + DAY).status).toBe('active')
    const pausedAgain = applyAction(resumed, 'pause', 'again', secondBilling + 2 * DAY)
    expect(statusAt(pausedAgain, secondBilling + 2 * DAY).status).toBe('active')
  })
})

describe('subscription.allowed-actions: the actions on a subscription', () => {
  test.each<[string, Agreed, readonly StateAction[]]>([
    ['a new one', life(), ['cancel', 'pause']],
    ['a paused one', lived(['pause', start]), ['cancel', 'resume']],
    ['a canceled one', lived(['cancel', start]), ['resume']],
    ['a paused and canceled one', lived(['pause', start], ['cancel', start]), ['resume']],
    ['a resumed one', lived(['cancel', start], ['resume', start]), ['cancel', 'pause']],
  ])('actions on a subscription: %s', (_, subscription, allowed) => {
    expect(stateActions.filter((action) => refusal(subscription, action, end - 1) === null)).toEqual(allowed)
    expect(stateActions.filter((action) => refusal(subscription, action, end) === null)).toEqual([])
    expect(refusal(subscription, 'resume', end)).toBe('the subscription is closed')
  })

  test('a pause and a cancel set a timestamp and a flag each, and a resume clears both flags but no timestamp', () => {
    const both = lived(['pause', start + 1], ['cancel', start + 2])
    expect(statusAt(both, start + 2)).toMatchObject({
      paused: true,
      canceled: true,
      pausedAt: start + 1,
      canceledAt: start + 2,
      resumedAt: null,
    })
    expect(both.updatedAt).toBe(start + 2)
    const resumed = applyAction(both, 'resume', 'r', start + 3)
    expect(statusAt(resumed, start + 3)).toMatchObject({
      paused: false,
      canceled: false,
      pausedAt: start + 1,
      canceledAt: start + 2,
      resumedAt: start + 3,
    })
  })

  test('record.updated-at-rises: the actions on a subscription raise updated_at even when the clock stands still or goes back', () => {
    expect(lived(['pause', start], ['resume', start - 5]).updatedAt).toBe(start + 2)
  })

  test.each([
    ['pause', 'canPause'],
    ['resume', 'canResume'],
    ['cancel', 'canCancel'],
  ] as const)('a plan may forbid to %s, and forbids nothing else by that', (action, permission) => {
    const forbidden = life({ [permission]: false })
    expect(stateActions.flatMap((candidate) => actionViolations(forbidden, candidate, start))).toEqual([
      { code: 'ACTION_REFUSED', path: ['attributes', 'action'], message: `the plan does not allow to ${action}` },
    ])
  })
})

describe('http.paths-and-aliases: the request body of an action', () => {
  const errorsOf = (data: unknown) =>
    readStateAction(data, start).violations.map(({ code, path }) => `${path.join('.')} ${code}`)

  test('the request body of an action may have each of the three actions', () => {
    for (const action of stateActions) {
      expect(readStateAction({ type: 'subscription_state', attributes: { action } }, start)).toEqual({
        value: plainAction(action),
        violations: [],
      })
    }
  })

  test.each<[unknown, string[]]>([
    [undefined, [' REQUIRED']],
    [[], [' INVALID_TYPE']],
    [{}, ['type REQUIRED', 'attributes REQUIRED']],
    [{ type: 'subscription', attributes: {} }, ['type INVALID_VALUE', 'attributes.action REQUIRED']],
    [{ type: 'subscription_state', attributes: { action: 'close' } }, ['attributes.action INVALID_VALUE']],
    [{ type: 'subscription_state', attributes: { action: 'Pause' } }, ['attributes.action INVALID_VALUE']],
    [{ type: 'subscription_state', attributes: { action: null } }, ['attributes.action REQUIRED']],
    [{ type: 'subscription_state', attributes: { action: 1 } }, ['attributes.action INVALID_TYPE']],
    [{ type: 'subscription_state', attributes: ['pause'] }, ['attributes INVALID_TYPE']],
  ])('the request body of an action must not be %j', (data, violations) => {
    expect(errorsOf(data)).toEqual(violations)
  })
})
