/** Plan mutations: create, update, delete. */
import { createPlan, deletePlan, updatePlan } from '../../operations/subscriptions/plan.ts'
import { CurrencyPriceInput, pricesMember } from '../pricing/price.ts'
import { defineMutation, type InputBuilder } from '../schema/define-mutation.ts'
import type { InputMembers } from '../schema/graph-input.ts'
import { BillingInterval, EndBehavior, PlanRef } from './plan.ts'

/** The input fields of a plan besides its name; `required` for a new plan. */
function planInput(t: InputBuilder, required: boolean) {
  return {
    description: t.string({ description: 'The description, at most 1024 characters; null clears it.' }),
    externalRef: t.string({ description: 'A free reference to another system, at most 2048 characters; null clears it.' }),
    billingIntervalType: t.field({ type: BillingInterval, required, description: 'What the billing interval is counted in.' }),
    billingFrequency: t.int({ required, description: 'How many of the unit one billing interval takes, 1 or more.' }),
    trialPeriod: t.int({ required, description: 'Days before the first billing, 0 or more.' }),
    planLength: t.int({
      required,
      description: 'How many billing intervals the plan takes: 1 or more, and about a thousand years at most.',
    }),
    endBehavior: t.field({ type: EndBehavior, required, description: 'What happens after the last billing interval.' }),
    canPause: t.boolean({ required, description: 'Whether a subscription under the plan can be paused.' }),
    canResume: t.boolean({ required, description: 'Whether a paused or canceled subscription under the plan can be resumed.' }),
    canCancel: t.boolean({ required, description: 'Whether a subscription under the plan can be canceled.' }),
    basePricePercentage: t.float({ description: "Per cent of the product's price that a subscriber pays, 0 to 10000; null clears it." }),
    fixedPrices: t.field({
      type: [CurrencyPriceInput],
      description:
        "The plan's own prices to set, change or remove; what is not named keeps its value, and there are at most 200 in all. Null removes all.",
    }),
  }
}

const members: InputMembers = { fixed_price: { ...pricesMember, name: 'fixedPrices' } }

defineMutation('createPlan', {
  description: 'Creates a plan. It can be subscribed to once an offering has it.',
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({ name: t.string({ required: true, description: 'The name, 3 to 1024 characters.' }), ...planInput(t, true) }),
  members,
  result: { name: 'plan', type: PlanRef, description: 'The new plan.' },
  run: (ctx, { data }, options) => createPlan(ctx, { data }, options),
})

defineMutation('updatePlan', {
  description:
    'Changes the members that are given; others keep their value, and null clears where null is allowed. Subscriptions keep their copies.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Plan', noun: 'plan' },
  input: (t) => ({
    name: t.string({ description: 'The name, 3 to 1024 characters; it can not be cleared.' }),
    ...planInput(t, false),
  }),
  members,
  result: { name: 'plan', type: PlanRef, description: 'The plan after the change.' },
  run: (ctx, { id, data }, options) => updatePlan(ctx, { planId: id, data }, options),
})

defineMutation('deletePlan', {
  description: 'Deletes a plan. One that an offering has can not be deleted (IN_USE); subscriptions keep their copies.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'Plan', noun: 'plan' },
  result: { name: 'plan', type: PlanRef, description: 'The plan as it was.' },
  run: (ctx, { id }, options) => deletePlan(ctx, { planId: id }, options),
})
