/**
 * Connections of subscriptions: all of them, and those of an offering or plan. For administrators only; shoppers have the connection of
 * their account.
 */
import type { FilterClause } from '../../domain/input/filter.ts'
import { subscriptions } from '../../operations/subscriptions/subscription.ts'
import { builder } from '../schema/builder.ts'
import { childConnection, createdOrder } from '../schema/child-connection.ts'
import { pageArgs } from '../schema/connection.ts'
import { readId } from '../schema/ids.ts'
import { OrderDirection, recordConnection } from '../schema/record-connection.ts'
import { TextFilter, textClauses } from '../schema/text-filter.ts'
import { OfferingRef } from './offering.ts'
import { PlanRef } from './plan.ts'
import { SubscriptionConnectionRef } from './subscription.ts'

const SubscriptionFilter = builder.inputType('AccountSubscriptionFilter', {
  description: 'Which subscriptions to list; all that is given holds.',
  fields: (t) => ({
    accountId: t.id({ description: 'Those of this account, by its UUID or global id.' }),
    offeringId: t.id({ description: 'Those to this offering, be it gone or not.' }),
    planId: t.id({ description: 'Those under this plan, be it gone or not.' }),
    externalRef: t.field({ type: TextFilter, description: 'By external reference.' }),
  }),
})

builder.queryField('subscriptions', (t) =>
  t.field({
    type: SubscriptionConnectionRef,
    right: 'admin',
    description: 'All subscriptions, in the order in which they began.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: SubscriptionFilter, description: 'Which to list.' }),
      direction: t.arg({ type: OrderDirection, required: true, defaultValue: 'asc', description: 'Which end of the order comes first.' }),
    },
    resolve: (_, { filter, direction, ...args }, ctx) =>
      recordConnection(ctx, { ...args, orderBy: { field: 'createdAt', direction } }, clausesOf(filter), subscriptions),
  }),
)

builder.objectField(OfferingRef, 'subscriptions', (t) =>
  t.field({
    type: SubscriptionConnectionRef,
    right: 'admin',
    description: 'The subscriptions to the offering, oldest first.',
    args: pageArgs,
    resolve: ({ id }, args, { loaders }) =>
      childConnection(args, id, {
        ...createdOrder,
        pages: loaders.subscriptionPageByOfferingId,
        totals: loaders.subscriptionTotalByOfferingId,
      }),
  }),
)

builder.objectField(PlanRef, 'subscriptions', (t) =>
  t.field({
    type: SubscriptionConnectionRef,
    right: 'admin',
    description: 'The subscriptions under the plan, oldest first.',
    args: pageArgs,
    resolve: ({ id }, args, { loaders }) =>
      childConnection(args, id, { ...createdOrder, pages: loaders.subscriptionPageByPlanId, totals: loaders.subscriptionTotalByPlanId }),
  }),
)

function clausesOf(filter: typeof SubscriptionFilter.$inferInput | null | undefined): FilterClause[] {
  const { accountId, offeringId, planId, externalRef } = filter ?? {}
  const byId = (field: string, type: string, id: string | null | undefined): FilterClause[] =>
    id == null ? [] : [{ op: 'eq', field, values: [readId(type, id, ['filter', field])] }]
  return [
    ...byId('accountId', 'Account', accountId),
    ...byId('offeringId', 'Offering', offeringId),
    ...byId('planId', 'Plan', planId),
    ...textClauses('externalRef', externalRef),
  ]
}
