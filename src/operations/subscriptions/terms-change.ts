/** Changes of a subscription's terms: use cases, for admins and the shoppers of its account. */
import { assertValid } from '../../domain/input/errors.ts'
import { unpriced } from '../../domain/subscriptions/first-terms.ts'
import { pinnedItem } from '../../domain/subscriptions/plan-price.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import {
  type AskedChange,
  applyChangeOfTerms,
  asksForMore,
  changedItems,
  changeFrame,
  changeViolations,
  productsOf,
  readTermsChange,
} from '../../domain/subscriptions/terms-change.ts'
import { findRecords, lockRecord } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { offeringTable } from '../../persistence/subscriptions/offering.ts'
import { planTable } from '../../persistence/subscriptions/plan.ts'
import { updateSubscriptionRow } from '../../persistence/subscriptions/subscription.ts'
import { subscriptionProductTable } from '../../persistence/subscriptions/subscription-product.ts'
import { type Context, presentOf } from '../../request/context.ts'
import { assertRight, command } from '../operation.ts'
import { askingOf, keptSubscription, lockSubscription } from './held-subscription.ts'
import { previewedAt, type SubscriptionPreview } from './preview.ts'

interface Input {
  readonly subscriptionId: string
  readonly data: unknown
}

const reading = {
  right: 'account',
  read: ({ data }: Input, ctx: Context) => {
    const read = readTermsChange(data, ctx.now)
    if (read.value && asksForMore(read.value)) assertRight('admin', ctx.viewer)
    return read
  },
  load: (tx: Transaction, { subscriptionId }: Input, { viewer }: Context) =>
    lockSubscription(tx, subscriptionId, viewer),
} as const

/**
 * The subscription after a change of terms, not yet stored: plan and new items are the offering's of now, which is read
 * under a lock. Five statements.
 */
async function changed(tx: Transaction, asked: AskedChange, stored: Subscription, ctx: Context): Promise<Subscription> {
  const asking = askingOf(ctx, presentOf(ctx))
  const frame = changeFrame(stored, asked, asking)
  const offering = await lockRecord(tx, offeringTable, stored.offeringId, 'SHARE')
  const plan = asked.planId === null ? null : ((await findRecords(tx, planTable, [asked.planId]))[0] ?? null)
  assertValid(changeViolations(asked, frame, offering, plan))
  const products = await findRecords(tx, subscriptionProductTable, productsOf(asked, frame))
  const byId = new Map(products.map((product) => [product.id, product]))
  const { items, isNew } = changedItems(asked, frame, (productId, quantity) =>
    pinnedItem(plan ?? frame.plan, productId, byId.get(productId) ?? null, stored.currency, quantity),
  )
  if (!asked.allowUnpriced) {
    const lacking = items.map((item, index) => (isNew[index] ? item : { ...item, unitAmount: 0 }))
    const found = unpriced(lacking, stored.currency, asked.items !== null)
    assertValid(asked.items === null ? found.map((one) => ({ ...one, path: ['plan_id'] })) : found)
  }
  return applyChangeOfTerms(stored, asked, frame, { plan, items }, asking)
}

/** Changes plan, items or both of a subscription, from an instant on (subscription.terms-from-an-instant). */
export const changeSubscription = command<Input, AskedChange, Subscription, Subscription>({
  name: 'changeSubscription',
  ...reading,
  run: async (tx, asked, stored, ctx) => {
    const after = await changed(tx, asked, stored, ctx)
    await updateSubscriptionRow(tx, stored, after)
    return after
  },
  kept: keptSubscription,
})

/** What a change of terms would do; nothing is written (subscription.dry-run). */
export const previewSubscriptionChange = command<Input, AskedChange, Subscription, SubscriptionPreview>({
  name: 'previewSubscriptionChange',
  ...reading,
  run: async (tx, asked, stored, ctx) => {
    const after = await changed(tx, asked, stored, ctx)
    return { at: previewedAt(stored, after), before: stored, after }
  },
})
