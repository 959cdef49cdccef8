/** Subscription mutations: create and update. */
import { createSubscriptionOnTerms, previewSubscription } from '../../operations/subscriptions/subscription.ts'
import { updateSubscription } from '../../operations/subscriptions/subscription-change.ts'
import type { Context } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { graphInput, type InputMembers, idMember } from '../schema/graph-input.ts'
import { requiredId } from '../schema/ids.ts'
import { SubscriptionRef } from './subscription.ts'
import { SubscriptionItemInput } from './subscription-item.ts'
import { PreviewRef } from './subscription-preview.ts'
import { PaymentAuthorityTypeEnum } from './subscription-types.ts'

const PaymentAuthorityInput = builder.inputType('PaymentAuthorityInput', {
  description: 'How a subscription is paid.',
  fields: (t) => ({
    type: t.field({
      type: PaymentAuthorityTypeEnum,
      required: true,
      description: 'The gateway that carries the payment data.',
    }),
    customerRef: t.string({ description: 'The customer at the gateway, 3 to 1024 characters.' }),
    cardRef: t.string({ description: 'The card that pays, 3 to 1024 characters.' }),
  }),
})

const members: InputMembers = {
  account_id: idMember('Account'),
  offering_id: idMember('Offering'),
  plan_id: idMember('Plan'),
  items: { members: { product_id: idMember('SubscriptionProduct') } },
  // Ids of the payment gateway, which are not ids of this graph.
  payment_authority: { members: { customer_id: { name: 'customerRef' }, card_id: { name: 'cardRef' } } },
}

/** The input of a create, by default for the account that the token names. */
function newData({ viewer }: Context, { accountId, ...input }: { readonly accountId?: string | null | undefined }) {
  const named = accountId ?? viewer.accountId
  return graphInput(named === null ? input : { ...input, accountId: named }, members)
}

defineMutation('createSubscription', {
  description:
    'Begins a subscription, with copies of offering, plan, products and prices of now: later changes to them do not reach it. Shoppers begin those of their own account alone.',
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
    paymentAuthority: t.field({
      type: PaymentAuthorityInput,
      description: "How it is paid; by default through the platform's gateway.",
    }),
    name: t.string({ required: true, description: "The subscriber's name, 3 to 1024 characters." }),
    email: t.string({ required: true, description: "The subscriber's email address, 3 to 1024 characters." }),
    items: t.field({
      type: [SubscriptionItemInput],
      description: 'What is subscribed to, at most 1000 products of the offering; by default all of them, one each.',
    }),
    startsAt: t.field({
      type: 'DateTime',
      description: 'When it begins, from now to 100 years ahead; by default now. Prices are those of now.',
    }),
    timeZone: t.string({
      description:
        'The time zone in which periods are counted, such as `Europe/Zurich`, at most 255 characters; by default UTC.',
    }),
    billingDay: t.int({
      description:
        'The day of the month on which periods of months and years start, 1 to 31: in a shorter month its last day. By default that of the start.',
    }),
    onlyOne: t.boolean({
      description:
        'Whether to refuse it when the account has another subscription to the offering that has not ended (ALREADY_SUBSCRIBED).',
    }),
    allowUnpriced: t.boolean({
      description:
        'Whether products may have no price in the currency, for administrators alone; otherwise they are refused (NO_PRICE_IN_CURRENCY). Their invoices have no amount.',
    }),
  }),
  members,
  result: { name: 'subscription', type: SubscriptionRef, description: 'The new subscription.' },
  run: (ctx, { input }, options) => createSubscriptionOnTerms(ctx, { data: newData(ctx, input) }, options),
  preview: {
    type: PreviewRef,
    run: (ctx, { input }, options) => previewSubscription(ctx, { data: newData(ctx, input) }, options),
  },
})

defineMutation('updateSubscription', {
  description:
    "Changes who subscribes and how it is paid: what is given; other members keep their value. Shoppers change their own account's alone.",
  right: 'account',
  guard: 'both',
  target: { type: 'AccountSubscription', noun: 'subscription' },
  input: (t) => ({
    externalRef: t.string({
      description:
        'A free reference to another system, at most 2048 characters, for administrators alone; null clears it.',
    }),
    paymentAuthority: t.field({
      type: PaymentAuthorityInput,
      description: 'How it is paid, in place of what was stored; null clears the ids at the gateway.',
    }),
    name: t.string({ description: "The subscriber's name, 3 to 1024 characters; it can not be cleared." }),
    email: t.string({ description: "The subscriber's email address, 3 to 1024 characters; it can not be cleared." }),
  }),
  members,
  result: { name: 'subscription', type: SubscriptionRef, description: 'The changed subscription.' },
  run: (ctx, { id, data }, options) => updateSubscription(ctx, { subscriptionId: id, data }, options),
})
