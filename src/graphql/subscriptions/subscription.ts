/**
 * Subscriptions and accounts: their types and single queries (subscription.account-from-outside,
 * subscription.billing-instants).
 */
import { lifeOf } from '../../domain/subscriptions/life.ts'
import { lifeStatusAt, stretchAt } from '../../domain/subscriptions/life-readings.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { assertOwnsAccount } from '../../operations/subscriptions/held-subscription.ts'
import { account, subscription } from '../../operations/subscriptions/subscription.ts'
import { type Context, readingInstant } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection, pageArgs } from '../schema/connection.ts'
import { implementNode } from '../schema/node.ts'
import { OwnerEnum } from '../schema/owner.ts'
import { childRecordConnection } from '../schema/record-connection.ts'
import { subscriptionClauses, subscriptionListArgs } from './subscription-filter.ts'
import { SubscriptionItemRef } from './subscription-item.ts'
import {
  OfferingSnapshotRef,
  PaymentAuthorityRef,
  PlanSnapshotRef,
  StateConnectionRef,
  StateRef,
  SubscriberRef,
  SubscriptionPhase,
  SubscriptionStatus,
} from './subscription-types.ts'

export const SubscriptionRef = builder.objectRef<Subscription>('AccountSubscription')
export const AccountRef = builder.objectRef<{ readonly id: string }>('Account')

/** What a subscription is at the instant at which it is read. */
function statusOf(subscription: Subscription, ctx: Context) {
  return lifeStatusAt(subscription.agreement, readingInstant(ctx, subscription))
}

/** The terms in force at that instant. */
function termsOf(subscription: Subscription, ctx: Context) {
  return stretchAt(lifeOf(subscription.agreement), readingInstant(ctx, subscription))
}

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
    offering: t.expose('offering', {
      type: OfferingSnapshotRef,
      description: 'The offering as it was when the subscription began.',
    }),
    plan: t.field({
      type: PlanSnapshotRef,
      description: 'The plan in force, as it was when its terms were agreed.',
      resolve: (whole, _, ctx) => termsOf(whole, ctx).plan,
    }),
    items: t.field({
      type: [SubscriptionItemRef],
      description: 'What is subscribed to, by the terms in force: at most 1000 items.',
      resolve: (whole, _, ctx) => {
        const { items } = termsOf(whole, ctx)
        return items.map((item) => ({ ...item, currency: whole.currency }))
      },
    }),
    currency: t.expose('currency', { type: 'CurrencyCode', description: 'The currency that is paid in.' }),
    paymentAuthority: t.expose('paymentAuthority', { type: PaymentAuthorityRef, description: 'How it is paid.' }),
    status: t.field({
      type: SubscriptionStatus,
      description: 'Active in its trial and while it is active; see `phase`.',
      resolve: (whole, _, ctx) => statusOf(whole, ctx).status,
    }),
    phase: t.field({
      type: SubscriptionPhase,
      description: 'Where it is in its life.',
      resolve: (whole, _, ctx) => statusOf(whole, ctx).phase,
    }),
    phaseUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the phase ends; null for never.',
      resolve: (whole, _, ctx) => statusOf(whole, ctx).phaseUntil,
    }),
    canceled: t.boolean({
      description: 'Whether it is canceled and was not resumed.',
      resolve: (whole, _, ctx) => statusOf(whole, ctx).canceled,
    }),
    paused: t.boolean({
      description: 'Whether it is paused and was not resumed.',
      resolve: (whole, _, ctx) => statusOf(whole, ctx).paused,
    }),
    closed: t.boolean({
      description: 'Whether its plan has come to its end.',
      resolve: (whole, _, ctx) => statusOf(whole, ctx).closed,
    }),
    suspended: t.exposeBoolean('suspended', {
      description: 'Whether an administrator marked it as suspended; status and invoices stay.',
    }),
    erasedAt: t.expose('erasedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When its subscriber was erased: name and email are fixed words since. Null when not.',
    }),
    invoiceAfter: t.field({
      type: 'DateTime',
      description: 'The next start of a billing period, in every phase.',
      resolve: (whole, _, ctx) => statusOf(whole, ctx).invoiceAfter,
    }),
    endDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it will be closed, or was; null when its plan goes on.',
      resolve: (whole, _, ctx) => statusOf(whole, ctx).endDate,
    }),
    canceledAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last canceled.',
      resolve: (whole, _, ctx) => statusOf(whole, ctx).canceledAt,
    }),
    pausedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last paused.',
      resolve: (whole, _, ctx) => statusOf(whole, ctx).pausedAt,
    }),
    resumedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was last resumed.',
      resolve: (whole, _, ctx) => statusOf(whole, ctx).resumedAt,
    }),
    startsAt: t.field({
      type: 'DateTime',
      description: 'When it begins, or began.',
      resolve: ({ agreement }) => agreement.startsAt,
    }),
    trialEndsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When its trial ends, or ended; null when it has none.',
      resolve: ({ agreement }) => {
        const { trialEndsAt } = lifeOf(agreement)
        return trialEndsAt > agreement.startsAt ? trialEndsAt : null
      },
    }),
    timeZone: t.string({
      nullable: true,
      description: 'The time zone in which periods are counted; null for UTC.',
      resolve: ({ agreement }) => agreement.timeZone,
    }),
    billingDay: t.int({
      nullable: true,
      description: 'The day of the month on which periods start; null for that of the start.',
      resolve: ({ agreement }) => agreement.billingDay,
    }),
    invoicesFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'From when on its invoices are of this server: earlier ones were of the system that it came from, and are not shown. Null when all are.',
      resolve: ({ agreement }) => agreement.invoicesFrom,
    }),
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
        childRecordConnection(args, id, [], loaders.stateListBySubscriptionId, {
          order: ['integer'],
          key: ({ version }) => [version],
        }),
    }),
    owner: t.field({ type: OwnerEnum, description: 'Who owns the subscription.', resolve: () => 'store' as const }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was created.' }),
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
