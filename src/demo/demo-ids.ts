/** Demo ids: the records of the demo store (prisma/demo.jsonl) that pages and examples name. */
export const demoIds = {
  catalog: 'c0ffee00-0009-4000-8000-000000000001',
  /** Coffee, the catalog's first hierarchy. */
  hierarchy: 'c0ffee00-0007-4000-8000-000000000001',
  /** Retail: list prices with tiers and sales. */
  priceBook: 'c0ffee00-0001-4000-8000-000000000001',
  subscriptionProduct: 'c0ffee00-000b-4000-8000-000000000001',
  /** Coffee at home, with a plan that allows every action. */
  offering: 'c0ffee00-000d-4000-8000-000000000001',
  plan: 'c0ffee00-000c-4000-8000-000000000001',
  /** A year, paid at once. */
  giftPlan: 'c0ffee00-000c-4000-8000-000000000002',
  /** The account of the shopper of the demo tokens. */
  account: 'c0ffee00-00aa-4000-8000-000000000001',
  subscription: 'c0ffee00-000e-4000-8000-000000000001',
} as const
