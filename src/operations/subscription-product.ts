/** Use cases of subscription products (contract 4.1). */
import { notFound } from '../domain/errors.ts'
import {
  applySubscriptionProductPatch,
  type NewSubscriptionProduct,
  newSubscriptionProduct,
  readSubscriptionProduct,
  readSubscriptionProductUpdate,
  type SubscriptionProduct,
  type SubscriptionProductPatch,
} from '../domain/subscription-product.ts'
import { newId } from '../persistence/id.ts'
import { someOfferings } from '../persistence/offering.ts'
import { lockRecord } from '../persistence/record-list.ts'
import { subscriptionProductList, toRow } from '../persistence/subscription-product.ts'
import type { Transaction } from '../persistence/transaction.ts'
import { assertFree } from './in-use.ts'
import { command, query } from './operation.ts'
import { recordReads } from './record-list.ts'

/** One product by its raw id, null when there is none. */
export const subscriptionProduct = query({
  name: 'subscriptionProduct',
  right: 'anyone',
  run: (ctx, { id }: { id: string }) => ctx.loaders.subscriptionProductById.load(id),
})

export const subscriptionProducts = recordReads('subscriptionProducts', 'anyone', subscriptionProductList)

/** A new product of `data`, with `data.id` when that is given. */
export const createSubscriptionProduct = command<{ data: unknown }, NewSubscriptionProduct, undefined, SubscriptionProduct>({
  name: 'createSubscriptionProduct',
  right: 'admin',
  read: ({ data }) => readSubscriptionProduct(data),
  run: async (tx, { id, patch }, _, ctx) => {
    const product = newSubscriptionProduct(patch, id ?? newId(ctx.now), ctx.now)
    await tx.subscriptionProduct.create({ data: toRow(product) })
    return product
  },
})

/** Contract 4.1: changes the attributes given, and nothing when they equal what is stored (SUBP-1..4). */
export const updateSubscriptionProduct = command<
  { productId: string; data: unknown },
  SubscriptionProductPatch,
  SubscriptionProduct,
  SubscriptionProduct
>({
  name: 'updateSubscriptionProduct',
  right: 'admin',
  read: ({ productId, data }) => readSubscriptionProductUpdate(data, productId),
  load: (tx, { productId }) => lockSubscriptionProduct(tx, productId),
  run: async (tx, patch, stored, ctx) => {
    const product = applySubscriptionProductPatch(stored, patch, ctx.now)
    if (product !== stored) await tx.subscriptionProduct.update({ where: { id: product.id }, data: toRow(product) })
    return product
  },
})

/** Deletes a product that no offering has (IN_USE otherwise). */
export const deleteSubscriptionProduct = command<{ productId: string }, undefined, SubscriptionProduct, SubscriptionProduct>({
  name: 'deleteSubscriptionProduct',
  right: 'admin',
  read: () => ({ value: undefined, violations: [] }),
  load: (tx, { productId }) => lockSubscriptionProduct(tx, productId),
  run: async (tx, _, stored) => {
    assertFree([{ noun: 'offering', ...(await someOfferings(tx, { products: { some: { productId: stored.id } } })) }])
    await tx.subscriptionProduct.delete({ where: { id: stored.id } })
    return stored
  },
})

async function lockSubscriptionProduct(tx: Transaction, id: string): Promise<SubscriptionProduct> {
  const product = await lockRecord(tx, subscriptionProductList, id)
  if (!product) throw notFound(['id'], 'No such subscription product')
  return product
}
