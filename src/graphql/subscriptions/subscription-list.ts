/**
 * Connections of subscriptions: all of them, and those of an offering or plan. For administrators only; shoppers have
 * the connection of their account.
 */
import { subscriptions } from '../../operations/subscriptions/subscription.ts'
import { builder } from '../schema/builder.ts'
import { childRecordConnection, recordConnection } from '../schema/record-connection.ts'
import { OfferingRef } from './offering.ts'
import { PlanRef } from './plan.ts'
import { SubscriptionConnectionRef } from './subscription.ts'
import { subscriptionClauses, subscriptionListArgs } from './subscription-filter.ts'

builder.queryField('subscriptions', (t) =>
  t.field({
    type: SubscriptionConnectionRef,
    right: 'admin',
    description: 'All subscriptions, oldest first.',
    args: subscriptionListArgs,
    resolve: (_, { filter, ...args }, ctx) =>
      recordConnection(ctx, args, subscriptionClauses(filter, ctx.now), subscriptions),
  }),
)

builder.objectField(OfferingRef, 'subscriptions', (t) =>
  t.field({
    type: SubscriptionConnectionRef,
    right: 'admin',
    description: 'The subscriptions to the offering, oldest first.',
    args: subscriptionListArgs,
    resolve: ({ id }, { filter, ...args }, { loaders, now }) =>
      childRecordConnection(args, id, subscriptionClauses(filter, now), loaders.subscriptionListByOfferingId),
  }),
)

builder.objectField(PlanRef, 'subscriptions', (t) =>
  t.field({
    type: SubscriptionConnectionRef,
    right: 'admin',
    description: 'The subscriptions under the plan, oldest first.',
    args: subscriptionListArgs,
    resolve: ({ id }, { filter, ...args }, { loaders, now }) =>
      childRecordConnection(args, id, subscriptionClauses(filter, now), loaders.subscriptionListByPlanId),
  }),
)
