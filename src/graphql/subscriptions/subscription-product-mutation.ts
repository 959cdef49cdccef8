/** Subscription product mutations: create, update, delete. */
import {
  createSubscriptionProduct,
  deleteSubscriptionProduct,
  updateSubscriptionProduct,
} from '../../operations/subscriptions/subscription-product.ts'
import { CurrencyPriceInput, pricesMember } from '../pricing/price.ts'
import { builder } from '../schema/builder.ts'
import { defineMutation, type InputBuilder } from '../schema/define-mutation.ts'
import type { InputMembers } from '../schema/graph-input.ts'
import { PriceUnit, SubscriptionProductRef } from './subscription-product.ts'

const PriceUnitsInput = builder.inputType('PriceUnitsInput', {
  description: 'The period for which a price applies.',
  fields: (t) => ({
    unit: t.field({ type: PriceUnit, required: true, description: 'What the period is counted in.' }),
    amount: t.field({ type: 'Long', required: true, description: 'How many of the unit, 1 or more.' }),
  }),
})

/** The input fields of a subscription product besides its name. */
function productInput(t: InputBuilder) {
  return {
    externalRef: t.string({ description: 'A free reference to another system, at most 2048 characters; null clears it.' }),
    description: t.string({ description: 'The description, at most 1024 characters; null clears it.' }),
    sku: t.string({ description: 'The stock keeping unit, at most 1024 characters; null clears it.' }),
    mainImage: t.string({ description: 'An absolute http or https URL, at most 1024 characters; null clears it.' }),
    prices: t.field({
      type: [CurrencyPriceInput],
      description:
        'Prices to set, change or remove; what is not named keeps its value, and there are at most 200 in all. Null removes all.',
    }),
    priceUnits: t.field({ type: PriceUnitsInput, description: 'The period for which the prices apply; null clears it.' }),
  }
}

const members: InputMembers = { price: pricesMember }

defineMutation('createSubscriptionProduct', {
  description: 'Creates a subscription product. It can be subscribed to once an offering has it.',
  right: 'admin',
  guard: 'idempotencyKey',
  input: (t) => ({ name: t.string({ required: true, description: 'The name, 3 to 1024 characters.' }), ...productInput(t) }),
  members,
  result: { name: 'subscriptionProduct', type: SubscriptionProductRef, description: 'The new product.' },
  run: (ctx, { data }, options) => createSubscriptionProduct(ctx, { data }, options),
})

defineMutation('updateSubscriptionProduct', {
  description: 'Changes the members that are given; others keep their value, and null clears where null is allowed.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'SubscriptionProduct', noun: 'product' },
  input: (t) => ({
    name: t.string({ description: 'The name, 3 to 1024 characters; it can not be cleared.' }),
    ...productInput(t),
  }),
  members,
  result: { name: 'subscriptionProduct', type: SubscriptionProductRef, description: 'The product after the change.' },
  run: (ctx, { id, data }, options) => updateSubscriptionProduct(ctx, { productId: id, data }, options),
})

defineMutation('deleteSubscriptionProduct', {
  description: 'Deletes a subscription product. One that an offering has can not be deleted (IN_USE); subscriptions keep their copies.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  target: { type: 'SubscriptionProduct', noun: 'product' },
  result: { name: 'subscriptionProduct', type: SubscriptionProductRef, description: 'The product as it was.' },
  run: (ctx, { id }, options) => deleteSubscriptionProduct(ctx, { productId: id }, options),
})
