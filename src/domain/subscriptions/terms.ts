/** The terms of a subscription one after another (subscription.terms-in-sequence). */
import type { Agreement, Item } from './agreement.ts'
import { lifeOf } from './life.ts'
import type { Plan } from './plan.ts'

/** Terms and the time for which they hold, in epoch milliseconds. */
export interface Terms {
  readonly from: number
  /** When other terms begin; null for the last ones. */
  readonly to: number | null
  readonly plan: Plan
  readonly items: readonly Item[]
}

/** All terms from the start on, in order; never empty. */
export function termsOf(agreement: Agreement): Terms[] {
  const stretches = lifeOf(agreement).stretches.filter(({ to }) => to > agreement.startsAt)
  const begins = stretches.filter(
    ({ happenings }, index) => index === 0 || happenings.some(({ type }) => type === 'changes'),
  )
  return begins.map(({ from, plan, items }, index) => ({ from, to: begins[index + 1]?.from ?? null, plan, items }))
}
