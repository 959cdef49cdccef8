/** The terms of a subscription one after another (subscription.terms-in-sequence). */

import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { type Terms, termsOf } from '../../domain/subscriptions/terms.ts'
import { builder } from '../schema/builder.ts'
import type { Types } from '../schema/graph-types.ts'
import { SubscriptionItemRef } from './subscription-item.ts'
import { PlanSnapshotRef } from './subscription-types.ts'

const TermsRef = builder.objectRef<Terms & { readonly currency: string }>('SubscriptionTerms').implement({
  description: 'What a subscription is to, for a time: its plan and its items.',
  right: 'anyone',
  fields: (t) => ({
    from: t.expose('from', { type: 'DateTime', description: 'From when on they hold.' }),
    to: t.expose('to', {
      type: 'DateTime',
      nullable: true,
      description:
        'When other terms begin; null for the last ones, which a cancellation or the end leaves as they are.',
    }),
    plan: t.expose('plan', { type: PlanSnapshotRef, description: 'The plan, as it was when the terms were agreed.' }),
    items: t.field({
      type: [SubscriptionItemRef],
      description: 'What is subscribed to: at most 1000 items.',
      resolve: ({ items, currency }) => items.map((item) => ({ ...item, currency })),
    }),
  }),
})

/** The field `terms` of a subscription, or of what it would be. */
export function termsField<Parent>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>,
  subscriptionOf: (parent: Parent) => Subscription,
) {
  return t.field({
    type: [TermsRef],
    description: 'Its terms from its start on, one after another, also those that are scheduled: at most 1001.',
    resolve: (parent) => {
      const { agreement, currency } = subscriptionOf(parent)
      return termsOf(agreement).map((one) => ({ ...one, currency }))
    },
  })
}
