/** Subscription products: use cases. */
import { subscriptionProductRecord } from '../../domain/subscriptions/subscription-product.ts'
import { subscriptionProductTable } from '../../persistence/subscriptions/subscription-product.ts'
import { recordCommands } from '../record-commands.ts'
import { recordById, recordReads } from '../record-reads.ts'

/** A subscription product by its raw id, null when there is none. */
export const subscriptionProduct = recordById('anyone', ({ subscriptionProductById }) => subscriptionProductById)

/** All subscription products, in pages. */
export const subscriptionProducts = recordReads('anyone', subscriptionProductTable)

/** Creates, changes and deletes a subscription product; IN_USE while an offering has it. */
export const {
  create: createSubscriptionProduct,
  update: updateSubscriptionProduct,
  remove: deleteSubscriptionProduct,
} = recordCommands('SubscriptionProduct', {
  record: subscriptionProductRecord,
  table: subscriptionProductTable,
  noun: 'subscription product',
  inUseAs: 'subscriptionProduct',
})
