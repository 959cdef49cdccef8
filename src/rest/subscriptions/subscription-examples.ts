/** Examples of subscriptions, for the OpenAPI document: requests to the demo store, and its responses. */
import { demoIds } from '../../demo/demo-ids.ts'
import type { RouteExample } from '../http/example.ts'

const { account, offering, plan, subscription, subscriptionProduct } = demoIds
const secondProduct = 'c0ffee00-000b-4000-8000-000000000002'
const secondPlan = 'c0ffee00-000c-4000-8000-000000000002'
const instant = '2026-01-15T12:00:00.000Z'

const products = {
  data: [
    { type: 'subscription_product', id: subscriptionProduct },
    { type: 'subscription_product', id: secondProduct },
  ],
}

const document = (id: string) => ({
  id,
  type: 'subscription',
  attributes: {
    account_id: account,
    offering: {
      id: offering,
      type: 'subscription_offering',
      attributes: {
        external_ref: 'demo-home',
        name: 'Coffee at home',
        description: 'For one or two people who drink it every morning.',
        updated_at: instant,
        created_at: instant,
        relationships: {
          products,
          plans: {
            data: [
              { type: 'subscription_plan', id: plan },
              { type: 'subscription_plan', id: secondPlan },
            ],
          },
        },
      },
      meta: {
        external_product_refs: ['demo-sub-filter', 'demo-sub-espresso'],
        owner: 'store',
        timestamps: { updated_at: instant, created_at: instant },
      },
    },
    plan_id: plan,
    currency: 'USD',
    payment_authority: { type: 'platform_payments_gateway' },
  },
  relationships: {
    offering: { data: { type: 'subscription_offering', id: offering } },
    plan: { data: { type: 'subscription_plan', id: plan } },
    products,
  },
  meta: {
    owner: 'store',
    timestamps: { updated_at: instant, created_at: instant },
    status: 'active',
    canceled: false,
    paused: false,
    closed: false,
    suspended: false,
    invoice_after: '2026-01-29T12:00:00.000Z',
  },
})

export const createSubscriptionExample: RouteExample = {
  body: {
    data: {
      account_id: account,
      offering_id: offering,
      plan_id: plan,
      currency: 'USD',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
    },
  },
  response: { data: document('019bc1a4-3400-7000-8000-5f2c9d1e7a31') },
}

export const getSubscriptionExample: RouteExample = {
  path: { subscription_id: subscription },
  response: { data: document(subscription) },
}

export const changeSubscriptionStateExample: RouteExample = {
  path: { subscription_id: subscription },
  body: { data: { type: 'subscription_state', attributes: { action: 'pause' } } },
}
