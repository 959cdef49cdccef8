/** Examples of subscription products, for the OpenAPI document: requests to the demo store, and its responses. */
import { demoIds } from '../../demo/demo-ids.ts'
import type { RouteExample } from '../http/example.ts'

const id = demoIds.subscriptionProduct
const instant = '2026-01-15T12:00:00.000Z'

/** The product with a price in US dollars. */
const document = (amount: number, formatted: string) => {
  const price = { amount, currency: 'USD', formatted }
  return {
    id,
    type: 'subscription_product',
    attributes: {
      external_ref: 'demo-sub-filter',
      name: 'Filter Coffee Club',
      description: 'Two bags of what has just been roasted, at your door.',
      sku: 'SUB-FILTER',
      price: {
        EUR: { amount: 2490, includes_tax: true },
        GBP: { amount: 2190, includes_tax: true },
        USD: { amount, includes_tax: false },
      },
      price_units: { unit: 'month', amount: 1 },
      updated_at: instant,
      created_at: instant,
    },
    meta: {
      display_price: { with_tax: price, without_tax: price },
      owner: 'store',
      timestamps: { updated_at: instant, created_at: instant },
    },
  }
}

export const getSubscriptionProductExample: RouteExample = {
  path: { product_uuid: id },
  response: { data: document(2600, '$26.00') },
}

export const updateSubscriptionProductExample: RouteExample = {
  path: { product_uuid: id },
  body: { data: { id, type: 'subscription_product', attributes: { price: { USD: { amount: 2500 } } } } },
  response: { data: document(2500, '$25.00') },
}
