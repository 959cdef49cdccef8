/** What a dry run says of a subscription: as it is, and as it would be (subscription.dry-run). */
import { lifeStatusAt, nextAmount } from '../../domain/subscriptions/life-readings.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import type { SubscriptionPreview } from '../../operations/subscriptions/preview.ts'
import { MoneyRef, toMoney } from '../pricing/money.ts'
import { builder } from '../schema/builder.ts'
import { termsField } from './subscription-terms.ts'
import { lifeFields } from './subscription-timeline.ts'
import { SubscriptionPhase, SubscriptionStatus } from './subscription-types.ts'

interface Forecast {
  readonly of: Subscription
  readonly stored?: Subscription
  /** The instant of the preview. */
  readonly at: number
}

const statusOf = ({ of, at }: Forecast) => lifeStatusAt(of.agreement, at)

const ForecastRef = builder.objectRef<Forecast>('SubscriptionForecast').implement({
  description: 'A subscription at the instant of a preview, and what is to come.',
  right: 'anyone',
  fields: (t) => ({
    phase: t.field({
      type: SubscriptionPhase,
      description: 'Where it is in its life.',
      resolve: (forecast) => statusOf(forecast).phase,
    }),
    phaseUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the phase ends; null for never.',
      resolve: (forecast) => statusOf(forecast).phaseUntil,
    }),
    status: t.field({
      type: SubscriptionStatus,
      description: 'Whether it is served.',
      resolve: (forecast) => statusOf(forecast).status,
    }),
    invoiceAfter: t.field({
      type: 'DateTime',
      description: 'The next start of a billing period, in every phase.',
      resolve: (forecast) => statusOf(forecast).invoiceAfter,
    }),
    nextAmount: t.field({
      type: MoneyRef,
      nullable: true,
      description:
        'The amount of the invoice that is due at `invoiceAfter`; null when no period is charged then, or an item has no price.',
      resolve: ({ of, at }) => toMoney(nextAmount(of.agreement, at), of.currency),
    }),
    endDate: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it will be closed; null when its plan goes on.',
      resolve: (forecast) => statusOf(forecast).endDate,
    }),
    ...lifeFields(t, ({ at, ...source }) => ({ ...source, after: at - 1 })),
    terms: termsField(t, ({ of }) => of),
  }),
})

export const PreviewRef = builder.objectRef<SubscriptionPreview>('SubscriptionPreview').implement({
  description: 'What a dry run would do to a subscription. Nothing was written.',
  right: 'anyone',
  fields: (t) => ({
    at: t.expose('at', {
      type: 'DateTime',
      description: 'When it was worked out: as `prorateAt` it keeps the amounts, within the hour.',
    }),
    before: t.field({
      type: ForecastRef,
      nullable: true,
      description: 'The subscription as it is; null for a new one.',
      resolve: ({ before, at }) => before && { of: before, at },
    }),
    after: t.field({
      type: ForecastRef,
      description: 'The subscription as it would be.',
      resolve: ({ before, after, at }) => ({ of: after, at, ...(before && { stored: before }) }),
    }),
  }),
})
