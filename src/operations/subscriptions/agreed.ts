/** What the agreement of a subscription decides, with what it takes counted as work. Each throws WorkLimit. */
import { invoicesAfter, nextAmount } from '../../domain/subscriptions/life-readings.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { timelinePage } from '../../domain/subscriptions/timeline-page.ts'
import { type Context, readingInstant } from '../../request/context.ts'

/** A page of its timeline. An invoice counts as many points as it has lines, any other entry one. */
export function agreedTimeline(
  { work }: Context,
  { agreement }: Subscription,
  bounds: Parameters<typeof timelinePage>[1],
): ReturnType<typeof timelinePage> {
  const page = timelinePage(agreement, bounds)
  work.spend(page.entries.reduce((sum, entry) => sum + (entry.type === 'invoice' ? entry.lines.length : 1), 0))
  return page
}

/** Its first `limit` invoices that are due after an instant. */
export function agreedInvoices(
  { work }: Context,
  { agreement }: Subscription,
  after: number,
  limit: number,
): ReturnType<typeof invoicesAfter> {
  const invoices = invoicesAfter(agreement, after, limit)
  work.spend(invoices.reduce((sum, { lines }) => sum + lines.length, 0))
  return invoices
}

/** The amount of its next invoice, in minor units; null without one, and when an item has no price. */
export function agreedNextAmount(ctx: Context, subscription: Subscription): number | null {
  ctx.work.spend(subscription.agreement.items.length)
  return nextAmount(subscription.agreement, readingInstant(ctx, subscription))
}
