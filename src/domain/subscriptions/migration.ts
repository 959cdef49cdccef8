/** Migrations: many subscriptions moved to prices of now, or to another plan (subscription.migrated-at-a-period). */
import type { Violation } from '../input/errors.ts'
import { currencyCode, uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { SUBSCRIPTIONS_MIGRATED_MAX } from '../input/limits.ts'
import { nextUpdatedAt } from '../input/patch.ts'
import { readInput } from '../input/read-input.ts'
import type { ReadResult } from '../input/reading.ts'
import { newRecord } from '../input/record.ts'
import { limitParams } from '../input/violation-params.ts'
import type { Agreement, Item, TermsChange } from './agreement.ts'
import { type Asking, askedBy, presentIn } from './asked-time.ts'
import { aheadOf } from './change-status.ts'
import { roomViolation } from './changes-limit.ts'
import { inexactSums, readAhead } from './first-terms.ts'
import { lifeOf } from './life.ts'
import { invoiceAt, lifeStatusAt, nextStart, stretchAt } from './life-readings.ts'
import type { Plan } from './plan.ts'
import { pinnedItem } from './plan-price.ts'
import type { Subscription } from './subscription.ts'
import type { SubscriptionProduct } from './subscription-product.ts'

/** Which subscriptions are meant; all that is given holds. */
export interface MigrationFilter {
  /** The plan in force now. */
  readonly planId: string | null
  readonly offeringId: string | null
  /** A product that it holds now. */
  readonly productId: string | null
  readonly currency: string | null
  /** Epoch milliseconds. */
  readonly createdBefore: number | null
}

/** What is asked for. */
export interface AskedMigration {
  readonly filter: MigrationFilter
  /** Null: the plans stay, at prices of now. */
  readonly planId: string | null
  /** Null: now. */
  readonly notBefore: number | null
  readonly first: number
  /** The id of the last subscription of the call before; null for the first call. */
  readonly after: string | null
}

/** Why a subscription is left as it is (subscription.migration-tells-what-stays). */
export const skipWords = [
  'unchanged',
  'closed',
  'canceled',
  'change_ahead',
  'plan_gone',
  'plan_not_offered',
  'product_gone',
  'no_price',
  'out_of_range',
  'no_room',
] as const
export type SkipReason = (typeof skipWords)[number]

/** A subscription that moves: its invoice at the instant before and after; null where none is due, or has no price. */
export interface Move<S = Subscription> {
  readonly subscription: S
  readonly at: number
  readonly before: number | null
  readonly after: number | null
}

/** What the invoices of subscriptions that move come to in a currency. */
export interface Sum {
  readonly currency: string
  readonly before: bigint
  readonly after: bigint
}

/** The records of now by id. */
export interface Records {
  readonly plans: ReadonlyMap<string, Plan>
  readonly products: ReadonlyMap<string, SubscriptionProduct>
  /** The plans of each offering. */
  readonly offered: ReadonlyMap<string, readonly string[]>
}

/** Reads what is asked for. */
export function readMigration(data: unknown, now: number): ReadResult<AskedMigration> {
  return readInput(
    data,
    (reader) =>
      reader.ifValid(() => ({
        filter: readFilter(reader.object('filter')),
        planId: readTarget(reader),
        notBefore: readAhead(reader, 'not_before', now) ?? null,
        first: reader.integer('first', { min: 1, max: SUBSCRIPTIONS_MIGRATED_MAX }) ?? SUBSCRIPTIONS_MIGRATED_MAX,
        after: reader.text('after', { format: uuid })?.toLowerCase() ?? null,
      })),
    newRecord,
  )
}

function readFilter(reader: InputReader | null | undefined): MigrationFilter {
  const id = (name: string) => reader?.text(name, { format: uuid })?.toLowerCase() ?? null
  return {
    planId: id('plan_id'),
    offeringId: id('offering_id'),
    productId: id('product_id'),
    currency: reader?.text('currency', { format: currencyCode }) ?? null,
    createdBefore: reader?.instant('created_before') ?? null,
  }
}

function readTarget(reader: InputReader): string | null {
  const to = reader.object('to')
  const planId = to?.text('plan_id', { format: uuid })?.toLowerCase() ?? null
  const isCurrent = to?.boolean('current_prices') ?? null
  if (isCurrent !== true && to?.raw('plan_id') == null)
    reader.addViolation('to', 'REQUIRED', 'must name a plan, or ask for prices of now')
  return planId
}

/** Whether a subscription holds the product that is meant. */
export function holdsMeant({ agreement }: Subscription, { filter }: AskedMigration, asking: Asking): boolean {
  const { items } = stretchAt(lifeOf(agreement), presentIn(agreement, asking.now))
  return filter.productId === null || items.some(({ productId }) => productId === filter.productId)
}

/** The first start of a period at which the migration of a subscription takes effect. */
function effectOf(agreement: Agreement, notBefore: number | null, now: number): number {
  return nextStart(lifeOf(agreement), Math.max(now, (notBefore ?? now) - 1))
}

/** The plan and the items that a subscription has when its migration takes effect. */
export function heldThen({ agreement }: Subscription, { notBefore }: AskedMigration, asking: Asking) {
  const now = presentIn(agreement, asking.now)
  const at = effectOf(agreement, notBefore, now)
  const { plan, items } = stretchAt(lifeOf(agreement), at)
  return { now, at, plan, items }
}

/** The subscription on its new terms, or why it stays as it is. */
export function migrate(
  subscription: Subscription,
  asked: AskedMigration,
  { plans, products, offered }: Records,
  asking: Asking,
): Move | SkipReason {
  const { agreement, currency, offeringId } = subscription
  const { now, at, plan, items } = heldThen(subscription, asked, asking)
  const { closed, canceled, endDate } = lifeStatusAt(agreement, now)
  // A change at the end of a term would begin another one.
  if (closed || (endDate !== null && endDate <= at)) return 'closed'
  if (canceled) return 'canceled'
  if (aheadOf(agreement, 'change', now)) return 'change_ahead'
  // Another call was first.
  const { planId } = asked.filter
  if (planId !== null && stretchAt(lifeOf(agreement), now).plan.id !== planId) return 'unchanged'
  if (asked.planId === plan.id) return 'unchanged'
  const priced = plans.get(asked.planId ?? plan.id)
  if (!priced) return 'plan_gone'
  if (asked.planId !== null && !offered.get(offeringId)?.includes(asked.planId)) return 'plan_not_offered'
  if (items.some(({ productId }) => !products.has(productId))) return 'product_gone'
  const moved = items.map(({ productId, quantity }) =>
    pinnedItem(priced, productId, products.get(productId) ?? null, currency, quantity),
  )
  if (moved.some(({ unitAmount }) => unitAmount === null)) return 'no_price'
  if (asked.planId === null && moved.every((item, index) => isPricedAs(item, items[index]))) return 'unchanged'
  const change: TermsChange = {
    ...askedBy(asking, now, at),
    ...{ type: 'change', plan: asked.planId === null ? null : priced, items: moved },
    ...{ proration: 'none', prorateAt: null },
  }
  if (roomViolation(agreement, [change])) return 'no_room'
  const after = { ...agreement, changes: [...agreement.changes, change] }
  if (inexactSums(after, ['items']).length > 0) return 'out_of_range'
  return {
    subscription: { ...subscription, agreement: after, updatedAt: nextUpdatedAt(now, subscription.updatedAt) },
    at,
    before: invoiceAt(lifeOf(agreement), at)?.amount ?? null,
    after: invoiceAt(lifeOf(after), at)?.amount ?? null,
  }
}

function isPricedAs(one: Item, other: Item | undefined): boolean {
  return one.unitAmount === other?.unitAmount && one.includesTax === other.includesTax
}

/** The sums of the invoices of subscriptions that move, by currency; one without an amount counts as 0. */
export function sumsOf(moved: readonly (Pick<Move, 'before' | 'after'> & { readonly currency: string })[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const { currency, before, after } of moved) {
    const sum = sums.get(currency) ?? { currency, before: 0n, after: 0n }
    sums.set(currency, { currency, before: sum.before + BigInt(before ?? 0), after: sum.after + BigInt(after ?? 0) })
  }
  return [...sums.values()].sort((one, other) => (one.currency < other.currency ? -1 : 1))
}

/** One violation when a sum of a call is beyond 2^53-1 (subscription.exact-sums). */
export function inexactMigration(sums: readonly Sum[]): Violation[] {
  const isExact = (sum: bigint) => Number.isSafeInteger(Number(sum))
  const wrong = sums.find(({ before, after }) => !isExact(before) || !isExact(after))
  if (!wrong) return []
  const message = `the sums in ${wrong.currency} would be beyond ${Number.MAX_SAFE_INTEGER}: ask for fewer subscriptions`
  return [{ code: 'OUT_OF_RANGE', path: ['first'], message, params: limitParams(null, Number.MAX_SAFE_INTEGER) }]
}
