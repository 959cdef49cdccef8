/** The list of all subscriptions, for administrators; shoppers have those of their account (AUTH-2). */
import type { FilterClause } from '../domain/filter.ts'
import { subscriptions } from '../operations/subscription.ts'
import { builder } from './builder.ts'
import { pageArgs } from './connection.ts'
import { readId } from './ids.ts'
import { OrderDirection, recordPage } from './record-list.ts'
import { SubscriptionConnectionRef } from './subscription.ts'
import { TextFilter, textClauses } from './text-filter.ts'

const SubscriptionFilter = builder.inputType('SubscriptionFilter', {
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
      recordPage(ctx, { ...args, orderBy: { field: 'createdAt', direction } }, clausesOf(filter), subscriptions),
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
