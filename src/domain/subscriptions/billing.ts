/**
 * Billing schedule: when a subscription is billed (subscription.billing-instants). Instants are epoch milliseconds; calendar arithmetic
 * is in UTC.
 */
import { DAY_MS } from '../input/instant.ts'

/** The units of billing intervals. */
export const billingIntervalWords = ['day', 'week', 'month', 'year'] as const
/** What happens after `plan_length` intervals: the subscription closes, or the plan rolls on. */
export const endBehaviorWords = ['close', 'roll'] as const

/** A unit of billing intervals. */
export type BillingInterval = (typeof billingIntervalWords)[number]
/** An end behavior of a plan. */
export type EndBehavior = (typeof endBehaviorWords)[number]

/** The billing terms of a plan (plan.billing-terms). One billing interval is `billingFrequency` days, weeks, months or years. */
export interface BillingTerms {
  readonly billingIntervalType: BillingInterval
  /** 1 or more. */
  readonly billingFrequency: number
  /** Days before the first billing, 0 or more. */
  readonly trialPeriod: number
  /** Billing intervals, 1 or more. */
  readonly planLength: number
  readonly endBehavior: EndBehavior
}

/**
 * Billing instant number `k` (0, 1, ...): start + trial + k intervals. Each is counted from the first, so that month ends do not drift.
 */
export function billingInstant(terms: BillingTerms, start: number, k: number): number {
  const first = start + terms.trialPeriod * DAY_MS
  const units = k * terms.billingFrequency
  switch (terms.billingIntervalType) {
    case 'day':
      return first + units * DAY_MS
    case 'week':
      return first + units * 7 * DAY_MS
    case 'month':
      return plusMonths(first, units)
    case 'year':
      return plusMonths(first, units * 12)
  }
}

/** The first billing instant later than `instant`. */
export function nextBilling(terms: BillingTerms, start: number, instant: number): number {
  let k = elapsedIntervals(terms, start, instant)
  while (billingInstant(terms, start, k) <= instant) k++
  return billingInstant(terms, start, k)
}

/** The end of a plan with the end behavior `close` (subscription.closes-at-its-end); null for a plan that rolls on. */
export function endInstant(terms: BillingTerms, start: number): number | null {
  return terms.endBehavior === 'close' ? billingInstant(terms, start, terms.planLength) : null
}

/** A number of whole intervals from which a search for the next billing instant can start: never too high, at most two too low. */
function elapsedIntervals(terms: BillingTerms, start: number, instant: number): number {
  const first = new Date(start + terms.trialPeriod * DAY_MS)
  const at = new Date(instant)
  const days = (at.getTime() - first.getTime()) / DAY_MS
  const months = (at.getUTCFullYear() - first.getUTCFullYear()) * 12 + at.getUTCMonth() - first.getUTCMonth()
  const units = { day: days, week: days / 7, month: months, year: months / 12 }[terms.billingIntervalType]
  return Math.max(0, Math.floor(units / terms.billingFrequency))
}

/** The same day and time `months` later, or the last day of a month without that day. */
function plusMonths(instant: number, months: number): number {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  // Day 0 of the next month is the last day of this month.
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime()
}
