/** Subscription mutations: create, and the actions cancel, pause and resume (subscription.allowed-actions). */
import type { StateAction } from '../../domain/subscriptions/subscription-state.ts'
import { changeSubscriptionState, createSubscription } from '../../operations/subscriptions/subscription.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { graphInput, type InputMembers, idMember } from '../schema/graph-input.ts'
import { requiredId } from '../schema/ids.ts'
import { SubscriptionRef } from './subscription.ts'
import { PaymentAuthorityTypeEnum } from './subscription-types.ts'

const PaymentAuthorityInput = builder.inputType('PaymentAuthorityInput', {
  description: 'How a subscription is paid.',
  fields: (t) => ({
    type: t.field({ type: PaymentAuthorityTypeEnum, required: true, description: 'The gateway that carries the payment data.' }),
    customerRef: t.string({ description: 'The customer at the gateway, 3 to 1024 characters.' }),
    cardRef: t.string({ description: 'The card that pays, 3 to 1024 characters.' }),
  }),
})

const members: InputMembers = {
  account_id: idMember('Account'),
  offering_id: idMember('Offering'),
  plan_id: idMember('Plan'),
  // Ids of the gateway, which are no ids of this graph.
  payment_authority: { members: { customer_id: { name: 'customerRef' }, card_id: { name: 'cardRef' } } },
}

defineMutation('createSubscription', {
  description:
    'Begins a subscription now, with copies of offering and plan: later changes to them do not reach it. Shoppers begin those of their own account alone.',
  right: 'account',
  guard: 'idempotencyKey',
  input: (t) => ({
    externalRef: t.string({ description: 'A free reference to another system, at most 2048 characters.' }),
    accountId: t.id({
      description:
        "The UUID or global id of the account: any account for an admin, a shopper's own. By default the one that the token names; required where it names none.",
    }),
    offeringId: t.id(requiredId('offering')),
    planId: t.id({ required: true, description: 'The global id or the UUID of one of its plans.' }),
    currency: t.field({ type: 'CurrencyCode', required: true, description: 'The currency that is paid in.' }),
    paymentAuthority: t.field({ type: PaymentAuthorityInput, description: "How it is paid; by default through the platform's gateway." }),
    name: t.string({ required: true, description: "The subscriber's name, 3 to 1024 characters." }),
    email: t.string({ required: true, description: "The subscriber's email address, 3 to 1024 characters." }),
  }),
  members,
  result: { name: 'subscription', type: SubscriptionRef, description: 'The new subscription.' },
  run: (ctx, { input: { accountId, ...input } }, options) => {
    const named = accountId ?? ctx.viewer.accountId
    return createSubscription(ctx, { data: graphInput(named === null ? input : { ...input, accountId: named }, members) }, options)
  },
})

const actions: readonly { readonly action: StateAction; readonly description: string }[] = [
  { action: 'pause', description: 'Pauses a subscription; it stays active until the next billing.' },
  { action: 'resume', description: 'Takes back a pause and a cancellation.' },
  { action: 'cancel', description: 'Cancels a subscription; it stays active until the next billing.' },
]

for (const { action, description } of actions) {
  defineMutation(`${action}Subscription`, {
    description: `${description} Its plan may forbid it. Shoppers change their own account's alone.`,
    right: 'account',
    guard: 'idempotencyKey',
    target: { type: 'AccountSubscription', noun: 'subscription' },
    // The action is the mutation's own, so a refusal concerns the subscription.
    members: { action: { name: 'id' } },
    result: { name: 'subscription', type: SubscriptionRef, description: 'The subscription after the action.' },
    run: (ctx, { id }, options) => changeSubscriptionState(ctx, { subscriptionId: id, data: graphInput({ action }) }, options),
  })
}
