/** Plan mutations: create, update, delete. */
import { planRecord } from '../../domain/subscriptions/plan.ts'
import { createPlan, deletePlan, updatePlan } from '../../operations/subscriptions/plan.ts'
import { kept } from '../pricing/record-input.ts'
import { defineRecordMutations } from '../pricing/record-mutations.ts'
import { BillingInterval, EndBehavior, PlanRef } from './plan.ts'

defineRecordMutations('Plan', {
  record: planRecord,
  ref: PlanRef,
  noun: 'plan',
  members: {
    name: kept('The name, {limits}'),
    description: 'The description, {limits}; null clears it.',
    externalRef: 'A free reference to another system, {limits}; null clears it.',
    billingIntervalType: { type: BillingInterval, description: 'What the billing interval is counted in.' },
    billingFrequency: 'How many of the unit one billing interval takes, {min} or more.',
    trialPeriod: 'Days before the first billing, {min} or more.',
    planLength: 'How many billing intervals the plan takes: {min} or more, and about a thousand years at most.',
    endBehavior: { type: EndBehavior, description: 'What happens after the last billing interval.' },
    canPause: 'Whether a subscription under the plan can be paused.',
    canResume: 'Whether a paused or canceled subscription under the plan can be resumed.',
    canCancel: 'Whether a subscription under the plan can be canceled.',
    basePricePercentage: "Per cent of the product's price that a subscriber pays, {limits}; null clears it.",
    fixedPrice: {
      name: 'fixedPrices',
      description:
        "The plan's own prices to set, change or remove; what is not named keeps its value, and there are {limits} in all. Null removes all.",
    },
  },
  create: { description: 'Creates a plan. It can be subscribed to once an offering has it.', run: createPlan },
  update: {
    description:
      'Changes the members that are given; others keep their value, and null clears where null is allowed. Subscriptions keep their copies.',
    run: updatePlan,
  },
  remove: {
    description:
      'Deletes a plan. One that an offering has can not be deleted (IN_USE); subscriptions keep their copies.',
    run: deletePlan,
  },
})
