/** Recurring amounts: what subscriptions under a plan cost a month (subscription.recurring-amount). */
import { maxAmount } from '../pricing/money.ts'

/** The sum of the amounts of equal periods: minor units, and the length of a period in one of two units. */
export interface PeriodSum {
  /** Null when it is not known exactly. */
  readonly amount: bigint | null
  readonly periodDays: number | null
  readonly periodMonths: number | null
}

/** A month has 30.4375 days: 487 sixteenths. */
const [MONTH_PARTS, DAY_PARTS] = [487n, 16n]

/** What they cost a month together, rounded, a half up; null when it is not known, or past 2^53-1. */
export function amountAMonth(sums: readonly PeriodSum[]): number | null {
  let [numerator, denominator] = [0n, 1n]
  for (const { amount, periodDays, periodMonths } of sums) {
    if (amount === null) return null
    const [part, whole] =
      periodDays === null ? [amount, BigInt(periodMonths ?? 1)] : [amount * MONTH_PARTS, BigInt(periodDays) * DAY_PARTS]
    numerator = numerator * whole + part * denominator
    denominator *= whole
  }
  const rounded = (2n * numerator + denominator) / (2n * denominator)
  return rounded > BigInt(maxAmount) ? null : Number(rounded)
}
