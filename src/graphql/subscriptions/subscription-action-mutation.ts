/** Actions on subscriptions: pause, cancel, resume, and the undoing of what is ahead. */
import type { StateAction } from '../../domain/subscriptions/asked-action.ts'
import {
  changeSubscriptionState,
  previewSubscriptionState,
  undoScheduledChange,
} from '../../operations/subscriptions/subscription-change.ts'
import { defineMutation, type InputBuilder } from '../schema/define-mutation.ts'
import { graphInput } from '../schema/graph-input.ts'
import { SubscriptionRef } from './subscription.ts'
import { ProrationEnum, TimeInput } from './subscription-change.ts'
import { PreviewRef } from './subscription-preview.ts'

const target = { type: 'AccountSubscription', noun: 'subscription' } as const

/** The instant of a preview that is kept. */
export const prorateAtMember = (t: InputBuilder) =>
  t.field({
    type: 'DateTime',
    description:
      'The `at` of a preview of the last hour in the same period, for what takes effect now: parts are counted from it, so that the amounts are the previewed ones.',
  })

interface Action {
  readonly action: StateAction
  readonly description: string
  readonly at: string
  readonly proration: string
}

const actions: readonly Action[] = [
  {
    action: 'pause',
    description: 'Pauses a subscription; by default it stays active until the next billing.',
    at: 'the end of the period',
    proration: 'NONE',
  },
  {
    action: 'resume',
    description:
      'Ends, or takes back, a pause and a cancellation. What is ahead by an instant of its own stays: undo it.',
    at: 'now',
    proration: 'BY_TIME',
  },
  {
    action: 'cancel',
    description: 'Cancels a subscription; by default it stays active until the next billing.',
    at: 'the end of the period',
    proration: 'NONE',
  },
]

for (const { action, description, at, proration } of actions) {
  defineMutation(`${action}Subscription`, {
    description: `${description} Its plan may forbid it. Shoppers change their own account's alone.`,
    right: 'account',
    guard: 'both',
    target,
    input: (t) => ({
      at: t.field({ type: TimeInput, description: `When it takes effect; by default ${at}.` }),
      ...(action === 'pause' && {
        resumeAt: t.field({
          type: 'DateTime',
          description: 'When it resumes by itself, after the pause; by default never.',
        }),
      }),
      ...(action === 'cancel' && { reason: t.string({ description: 'Why, at most 2048 characters.' }) }),
      proration: t.field({
        type: ProrationEnum,
        description: `Whether a part of the period is settled, by default ${proration}; another one is for administrators alone.`,
      }),
      prorateAt: prorateAtMember(t),
    }),
    // The action is the mutation's own, so a refusal concerns the subscription.
    members: { action: { name: 'id' } },
    result: { name: 'subscription', type: SubscriptionRef, description: 'The subscription after the action.' },
    run: (ctx, { id, input }, options) =>
      changeSubscriptionState(ctx, { subscriptionId: id, data: graphInput({ ...input, action }) }, options),
    preview: {
      type: PreviewRef,
      run: (ctx, { id, input }, options) =>
        previewSubscriptionState(ctx, { subscriptionId: id, data: graphInput({ ...input, action }) }, options),
    },
  })
}

defineMutation('undoScheduledChange', {
  description:
    'Undoes a change, pause, cancellation or resume that is ahead, until the millisecond before it: as if it had never been asked for, but for history. A pause takes its `resumeAt` with it. Shoppers undo what a shopper of their account asked for.',
  right: 'account',
  guard: 'both',
  target,
  input: (t) => ({
    changeKey: t.id({ required: true, description: 'The key of one of its `scheduledChanges`.' }),
  }),
  result: { name: 'subscription', type: SubscriptionRef, description: 'The subscription without the change.' },
  run: (ctx, { id, data }, options) => undoScheduledChange(ctx, { subscriptionId: id, data }, options),
})
