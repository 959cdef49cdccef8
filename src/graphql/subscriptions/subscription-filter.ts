/** The filter of lists of subscriptions. The status at the instant of the request is decided by a stored instant. */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { builder } from '../schema/builder.ts'
import { pageArgs } from '../schema/connection.ts'
import { filterArgs } from '../schema/filter-args.ts'
import { readId } from '../schema/ids.ts'
import { datedOrderArgs } from '../schema/record-connection.ts'
import { datedClauses, datedFilterFields, RecordTextFilter } from '../schema/record-filter.ts'
import { textClauses } from '../schema/text-filter.ts'
import { SubscriptionStatus } from './subscription-types.ts'

const SubscriptionFilter = builder.inputType('AccountSubscriptionFilter', {
  description: 'Which subscriptions to list; all that is given holds.',
  fields: (t) => ({
    accountId: t.id({ description: 'Those of this account, by its UUID or global id.' }),
    offeringId: t.id({ description: 'Those to this offering, be it gone or not.' }),
    planId: t.id({ description: 'Those under this plan, be it gone or not.' }),
    externalRef: t.field({ type: RecordTextFilter, description: 'By external reference.' }),
    status: t.field({ type: SubscriptionStatus, description: 'Those with this status at the instant of the request.' }),
    paused: t.boolean({ description: 'Those that are paused, or those that are not.' }),
    canceled: t.boolean({ description: 'Those that are canceled, or those that are not.' }),
    ...datedFilterFields(t),
  }),
})

type Filter = typeof SubscriptionFilter.$inferInput

export const subscriptionListArgs = {
  ...pageArgs,
  ...datedOrderArgs,
  ...filterArgs(SubscriptionFilter, 'Which to list, such as `{ canceled: false }`.', (filter, { now }) => subscriptionClauses(filter, now)),
}

/** The clauses of a filter, for the status at `now`, in epoch milliseconds (subscription.listed-by-status). */
export function subscriptionClauses(filter: Filter | null | undefined, now: number): RecordClause[] {
  const { accountId, offeringId, planId, externalRef, status, paused, canceled } = filter ?? {}
  const byId = (field: string, type: string, id: string | null | undefined): RecordClause[] =>
    textClauses(field, { eq: id == null ? null : readId(type, id, ['filter', field]) })
  const flag = (field: string, value: boolean | null | undefined): RecordClause[] => (value == null ? [] : [{ op: 'is', field, value }])
  return [
    ...byId('accountId', 'Account', accountId),
    ...byId('offeringId', 'Offering', offeringId),
    ...byId('planId', 'Plan', planId),
    ...textClauses('externalRef', externalRef),
    ...(status == null ? [] : [{ op: status === 'inactive' ? 'passed' : 'ahead', field: 'inactiveFrom', at: now } as const]),
    ...flag('paused', paused),
    ...flag('canceled', canceled),
    ...datedClauses(filter),
  ]
}
