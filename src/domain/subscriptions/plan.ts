/**
 * Plans: how a subscription is billed and which actions its subscriber may take (subscription.billing-instants,
 * subscription.allowed-actions).
 */
import type { Violation } from '../input/errors.ts'
import { BASE_PRICE_PERCENTAGE_MAX, DESCRIPTION_MAX, NAME_MAX, NAME_MIN, PLAN_DAYS_MAX } from '../input/limits.ts'
import { defineRecord, type RecordOf } from '../input/record-definition.ts'
import { boolean, externalRef, integer, optionalNumber, optionalText, text, word } from '../input/record-members.ts'
import { limitParams } from '../input/violation-params.ts'
import { pricesOrNull } from '../pricing/price-members.ts'
import { type BillingTerms, billingIntervalWords, endBehaviorWords } from './billing.ts'
import type { BillingInterval } from './cadence.ts'

export const planRecord = defineRecord(
  'subscription_plan',
  {
    name: text({ min: NAME_MIN, max: NAME_MAX, isName: true }),
    description: optionalText({ max: DESCRIPTION_MAX }),
    externalRef: externalRef(),
    billingIntervalType: word(billingIntervalWords),
    billingFrequency: integer({ min: 1, max: PLAN_DAYS_MAX }),
    /** Days. */
    trialPeriod: integer({ min: 0, max: PLAN_DAYS_MAX }),
    /** Billing intervals. */
    planLength: integer({ min: 1, max: PLAN_DAYS_MAX }),
    endBehavior: word(endBehaviorWords),
    canPause: boolean(),
    canResume: boolean(),
    canCancel: boolean(),
    /** Per cent of the product's price that a subscriber pays. */
    basePricePercentage: optionalNumber({ min: 0, max: BASE_PRICE_PERCENTAGE_MAX }),
    fixedPrice: pricesOrNull,
  },
  { billingFrequency: frequencyViolations, planLength: lengthViolations },
)

/** A stored plan. */
export type Plan = RecordOf<typeof planRecord.members>

/** The longest that a unit of billing intervals can be, in days. */
const longest = { day: 1, week: 7, month: 31, year: 366 } as const

/** The members that were read of a plan; they may be invalid. */
type SpanTerms = {
  readonly [Member in 'billingIntervalType' | 'billingFrequency' | 'planLength']?: BillingTerms[Member] | undefined
}

/** One billing interval takes at most PLAN_DAYS_MAX days. */
function frequencyViolations({ billingIntervalType, billingFrequency }: SpanTerms): Violation[] {
  return aboveMax(billingFrequency, unitsMax(billingIntervalType))
}

/**
 * All billing intervals together take at most PLAN_DAYS_MAX days, so that no instant of a subscription passes the year
 * 9999.
 */
function lengthViolations({ billingIntervalType, billingFrequency = Number.NaN, planLength }: SpanTerms): Violation[] {
  const intervals = Math.floor(unitsMax(billingIntervalType) / billingFrequency)
  return intervals === 0 ? [] : aboveMax(planLength, intervals)
}

/** The maximum units of a billing interval; NaN for an unknown unit, so that nothing exceeds it. */
function unitsMax(type: BillingInterval | undefined): number {
  return type === undefined ? Number.NaN : Math.floor(PLAN_DAYS_MAX / longest[type])
}

function aboveMax(value: number | undefined, max: number): Violation[] {
  if (value === undefined || !(value > max)) return []
  return [
    {
      code: 'OUT_OF_RANGE',
      path: [],
      message: `must be at most ${max} for this billing interval`,
      params: limitParams(null, max),
    },
  ]
}
