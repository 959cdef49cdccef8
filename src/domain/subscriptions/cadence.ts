/**
 * Cadences: the starts of the billing periods of a subscription under one interval (subscription.billing-instants,
 * subscription.billing-day, subscription.starts-count-from-the-first). Starts have numbers 0, 1, ...; each is counted
 * from the first, so that month ends do not drift.
 */
import { DAY_MS } from '../input/instant.ts'
import { type TimeZone, toInstant, toLocal } from './local-time.ts'

/** A unit of billing intervals. */
export type BillingInterval = 'day' | 'week' | 'month' | 'year'

/** One billing interval: `billingFrequency` days, weeks, months or years. */
export interface IntervalTerms {
  readonly billingIntervalType: BillingInterval
  /** 1 or more. */
  readonly billingFrequency: number
}

/** What is the same for all periods of a subscription. */
export interface Calendar {
  readonly timeZone: TimeZone
  /** The day of the month on which periods of months and years start; null: the day of the first start. */
  readonly billingDay: number | null
}

/** The starts of periods. */
export interface Cadence {
  readonly zone: TimeZone
  /** Start number 0. */
  readonly first: number
  /** Days between starts; null when they are counted in months. */
  readonly days: number | null
  /** Months between starts, when they are. */
  readonly months: number
  /** The local time that the other starts are counted from; with months its day may be one that the month lacks. */
  readonly local: { readonly month: number; readonly day: number; readonly time: number; readonly whole: number }
  /** 1 when the first period is a part of an interval: then start number 1 is that of `local`. */
  readonly shift: 0 | 1
}

/**
 * The cadence whose first period starts at `first`, an instant, that is meant to be at `local`: they differ when a gap
 * of the clock moved it. With a billing day, `time` is the local time of day of the starts.
 */
export function cadenceFrom(
  { billingIntervalType, billingFrequency }: IntervalTerms,
  { timeZone, billingDay }: Calendar,
  start: { readonly first: number; readonly local: number; readonly time: number },
): Cadence {
  const { first, local } = start
  const date = new Date(local)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth()
  const day = date.getUTCDate()
  const own = { month, day, time: timeOfDay(local), whole: local }
  const cadence = { zone: timeZone, first, days: null, months: 0, local: own, shift: 0 } as const
  switch (billingIntervalType) {
    case 'day':
      return { ...cadence, days: billingFrequency }
    case 'week':
      return { ...cadence, days: billingFrequency * 7 }
    case 'month':
    case 'year': {
      const months = billingFrequency * (billingIntervalType === 'year' ? 12 : 1)
      if (billingDay === null) return { ...cadence, months }
      const inMonth = Math.min(billingDay, daysOf(month))
      const at = { ...own, day: billingDay, time: start.time }
      if (day === inMonth) return { ...cadence, months, local: at }
      return { ...cadence, months, local: { ...at, month: day < inMonth ? month : month + 1 }, shift: 1 }
    }
  }
}

/** Start number `k`. */
export function startOf(cadence: Cadence, k: number): number {
  return k === 0 ? cadence.first : toInstant(cadence.zone, localStart(cadence, k))
}

/**
 * The start of the whole interval that ends at start number `k + 1`: that of period `k`, unless it is the part of one.
 */
export function wholeStartOf(cadence: Cadence, k: number): number {
  return k === 0 && cadence.shift === 1 ? toInstant(cadence.zone, localStart(cadence, 0)) : startOf(cadence, k)
}

/**
 * The number of the last start at or before an instant; -1 before the first. Of starts at one instant it is the last.
 */
export function indexAt(cadence: Cadence, instant: number): number {
  if (instant < cadence.first) return -1
  let k = Math.max(0, estimate(cadence, instant))
  while (k > 0 && startOf(cadence, k) > instant) k--
  while (startOf(cadence, k + 1) <= instant) k++
  return k
}

function estimate({ zone, days, months, local, shift }: Cadence, instant: number): number {
  const at = toLocal(zone, instant)
  if (days !== null) return Math.floor((at - local.whole) / (days * DAY_MS))
  const date = new Date(at)
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth() - local.month) / months) + shift
}

function localStart({ days, months, local, shift }: Cadence, k: number): number {
  if (days !== null) return local.whole + k * days * DAY_MS
  const month = local.month + (k - shift) * months
  const date = new Date(0)
  date.setUTCFullYear(Math.floor(month / 12), month - Math.floor(month / 12) * 12, Math.min(local.day, daysOf(month)))
  return date.getTime() + local.time
}

/** The days of a month, counted in months from the year 0. */
function daysOf(month: number): number {
  const date = new Date(0)
  // Day 0 of the next month is the last day of this month.
  date.setUTCFullYear(Math.floor(month / 12), month - Math.floor(month / 12) * 12 + 1, 0)
  return date.getUTCDate()
}

/** The milliseconds since midnight of a local time. */
export function timeOfDay(local: number): number {
  return local - Math.floor(local / DAY_MS) * DAY_MS
}
