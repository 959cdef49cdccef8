/** Lines for the shell that answer on the demo store; `$B` and `api` are those of `shellPreparation`. */
import { demoIds } from './demo-ids.ts'

const { catalog, hierarchy, priceBook, subscriptionProduct, offering, plan, account, subscription } = demoIds

const products = `/v2/subscriptions/products/${subscriptionProduct}`
const prices = `/pcm/pricebooks/${priceBook}/prices`
const subscriptions = '/v2/subscriptions/subscriptions'

const body = (data: object): string => ` \\\n  -d '${JSON.stringify({ data })}'`

/** A page of the demo store, to paste into GraphiQL or any other client. */
export const pageQuery =
  '{ storefront { name release(id: "latest") { products(first: 3) { totalCount nodes { name price { amount currency includesTax } breadCrumbs { ancestors { name } node { name } } } } } } }'

export const graphqlExample = `api $B/graphql \\\n  -d '${JSON.stringify({ query: pageQuery })}'`

/** One per route of the facade, by the name of its operation. */
export const restExamples: Readonly<Record<string, string>> = {
  getSubscriptionProduct: `api $B${products}`,
  updateSubscriptionProduct: `api -X PUT $B${products}${body({
    id: subscriptionProduct,
    type: 'subscription_product',
    attributes: { price: { USD: { amount: 2500 } } },
  })}`,
  getHierarchyProducts: `api "$B/pcm/catalogs/${catalog}/releases/latest/hierarchies/${hierarchy}/products?filter=eq(tags,washed)&page[limit]=2"`,
  getStorefrontHierarchyProducts: `api -H 'X-MOLTIN-CURRENCY: EUR' "$B/catalog/hierarchies/${hierarchy}/products?page[limit]=2"`,
  addProductPrice: `api $B${prices}${body({
    type: 'product-price',
    attributes: { sku: 'TEA-1', currencies: { USD: { amount: 1250, tiers: { case: { minimum_quantity: 6, amount: 1100 } } } } },
  })}`,
  listProductPrices: `api "$B${prices}?filter=in(sku,ETH-YIRG,ETH-GUJI)"`,
  getProductPrice: `api $B${prices}/c0ffee00-0006-4000-8000-000000000001`,
  createSubscription: `api $B${subscriptions}${body({
    account_id: account,
    offering_id: offering,
    plan_id: plan,
    currency: 'USD',
    name: 'Ada Lovelace',
    email: 'ada@example.com',
  })}`,
  getSubscription: `api $B${subscriptions}/${subscription}`,
  changeSubscriptionState: `api -i $B${subscriptions}/${subscription}/states${body({ type: 'subscription_state', attributes: { action: 'pause' } })}`,
}

/** What the lines need before: `token` is put in as it is. */
export function shellSetup(address: string, token: string): string {
  return [
    `B=${address}`,
    `TOKEN=${token}`,
    `api() { curl -sg -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }`,
  ].join('\n')
}
