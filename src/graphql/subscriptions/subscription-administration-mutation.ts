/** What administrators alone do to subscriptions. */
import { eraseSubscriber } from '../../operations/subscriptions/erasure.ts'
import {
  moveTrialEnd,
  suspendSubscription,
  unsuspendSubscription,
} from '../../operations/subscriptions/subscription-administration.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { SubscriptionRef } from './subscription.ts'

const common = {
  right: 'admin',
  guard: 'both',
  target: { type: 'AccountSubscription', noun: 'subscription' },
  result: { name: 'subscription', type: SubscriptionRef, description: 'The changed subscription.' },
} as const

defineMutation('moveTrialEnd', {
  ...common,
  description:
    "Moves the end of a subscription's trial, until it has come: periods are counted from the new end. Moved to now it ends now, and the first invoice is due.",
  input: (t) => ({
    trialEndsAt: t.field({
      type: 'DateTime',
      required: true,
      description: 'When it ends, from now, and from the start of the subscription, to 100 years ahead.',
    }),
  }),
  run: (ctx, { id, data }, options) => moveTrialEnd(ctx, { subscriptionId: id, data }, options),
})

defineMutation('suspendSubscription', {
  ...common,
  description: 'Marks a subscription as suspended. It is a mark alone: status and invoices stay.',
  run: (ctx, { id }, options) => suspendSubscription(ctx, { subscriptionId: id }, options),
})

defineMutation('unsuspendSubscription', {
  ...common,
  description: 'Takes the mark of a suspended subscription away.',
  run: (ctx, { id }, options) => unsuspendSubscription(ctx, { subscriptionId: id }, options),
})

defineMutation('eraseSubscriber', {
  description:
    'Erases who subscribed and paid from all subscriptions of an account, once all have ended: name, email, ids at the gateway, external references and reasons, also in history. It can not be undone.',
  right: 'admin',
  guard: 'idempotencyKey',
  target: { type: 'Account', noun: 'account', member: 'accountId' },
  result: {
    name: 'erasedCount',
    type: 'Int',
    description: 'How many subscriptions were erased; 0 when all were before.',
  },
  run: (ctx, { id }, options) => eraseSubscriber(ctx, { accountId: id }, options),
})
