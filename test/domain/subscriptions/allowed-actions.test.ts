/** The actions that a subscription allows are those that succeed. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type StateAction, stateActions } from '../../../src/domain/subscriptions/asked-action.ts'
import { billingIntervalWords, endBehaviorWords } from '../../../src/domain/subscriptions/billing.ts'
import {
  type Agreed,
  actionViolations,
  allowedActions,
  applyAction,
} from '../../../src/domain/subscriptions/subscription-state.ts'
import { agreementWith, planWith } from '../../support/agreements.ts'

const DAY = 86_400_000
const start = Date.parse('2026-01-31T10:00:00Z')

const plans = fc.record({
  billingIntervalType: fc.constantFrom(...billingIntervalWords),
  billingFrequency: fc.integer({ min: 1, max: 3 }),
  trialPeriod: fc.integer({ min: 0, max: 3 }),
  planLength: fc.integer({ min: 1, max: 4 }),
  endBehavior: fc.constantFrom(...endBehaviorWords),
  canPause: fc.boolean(),
  canResume: fc.boolean(),
  canCancel: fc.boolean(),
})

function succeeds(life: Agreed, action: StateAction, now: number): boolean {
  if (actionViolations(life, action, now).length > 0) return false
  try {
    applyAction(life, action, 'next', now)
    return true
  } catch {
    return false
  }
}

test('subscription.allowed-actions: the allowed actions of a subscription are exactly those that succeed, after any life', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...stateActions), fc.integer({ min: 0, max: 20 })), { maxLength: 6 })
  const listed = new Set<string>()
  fc.assert(
    fc.property(plans, steps, (plan, lived) => {
      let life: Agreed = { agreement: agreementWith({ startsAt: start, plan: planWith(plan) }), updatedAt: start }
      let now = start
      for (const [index, [action, days]] of lived.entries()) {
        now += days * DAY
        const allowed = allowedActions(life, now)
        expect(allowed).toEqual(stateActions.filter((one) => succeeds(life, one, now)))
        listed.add(allowed.join())
        if (allowed.includes(action)) life = applyAction(life, action, String(index), now)
      }
    }),
    { numRuns: 3000 },
  )
  // Every list that can be: all of cancel, pause and resume never together, since an active subscription can't resume.
  expect([...listed].sort()).toEqual(['', 'cancel', 'cancel,pause', 'cancel,resume', 'pause', 'resume'])
})
