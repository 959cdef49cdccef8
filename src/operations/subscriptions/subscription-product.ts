/** Subscription products: use cases. */
import { assertValid } from '../../domain/input/errors.ts'
import { currencyCountViolations } from '../../domain/pricing/flat-price-map.ts'
import {
  applySubscriptionProductPatch,
  newSubscriptionProduct,
  readSubscriptionProduct,
  readSubscriptionProductUpdate,
  type SubscriptionProduct,
} from '../../domain/subscriptions/subscription-product.ts'
import { subscriptionProductTable } from '../../persistence/subscriptions/subscription-product.ts'
import { lockOrThrow, recordCreate, recordDelete, recordUpdate } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'

/** A subscription product by its raw id, null when there is none. */
export const subscriptionProduct = recordById('subscriptionProduct', 'anyone', ({ subscriptionProductById }) => subscriptionProductById)

/** All subscription products, in pages. */
export const subscriptionProducts = recordReads('subscriptionProducts', 'anyone', subscriptionProductTable)

/** Creates a subscription product, with `data.id` if given. */
export const createSubscriptionProduct = recordCreate({
  name: 'createSubscriptionProduct',
  table: subscriptionProductTable,
  read: readSubscriptionProduct,
  create: newSubscriptionProduct,
})

/** Changes the given attributes of a subscription product; equal values write nothing. */
export const updateSubscriptionProduct = recordUpdate({
  name: 'updateSubscriptionProduct',
  table: subscriptionProductTable,
  load: (tx, { productId }: { productId: string; data: unknown }) =>
    lockOrThrow(tx, subscriptionProductTable, productId, 'subscription product'),
  read: ({ productId, data }, _, stored) => readSubscriptionProductUpdate(data, productId, stored),
  apply: (stored, patch, now) => {
    const updated = applySubscriptionProductPatch(stored, patch, now)
    assertValid(currencyCountViolations('price', updated.price))
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
