/**
 * Prices under a plan, the next invoice and the allowed actions of a subscription, and the ids of the offering and plan
 * that it copied.
 */
import { planAmount } from '../../domain/subscriptions/plan-price.ts'
import { allowedActions } from '../../domain/subscriptions/subscription-state.ts'
import { agreedNextAmount } from '../../operations/subscriptions/agreed.ts'
import { subscriptionProduct } from '../../operations/subscriptions/subscription-product.ts'
import { readingInstant } from '../../request/context.ts'
import { MoneyRef, toMoney } from '../pricing/money.ts'
import { currencyArgs, displayCurrency } from '../pricing/price.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { globalId, readId, requiredId } from '../schema/ids.ts'
import { PlanRef } from './plan.ts'
import { SubscriptionRef } from './subscription.ts'
import { OfferingSnapshotRef, PlanSnapshotRef, StateActionEnum } from './subscription-types.ts'

builder.objectField(PlanRef, 'price', (t) =>
  t.field({
    type: MoneyRef,
    nullable: true,
    description:
      'What a product costs under the plan per billing interval; null when there is no such product, or it has no price in the currency.',
    args: {
      subscriptionProductId: t.arg.id({
        ...requiredId('subscription product', 'c0ffee00-000b-4000-8000-000000000001'),
        ...withReader(readProductId),
      }),
      ...currencyArgs,
    },
    resolve: async (plan, args, ctx) => {
      const currency = displayCurrency(args, ctx)
      const product = await subscriptionProduct(ctx, { id: readProductId(args) })
      return toMoney(product && planAmount(plan, product, currency), currency)
    },
  }),
)

function readProductId({ subscriptionProductId }: { readonly subscriptionProductId: string }): string {
  return readId('SubscriptionProduct', subscriptionProductId, ['subscriptionProductId'])
}

builder.objectFields(SubscriptionRef, (t) => ({
  nextAmount: t.field({
    type: MoneyRef,
    nullable: true,
    description:
      'The amount of the invoice at the next start of a period, with prorations of that instant; null when no period is charged then, or an item has no price.',
    resolve: (subscription, _, ctx) => toMoney(agreedNextAmount(ctx, subscription), subscription.currency),
  }),
  allowedActions: t.field({
    type: [StateActionEnum],
    description: 'What can be done with it at this moment.',
    resolve: (subscription, _, ctx) => allowedActions(subscription, readingInstant(ctx, subscription)),
  }),
}))

builder.objectField(PlanSnapshotRef, 'planId', (t) =>
  t.id({ description: 'The global id of the plan, be it gone or not.', resolve: ({ id }) => globalId('Plan', id) }),
)

builder.objectField(OfferingSnapshotRef, 'offeringId', (t) =>
  t.id({
    description: 'The global id of the offering, be it gone or not.',
    resolve: ({ id }) => globalId('Offering', id),
  }),
)
