/** Items of subscriptions: products at pinned prices (subscription.pinned-prices). */
import type { Item } from '../../domain/subscriptions/agreement.ts'
import { subscriptionProduct } from '../../operations/subscriptions/subscription-product.ts'
import { MoneyRef, toMoney } from '../pricing/money.ts'
import { builder } from '../schema/builder.ts'
import { globalId, requiredId } from '../schema/ids.ts'
import { SubscriptionProductRef } from './subscription-product.ts'

/** An item with the currency of its subscription. */
export interface CurrencyItem extends Item {
  readonly currency: string
}

export const SubscriptionItemRef = builder.objectRef<CurrencyItem>('SubscriptionItem').implement({
  description: 'A product that is subscribed to, as it was when its terms were agreed.',
  right: 'anyone',
  fields: (t) => ({
    productId: t.id({
      description: 'The global id of the subscription product, be it gone or not.',
      resolve: ({ productId }) => globalId('SubscriptionProduct', productId),
    }),
    product: t.field({
      type: SubscriptionProductRef,
      nullable: true,
      description: 'The subscription product as it is now; null when it is gone.',
      resolve: ({ productId }, _, ctx) => subscriptionProduct(ctx, { id: productId }),
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The name of the product; null when it was gone when its price was taken.',
    }),
    sku: t.exposeString('sku', { nullable: true, description: 'The SKU of the product; null when it had none.' }),
    quantity: t.exposeInt('quantity', { description: 'How many pieces, 1 or more.' }),
    unitAmount: t.field({
      type: MoneyRef,
      nullable: true,
      description: 'What one costs for a billing interval; null when it had no price in the currency.',
      resolve: ({ unitAmount, currency }) => toMoney(unitAmount, currency),
    }),
    includesTax: t.exposeBoolean('includesTax', {
      nullable: true,
      description: 'Whether the amount includes tax; null without one.',
    }),
  }),
})

export const SubscriptionItemInput = builder.inputType('SubscriptionItemInput', {
  description: 'A product to subscribe to.',
  fields: (t) => ({
    productId: t.id(requiredId('subscription product')),
    quantity: t.int({ description: 'How many pieces, 1 to 1000000; by default 1.' }),
  }),
})
