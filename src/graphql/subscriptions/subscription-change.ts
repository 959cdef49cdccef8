/** What was asked of a subscription after its start (subscription.agreement-decides). */
import type { AgreedChange, Proration } from '../../domain/subscriptions/agreement.ts'
import type { momentWords } from '../../domain/subscriptions/asked-time.ts'
import { type ChangeStatus, changeStatusOf, isAhead } from '../../domain/subscriptions/change-status.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { readingInstant } from '../../request/context.ts'
import { builder } from '../schema/builder.ts'
import { wordEnum } from '../schema/word-enum.ts'
import { SubscriptionRef } from './subscription.ts'
import { SubscriptionItemRef } from './subscription-item.ts'
import { PlanSnapshotRef } from './subscription-types.ts'

export const ProrationEnum = wordEnum<Proration>('SubscriptionProration', 'Whether a part of a period is settled.', {
  by_time: 'What was charged and is used no more is credited, what is used without being charged is charged, by time.',
  none: 'Nothing is credited or charged; what was charged covers its item to the end of the period.',
})

const MomentEnum = wordEnum<(typeof momentWords)[number]>('SubscriptionMoment', 'When something takes effect.', {
  now: 'At once.',
  period_end: 'At the next start of a period, worked out now.',
})

export const TimeInput = builder.inputType('SubscriptionTimeInput', {
  description: 'When something takes effect: at a moment or at an instant.',
  isOneOf: true,
  fields: (t) => ({
    moment: t.field({ type: MomentEnum, description: 'At this moment.' }),
    instant: t.field({ type: 'DateTime', description: 'At this instant, from now to 100 years ahead.' }),
  }),
})

const ChangeTypeEnum = wordEnum<AgreedChange['type']>('SubscriptionChangeType', 'What was asked of a subscription.', {
  change: 'Other terms.',
  pause: 'A pause.',
  cancel: 'A cancellation.',
  resume: 'A resume.',
  trial: 'Another end of the trial.',
})

const ChangeStatusEnum = wordEnum<ChangeStatus>('SubscriptionChangeStatus', 'What became of what was asked.', {
  scheduled: 'It is ahead.',
  effective: 'It has taken effect.',
  overtaken: 'It has no effect: the subscription was, or will be, canceled or closed, or there is nothing to end.',
  taken_back: 'A resume took it back, or will.',
  undone: 'It was undone, or replaced.',
})

const ChangeRef = builder.objectRef<AgreedChange & { readonly of: Subscription }>('SubscriptionChange').implement({
  description: 'Something that was asked of a subscription after its start.',
  right: 'anyone',
  fields: (t) => ({
    key: t.exposeID('id', { description: 'Its key, a UUID, for `undoScheduledChange`.' }),
    type: t.expose('type', { type: ChangeTypeEnum, description: 'What was asked.' }),
    status: t.field({
      type: ChangeStatusEnum,
      description: 'What became of it.',
      resolve: ({ of, ...change }, _, ctx) => changeStatusOf(of.agreement, change, readingInstant(ctx, of)),
    }),
    requestedAt: t.expose('askedAt', { type: 'DateTime', description: 'When it was asked for.' }),
    requestedByShopper: t.boolean({
      description: 'Whether a shopper asked for it, who may undo it then.',
      resolve: ({ byShopper }) => byShopper === true,
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When it takes effect, or would have.' }),
    proration: t.field({
      type: ProrationEnum,
      nullable: true,
      description: 'Whether it settles a part of a period; null for the end of a trial.',
      resolve: (change) => (change.type === 'trial' ? null : change.proration),
    }),
    reason: t.string({
      nullable: true,
      description: 'Why it was asked for; null when nobody said so.',
      resolve: (change) => ('reason' in change ? change.reason : null),
    }),
    pauseKey: t.id({
      nullable: true,
      description: 'The key of the pause that it ends by itself; null for anything else.',
      resolve: (change) => (change.type === 'resume' ? change.pauseId : null),
    }),
    plan: t.field({
      type: PlanSnapshotRef,
      nullable: true,
      description: 'The new plan; null when it stays.',
      resolve: (change) => (change.type === 'change' ? change.plan : null),
    }),
    items: t.field({
      type: [SubscriptionItemRef],
      nullable: true,
      description: 'All items of the new terms, at most 1000; null for anything else.',
      resolve: ({ of, ...change }) =>
        change.type === 'change' ? change.items.map((item) => ({ ...item, currency: of.currency })) : null,
    }),
  }),
})

builder.objectFields(SubscriptionRef, (t) => ({
  changes: t.field({
    type: [ChangeRef],
    description: 'All that was asked of it after its start, in that order, also what was undone: at most 1100.',
    resolve: (of) => of.agreement.changes.map((change) => ({ ...change, of })),
  }),
  scheduledChanges: t.field({
    type: [ChangeRef],
    description: 'What of it is ahead, at most 4: a change, a pause, a cancellation and a resume.',
    resolve: (of, _, ctx) => {
      const now = readingInstant(ctx, of)
      return of.agreement.changes.filter((one) => isAhead(of.agreement, one, now)).map((change) => ({ ...change, of }))
    },
  }),
}))
