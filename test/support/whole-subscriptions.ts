/** Subscriptions of random agreements, stored as the operations store them. */
import fc from 'fast-check'
import type { AgreedChange, Agreement, Item } from '../../src/domain/subscriptions/agreement.ts'
import { stateActions } from '../../src/domain/subscriptions/asked-action.ts'
import type { Subscription, SubscriptionState } from '../../src/domain/subscriptions/subscription.ts'
import type { WholeSubscription } from '../../src/domain/subscriptions/subscription-object.ts'
import { importAuthor } from '../../src/import/context.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { inTransaction } from '../../src/persistence/database/transaction.ts'
import { insertStates, insertSubscription } from '../../src/persistence/subscriptions/subscription.ts'
import { anyAgreement } from './agreements.ts'
import { idOf } from './subscriptions.ts'

/** An agreement with the ids of products and changes that a store has, some of them asked for by a shopper. */
function storable(agreement: Agreement, byShopper: readonly boolean[]): Agreement {
  const named = (items: readonly Item[]) =>
    items.map((item) => ({ ...item, productId: idOf('product', item.productId.charCodeAt(0)) }))
  const pauses = agreement.changes.flatMap(({ type }, index) => (type === 'pause' ? [index] : []))
  const changes = agreement.changes.map((change, index): AgreedChange => {
    const asked = { id: changeId(index), ...(byShopper[index] && { byShopper: true as const }) }
    if (change.type === 'change') return { ...change, ...asked, items: named(change.items) }
    if (change.type === 'resume') {
      const pause = pauses.findLast((at) => at < index)
      return { ...change, ...asked, pauseId: pause === undefined ? null : changeId(pause) }
    }
    return { ...change, ...asked }
  })
  return { ...agreement, items: named(agreement.items), changes }
}

const changeId = (index: number): string => `0199c0de-0000-7000-8000-f${String(index).padStart(11, '0')}`

/** A subscription with everything that one can hold; its number makes the ids. */
export const anySubscription: fc.Arbitrary<(number: number) => WholeSubscription> = fc
  .record({
    agreement: fc
      .tuple(anyAgreement, fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }))
      .map(([agreement, byShopper]) => storable(agreement, byShopper)),
    onlyOne: fc.boolean(),
    externalRef: fc.option(fc.constantFrom('crm-1', 'ü "quoted"')),
    cardId: fc.option(fc.constant('card_1')),
    suspended: fc.boolean(),
    erasedAt: fc.option(fc.constant(Date.UTC(2032, 0))),
    actions: fc.array(fc.constantFrom(...stateActions), { maxLength: 3 }),
  })
  .map(({ agreement, onlyOne, externalRef, cardId, suspended, erasedAt, actions }) => (number) => {
    const states = actions.map(
      (action, index): SubscriptionState => ({
        id: `0199c0de-0000-7000-8000-${(number * 10 + index).toString(16).padStart(12, '0')}`,
        action,
        createdAt: agreement.startsAt + index,
      }),
    )
    const subscription: Subscription = {
      id: idOf('subscription', number),
      externalRef,
      accountId: idOf('account', (number % 3) + 1),
      offeringId: idOf('offering', 1),
      planId: agreement.plan.id,
      currency: 'USD',
      paymentAuthority: { type: 'platform_payments_gateway', ...(cardId !== null && { card_id: cardId }) },
      subscriberName: 'Ada',
      subscriberEmail: 'ada@example.com',
      offering: {
        ...{ id: idOf('offering', 1), externalRef: 'club', name: 'Club', description: null },
        ...{ productIds: agreement.items.map(({ productId }) => productId), planIds: [agreement.plan.id] },
        ...{ externalProductRefs: ['a'], createdAt: 5, updatedAt: 7 },
      },
      agreement: { ...agreement, ...(onlyOne && { onlyOne: true as const }) },
      suspended,
      erasedAt,
      state: states.at(-1) ?? null,
      createdAt: agreement.startsAt - 1,
      updatedAt: agreement.startsAt,
    }
    return { subscription, states }
  })

/** Stores subscriptions. */
export async function insertWhole(database: Database, all: readonly WholeSubscription[]): Promise<void> {
  await inTransaction(database, importAuthor, async (tx) => {
    for (const { subscription, states } of all) {
      await insertSubscription(tx, subscription)
      await insertStates(tx, subscription.id, states)
    }
  })
}
