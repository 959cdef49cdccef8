/** The filter of lists of subscriptions. Stored spans of time say which status holds at the instant of the request. */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { isActive } from '../../domain/subscriptions/life.ts'
import { type Phase, phaseWords } from '../../domain/subscriptions/life-types.ts'
import { builder } from '../schema/builder.ts'
import { pageArgs } from '../schema/connection.ts'
import { filterArgs } from '../schema/filter-args.ts'
import { readId } from '../schema/ids.ts'
import { datedOrderArgs } from '../schema/record-connection.ts'
import { datedClauses, datedFilterFields, RecordTextFilter } from '../schema/record-filter.ts'
import { textClauses } from '../schema/text-filter.ts'
import { SubscriptionPhase, SubscriptionStatus } from './subscription-types.ts'

const SubscriptionFilter = builder.inputType('AccountSubscriptionFilter', {
  description: 'Which subscriptions to list; all that is given holds.',
  fields: (t) => ({
    accountId: t.id({ description: 'Those of this account, by its UUID or global id.' }),
    offeringId: t.id({ description: 'Those to this offering, be it gone or not.' }),
    planId: t.id({ description: 'Those under this plan at the instant of the request, be it gone or not.' }),
    externalRef: t.field({ type: RecordTextFilter, description: 'By external reference.' }),
    status: t.field({ type: SubscriptionStatus, description: 'Those with this status at the instant of the request.' }),
    phase: t.field({ type: SubscriptionPhase, description: 'Those in this phase at the instant of the request.' }),
    paused: t.boolean({ description: 'Those that are paused, or those that are not.' }),
    canceled: t.boolean({ description: 'Those that are canceled, or those that are not.' }),
    name: t.field({ type: RecordTextFilter, description: "By the subscriber's name." }),
    email: t.field({ type: RecordTextFilter, description: "By the subscriber's email address." }),
    ...datedFilterFields(t),
  }),
})

type Filter = typeof SubscriptionFilter.$inferInput

export const subscriptionFilterArgs = filterArgs(
  SubscriptionFilter,
  'Which to list, such as `{ canceled: false }`.',
  (filter, { now }) => subscriptionClauses(filter, now),
)

export const subscriptionListArgs = { ...pageArgs, ...datedOrderArgs, ...subscriptionFilterArgs }

/** The clauses of a filter, for the status at `now`, in epoch milliseconds (subscription.listed-by-status). */
export function subscriptionClauses(filter: Filter | null | undefined, now: number): RecordClause[] {
  const { accountId, offeringId, planId, externalRef, status, phase, paused, canceled, name, email } = filter ?? {}
  const byId = (field: string, type: string, id: string | null | undefined): RecordClause[] =>
    textClauses(field, { eq: id == null ? null : readId(type, id, ['filter', field]) })
  const underPlan = (id: string): RecordClause[] => [{ op: 'span', field: 'planId', at: now, values: [id] }]
  const inPhases = (values: readonly Phase[]): RecordClause[] => [{ op: 'span', field: 'phase', at: now, values }]
  const flag = (field: 'paused' | 'canceled', value: boolean | null | undefined): RecordClause[] =>
    value == null ? [] : [{ op: 'span', field, at: now, values: [value] }]
  return [
    ...byId('accountId', 'Account', accountId),
    ...byId('offeringId', 'Offering', offeringId),
    ...(planId == null ? [] : underPlan(readId('Plan', planId, ['filter', 'planId']))),
    ...textClauses('externalRef', externalRef),
    ...(status == null ? [] : inPhases(phaseWords.filter((one) => isActive(one) === (status === 'active')))),
    ...(phase == null ? [] : inPhases([phase])),
    ...flag('paused', paused),
    ...flag('canceled', canceled),
    ...textClauses('subscriberName', name, 'name'),
    ...textClauses('subscriberEmail', email, 'email'),
    ...datedClauses(filter),
  ]
}
