/** Example tabs of GraphiQL. Each runs on the demo store without changes, any number of times. */
import { demoIds } from '../../demo/demo-ids.ts'
import { changePrice, ownBundle, priceBook, storefront, subscriptionLife, whyThisPrice } from './example-texts.ts'

/** An operation with its variables. */
export interface Example {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  /** Whether a shopper may run it too. */
  readonly right: 'admin' | 'anyone'
}

const selection = [
  { component: 'dripper', options: [{ productId: 'c0ffee00-0002-4000-8000-000000000024', quantity: 1 }] },
  { component: 'filters', options: [{ productId: 'c0ffee00-0002-4000-8000-000000000033', quantity: 2 }] },
  { component: 'coffee', options: [{ productId: 'c0ffee00-0002-4000-8000-000000000003', quantity: 1 }] },
  { component: 'grinder', options: [{ productId: 'c0ffee00-0002-4000-8000-000000000022', quantity: 1 }] },
]
const newPrice = { id: demoIds.subscriptionProduct, prices: [{ currency: 'EUR', price: { amount: 2590, includesTax: true } }] }
const { account: accountId, offering: offeringId, plan: planId } = demoIds
const newSubscription = { accountId, offeringId, planId, currency: 'EUR', name: 'Ada Lovelace', email: 'ada@example.com' }

/** The tabs in their order. */
export const examples: readonly Example[] = [
  { query: storefront, variables: { hierarchy: demoIds.hierarchy, first: 4 }, right: 'anyone' },
  { query: whyThisPrice, variables: { sku: 'ETH-YIRG', quantity: 12, day: '2045-06-01T12:00:00Z' }, right: 'admin' },
  { query: ownBundle, variables: { selection }, right: 'anyone' },
  { query: priceBook, variables: { id: demoIds.priceBook, skus: ['ETH-YIRG', 'KEN-NYERI', 'ACC-FILTER'] }, right: 'admin' },
  { query: changePrice, variables: { input: newPrice }, right: 'admin' },
  { query: subscriptionLife, variables: { new: newSubscription, id: demoIds.subscription }, right: 'admin' },
]
