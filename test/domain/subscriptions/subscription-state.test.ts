import { describe, expect, test } from 'vitest'
import { DomainError } from '../../../src/domain/input/errors.ts'
import {
  actionViolations,
  applyAction,
  type Lifecycle,
  type LifecycleTerms,
  readStateAction,
  type StateAction,
  stateActions,
  statusAt,
} from '../../../src/domain/subscriptions/subscription-state.ts'

const DAY = 86_400_000
const start = Date.parse('2026-01-15T10:00:00Z')
const monthly: LifecycleTerms = {
  billingIntervalType: 'month',
  billingFrequency: 1,
  trialPeriod: 0,
  planLength: 3,
  endBehavior: 'close',
  canPause: true,
  canResume: true,
  canCancel: true,
}

const end = Date.parse('2026-04-15T10:00:00Z')
const secondBilling = Date.parse('2026-02-15T10:00:00Z')

function life(given: Partial<Lifecycle> = {}): Lifecycle {
  const never = { pausedAt: null, canceledAt: null, resumedAt: null, inactivationRequestedAt: null }
  return { paused: false, canceled: false, ...never, createdAt: start, updatedAt: start, plan: monthly, ...given }
}

/** The subscription after each action at its instant. */
function lived(...steps: [StateAction, number][]): Lifecycle {
  return steps.reduce((subscription, [action, now]) => applyAction(subscription, action, now), life())
}

function refusal(subscription: Lifecycle, action: StateAction, now: number): string | null {
  try {
    applyAction(subscription, action, now)
    return null
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'conflict') throw error
    expect(error.violations).toEqual([{ code: 'ACTION_REFUSED', path: ['attributes', 'action'], message: expect.any(String) }])
    return error.violations[0]?.message ?? ''
  }
}

describe('subscription.billing-instants: the status', () => {
  test('of a new subscription is active', () => {
    expect(statusAt(life(), start)).toEqual({
      status: 'active',
      canceled: false,
      paused: false,
      closed: false,
      suspended: false,
      invoiceAfter: secondBilling,
      endDate: end,
    })
  })

  test('is closed and inactive from the end date on, to the millisecond', () => {
    expect(statusAt(life(), end - 1)).toMatchObject({ closed: false, status: 'active' })
    expect(statusAt(life(), end)).toMatchObject({ closed: true, status: 'inactive' })
    expect(statusAt(life(), end + 1)).toMatchObject({ closed: true, status: 'inactive' })
  })

  test('has no end date when the plan rolls on', () => {
    const rolling = life({ plan: { ...monthly, endBehavior: 'roll' } })
    expect(statusAt(rolling, end + 1000 * DAY)).toMatchObject({ closed: false, status: 'active', endDate: null })
  })
})

describe('subscription.inactive-from-next-billing: the status after a pause or cancel', () => {
  test.each(['pause', 'cancel'] as const)('is inactive from the first billing after a %s, to the millisecond', (action) => {
    const held = lived([action, start + 3 * DAY])
    expect(statusAt(held, start + 3 * DAY).status).toBe('active')
    expect(statusAt(held, secondBilling - 1).status).toBe('active')
    expect(statusAt(held, secondBilling).status).toBe('inactive')
  })

  test('is inactive from the next billing instant after a pause at one', () => {
    const held = lived(['pause', secondBilling])
    const third = Date.parse('2026-03-15T10:00:00Z')
    expect(statusAt(held, third - 1).status).toBe('active')
    expect(statusAt(held, third).status).toBe('inactive')
  })

  test('is inactive from the end of the trial after a pause during the trial', () => {
    const held = applyAction(life({ plan: { ...monthly, trialPeriod: 7 } }), 'pause', start + DAY)
    expect(statusAt(held, start + 7 * DAY - 1).status).toBe('active')
    expect(statusAt(held, start + 7 * DAY).status).toBe('inactive')
  })

  test('is inactive from the billing after the pause when a cancel follows the pause', () => {
    const held = lived(['pause', start + DAY], ['cancel', secondBilling + DAY])
    expect(held.inactivationRequestedAt).toBe(start + DAY)
    expect(statusAt(held, secondBilling).status).toBe('inactive')
  })

  test('is active again from a resume on', () => {
    const resumed = lived(['pause', start + DAY], ['resume', secondBilling + DAY])
    expect(statusAt(resumed, secondBilling + DAY).status).toBe('active')
    const pausedAgain = applyAction(resumed, 'pause', secondBilling + 2 * DAY)
    expect(statusAt(pausedAgain, secondBilling + 2 * DAY).status).toBe('active')
  })
})

describe('subscription.allowed-actions: the actions on a subscription', () => {
  test.each<[string, Lifecycle, readonly StateAction[]]>([
    ['a new one', life(), ['cancel', 'pause']],
    ['a paused one', lived(['pause', start]), ['cancel', 'resume']],
    ['a canceled one', lived(['cancel', start]), ['resume']],
    ['a paused and canceled one', lived(['pause', start], ['cancel', start]), ['resume']],
    ['a resumed one', lived(['cancel', start], ['resume', start]), ['cancel', 'pause']],
  ])('%s', (_, subscription, allowed) => {
    expect(stateActions.filter((action) => refusal(subscription, action, end - 1) === null)).toEqual(allowed)
    expect(stateActions.filter((action) => refusal(subscription, action, end) === null)).toEqual([])
    expect(refusal(subscription, 'resume', end)).toBe('the subscription is closed')
  })

  test('set their timestamp and flag each, and resume clears both flags but no timestamp', () => {
    const both = lived(['pause', start + 1], ['cancel', start + 2])
    expect(both).toEqual(
      life({
        paused: true,
        canceled: true,
        pausedAt: start + 1,
        canceledAt: start + 2,
        inactivationRequestedAt: start + 1,
        updatedAt: start + 2,
      }),
    )
    expect(applyAction(both, 'resume', start + 3)).toEqual(
      life({ pausedAt: start + 1, canceledAt: start + 2, resumedAt: start + 3, updatedAt: start + 3 }),
    )
  })

  test('record.updated-at-rises: raise updated_at even when the clock stands still or goes back', () => {
    expect(lived(['pause', start], ['resume', start - 5]).updatedAt).toBe(start + 2)
  })

  test.each([
    ['pause', 'canPause'],
    ['resume', 'canResume'],
    ['cancel', 'canCancel'],
  ] as const)('a plan may forbid to %s, and forbids nothing else by that', (action, permission) => {
    const plan = { ...monthly, [permission]: false }
    expect(stateActions.flatMap((candidate) => actionViolations(plan, candidate))).toEqual([
      { code: 'ACTION_REFUSED', path: ['attributes', 'action'], message: `the plan does not allow to ${action}` },
    ])
  })
})

describe('http.paths-and-aliases: the request body of an action', () => {
  const errorsOf = (data: unknown) => readStateAction(data).violations.map(({ code, path }) => `${path.join('.')} ${code}`)

  test('may have each of the three actions', () => {
    for (const action of stateActions) {
      expect(readStateAction({ type: 'subscription_state', attributes: { action } })).toEqual({ value: action, violations: [] })
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
  ])('must not be %j', (data, violations) => {
    expect(errorsOf(data)).toEqual(violations)
  })
})
