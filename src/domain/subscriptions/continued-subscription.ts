/** What an imported line changes of a subscription that is stored (import.subscription-agreement-stays). */
import { isDeepStrictEqual } from 'node:util'
import type { Violation } from '../input/errors.ts'
import { applyPatch } from '../input/patch.ts'
import type { Reference } from '../input/record.ts'
import type { Item } from './agreement.ts'
import type { LineItem } from './copies-reader.ts'
import { itemOf, restored } from './imported-subscription.ts'
import { lifeOf } from './life.ts'
import type { Subscription, SubscriptionState } from './subscription.ts'
import type { LineCopies, SubscriptionLine } from './subscription-line.ts'
import { subscriptionObject, type WholeSubscription } from './subscription-object.ts'

/** A stored subscription after a line, and the actions that the line adds. */
export interface Continued {
  readonly subscription: Subscription
  readonly states: readonly SubscriptionState[]
}

/**
 * The stored subscription with what a line gives of its subscriber, how it is paid, and the mark, and with what was
 * asked for since, where the line goes on from what is stored. The same one when nothing changes.
 */
export function updated(held: WholeSubscription, line: SubscriptionLine, now: number): Continued {
  const { externalRef, paymentAuthority, subscriberName, subscriberEmail, suspended, copies } = line
  const { subscription } = held
  const subscriber = { externalRef, paymentAuthority, subscriberName, subscriberEmail, suspended }
  if (!copies || !goesOn(held, line)) return { subscription: applyPatch(subscription, subscriber, now), states: [] }
  const states = copies.states.slice(held.states.length)
  const agreement = { ...subscription.agreement, changes: copies.changes }
  const added = { agreement, state: copies.states.at(-1) ?? null }
  return { subscription: applyPatch(subscription, { ...subscriber, ...added }, now), states }
}

/** The members of a line that an import can change. */
const changing = new Set(['external_ref', 'payment_authority', 'name', 'email', 'suspended'])
/** What an exported line can add to. */
const growing = ['changes', 'states'] as const

/**
 * Violations of what a line gives of an agreement that is stored with another value
 * (import.subscription-agreement-stays). `products` are the ids of the line's items.
 */
export function otherAgreement(
  line: SubscriptionLine,
  held: WholeSubscription,
  products: readonly string[],
): Violation[] {
  const names = line.copies ? otherMembers(line, held) : otherTerms(line, held.subscription, products)
  return names.map((name) => ({
    code: 'ACTION_REFUSED',
    path: ['attributes', name],
    message: name === 'erased_at' ? ERASURE : OTHER,
  }))
}

const OTHER =
  'differs from what is stored, and an import changes no agreement: leave the line out, or change the subscription'
const ERASURE = 'differs from what is stored, and an import erases nobody: leave the line out, or call eraseSubscriber'

function otherMembers(line: SubscriptionLine, held: WholeSubscription): string[] {
  const stored: Readonly<Record<string, unknown>> = subscriptionObject(held).attributes
  const isMore = goesOn(held, line)
  return Object.entries(attributesOf(line, held))
    .filter(([name, value]) => !changing.has(name) && !isDeepStrictEqual(value, stored[name]))
    .flatMap(([name]) => (isMore && growing.some((one) => one === name) ? [] : [name]))
}

function attributesOf(line: SubscriptionLine, { subscription: { id } }: WholeSubscription) {
  return subscriptionObject(restored(line, line.copies as LineCopies, id, 0)).attributes
}

/**
 * Whether an exported line begins with all changes and actions that are stored, and has more. What was undone since is
 * more, too.
 */
function goesOn(held: WholeSubscription, line: SubscriptionLine): boolean {
  const [before, after] = [subscriptionObject(held).attributes, attributesOf(line, held)]
  const isBegun =
    isDeepStrictEqual(after.states.slice(0, before.states.length), before.states) &&
    before.changes.every((change, index) => {
      const later = after.changes[index]
      const isUndoneSince = change.undone_at === null && later !== undefined
      return isDeepStrictEqual(isUndoneSince ? { ...later, undone_at: null } : later, change)
    })
  return isBegun && growing.some((name) => !isDeepStrictEqual(after[name], before[name]))
}

function otherTerms(line: SubscriptionLine, held: Subscription, products: readonly string[]): string[] {
  const { agreement, offering } = held
  const { plan } = agreement
  const movedLater = agreement.changes.some(({ type, at }) => type === 'trial' && at === line.trialEndsAt)
  const given: Readonly<Record<string, readonly [unknown, unknown]>> = {
    account_id: [line.accountId, held.accountId],
    currency: [line.currency, held.currency],
    starts_at: [line.startsAt ?? undefined, agreement.startsAt],
    time_zone: [line.timeZone, agreement.timeZone],
    billing_day: [line.billingDay, agreement.billingDay],
    invoices_from: [line.invoicesFrom ?? undefined, agreement.invoicesFrom],
    only_one: [line.onlyOne, agreement.onlyOne ?? false],
    trial_ends_at: [movedLater ? undefined : (line.trialEndsAt ?? undefined), lifeOf(agreement).trialEndsAt],
  }
  return [
    ...Object.entries(given).flatMap(([name, [value, is]]) => (value !== undefined && value !== is ? [name] : [])),
    ...(line.offering && !isNamed(line.offering, offering) ? ['offering_id'] : []),
    ...(line.plan && !isNamed(line.plan, plan) ? ['plan_id'] : []),
    ...(line.items && !areItems(line.items, agreement.items, products) ? ['items'] : []),
  ]
}

/** Whether a reference means a copy, as it was named then. */
function isNamed(reference: Reference, copy: { readonly id: string; readonly externalRef: string | null }): boolean {
  return 'id' in reference ? reference.id === copy.id : reference.externalRef === copy.externalRef
}

/** Whether items are those of the first terms, as far as they say so. */
function areItems(lines: readonly LineItem[], items: readonly Item[], products: readonly string[]): boolean {
  if (lines.length !== items.length) return false
  const byId = new Map(items.map((item) => [item.productId, item]))
  return lines.every((line, index) => {
    const item = byId.get(products[index] ?? '')
    return item !== undefined && isDeepStrictEqual(itemOf(line, item), item)
  })
}
