/** Metrics of subscriptions in the graph. */
import { badRequest } from '../../domain/input/errors.ts'
import type { Phase } from '../../domain/subscriptions/life-types.ts'
import { type Counts, type Metrics, subscriptionMetrics } from '../../operations/subscriptions/metrics.ts'
import { MoneyRef, toMoney } from '../pricing/money.ts'
import { withReader } from '../schema/argument-reader.ts'
import { builder } from '../schema/builder.ts'
import { globalId } from '../schema/ids.ts'
import { PlanRef } from './plan.ts'

/** Plans of one list, and by default. */
const [PLANS_MAX, PLANS_SHOWN] = [1_000, 100]

type Counted = Counts & { readonly currency: string; readonly planId: string | null }

const phaseFields: Readonly<Record<Phase, string>> = {
  pending: 'whose start is still to come',
  trial: 'in trial',
  active: 'that are active',
  paused: 'that are paused',
  canceled: 'that are canceled',
  closed: 'that are closed',
}

const CountsRef = builder.objectRef<Counted>('SubscriptionCounts').implement({
  description: 'How many subscriptions there are in each phase, and what they cost a month.',
  right: 'admin',
  fields: (t) => ({
    planId: t.id({
      nullable: true,
      description: 'The global id of the plan, be it gone or not; null for all plans together.',
      resolve: ({ planId }) => planId && globalId('Plan', planId),
    }),
    plan: t.field({
      type: PlanRef,
      nullable: true,
      description: 'The plan as it is now; null for all plans together, and once it is gone.',
      resolve: ({ planId }, _, { loaders }) => (planId === null ? null : loaders.planById.load(planId)),
    }),
    ...Object.fromEntries(
      Object.entries(phaseFields).map(([phase, words]) => [
        `${phase}Count`,
        t.int({ description: `How many ${words}.`, resolve: ({ phases }) => phases[phase as Phase] }),
      ]),
    ),
    canceledThisMonthCount: t.exposeInt('canceledThisMonth', {
      description: 'How many became canceled in the UTC month of the instant, up to that, and still are.',
    }),
    recurringAmount: t.field({
      type: MoneyRef,
      nullable: true,
      description:
        'What the active ones cost a month, of 30.4375 days or a twelfth of a year, rounded once for each plan; null when a sum is past 2^53-1.',
      resolve: ({ recurringAmount, currency }) => toMoney(recurringAmount, currency),
    }),
  }),
})

const MetricsRef = builder.objectRef<Metrics>('SubscriptionMetrics').implement({
  description: 'Metrics of all subscriptions in a currency at an instant.',
  right: 'admin',
  fields: (t) => ({
    at: t.expose('at', { type: 'DateTime', description: 'The instant.' }),
    total: t.field({
      type: CountsRef,
      description: 'Those of all plans together.',
      resolve: ({ total, currency }) => ({ ...total, currency, planId: null }),
    }),
    planCount: t.int({ description: 'How many plans have subscriptions.', resolve: ({ plans }) => plans.length }),
    plans: t.field({
      type: [CountsRef],
      description: `Those of each plan, at most ${PLANS_MAX}, the most active ones first.`,
      args: {
        first: t.arg.int({
          defaultValue: PLANS_SHOWN,
          description: `How many plans, such as \`10\`: 0 to ${PLANS_MAX}.`,
          ...withReader(readFirst),
        }),
      },
      resolve: ({ plans, currency }, args) => plans.slice(0, readFirst(args)).map((plan) => ({ ...plan, currency })),
    }),
  }),
})

function readFirst({ first }: { readonly first?: number | null | undefined }): number {
  const count = first ?? PLANS_SHOWN
  if (count >= 0 && count <= PLANS_MAX) return count
  throw badRequest('OUT_OF_RANGE', ['first'], `must be from 0 to ${PLANS_MAX}`)
}

builder.queryField('subscriptionMetrics', (t) =>
  t.field({
    type: MetricsRef,
    right: 'admin',
    description: 'Counts and recurring amounts of the subscriptions in a currency, by plan.',
    args: {
      currency: t.arg({ type: 'CurrencyCode', required: true, description: 'The currency, such as `EUR`.' }),
      at: t.arg({
        type: 'DateTime',
        description: 'The instant, such as `2026-12-01T00:00:00Z`; by default that of the request.',
      }),
    },
    resolve: (_, { currency, at }, ctx) => subscriptionMetrics(ctx, { currency, at: at ?? ctx.releaseReader.now }),
  }),
)
