/** Subscriptions and accounts: their types and single queries (subscription.account-from-outside, subscription.billing-instants). */
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { statusAt } from '../../domain/subscriptions/subscription-state.ts'
import { account, assertOwnsAccount, subscription } from '../../operations/subscriptions/subscription.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection, pageArgs } from '../schema/connection.ts'
import { implementNode } from '../schema/node.ts'
import { OwnerEnum } from '../schema/owner.ts'
import { childRecordConnection } from '../schema/record-connection.ts'
import { subscriptionClauses, subscriptionListArgs } from './subscription-filter.ts'
import {
  OfferingSnapshotRef,
  PaymentAuthorityRef,
  PlanSnapshotRef,
  StateConnectionRef,
  StateRef,
  SubscriberRef,
  SubscriptionStatus,
} from './subscription-types.ts'

export const SubscriptionRef = builder.objectRef<Subscription>('AccountSubscription')
export const AccountRef = builder.objectRef<{ readonly id: string }>('Account')

implementNode(SubscriptionRef, {
  description: "An account's subscription to an offering under a plan. Shoppers see their own account's alone.",
  right: 'anyone',
  load: (id, ctx) => subscription(ctx, { id }),
  rootField: {
    name: 'subscription',
    noun: 'subscription',
    description: "One subscription; null when there is none, or when it is not of the shopper's account.",
  },
  fields: (t) => ({
    externalRef: t.exposeString('externalRef', { nullable: true, description: 'A free reference to another system.' }),
    account: t.field({
      type: AccountRef,
      description: 'The account that subscribed.',
      resolve: ({ accountId: id }, _, { viewer }) => {
        assertOwnsAccount(viewer, id)
        return { id }
      },
    }),
    subscriber: t.field({ type: SubscriberRef, description: 'Who subscribed.', resolve: (whole) => whole }),
    offering: t.expose('offering', { type: OfferingSnapshotRef, description: 'The offering as it was when the subscription began.' }),
    plan: t.expose('plan', { type: PlanSnapshotRef, description: 'The plan as it was when the subscription began.' }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency that is paid in.' }),
    paymentAuthority: t.expose('paymentAuthority', { type: PaymentAuthorityRef, description: 'How it is paid.' }),
    status: t.field({
      type: SubscriptionStatus,
      description: 'Inactive when closed, and from the first billing after a pause or cancellation on.',
      resolve: (whole, _, { now }) => statusAt(whole, now).status,
    }),
    canceled: t.exposeBoolean('canceled', { description: 'Whether it is canceled and was not resumed.' }),
    paused: t.exposeBoolean('paused', { description: 'Whether it is paused and was not resumed.' }),
    closed: t.boolean({
      description: 'Whether its plan has come to its end.',
      resolve: (whole, _, { now }) => statusAt(whole, now).closed,
    }),
    suspended: t.boolean({
      description: 'Always false: this server suspends nothing.',
      resolve: (whole, _, { now }) => statusAt(whole, now).suspended,
    }),
    invoiceAfter: t.field({
      type: 'DateTime',
      description: 'After which an invoice is generated: the next billing.',
      resolve: (whole, _, { now }) => statusAt(whole, now).invoiceAfter,
    }),
    endDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it will be closed, or was; null when its plan goes on.',
      resolve: (whole, _, { now }) => statusAt(whole, now).endDate,
    }),
    canceledAt: t.expose('canceledAt', { type: 'DateTime', nullable: true, description: 'When it was last canceled.' }),
    pausedAt: t.expose('pausedAt', { type: 'DateTime', nullable: true, description: 'When it was last paused.' }),
    resumedAt: t.expose('resumedAt', { type: 'DateTime', nullable: true, description: 'When it was last resumed.' }),
    state: t.field({
      type: StateRef,
      nullable: true,
      description: 'The newest action; null when there was none.',
      resolve: ({ id, state }) => state && { ...state, subscriptionId: id },
    }),
    states: t.field({
      type: StateConnectionRef,
      description: 'All actions, newest first.',
      args: pageArgs,
      resolve: ({ id }, args, { loaders }) =>
        childRecordConnection(args, id, [], loaders.stateListBySubscriptionId, { order: ['integer'], key: ({ version }) => [version] }),
    }),
    owner: t.field({ type: OwnerEnum, description: 'Who owns the subscription.', resolve: () => 'store' as const }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it began.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last changed.' }),
  }),
})

builder.objectField(StateRef, 'subscription', (t) =>
  t.field({
    type: SubscriptionRef,
    nullable: true,
    description: 'The subscription that it was done to; null when it is gone.',
    resolve: ({ subscriptionId }, _, ctx) => subscription(ctx, { id: subscriptionId }),
  }),
)

export const SubscriptionConnectionRef = defineConnection(SubscriptionRef, 'anyone')

implementNode(AccountRef, {
  description: 'An account of another system, known here by its subscriptions. Shoppers see their own alone.',
  right: 'anyone',
  load: (id, ctx) => account(ctx, { id }),
  rootField: {
    name: 'account',
    noun: 'account',
    example: 'c0ffee00-00aa-4000-8000-000000000001',
    description: "One account; null when it has no subscription, or is not the shopper's own.",
  },
  fields: (t) => ({
    subscriptions: t.field({
      type: SubscriptionConnectionRef,
      description: "The account's subscriptions, oldest first.",
      args: subscriptionListArgs,
      resolve: ({ id }, { filter, ...args }, { loaders, viewer, now }) => {
        // Checked again, since the account may come from a payload that was stored under an idempotency key.
        assertOwnsAccount(viewer, id)
        return childRecordConnection(args, id, subscriptionClauses(filter, now), loaders.subscriptionListByAccountId)
      },
    }),
  }),
})
