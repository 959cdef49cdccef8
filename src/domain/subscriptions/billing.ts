/** The words of billing terms, and the terms of a plan (plan.billing-terms). */
import type { IntervalTerms } from './cadence.ts'

/** The units of billing intervals. */
export const billingIntervalWords = ['day', 'week', 'month', 'year'] as const
/** What happens after `plan_length` intervals: the subscription closes, or the plan rolls on. */
export const endBehaviorWords = ['close', 'roll'] as const

/** An end behavior of a plan. */
export type EndBehavior = (typeof endBehaviorWords)[number]

/** The billing terms of a plan. */
export interface BillingTerms extends IntervalTerms {
  /** Days before the first billing, 0 or more. */
  readonly trialPeriod: number
  /** Billing intervals, 1 or more. */
  readonly planLength: number
  readonly endBehavior: EndBehavior
}
