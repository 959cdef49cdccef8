/** Subscriptions as REST documents, and their JSON Schema. */
import { formatInstant } from '../../domain/input/instant.ts'
import * as schema from '../../domain/input/json-schema.ts'
import {
  CUSTOMER_REF_MAX,
  CUSTOMER_REF_MIN,
  DESCRIPTION_MAX,
  EXTERNAL_REF_MAX,
  NAME_MAX,
  NAME_MIN,
} from '../../domain/input/limits.ts'
import { stateActions } from '../../domain/subscriptions/asked-action.ts'
import { lifeOf } from '../../domain/subscriptions/life.ts'
import { lifeStatusAt, stretchAt } from '../../domain/subscriptions/life-readings.ts'
import type { OfferingCopy, Subscription, SubscriptionState } from '../../domain/subscriptions/subscription.ts'
import { omitNil } from '../http/display-price.ts'
import { owner, timestamps as timestampsSchema } from '../http/schema.ts'

const externalRef = schema.text({ max: EXTERNAL_REF_MAX })
const customerRef = schema.text({ min: CUSTOMER_REF_MIN, max: CUSTOMER_REF_MAX })
const paymentAuthority = schema.object(
  { type: schema.word('platform_payments_gateway'), 'customer_id?': customerRef, 'card_id?': customerRef },
  'PaymentAuthority',
)

const link = (type: string) => schema.object({ type: schema.word(type), id: schema.uuid })
const one = (type: string) => schema.object({ data: link(type) })
const many = (type: string) => schema.object({ data: schema.list(link(type)) })

const offering = schema.object(
  {
    id: schema.uuid,
    type: schema.word('subscription_offering'),
    attributes: schema.object({
      'external_ref?': externalRef,
      name: schema.text({ min: NAME_MIN, max: NAME_MAX }),
      'description?': schema.text({ max: DESCRIPTION_MAX }),
      updated_at: schema.instant,
      created_at: schema.instant,
      relationships: schema.object({ products: many('subscription_product'), plans: many('subscription_plan') }),
    }),
    meta: schema.object({ external_product_refs: schema.list(schema.text()), owner, timestamps: timestampsSchema }),
  },
  'Offering',
)

const state = schema.object(
  {
    id: schema.uuid,
    type: schema.word('subscription_state'),
    attributes: schema.object({ action: schema.word(...stateActions) }),
    meta: schema.object({ created_at: schema.instant }),
  },
  'SubscriptionState',
)

const { instant, boolean } = schema
const optionalTimestamps = {
  'canceled_at?': instant,
  'paused_at?': instant,
  'resumed_at?': instant,
  'end_date?': instant,
}

export const subscriptionSchema = schema.object(
  {
    id: schema.uuid,
    type: schema.word('subscription'),
    attributes: schema.object({
      'external_ref?': externalRef,
      account_id: schema.uuid,
      offering,
      plan_id: schema.uuid,
      currency: schema.currencyCode,
      payment_authority: paymentAuthority,
    }),
    relationships: schema.object({
      offering: one('subscription_offering'),
      plan: one('subscription_plan'),
      products: many('subscription_product'),
    }),
    meta: schema.object({
      owner,
      timestamps: schema.object({ updated_at: instant, created_at: instant, ...optionalTimestamps }),
      status: schema.word('active', 'inactive'),
      canceled: boolean,
      paused: boolean,
      closed: boolean,
      suspended: boolean,
      invoice_after: instant,
      'state?': state,
    }),
  },
  'Subscription',
)

/**
 * The JSON of a subscription. Plan, flags, status and invoice_after are those at `now`, epoch milliseconds
 * (subscription.billing-instants, subscription.inactive-from-next-billing).
 */
export function toSubscription(subscription: Subscription, now: number) {
  const { id, accountId, agreement, currency, offering, state: newest } = subscription
  const { status, canceled, paused, closed, invoiceAfter, ...instants } = lifeStatusAt(agreement, now)
  const { canceledAt, pausedAt, resumedAt, endDate } = instants
  const { id: planId } = stretchAt(lifeOf(agreement), now).plan
  const optional = { canceled_at: canceledAt, paused_at: pausedAt, resumed_at: resumedAt, end_date: endDate }
  return {
    id,
    type: 'subscription',
    attributes: {
      ...omitNil({ external_ref: subscription.externalRef }),
      account_id: accountId,
      offering: toOffering(offering),
      plan_id: planId,
      currency,
      payment_authority: subscription.paymentAuthority,
    },
    relationships: {
      offering: { data: { type: 'subscription_offering', id: offering.id } },
      plan: { data: { type: 'subscription_plan', id: planId } },
      products: { data: links('subscription_product', offering.productIds) },
    },
    meta: {
      owner: 'store',
      timestamps: {
        ...timestamps(subscription),
        ...Object.fromEntries(Object.entries(omitNil(optional)).map(([name, at]) => [name, formatInstant(at)])),
      },
      ...{ status, canceled, paused, closed, suspended: subscription.suspended },
      invoice_after: formatInstant(invoiceAfter),
      ...omitNil({ state: newest && toState(newest) }),
    },
  }
}

function toOffering({
  id,
  externalRef,
  name,
  description,
  productIds,
  planIds,
  externalProductRefs,
  ...record
}: OfferingCopy) {
  const { createdAt, updatedAt, ...forgotten } = record
  // A compile error here names a member of the offering that the document lacks.
  forgotten satisfies Record<string, never>
  const relationships = {
    products: { data: links('subscription_product', productIds) },
    plans: { data: links('subscription_plan', planIds) },
  }
  return {
    id,
    type: 'subscription_offering',
    attributes: {
      ...omitNil({ external_ref: externalRef }),
      name,
      ...omitNil({ description }),
      ...timestamps(record),
      relationships,
    },
    meta: { external_product_refs: externalProductRefs, owner: 'store', timestamps: timestamps(record) },
  }
}

function toState({ id, action, createdAt }: SubscriptionState) {
  return { id, type: 'subscription_state', attributes: { action }, meta: { created_at: formatInstant(createdAt) } }
}

function links(type: string, ids: readonly string[]) {
  return ids.map((id) => ({ type, id }))
}

function timestamps({ updatedAt, createdAt }: { readonly updatedAt: number; readonly createdAt: number }) {
  return { updated_at: formatInstant(updatedAt), created_at: formatInstant(createdAt) }
}
