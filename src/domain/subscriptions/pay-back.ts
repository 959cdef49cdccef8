/** Money back: what no shopper gets by what it asks for (subscription.shoppers-get-nothing-back). */
import type { Agreement } from './agreement.ts'
import { lifeOf } from './life.ts'
import { invoiceAt } from './life-readings.ts'

/** Why a shopper is refused what would pay back. */
export const MONEY_BACK = 'an invoice that is ahead would be below 0: undo what is scheduled first'

/**
 * Whether the invoice of a change or a resume from `now` on is below 0 after something was asked for, and was not
 * before, or less so. What ends by time is for administrators to ask for, and is not looked at.
 */
export function paysBack(before: Agreement, after: Agreement, now: number): boolean {
  return after.changes.some(
    ({ type, at, undoneAt }) =>
      (type === 'change' || type === 'resume') &&
      undoneAt === null &&
      at >= now &&
      amountAt(after, at) < Math.min(0, amountAt(before, at)),
  )
}

function amountAt(agreement: Agreement, at: number): number {
  return invoiceAt(lifeOf(agreement), at)?.amount ?? 0
}
