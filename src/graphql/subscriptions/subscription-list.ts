/**
 * Connections of subscriptions: all of them, and those of an offering or plan. For administrators only; shoppers have the connection of
 * their account.
 */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { subscriptions } from '../../operations/subscriptions/subscription.ts'
import { builder } from '../schema/builder.ts'
import { childConnection, createdOrder } from '../schema/child-connection.ts'
import { pageArgs } from '../schema/connection.ts'
import { readId } from '../schema/ids.ts'
import { datedOrderArgs, recordConnection } from '../schema/record-connection.ts'
import { datedClauses, datedFilterFields } from '../schema/record-filter.ts'
import { RecordTextFilter, recordTextClauses } from '../schema/record-text-filter.ts'
import { OfferingRef } from './offering.ts'
import { PlanRef } from './plan.ts'
import { SubscriptionConnectionRef } from './subscription.ts'

const SubscriptionFilter = builder.inputType('AccountSubscriptionFilter', {
  description: 'Which subscriptions to list; all that is given holds.',
  fields: (t) => ({
    accountId: t.id({ description: 'Those of this account, by its UUID or global id.' }),
    offeringId: t.id({ description: 'Those to this offering, be it gone or not.' }),
    planId: t.id({ description: 'Those under this plan, be it gone or not.' }),
    externalRef: t.field({ type: RecordTextFilter, description: 'By external reference.' }),
    paused: t.boolean({ description: 'Those that are paused, or those that are not.' }),
    canceled: t.boolean({ description: 'Those that are canceled, or those that are not.' }),
    ...datedFilterFields(t),
  }),
})

builder.queryField('subscriptions', (t) =>
  t.field({
    type: SubscriptionConnectionRef,
    right: 'admin',
    description: 'All subscriptions, oldest first.',
    args: { ...pageArgs, ...datedOrderArgs, filter: t.arg({ type: SubscriptionFilter, description: 'Which to list.' }) },
    resolve: (_, { filter, ...args }, ctx) => recordConnection(ctx, args, clausesOf(filter), subscriptions),
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

function clausesOf(filter: typeof SubscriptionFilter.$inferInput | null | undefined): RecordClause[] {
  const { accountId, offeringId, planId, externalRef, paused, canceled } = filter ?? {}
  const byId = (field: string, type: string, id: string | null | undefined): RecordClause[] =>
    id == null ? [] : [{ op: 'eq', field, values: [readId(type, id, ['filter', field])] }]
  const flag = (field: string, value: boolean | null | undefined): RecordClause[] => (value == null ? [] : [{ op: 'is', field, value }])
  return [
    ...byId('accountId', 'Account', accountId),
    ...byId('offeringId', 'Offering', offeringId),
    ...byId('planId', 'Plan', planId),
    ...recordTextClauses('externalRef', externalRef),
    ...flag('paused', paused),
    ...flag('canceled', canceled),
    ...datedClauses(filter),
  ]
}
