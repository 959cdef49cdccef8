/** Changes of a subscription's terms: what is asked for, and what it makes of the agreement. */
import { conflict, DomainError, type Violation } from '../input/errors.ts'
import { uuid } from '../input/formats.ts'
import { nextUpdatedAt } from '../input/patch.ts'
import { readInput } from '../input/read-input.ts'
import type { ReadResult } from '../input/reading.ts'
import { newRecord } from '../input/record.ts'
import { type Agreement, type Item, type Proration, prorationWords, type TermsChange } from './agreement.ts'
import { type AskedTime, type Asking, askedBy, instantOf, keptPreview, presentIn, readAskedTime } from './asked-time.ts'
import { aheadOf } from './change-status.ts'
import { assertRoom } from './changes-limit.ts'
import { type AskedItem, inexactSums, readItems } from './first-terms.ts'
import { lifeOf } from './life.ts'
import { lifeStatusAt, nextStart, stretchAt } from './life-readings.ts'
import { paysBack } from './pay-back.ts'
import type { Plan } from './plan.ts'
import { type Agreed, scheduled } from './subscription-state.ts'

/** What is asked for; null by default. */
export interface AskedChange {
  /** Null: the plan stays, with its count. */
  readonly planId: string | null
  /** The whole list; null: the held items. */
  readonly items: readonly AskedItem[] | null
  /** Null: now. */
  readonly at: AskedTime | null
  /** Null: by time. */
  readonly proration: Proration | null
  readonly prorateAt: number | null
  /** Whether it takes the place of a change that is ahead. */
  readonly replace: boolean
  readonly allowUnpriced: boolean
}

/** Reads a change of terms, which names a plan, items, or both. */
export function readTermsChange(data: unknown, now: number): ReadResult<AskedChange> {
  return readInput(
    data,
    (reader) =>
      reader.ifValid(() => {
        const asked = {
          planId: reader.text('plan_id', { format: uuid })?.toLowerCase() ?? null,
          items: readItems(reader) ?? null,
          at: readAskedTime(reader, 'at', now) ?? null,
          proration: reader.oneOf('proration', prorationWords) ?? null,
          prorateAt: reader.instant('prorate_at') ?? null,
          replace: reader.boolean('replace') ?? false,
          allowUnpriced: reader.boolean('allow_unpriced') ?? false,
        }
        if (reader.raw('plan_id') == null && reader.raw('items') == null)
          reader.addViolation('plan_id', 'REQUIRED', 'must be given, or items')
        return asked
      }),
    newRecord,
  )
}

/** Whether a change asks for what is for administrators. */
export function asksForMore({ proration, allowUnpriced }: AskedChange): boolean {
  return allowUnpriced || (proration ?? 'by_time') !== 'by_time'
}

/** Where a change begins. */
export interface ChangeFrame {
  /** The agreement without the change that it replaces. */
  readonly base: Agreement
  readonly now: number
  readonly at: number
  /** The terms that hold at `at` without it. */
  readonly plan: Plan
  readonly held: readonly Item[]
}

/**
 * Where a change begins. Throws a conflict when the subscription is canceled or closed, and for another change that is
 * ahead, unless it is replaced; a shopper replaces what a shopper asked for (subscription.one-ahead).
 */
export function changeFrame({ agreement }: Agreed, asked: AskedChange, asking: Asking): ChangeFrame {
  const now = presentIn(agreement, asking.now)
  const { closed, canceled } = lifeStatusAt(agreement, now)
  if (closed || canceled)
    throw conflict('ACTION_REFUSED', ['id'], `the subscription is ${closed ? 'closed' : 'canceled'}`)
  const ahead = aheadOf(agreement, 'change', now)
  const refused = scheduled(agreement, 'change', now)
  if (refused && !asked.replace) throw conflict(refused.code, ['id'], refused.message)
  if (ahead && asking.byShopper && !ahead.byShopper)
    throw new DomainError('forbidden', 'An administrator asked for the change that is ahead')
  const undone = (one: Agreement['changes'][number]) => (one === ahead ? { ...one, undoneAt: now } : one)
  const base = ahead ? { ...agreement, changes: agreement.changes.map(undone) } : agreement
  const at = instantOf(asked.at ?? 'now', base, now)
  const { plan, items } = stretchAt(lifeOf(base), at)
  return { base, now, at, plan, held: items }
}

/** The products that items are asked for or held of. */
export function productsOf({ items }: AskedChange, { held }: ChangeFrame): string[] {
  return (items ?? held).map(({ productId }) => productId)
}

/** Violations of a plan and of new items that the offering does not have now; a null offering is gone. */
export function changeViolations(
  { planId, items }: AskedChange,
  { held }: ChangeFrame,
  offering: { readonly planIds: readonly string[]; readonly productIds: readonly string[] } | null,
  plan: Plan | null,
): Violation[] {
  const found: Violation[] = []
  if (planId !== null && plan === null) found.push({ code: 'NOT_FOUND', path: ['plan_id'], message: 'no such plan' })
  if (planId !== null && plan !== null && !offering?.planIds.includes(planId)) {
    const message = offering ? 'the plan does not belong to the offering' : 'the offering of the subscription is gone'
    found.push({ code: 'PLAN_NOT_OFFERED', path: ['plan_id'], message })
  }
  const known = new Set([...held.map(({ productId }) => productId), ...(offering?.productIds ?? [])])
  for (const [index, { productId }] of (items ?? []).entries()) {
    if (known.has(productId)) continue
    const message = offering
      ? 'the product does not belong to the offering'
      : 'the offering of the subscription is gone'
    found.push({ code: 'PRODUCT_NOT_OFFERED', path: ['items', index, 'product_id'], message })
  }
  return found
}

/**
 * The items after a change (subscription.pinned-prices): a held one keeps its amount in another quantity, a new one and
 * all under a new plan take prices of now, from `priced`.
 */
export function changedItems(
  { planId, items }: AskedChange,
  { held }: ChangeFrame,
  priced: (productId: string, quantity: number) => Item,
): { readonly items: readonly Item[]; readonly isNew: readonly boolean[] } {
  const before = new Map(held.map((item) => [item.productId, item]))
  const asked = items ?? held
  const isNew = asked.map(({ productId }) => planId !== null || !before.has(productId))
  return {
    isNew,
    items: asked.map(({ productId, quantity }, index) => {
      const old = before.get(productId)
      if (old && !isNew[index]) return { ...old, quantity }
      const item = priced(productId, quantity)
      // A product that is gone keeps the name that it had.
      return old ? { ...item, name: item.name ?? old.name, sku: item.name === null ? old.sku : item.sku } : item
    }),
  }
}

/**
 * The subscription on the new terms. A shopper's change whose invoice would be below 0 takes effect at the next start
 * of a period (subscription.shoppers-change-by-time); a conflict when it would be below 0 then, too.
 */
export function applyChangeOfTerms<S extends Agreed>(
  subscription: S,
  { proration, prorateAt }: AskedChange,
  { base, now, at }: ChangeFrame,
  terms: { readonly plan: Plan | null; readonly items: readonly Item[] },
  asking: Asking,
): S {
  const kept = keptPreview(prorateAt, base, at, now) ?? null
  const changeAt = (instant: number): Agreement => {
    const change: TermsChange = {
      ...askedBy(asking, now, instant),
      ...{ type: 'change', plan: terms.plan, items: terms.items, proration: proration ?? 'by_time' },
      prorateAt: instant === at ? kept : null,
    }
    assertRoom(base, [change])
    return { ...base, changes: [...base.changes, change] }
  }
  let agreement = changeAt(at)
  if (asking.byShopper && paysBack(base, agreement, at)) {
    const later = nextStart(lifeOf(base), at)
    agreement = changeAt(later)
    if (paysBack(base, agreement, at))
      throw conflict('ACTION_REFUSED', ['id'], 'its invoice would be below 0: an administrator can make the change')
  }
  const inexact = inexactSums(agreement, ['items'])
  if (inexact.length > 0) throw new DomainError('validation', inexact)
  return { ...subscription, agreement, updatedAt: nextUpdatedAt(now, subscription.updatedAt) }
}
