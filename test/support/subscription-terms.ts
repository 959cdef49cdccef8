/** Random plan terms and moments of a subscription, for property tests. */
import fc from 'fast-check'
import { billingIntervalWords, endBehaviorWords } from '../../src/domain/subscriptions/billing.ts'
import type { Plan } from '../../src/domain/subscriptions/plan.ts'
import { DAY } from './subscription-life.ts'

type Terms = Pick<
  Plan,
  | 'billingIntervalType'
  | 'billingFrequency'
  | 'trialPeriod'
  | 'planLength'
  | 'endBehavior'
  | 'canPause'
  | 'canResume'
  | 'canCancel'
>

/** Terms of a plan that allows every action; short, so that instants fall on ends of months and of the plan. */
export const anyTerms: fc.Arbitrary<Terms> = fc.record({
  billingIntervalType: fc.constantFrom(...billingIntervalWords),
  billingFrequency: fc.constantFrom(1, 1, 2, 5, 14),
  trialPeriod: fc.constantFrom(0, 0, 1, 16, 45),
  planLength: fc.constantFrom(1, 2, 3, 12),
  endBehavior: fc.constantFrom(...endBehaviorWords),
  canPause: fc.constant(true),
  canResume: fc.constant(true),
  canCancel: fc.constant(true),
})

/** Epoch milliseconds in the two years before 2026, often at the end of a month. */
export const anyStart: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2026, 0) }),
  fc
    .tuple(fc.integer({ min: 0, max: 24 }), fc.integer({ min: -1, max: 1 }))
    .map(([month, ms]) => Date.UTC(2024, month, 0, 12) + ms),
)

/** How long after the one before something happens. */
export const anyWait: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 1, max: 90 * DAY }),
  fc.constantFrom(1, DAY, 31 * DAY),
)
