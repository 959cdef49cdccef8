/**
 * Parts of subscriptions: the copies of offering and plan (subscription.keeps-its-copies), payment authority,
 * subscriber, and states.
 */

import type { StateAction } from '../../domain/subscriptions/asked-action.ts'
import type { Phase } from '../../domain/subscriptions/life-types.ts'
import type { Plan } from '../../domain/subscriptions/plan.ts'
import type {
  OfferingCopy,
  PaymentAuthority,
  Subscription,
  SubscriptionState,
} from '../../domain/subscriptions/subscription.ts'
import { offering } from '../../operations/subscriptions/offering.ts'
import { plan } from '../../operations/subscriptions/plan.ts'
import { subscriptionState } from '../../operations/subscriptions/subscription.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection } from '../schema/connection.ts'
import { globalId } from '../schema/ids.ts'
import { implementNode } from '../schema/node.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { OfferingRef, offeringFields } from './offering.ts'
import { PlanRef, planFields } from './plan.ts'

export const SubscriptionStatus = wordEnum('SubscriptionStatus', 'Whether a subscription is served.', {
  active: 'It is served: in its trial, or active.',
  inactive: 'It has not begun, is closed, or a pause or cancellation has come into effect.',
})

export const SubscriptionPhase = wordEnum<Phase>('SubscriptionPhase', 'Where a subscription is in its life.', {
  pending: 'It has not begun.',
  trial: 'Its trial goes on; nothing is charged.',
  active: 'Each period is charged at its start.',
  paused: 'A pause has come into effect.',
  canceled: 'A cancellation has come into effect.',
  closed: 'Its plan has come to its end.',
})

export const OfferingSnapshotRef = builder.objectRef<OfferingCopy>('OfferingSnapshot').implement({
  description: 'An offering as it was when a subscription to it began.',
  right: 'anyone',
  fields: (t) => ({
    ...offeringFields(t),
    externalProductRefs: t.exposeStringList('externalProductRefs', {
      description: 'The external references of the products that had one, at most 1000.',
    }),
    productIds: t.idList({
      description: 'The global ids of the products, at most 1000.',
      resolve: ({ productIds }) => productIds.map((id) => globalId('SubscriptionProduct', id)),
    }),
    planIds: t.idList({
      description: 'The global ids of the plans, at most 1000.',
      resolve: ({ planIds }) => planIds.map((id) => globalId('Plan', id)),
    }),
    current: t.field({
      type: OfferingRef,
      nullable: true,
      description: 'The offering as it is now; null when it is gone.',
      resolve: ({ id }, _, ctx) => offering(ctx, { id }),
    }),
  }),
})

export const PlanSnapshotRef = builder.objectRef<Plan>('PlanSnapshot').implement({
  description: 'A plan as it was when its terms were agreed.',
  right: 'anyone',
  fields: (t) => ({
    ...planFields(t),
    current: t.field({
      type: PlanRef,
      nullable: true,
      description: 'The plan as it is now; null when it is gone.',
      resolve: ({ id }, _, ctx) => plan(ctx, { id }),
    }),
  }),
})

export const PaymentAuthorityTypeEnum = wordEnum('PaymentAuthorityType', 'The name of a payment gateway.', {
  platform_payments_gateway: 'The gateway of the platform.',
})

export const PaymentAuthorityRef = builder.objectRef<PaymentAuthority>('PaymentAuthority').implement({
  description: 'How a subscription is paid.',
  right: 'anyone',
  fields: (t) => ({
    type: t.expose('type', {
      type: PaymentAuthorityTypeEnum,
      description: 'The gateway that carries the payment data.',
    }),
    customerRef: t.exposeString('customer_id', { nullable: true, description: 'The customer at the gateway.' }),
    cardRef: t.exposeString('card_id', { nullable: true, description: 'The card that pays.' }),
  }),
})

export const SubscriberRef = builder.objectRef<Subscription>('Subscriber').implement({
  description: 'Who subscribed.',
  right: 'anyone',
  fields: (t) => ({
    name: t.exposeString('subscriberName', { description: 'The name.' }),
    email: t.exposeString('subscriberEmail', { description: 'The email address.' }),
  }),
})

export const StateActionEnum = wordEnum<StateAction>('SubscriptionAction', 'What can be done with a subscription.', {
  cancel: 'To cancel it.',
  pause: 'To pause it.',
  resume: 'To resume it.',
})

export const StateRef = builder.objectRef<SubscriptionState & { readonly subscriptionId: string }>('SubscriptionState')
implementNode(StateRef, {
  description: 'One action on a subscription.',
  right: 'anyone',
  load: (id, ctx) => subscriptionState(ctx, { id }),
  fields: (t) => ({
    action: t.expose('action', { type: StateActionEnum, description: 'What was done.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was done.' }),
  }),
})
export const StateConnectionRef = defineConnection(StateRef, 'anyone')
