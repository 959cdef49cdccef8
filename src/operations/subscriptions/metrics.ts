/** Metrics of subscriptions, by plan (subscription.metrics-at-an-instant). */
import { maxAmount } from '../../domain/pricing/money.ts'
import { type Phase, phaseWords } from '../../domain/subscriptions/life-types.ts'
import { amountAMonth } from '../../domain/subscriptions/recurring-amount.ts'
import { groupBy } from '../../lib/group-by.ts'
import { countCanceled, countPhases } from '../../persistence/subscriptions/metrics.ts'
import { query } from '../operation.ts'

/** What is counted of some subscriptions. */
export interface Counts {
  readonly phases: Readonly<Record<Phase, number>>
  /** Those that became canceled in the month so far. */
  readonly canceledThisMonth: number
  /** Minor units a month; null when a sum is not known exactly. */
  readonly recurringAmount: number | null
}

/** The metrics of a currency at an instant. */
export interface Metrics {
  readonly currency: string
  readonly at: number
  readonly total: Counts
  /** Those of each plan in use, the most active ones first. */
  readonly plans: readonly (Counts & { readonly planId: string })[]
}

/** Points of metrics: they read all subscriptions. */
const METRICS_POINTS = 5_000

/** The metrics, for administrators. Two statements. `at` is epoch milliseconds. */
export const subscriptionMetrics = query({
  right: 'admin',
  run: async (ctx, { currency, at }: { readonly currency: string; readonly at: number }): Promise<Metrics> => {
    ctx.work.spend(METRICS_POINTS)
    const month = new Date(at)
    const monthStart = Date.UTC(month.getUTCFullYear(), month.getUTCMonth())
    const [counted, canceled] = await Promise.all([
      countPhases(ctx.database, currency, at),
      countCanceled(ctx.database, currency, monthStart, at),
    ])
    const canceledOf = new Map(canceled.map(({ planId, count }) => [planId, count]))
    const plans = [...groupBy(counted, ({ planId }) => planId)].map(([planId, rows]) => {
      const active = rows.filter(({ phase }) => phase === 'active')
      const sums = active.map((row) => ({ ...row, amount: row.amount === null ? null : BigInt(row.amount) }))
      const ofPhase = (phase: Phase) =>
        rows.filter((row) => row.phase === phase).reduce((sum, { count }) => sum + count, 0)
      return {
        planId,
        phases: byPhase(ofPhase),
        canceledThisMonth: canceledOf.get(planId) ?? 0,
        recurringAmount: amountAMonth(sums),
      }
    })
    plans.sort((one, other) => other.phases.active - one.phases.active || (one.planId < other.planId ? -1 : 1))
    return { currency, at, total: totalOf(plans), plans }
  },
})

function totalOf(plans: readonly Counts[]): Counts {
  const sum = (read: (plan: Counts) => number) => plans.reduce((total, plan) => total + read(plan), 0)
  const isKnown = plans.every(({ recurringAmount }) => recurringAmount !== null)
  const amount = plans.reduce((total, plan) => total + BigInt(plan.recurringAmount ?? 0), 0n)
  return {
    phases: byPhase((phase) => sum((plan) => plan.phases[phase])),
    canceledThisMonth: sum((plan) => plan.canceledThisMonth),
    recurringAmount: isKnown && amount <= BigInt(maxAmount) ? Number(amount) : null,
  }
}

function byPhase(count: (phase: Phase) => number): Record<Phase, number> {
  return Object.fromEntries(phaseWords.map((phase) => [phase, count(phase)])) as Record<Phase, number>
}
