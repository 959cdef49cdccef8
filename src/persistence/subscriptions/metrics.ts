/**
 * Metrics of subscriptions: counts and sums over the spans that an instant lies in
 * (subscription.metrics-at-an-instant).
 *
 * SQL, since Prisma does not sum up over conditions.
 */
import type { Phase } from '../../domain/subscriptions/life-types.ts'
import type { Database } from '../database/database.ts'

/** The subscriptions of a plan in a phase with periods of one length. */
export interface PhaseCount {
  readonly planId: string
  readonly phase: Phase
  readonly periodDays: number | null
  readonly periodMonths: number | null
  readonly count: number
  /** The sum of their amounts for a period, as an integer text; null when one is not known. */
  readonly amount: string | null
}

const phases = `
SELECT plan_id AS "planId", phase, period_days AS "periodDays", period_months AS "periodMonths", count(*)::int AS count,
  CASE WHEN bool_and(amount IS NOT NULL) THEN sum(amount)::text END AS amount
FROM subscription_span WHERE currency = $1 AND from_at <= $2::timestamptz AND until_at > $2::timestamptz
GROUP BY plan_id, phase, period_days, period_months`

/** The counts at an instant, epoch milliseconds. One statement. */
export function countPhases(database: Database, currency: string, at: number): Promise<PhaseCount[]> {
  return database.query<PhaseCount>('subscription_phases', phases, [currency, new Date(at)])
}

// A phase may go on over several spans.
const canceled = `
SELECT now.plan_id AS "planId", count(*)::int AS count
FROM subscription_span c JOIN subscription_span now ON now.subscription_id = c.subscription_id
  AND now.from_at <= $2::timestamptz AND now.until_at > $2::timestamptz AND now.canceled
WHERE c.currency = $1 AND c.phase = 'canceled' AND c.from_at >= $3::timestamptz AND c.from_at <= $2::timestamptz
  AND NOT EXISTS (
    SELECT FROM subscription_span b WHERE b.subscription_id = c.subscription_id AND b.until_at = c.from_at AND b.phase = 'canceled')
  AND NOT EXISTS (
    SELECT FROM subscription_span a WHERE a.subscription_id = c.subscription_id AND a.phase NOT IN ('canceled', 'closed')
      AND a.from_at > c.from_at AND a.from_at <= $2::timestamptz)
GROUP BY now.plan_id`

/** How many of each plan became canceled from an instant on and still are at another one. One statement. */
export function countCanceled(
  database: Database,
  currency: string,
  from: number,
  at: number,
): Promise<{ readonly planId: string; readonly count: number }[]> {
  return database.query('subscriptions_canceled', canceled, [currency, new Date(at), new Date(from)])
}
