/** The copy of an offering that a new subscription keeps (subscription.keeps-its-copies). */
import type { ComposedOffering } from '../../domain/subscriptions/offering.ts'
import type { OfferingCopy } from '../../domain/subscriptions/subscription.ts'
import type { SubscriptionProduct } from '../../domain/subscriptions/subscription-product.ts'
import { findRecords } from '../../persistence/database/table.ts'
import type { Transaction } from '../../persistence/database/transaction.ts'
import { subscriptionProductTable } from '../../persistence/subscriptions/subscription-product.ts'

/** The copy of an offering, and its products by id. One statement. */
export async function offeringCopyOf(
  tx: Transaction,
  offering: ComposedOffering,
): Promise<{ readonly copy: OfferingCopy; readonly byId: ReadonlyMap<string, SubscriptionProduct> }> {
  const products = await findRecords(tx, subscriptionProductTable, offering.productIds)
  const byId = new Map(products.map((product) => [product.id, product]))
  const externalProductRefs = offering.productIds
    .map((productId) => byId.get(productId)?.externalRef ?? null)
    .filter((ref) => ref !== null)
  return { copy: { ...offering, externalProductRefs }, byId }
}
