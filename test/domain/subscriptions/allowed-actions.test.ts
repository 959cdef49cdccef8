/** The actions that a subscription allows are those that succeed. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  actionViolations,
  allowedActions,
  applyAction,
  type Lifecycle,
  type StateAction,
  stateActions,
} from '../../../src/domain/subscriptions/subscription-state.ts'

const DAY = 86_400_000
const start = Date.parse('2026-01-31T10:00:00Z')

const plans = fc.record({
  billingIntervalType: fc.constantFrom('day', 'week', 'month', 'year'),
  billingFrequency: fc.integer({ min: 1, max: 3 }),
  trialPeriod: fc.integer({ min: 0, max: 3 }),
  planLength: fc.integer({ min: 1, max: 4 }),
  endBehavior: fc.constantFrom('close', 'roll'),
  canPause: fc.boolean(),
  canResume: fc.boolean(),
  canCancel: fc.boolean(),
})

function succeeds(life: Lifecycle, action: StateAction, now: number): boolean {
  if (actionViolations(life.plan, action).length > 0) return false
  try {
    applyAction(life, action, now)
    return true
  } catch {
    return false
  }
}

test('subscription.allowed-actions: exactly the actions that succeed are listed, after any life', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...stateActions), fc.integer({ min: 0, max: 20 })), { maxLength: 6 })
  const listed = new Set<string>()
  fc.assert(
    fc.property(plans, steps, (plan, lived) => {
      const never = { pausedAt: null, canceledAt: null, resumedAt: null, inactivationRequestedAt: null }
      let life: Lifecycle = { paused: false, canceled: false, ...never, createdAt: start, updatedAt: start, plan }
      let now = start
      for (const [action, days] of lived) {
        now += days * DAY
        const allowed = allowedActions(life, now)
        expect(allowed).toEqual(stateActions.filter((one) => succeeds(life, one, now)))
        listed.add(allowed.join())
        if (allowed.includes(action)) life = applyAction(life, action, now)
      }
    }),
    { numRuns: 3000 },
  )
  // Every list that can be: all of cancel, pause and resume never together, since an active subscription can't resume.
  expect([...listed].sort()).toEqual(['', 'cancel', 'cancel,pause', 'cancel,resume', 'pause', 'resume'])
})
