/** New subscriptions of imported lines. */
import type { Violation } from '../input/errors.ts'
import type { Agreement, Item } from './agreement.ts'
import { type LineItem, toItem } from './copies-reader.ts'
import { inexactSums } from './first-terms.ts'
import type { Plan } from './plan.ts'
import type { OfferingCopy, Subscription } from './subscription.ts'
import type { LineCopies, SubscriptionLine } from './subscription-line.ts'
import type { WholeSubscription } from './subscription-object.ts'

/** What an offering gives the first terms of a line by hand. */
export interface LineTerms {
  readonly offering: OfferingCopy
  readonly plan: Plan
  readonly items: readonly Item[]
}

interface Made {
  readonly id: string
  /** Epoch milliseconds. */
  readonly now: number
  /** The id of a moved end of the trial. */
  readonly trialId: string
}

/** The new subscription of a line that names its offering and plan; its earlier invoices were another system's. */
export function begunElsewhere(line: SubscriptionLine, terms: LineTerms, { id, now, trialId }: Made): Subscription {
  const { offering, plan, items } = terms
  const { trialEndsAt } = line
  const trial = { id: trialId, type: 'trial', askedAt: now, undoneAt: null } as const
  const agreement: Agreement = {
    ...agreedIn(line, now),
    invoicesFrom: line.invoicesFrom ?? now,
    plan,
    items,
    changes: trialEndsAt == null ? [] : [{ ...trial, at: trialEndsAt }],
  }
  return { ...subscriberIn(line), ...stored(agreement, offering), id, erasedAt: null, state: null, ...at(now, now) }
}

/** The subscription of a line that has its copies. */
export function restored(line: SubscriptionLine, copies: LineCopies, id: string, now: number): WholeSubscription {
  const { offering, plan, changes, states, erasedAt, createdAt } = copies
  const invoicesFrom = line.invoicesFrom ?? null
  const items = (line.items ?? []).map(toItem)
  const agreement: Agreement = { ...agreedIn(line, now), invoicesFrom, plan, items, changes }
  const state = states.at(-1) ?? null
  const times = at(createdAt, Math.max(now, createdAt))
  return {
    subscription: { ...subscriberIn(line), ...stored(agreement, offering), id, erasedAt, state, ...times },
    states,
  }
}

function at(createdAt: number, updatedAt: number) {
  return { createdAt, updatedAt }
}

function stored(agreement: Agreement, offering: OfferingCopy) {
  return { offeringId: offering.id, planId: agreement.plan.id, offering, agreement }
}

function agreedIn({ startsAt, timeZone, billingDay, onlyOne }: SubscriptionLine, now: number) {
  return {
    startsAt: startsAt ?? now,
    timeZone: timeZone ?? null,
    billingDay: billingDay ?? null,
    ...(onlyOne && { onlyOne: true as const }),
  }
}

function subscriberIn(line: SubscriptionLine) {
  return {
    externalRef: line.externalRef ?? null,
    accountId: line.accountId ?? '',
    currency: line.currency ?? '',
    paymentAuthority: line.paymentAuthority ?? ({ type: 'platform_payments_gateway' } as const),
    subscriberName: line.subscriberName ?? '',
    subscriberEmail: line.subscriberEmail ?? '',
    suspended: line.suspended ?? false,
  }
}

/** One violation when an amount of a line's invoices is beyond 2^53-1. */
export function inexactLine({ agreement }: Subscription): Violation[] {
  return inexactSums(agreement, ['attributes', 'items'])
}

/** The item of a line by hand: what it names of its own stays, the rest is its product's now. */
export function itemOf(line: LineItem | undefined, ofNow: Item): Item {
  if (!line) return ofNow
  const { quantity, name, sku, unitAmount, includesTax } = line
  return {
    ...ofNow,
    quantity,
    ...(name != null && { name }),
    ...(sku != null && { sku }),
    ...(unitAmount != null && includesTax != null && { unitAmount, includesTax }),
  }
}
