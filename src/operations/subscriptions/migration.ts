/** Migration of many subscriptions, for administrators (subscription.migrated-at-a-period). */
import { assertValid } from '../../domain/input/errors.ts'
import {
  type AskedMigration,
  heldThen,
  holdsMeant,
  inexactMigration,
  type Move,
  migrate,
  readMigration,
  type SkipReason,
  sumsOf,
} from '../../domain/subscriptions/migration.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { findRecords } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { lockToMigrate, offeredPlans, writeMigrated } from '../../persistence/subscriptions/migration.ts'
import { planTable } from '../../persistence/subscriptions/plan.ts'
import { subscriptionProductTable } from '../../persistence/subscriptions/subscription-product.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { command } from '../operation.ts'
import { askingOf } from './held-subscription.ts'

interface Input {
  readonly data: unknown
}

/** What a call did, or would do. */
export interface Migration {
  readonly moved: readonly (Omit<Move, 'subscription'> & Pick<Subscription, 'id' | 'currency'>)[]
  readonly skipped: readonly { readonly id: string; readonly reason: SkipReason }[]
  /** The id of the last subscription that was looked at; null for none. */
  readonly last: string | null
  readonly hasMore: boolean
}

interface Planned {
  readonly stored: readonly Subscription[]
  readonly moves: readonly Move[]
  readonly migration: Migration
}

/** What it does to the subscriptions of a call, which are locked in the order of their ids. Six statements. */
async function planned(tx: Transaction, asked: AskedMigration, ctx: Context): Promise<Planned> {
  const found = await lockToMigrate(tx, asked, ctx.now)
  const asking = askingOf(ctx, presentOf(ctx))
  const read = found.slice(0, asked.first)
  const subscriptions = read.filter((one) => holdsMeant(one, asked, asking))
  const held = subscriptions.map((one) => heldThen(one, asked, asking))
  const planIds = [...new Set(asked.planId === null ? held.map(({ plan }) => plan.id) : [asked.planId])]
  const productIds = [...new Set(held.flatMap(({ items }) => items.map(({ productId }) => productId)))]
  const offered = await offeredPlans(tx, [...new Set(subscriptions.map(({ offeringId }) => offeringId))])
  const plans = await findRecords(tx, planTable, planIds)
  if (asked.planId !== null && plans.length === 0)
    assertValid([{ code: 'NOT_FOUND', path: ['to', 'plan_id'], message: 'no such plan' }])
  const products = await findRecords(tx, subscriptionProductTable, productIds)
  const byId = <R extends { readonly id: string }>(records: readonly R[]) =>
    new Map(records.map((one) => [one.id, one]))
  const records = { plans: byId(plans), products: byId(products), offered }
  const results = subscriptions.map((one) => [one, migrate(one, asked, records, asking)] as const)
  const moves = results.flatMap(([stored, result]) => (typeof result === 'string' ? [] : [{ stored, result }]))
  const moved = moves.map(({ result: { subscription, ...move } }) => {
    const { id, currency } = subscription
    return { id, currency, ...move }
  })
  assertValid(inexactMigration(sumsOf(moved)))
  return {
    stored: moves.map(({ stored }) => stored),
    moves: moves.map(({ result }) => result),
    migration: {
      moved,
      skipped: results.flatMap(([{ id }, reason]) => (typeof reason === 'string' ? [{ id, reason }] : [])),
      last: read.at(-1)?.id ?? null,
      hasMore: found.length > read.length,
    },
  }
}

const reading = {
  right: 'admin',
  read: ({ data }: Input, ctx: Context) => readMigration(data, ctx.now),
} as const

/** Moves subscriptions to prices of now or to a plan, from a start of a period on. Six statements, and six to write. */
export const migrateSubscriptions = command<Input, AskedMigration, undefined, Migration>({
  name: 'migrateSubscriptions',
  ...reading,
  run: async (tx, asked, _, ctx) => {
    const { stored, moves, migration } = await planned(tx, asked, ctx)
    if (moves.length > 0)
      await writeMigrated(
        tx,
        stored,
        moves.map(({ subscription }) => subscription),
      )
    return migration
  },
})

/** What a migration would do; nothing is written (subscription.dry-run). */
export const previewMigration = command<Input, AskedMigration, undefined, Migration>({
  name: 'previewMigration',
  ...reading,
  run: async (tx, asked, _, ctx) => (await planned(tx, asked, ctx)).migration,
})
