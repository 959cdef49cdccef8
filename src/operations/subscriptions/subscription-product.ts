/** Subscription products: use cases. */
import { assertValid } from '../../domain/input/errors.ts'
import type { NewRecord } from '../../domain/input/record.ts'
import {
  applySubscriptionProductPatch,
  newSubscriptionProduct,
  readSubscriptionProduct,
  readSubscriptionProductUpdate,
  type SubscriptionProduct,
  type SubscriptionProductPatch,
  subscriptionProductViolations,
} from '../../domain/subscriptions/subscription-product.ts'
import { newId } from '../../persistence/database/id.ts'
import { insertRecord } from '../../persistence/database/table.ts'
import { subscriptionProductTable } from '../../persistence/subscriptions/subscription-product.ts'
import { command } from '../operation.ts'
import { recordDelete } from '../record-delete.ts'
import { recordById, recordReads } from '../record-reads.ts'
import { lockOrThrow, recordUpdate } from '../record-update.ts'

/** A subscription product by its raw id, null when there is none. */
export const subscriptionProduct = recordById('subscriptionProduct', 'anyone', ({ subscriptionProductById }) => subscriptionProductById)

/** All subscription products, in pages. */
export const subscriptionProducts = recordReads('subscriptionProducts', 'anyone', subscriptionProductTable)

/** Creates a subscription product, with `data.id` if given. */
export const createSubscriptionProduct = command<{ data: unknown }, NewRecord<SubscriptionProductPatch>, undefined, SubscriptionProduct>({
  name: 'createSubscriptionProduct',
  right: 'admin',
  read: ({ data }) => readSubscriptionProduct(data),
  run: async (tx, { id, patch }, _, ctx) => {
    const product = newSubscriptionProduct(patch, id ?? newId(ctx.now), ctx.now)
    await insertRecord(tx, subscriptionProductTable, product)
    return product
  },
})

/** Changes the given attributes of a subscription product; equal values write nothing. */
export const updateSubscriptionProduct = recordUpdate({
  name: 'updateSubscriptionProduct',
  table: subscriptionProductTable,
  noun: 'subscription product',
  idOf: ({ productId }: { productId: string; data: unknown }) => productId,
  read: ({ productId, data }) => readSubscriptionProductUpdate(data, productId),
  readWithStored: ({ productId, data }, stored) => readSubscriptionProductUpdate(data, productId, stored),
  apply: (stored, patch, now) => {
    const updated = applySubscriptionProductPatch(stored, patch, now)
    assertValid(subscriptionProductViolations(updated))
    return updated
  },
})

/** Deletes a subscription product; IN_USE while an offering has it. */
export const deleteSubscriptionProduct = recordDelete<{ productId: string }, SubscriptionProduct>({
  name: 'deleteSubscriptionProduct',
  table: subscriptionProductTable,
  inUseAs: 'subscriptionProduct',
  load: (tx, { productId }) => lockOrThrow(tx, subscriptionProductTable, productId, 'subscription product'),
})
