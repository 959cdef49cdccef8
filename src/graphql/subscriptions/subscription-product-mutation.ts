/** Subscription product mutations: create, update, delete. */
import { subscriptionProductRecord } from '../../domain/subscriptions/subscription-product.ts'
import {
  createSubscriptionProduct,
  deleteSubscriptionProduct,
  updateSubscriptionProduct,
} from '../../operations/subscriptions/subscription-product.ts'
import { kept } from '../pricing/record-input.ts'
import { defineRecordMutations } from '../pricing/record-mutations.ts'
import { builder } from '../schema/builder.ts'
import { PriceUnit, SubscriptionProductRef } from './subscription-product.ts'

const PriceUnitsInput = builder.inputType('PriceUnitsInput', {
  description: 'The period for which a price applies.',
  fields: (t) => ({
    unit: t.field({ type: PriceUnit, required: true, description: 'What the period is counted in.' }),
    amount: t.field({ type: 'Long', required: true, description: 'How many of the unit, 1 or more.' }),
  }),
})

defineRecordMutations('SubscriptionProduct', {
  record: subscriptionProductRecord,
  ref: SubscriptionProductRef,
  noun: 'product',
  members: {
    externalRef: 'A free reference to another system, {limits}; null clears it.',
    name: kept('The name, {limits}'),
    description: 'The description, {limits}; null clears it.',
    sku: 'The stock keeping unit, {limits}; null clears it.',
    mainImage: 'An absolute http or https URL, {limits}; null clears it.',
    price: {
      name: 'prices',
      description:
        'Prices to set, change or remove; what is not named keeps its value, and there are {limits} in all. Null removes all.',
    },
    priceUnits: {
      field: (t, options) => t.field({ ...options, type: PriceUnitsInput }),
      description: 'The period for which the prices apply; null clears it.',
    },
  },
  create: {
    description: 'Creates a subscription product. It can be subscribed to once an offering has it.',
    run: createSubscriptionProduct,
  },
  update: {
    description: 'Changes the members that are given; others keep their value, and null clears where null is allowed.',
    run: updateSubscriptionProduct,
  },
  remove: {
    description:
      'Deletes a subscription product. One that an offering has can not be deleted (IN_USE); subscriptions keep their copies.',
    run: deleteSubscriptionProduct,
  },
})
