/** Who subscribes and how it is paid: the update of these, and what is stored of them a second time. */
import { email } from '../input/formats.ts'
import { EXTERNAL_REF_MAX, NAME_MAX, NAME_MIN } from '../input/limits.ts'
import type { PatchOf } from '../input/patch.ts'
import { readInput } from '../input/read-input.ts'
import type { ReadResult } from '../input/reading.ts'
import { readPaymentAuthority, type Subscription } from './subscription.ts'

/** The members that identify a subscriber, or pay. */
type Personal = 'externalRef' | 'paymentAuthority' | 'subscriberName' | 'subscriberEmail'

/** What a repeat under an idempotency key shows as it is now. */
type OfNow = Personal | 'erasedAt'

/** An update of a subscription (subscription.subscriber-updates). */
export type SubscriberPatch = PatchOf<Subscription, Personal>

/**
 * Reads an update: absent members keep their value. A payment authority replaces the stored one whole; null is that
 * without a card.
 */
export function readSubscriberUpdate(data: unknown, stored?: Subscription): ReadResult<SubscriberPatch> {
  return readInput(
    data,
    (reader) => ({
      externalRef: reader.text('external_ref', { nullable: true, max: EXTERNAL_REF_MAX }),
      paymentAuthority:
        reader.raw('payment_authority', { nullable: true }) === undefined
          ? undefined
          : readPaymentAuthority(reader, true),
      subscriberName: reader.text('name', { min: NAME_MIN, max: NAME_MAX, isName: true }) ?? undefined,
      subscriberEmail: reader.text('email', { min: NAME_MIN, max: NAME_MAX, format: email }) ?? undefined,
    }),
    { stored },
  )
}

/** A subscription without what identifies its subscriber, or pays (subscription.stored-once). */
export function withoutSubscriber(subscription: Subscription): Omit<Subscription, OfNow> {
  const { externalRef, paymentAuthority, subscriberName, subscriberEmail, erasedAt, ...rest } = subscription
  return rest
}

/** The subscription with that of another state of it. */
export function withSubscriberOf(
  subscription: Omit<Subscription, OfNow>,
  { externalRef, paymentAuthority, subscriberName, subscriberEmail, erasedAt }: Subscription,
): Subscription {
  return { ...subscription, externalRef, paymentAuthority, subscriberName, subscriberEmail, erasedAt }
}
