/** The migration of many subscriptions to prices of now, or to another plan. */
import { SUBSCRIPTIONS_MIGRATED_MAX } from '../../domain/input/limits.ts'
import { type Sum, type skipWords, sumsOf } from '../../domain/subscriptions/migration.ts'
import { type Migration, migrateSubscriptions, previewMigration } from '../../operations/subscriptions/migration.ts'
import { Money, MoneyRef, toMoney } from '../pricing/money.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation } from '../schema/define-mutation.ts'
import { idMember } from '../schema/graph-input.ts'
import type { Types } from '../schema/graph-types.ts'
import { SubscriptionRef } from './subscription.ts'

type Moved = Migration['moved'][number]
type Skipped = Migration['skipped'][number]

const SkipReasonEnum = builder.enumType('SubscriptionSkipReason', {
  description: 'Why a migration leaves a subscription as it is.',
  values: {
    UNCHANGED: { value: 'unchanged', description: 'It has these prices, or this plan.' },
    CLOSED: { value: 'closed', description: 'It is closed, or will be before.' },
    CANCELED: { value: 'canceled', description: 'It is canceled, or will be.' },
    CHANGE_AHEAD: { value: 'change_ahead', description: 'A change of its terms is ahead, such as a migration.' },
    PLAN_GONE: { value: 'plan_gone', description: 'There is no such plan any more.' },
    PLAN_NOT_OFFERED: { value: 'plan_not_offered', description: 'Its offering does not have the plan.' },
    PRODUCT_GONE: { value: 'product_gone', description: 'One of its products is gone.' },
    NO_PRICE: { value: 'no_price', description: 'One of its products has no price in its currency.' },
    OUT_OF_RANGE: { value: 'out_of_range', description: 'An amount of its invoices would be beyond 9007199254740991.' },
    NO_ROOM: { value: 'no_room', description: 'It has as many changes as it may have.' },
  } satisfies Record<Uppercase<(typeof skipWords)[number]>, object>,
})

function subscriptionOf<Parent extends { readonly id: string }>(
  t: PothosSchemaTypes.ObjectFieldBuilder<Types, Parent>,
) {
  return t.field({
    type: SubscriptionRef,
    nullable: true,
    description: 'The subscription; null once it is gone.',
    resolve: ({ id }: Parent, _, { loaders }) => loaders.subscriptionById.load(id),
  })
}

const MovedRef = builder.objectRef<Moved>('SubscriptionMove').implement({
  description: 'A subscription that a migration moves.',
  right: 'admin',
  fields: (t) => ({
    subscription: subscriptionOf(t),
    at: t.expose('at', { type: 'DateTime', description: 'When it takes effect: a start of a period.' }),
    before: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'Its invoice at that instant without the migration; null when none is due, or has no price.',
      resolve: ({ before, currency }) => toMoney(before, currency),
    }),
    after: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'The same with the migration.',
      resolve: ({ after, currency }) => toMoney(after, currency),
    }),
  }),
})

const SkippedRef = builder.objectRef<Skipped>('SubscriptionSkip').implement({
  description: 'A subscription that a migration leaves as it is.',
  right: 'admin',
  fields: (t) => ({
    subscription: subscriptionOf(t),
    reason: t.field({ type: SkipReasonEnum, description: 'Why.', resolve: ({ reason }) => reason }),
  }),
})

const SumRef = builder.objectRef<Sum>('SubscriptionMigrationSum').implement({
  description: 'What the invoices of moved subscriptions come to in a currency.',
  right: 'admin',
  fields: (t) => ({
    before: t.field({
      type: MoneyRef,
      description: 'Before.',
      resolve: ({ before, currency }) => new Money(Number(before), currency),
    }),
    after: t.field({
      type: MoneyRef,
      description: 'After.',
      resolve: ({ after, currency }) => new Money(Number(after), currency),
    }),
  }),
})

const MigrationRef = builder.objectRef<Migration>('SubscriptionMigration').implement({
  description: 'What a migration does to the subscriptions of a call, in the order of their ids.',
  right: 'admin',
  fields: (t) => ({
    moved: t.field({
      type: [MovedRef],
      description: `Those that move, at most ${SUBSCRIPTIONS_MIGRATED_MAX}.`,
      resolve: ({ moved }) => [...moved],
    }),
    skipped: t.field({
      type: [SkippedRef],
      description: `Those that stay, at most ${SUBSCRIPTIONS_MIGRATED_MAX}.`,
      resolve: ({ skipped }) => [...skipped],
    }),
    sums: t.field({
      type: [SumRef],
      description: `The sums of the invoices of those that move, by currency, at most ${SUBSCRIPTIONS_MIGRATED_MAX}.`,
      resolve: ({ moved }) => sumsOf(moved),
    }),
    endCursor: t.exposeID('last', {
      nullable: true,
      description: 'For `after` of the next call; null when there was none.',
    }),
    hasNextPage: t.exposeBoolean('hasMore', { description: 'Whether more are meant.' }),
  }),
})

const FilterInput = builder.inputType('SubscriptionMigrationFilter', {
  description: 'Which subscriptions a migration is for; all that is given holds.',
  fields: (t) => ({
    planId: t.id({ description: 'Those under this plan now.' }),
    offeringId: t.id({ description: 'Those to this offering.' }),
    productId: t.id({ description: 'Those whose terms in force have this product.' }),
    currency: t.string({ description: 'Those in this currency.' }),
    createdBefore: t.field({ type: 'DateTime', description: 'Those that were created before this instant.' }),
  }),
})

const TargetInput = builder.inputType('SubscriptionMigrationTargetInput', {
  description: 'What subscriptions are moved to.',
  isOneOf: true,
  fields: (t) => ({
    currentPrices: t.boolean({ description: '`true`: their plans stay, and their products take prices of now.' }),
    planId: t.id({ description: 'A plan of their offerings, whose `planLength` is counted from there.' }),
  }),
})

defineMutation('migrateSubscriptions', {
  description: `Moves subscriptions to prices of now or to another plan, each from its first start of a period on that is not before \`notBefore\`, at most ${SUBSCRIPTIONS_MIGRATED_MAX} a call, in one transaction. A repeat moves nothing twice.`,
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({
    filter: t.field({ type: FilterInput, description: 'Which; by default all.' }),
    to: t.field({ type: TargetInput, required: true, description: 'What they are moved to.' }),
    notBefore: t.field({ type: 'DateTime', description: 'The earliest instant; by default now.' }),
    first: t.int({
      description: `How many are looked at, 1 to ${SUBSCRIPTIONS_MIGRATED_MAX}, which is the default.`,
    }),
    after: t.id({ description: '`endCursor` of the call before.' }),
  }),
  members: {
    filter: {
      members: {
        plan_id: idMember('Plan'),
        offering_id: idMember('Offering'),
        product_id: idMember('SubscriptionProduct'),
      },
    },
    to: { members: { plan_id: idMember('Plan') } },
  },
  result: { name: 'migration', type: MigrationRef, description: 'What it did.' },
  run: (ctx, { data }, options) => migrateSubscriptions(ctx, { data }, options),
  preview: { type: MigrationRef, run: (ctx, { data }, options) => previewMigration(ctx, { data }, options) },
})
