/**
 * Subscriptions as objects of an export: everything that is stored of one, with its copies of offering and plans, so
 * that an import needs nothing else (export.subscriptions-restored). Instants are RFC 3339 texts.
 */
import { formatInstant } from '../input/instant.ts'
import { makeRecord } from '../input/record-change.ts'
import type { NewMembers, RecordDefinition, RecordOf } from '../input/record-definition.ts'
import type { Members } from '../input/record-members.ts'
import { recordParts } from '../input/record-object.ts'
import type { AgreedChange, Item } from './agreement.ts'
import { offeringRecord } from './offering.ts'
import { type Plan, planRecord } from './plan.ts'
import type { OfferingCopy, Subscription, SubscriptionState } from './subscription.ts'

/** A subscription with the actions that were taken on it, the first one first. */
export interface WholeSubscription {
  readonly subscription: Subscription
  readonly states: readonly SubscriptionState[]
}

/** The `data` of an exported subscription; no member is left out. */
export function subscriptionObject({ subscription, states }: WholeSubscription) {
  const { id, agreement, erasedAt, createdAt } = subscription
  const { startsAt, timeZone, billingDay, invoicesFrom, onlyOne, plan, items, changes, ...forgotten } = agreement
  // A compile error here names a member of the agreement that the object lacks.
  forgotten satisfies Record<string, never>
  return {
    type: 'subscription',
    id,
    attributes: {
      external_ref: subscription.externalRef,
      account_id: subscription.accountId,
      currency: subscription.currency,
      payment_authority: subscription.paymentAuthority,
      name: subscription.subscriberName,
      email: subscription.subscriberEmail,
      suspended: subscription.suspended,
      starts_at: formatInstant(startsAt),
      time_zone: timeZone,
      billing_day: billingDay,
      invoices_from: instantOrNull(invoicesFrom),
      only_one: onlyOne ?? false,
      offering: offeringObject(subscription.offering),
      plan: planObject(plan),
      items: items.map(itemObject),
      changes: changes.map(changeObject),
      states: states.map(({ id, action, createdAt }) => ({ id, action, created_at: formatInstant(createdAt) })),
      erased_at: instantOrNull(erasedAt),
      created_at: formatInstant(createdAt),
    },
  }
}

function offeringObject({ externalProductRefs, ...offering }: OfferingCopy) {
  return { ...copyObject(offeringRecord, offering), external_product_refs: externalProductRefs }
}

function planObject(plan: Plan) {
  return copyObject(planRecord, plan)
}

/** A copy of a record. One of an older version lacks newer members: these have the values of new records. */
function copyObject<M extends Members>(record: RecordDefinition<M>, copy: RecordOf<M>) {
  const { id, createdAt, updatedAt } = copy
  const { attributes, ...parts } = recordParts(record, {
    ...makeRecord(record, {} as NewMembers<M>, id, createdAt),
    ...copy,
  })
  const timestamps = { created_at: formatInstant(createdAt), updated_at: formatInstant(updatedAt) }
  return { type: record.type, id, attributes: { ...attributes, ...timestamps }, ...parts }
}

function itemObject({ productId, name, sku, unitAmount, includesTax, quantity, ...forgotten }: Item) {
  forgotten satisfies Record<string, never>
  return { product_id: productId, name, sku, quantity, unit_amount: unitAmount, includes_tax: includesTax }
}

function changeObject(change: AgreedChange) {
  const { id, type, askedAt, at, undoneAt, byShopper } = change
  const asked = {
    id,
    type,
    asked_at: formatInstant(askedAt),
    at: formatInstant(at),
    undone_at: instantOrNull(undoneAt),
    by_shopper: byShopper ?? false,
  }
  if (change.type === 'trial') return asked
  const settled = { ...asked, proration: change.proration, prorate_at: instantOrNull(change.prorateAt ?? null) }
  switch (change.type) {
    case 'change':
      return { ...settled, plan: change.plan && planObject(change.plan), items: change.items.map(itemObject) }
    case 'pause':
    case 'cancel':
      return { ...settled, at_period_end: change.atPeriodEnd, reason: change.reason }
    case 'resume':
      return { ...settled, pause_id: change.pauseId }
  }
}

function instantOrNull(instant: number | null): string | null {
  return instant === null ? null : formatInstant(instant)
}
