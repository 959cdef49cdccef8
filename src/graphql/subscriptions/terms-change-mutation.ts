/** The change of a subscription's terms. */
import { changeSubscription, previewSubscriptionChange } from '../../operations/subscriptions/terms-change.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { idMember } from '../schema/graph-input.ts'
import { SubscriptionRef } from './subscription.ts'
import { prorateAtMember } from './subscription-action-mutation.ts'
import { ProrationEnum, TimeInput } from './subscription-change.ts'
import { SubscriptionItemInput } from './subscription-item.ts'
import { PreviewRef } from './subscription-preview.ts'

defineMutation('changeSubscription', {
  description:
    "Changes plan, items or both of a subscription, from now or a later instant on, at prices of now. Shoppers change their own account's alone, by time: a change whose invoice would be below 0 takes effect at the next start of a period.",
  right: 'account',
  guard: 'both',
  target: { type: 'AccountSubscription', noun: 'subscription' },
  input: (t) => ({
    planId: t.id({
      description:
        'The global id or the UUID of one of the plans of its offering, whose `planLength` is counted anew; by default the plan and its count stay.',
    }),
    items: t.field({
      type: [SubscriptionItemInput],
      description:
        'All items, at most 1000: products of its offering, and those that it has. By default they stay; under another plan they take its prices.',
    }),
    at: t.field({ type: TimeInput, description: 'When it takes effect; by default now.' }),
    proration: t.field({
      type: ProrationEnum,
      description: 'Whether a part of the period is settled, by default BY_TIME; NONE is for administrators alone.',
    }),
    prorateAt: prorateAtMember(t),
    replace: t.boolean({
      description:
        'Whether it takes the place of a change that is ahead, which is refused otherwise (SCHEDULED_CHANGE).',
    }),
    allowUnpriced: t.boolean({
      description:
        'Whether new items may have no price in the currency, for administrators alone; otherwise they are refused (NO_PRICE_IN_CURRENCY).',
    }),
  }),
  members: { plan_id: idMember('Plan'), items: { members: { product_id: idMember('SubscriptionProduct') } } },
  result: { name: 'subscription', type: SubscriptionRef, description: 'The subscription with the change.' },
  run: (ctx, { id, data }, options) => changeSubscription(ctx, { subscriptionId: id, data }, options),
  preview: {
    type: PreviewRef,
    run: (ctx, { id, data }, options) => previewSubscriptionChange(ctx, { subscriptionId: id, data }, options),
  },
})
