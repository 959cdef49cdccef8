/** The erasure of who subscribed and paid, from subscriptions that have ended (subscription.erased-when-ended). */
import { conflict } from '../input/errors.ts'
import { nextUpdatedAt } from '../input/patch.ts'
import type { Agreement } from './agreement.ts'
import { isEnded } from './life.ts'
import { spansOf } from './spans.ts'
import type { Subscription } from './subscription.ts'

/** What stands in place of a name. */
const ERASED_NAME = 'erased'
/** What stands in place of an address: one that nobody can have. */
const ERASED_EMAIL = 'erased@erased.invalid'

/** Throws a conflict that names the first subscription which has not ended, or will run again. */
export function assertAllEnded(subscriptions: readonly Subscription[], now: number): void {
  const lasting = subscriptions.find(({ agreement }) =>
    spansOf(agreement).some(({ until, phase }) => until > now && !isEnded(phase)),
  )
  if (lasting) throw conflict('ACTION_REFUSED', ['account_id'], `the subscription ${lasting.id} has not ended`)
}

/** The subscription without its subscriber, gateway ids, external reference and reasons. */
export function erased(subscription: Subscription, now: number): Subscription {
  const { paymentAuthority, agreement, updatedAt } = subscription
  return {
    ...subscription,
    externalRef: null,
    paymentAuthority: { type: paymentAuthority.type },
    subscriberName: ERASED_NAME,
    subscriberEmail: ERASED_EMAIL,
    agreement: withoutReasons(agreement),
    erasedAt: now,
    updatedAt: nextUpdatedAt(now, updatedAt),
  }
}

function withoutReasons(agreement: Agreement): Agreement {
  return {
    ...agreement,
    changes: agreement.changes.map((change) => ('reason' in change ? { ...change, reason: null } : change)),
  }
}
