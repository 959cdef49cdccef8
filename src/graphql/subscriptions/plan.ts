/** Plans, by which subscriptions are billed: the type Plan and its queries. */
import type { FieldMap } from '@pothos/core'
import type { BillingInterval as BillingIntervalWord } from '../../domain/subscriptions/cadence.ts'
import type { Plan } from '../../domain/subscriptions/plan.ts'
import { plan, plans } from '../../operations/subscriptions/plan.ts'
import { PriceRef, priceList } from '../pricing/price.ts'
import { builder } from '../schema/builder.ts'
import { defineConnection } from '../schema/connection.ts'
import type { FieldBuilder } from '../schema/graph-types.ts'
import { defineNamedList } from '../schema/named-list.ts'
import { implementNode } from '../schema/node.ts'
import { OwnerEnum } from '../schema/owner.ts'
import { wordEnum } from '../schema/word-enum.ts'

export const BillingInterval = wordEnum<BillingIntervalWord>(
  'BillingInterval',
  'What a billing interval is counted in.',
  {
    day: 'A day.',
    week: 'A week.',
    month: 'A month.',
    year: 'A year.',
  },
)

export const EndBehavior = wordEnum('EndBehavior', 'What happens when all billing intervals of a plan are over.', {
  close: 'The subscription is closed.',
  roll: 'The subscription goes on.',
})

/** The fields that a plan and its copy in a subscription share. */
export function planFields(t: FieldBuilder<Plan>) {
  return {
    externalRef: t.exposeString('externalRef', { nullable: true, description: 'A free reference to another system.' }),
    name: t.exposeString('name', { description: 'The name of the plan.' }),
    description: t.exposeString('description', { nullable: true, description: 'The description of the plan.' }),
    billingIntervalType: t.expose('billingIntervalType', {
      type: BillingInterval,
      description: 'What the billing interval is counted in.',
    }),
    billingFrequency: t.exposeInt('billingFrequency', {
      description: 'How many of the unit one billing interval takes, 1 or more.',
    }),
    trialPeriod: t.exposeInt('trialPeriod', { description: 'Days before the first billing, 0 or more.' }),
    planLength: t.exposeInt('planLength', { description: 'How many billing intervals the plan takes, 1 or more.' }),
    endBehavior: t.expose('endBehavior', {
      type: EndBehavior,
      description: 'What happens after the last billing interval.',
    }),
    canPause: t.exposeBoolean('canPause', { description: 'Whether a subscription under the plan can be paused.' }),
    canResume: t.exposeBoolean('canResume', {
      description: 'Whether a paused or canceled subscription under the plan can be resumed.',
    }),
    canCancel: t.exposeBoolean('canCancel', { description: 'Whether a subscription under the plan can be canceled.' }),
    basePricePercentage: t.exposeFloat('basePricePercentage', {
      nullable: true,
      description: "Per cent of the product's price that a subscriber pays.",
    }),
    fixedPrices: t.field({
      type: [PriceRef],
      description: "The plan's own prices, one per currency and at most 200, in the order of the currency code.",
      resolve: ({ fixedPrice }) => priceList(fixedPrice ?? {}),
    }),
    owner: t.field({ type: OwnerEnum, description: 'Who owns the plan.', resolve: () => 'store' as const }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the plan was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When the plan was last changed.' }),
  } satisfies FieldMap
}

export const PlanRef = builder.objectRef<Plan>('Plan')

implementNode(PlanRef, {
  description:
    'How a subscription is billed and what its subscriber may do. Subscriptions keep the plan as it was when they began.',
  right: 'anyone',
  load: (id, ctx) => plan(ctx, { id }),
  rootField: {
    name: 'plan',
    noun: 'plan',
    example: 'c0ffee00-000c-4000-8000-000000000001',
    description: 'One plan; null when there is none.',
  },
  fields: planFields,
})

export const PlanConnectionRef = defineConnection(PlanRef, 'anyone')

defineNamedList('plans', PlanConnectionRef, { right: 'anyone', description: 'All plans, oldest first.', reads: plans })
