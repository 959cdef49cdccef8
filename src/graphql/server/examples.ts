/** Example tabs of GraphiQL. Each runs on the demo store without changes, any number of times. */
import { demoIds } from '../../demo/demo-ids.ts'
import { changePrice, draft, priceBook, subscriptionLife } from './admin-example-texts.ts'
import { campaign, changePlan, due, history, publish } from './operator-example-texts.ts'
import { bundle, category, menu, price, search, timeline } from './storefront-example-texts.ts'

export interface Example {
  /** What the operation shows: a title for the start page. */
  readonly title: string
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
const newPrice = {
  id: demoIds.subscriptionProduct,
  prices: [{ currency: 'EUR', price: { amount: 2590, includesTax: true } }],
}
const { account: accountId, offering: offeringId, plan: planId } = demoIds
const newSubscription = {
  accountId,
  offeringId,
  planId,
  currency: 'EUR',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
}

const washed = { tags: { in: ['washed'] }, price: { min: 1200, max: 1400 } }
const listing = { path: ['coffee', 'single-origin'], filter: washed, orderBy: { field: 'PRICE' }, offset: 0 }
const period = {
  sku: 'ETH-YIRG',
  from: '2023-01-01T00:00:00Z',
  to: '2047-01-01T00:00:00Z',
  sale: '2045-06-01T00:00:00Z',
}
const brewingWeekend = {
  priceBookId: demoIds.priceBook,
  skus: ['BRW-DRIP', 'BRW-AIR', 'KET-STOVE'],
  name: 'Brewing weekend',
  schedule: { validOn: { from: '2030-11-29', to: '2030-12-02' } },
  change: { percentOff: 20 },
  dryRun: true,
}
/** From today on, by UTC: the first invoice of the demo store is due within a month. */
const dayFromNow = (days: number): string =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`
const month = { from: dayFromNow(0), to: dayFromNow(31) }
const prices = { id: demoIds.priceBook, skus: ['ETH-YIRG', 'KEN-NYERI', 'ACC-FILTER'] }

/** The tabs in their order: the pages of a shop, then an administrator's work. */
export const examples: readonly Example[] = [
  {
    title: 'a category by its URL: filter, order by price, facets',
    query: category,
    variables: listing,
    right: 'anyone',
  },
  { title: 'a search that forgives mistakes', query: search, variables: { text: 'expreso cup' }, right: 'anyone' },
  { title: 'the menu, in its order', query: menu, variables: { depth: 2 }, right: 'anyone' },
  {
    title: 'a price explained, with the candidates that lost',
    query: price,
    variables: { sku: 'ETH-YIRG', quantity: 12 },
    right: 'anyone',
  },
  { title: 'the prices of past, present and future', query: timeline, variables: period, right: 'admin' },
  { title: 'a bundle: as it comes, chosen, unfinished', query: bundle, variables: { selection }, right: 'anyone' },
  { title: 'a price book with tiers and sales', query: priceBook, variables: prices, right: 'admin' },
  {
    title: 'a draft: what a publish would change',
    query: draft,
    variables: { catalogId: demoIds.catalog },
    right: 'admin',
  },
  {
    title: 'a price changed, or the rules that it breaks',
    query: changePrice,
    variables: { input: newPrice },
    right: 'admin',
  },
  {
    title: 'a subscription from its beginning to each action',
    query: subscriptionLife,
    variables: { new: newSubscription, id: demoIds.subscription },
    right: 'admin',
  },
  {
    title: 'a campaign: each price before and after, written or not',
    query: campaign,
    variables: { input: brewingWeekend },
    right: 'admin',
  },
  {
    title: 'a publish: what it would do, and its warnings',
    query: publish,
    variables: { catalogId: demoIds.catalog },
    right: 'admin',
  },
  {
    title: 'another plan: the next invoices before and after',
    query: changePlan,
    variables: { id: demoIds.subscription, planId: demoIds.giftPlan },
    right: 'admin',
  },
  { title: 'what is due in the coming month', query: due, variables: month, right: 'admin' },
  { title: 'who wrote what', query: history, variables: { first: 5 }, right: 'admin' },
]

/** The name of a tab: the name of its operation. */
export function nameOf({ query }: Example): string {
  return /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? ''
}
