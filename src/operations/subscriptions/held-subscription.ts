/** Subscriptions that a command holds: who may reach them, and what is stored of its result. */
import type { Viewer } from '../../auth/viewer.ts'
import { DomainError, notFound } from '../../domain/input/errors.ts'
import type { Asking } from '../../domain/subscriptions/asked-time.ts'
import { withoutSubscriber, withSubscriberOf } from '../../domain/subscriptions/subscriber.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { newId } from '../../persistence/database/id.ts'
import { findRecords, lockRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { subscriptionTable } from '../../persistence/subscriptions/subscription.ts'
import type { Context } from '../../request/context.ts'
import type { KeptResult } from '../operation.ts'

/** Whether the viewer may see an account: admins see all, shoppers their own. */
export function ownsAccount(viewer: Viewer, accountId: string): boolean {
  return viewer.role === 'admin' || viewer.accountId?.toLowerCase() === accountId.toLowerCase()
}

/** Throws forbidden unless the viewer may see an account. */
export function assertOwnsAccount(viewer: Viewer, accountId: string): void {
  if (!ownsAccount(viewer, accountId)) throw new DomainError('forbidden')
}

/** Locks a subscription of an account that the viewer may see; throws notFound when there is none. */
export async function lockSubscription(tx: Transaction, id: string, viewer: Viewer): Promise<Subscription> {
  const subscription = await lockRecord(tx, subscriptionTable, id)
  if (!subscription || !ownsAccount(viewer, subscription.accountId)) throw notFound(['id'], 'No such subscription')
  return subscription
}

/**
 * A result under an idempotency key does not hold who subscribes and pays; a repeat shows those of now
 * (subscription.stored-once). One statement for a repeat without a target.
 */
export const keptSubscription: KeptResult<Subscription | undefined, Subscription> = {
  strip: withoutSubscriber,
  restore: async (tx, stored, target) => {
    const [current] = target ? [target] : await findRecords(tx, subscriptionTable, [stored.id])
    if (!current) throw notFound(['id'], 'No such subscription')
    return withSubscriberOf(stored, current)
  },
}

/** Who asks for a change of a subscription, at an instant under its lock. */
export function askingOf({ viewer }: Context, now: number): Asking {
  return { now, byShopper: viewer.role !== 'admin', newId: () => newId(now) }
}
