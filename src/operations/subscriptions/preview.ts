/** Previews of what a command would make of a subscription (subscription.dry-run). */
import type { Subscription } from '../../domain/subscriptions/subscription.ts'

/** A subscription as it is, and as it would be. */
export interface SubscriptionPreview {
  /** The instant that it was worked out for, epoch milliseconds. */
  readonly at: number
  /** Null for a new one. */
  readonly before: Subscription | null
  readonly after: Subscription
}

/** When what was added to an agreement was asked for. */
export function previewedAt(before: Subscription, { agreement, updatedAt }: Subscription): number {
  return agreement.changes[before.agreement.changes.length]?.askedAt ?? updatedAt
}
