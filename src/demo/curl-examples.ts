/** Curl examples: shell lines that work on the demo store, after those of `shellSetup`. */
import { demoIds } from './demo-ids.ts'

const { catalog, hierarchy, priceBook, subscriptionProduct, offering, plan, account, subscription } = demoIds

const products = `/v2/subscriptions/products/${subscriptionProduct}`
const prices = `/pcm/pricebooks/${priceBook}/prices`
const latestRelease = `/pcm/catalogs/${catalog}/releases/latest`
const subscriptions = '/v2/subscriptions/subscriptions'

const body = (data: object): string => ` \\\n  -d '${JSON.stringify({ data })}'`

/** A query for a page of the demo store, for GraphiQL or any other client. */
export const pageQuery =
  '{ storefront { name latestRelease { products(first: 3) { totalCount ' +
  'nodes { name price { amount { amount currency } includesTax } breadCrumbs { ancestors { name } node { name } } } } } } }'

/** A line that sends `pageQuery`. */
export const graphqlExample = `api $B/graphql \\\n  -d '${JSON.stringify({ query: pageQuery })}'`

/** A line for each route of the REST facade, by the id of its operation. */
export const restExamples: Readonly<Record<string, string>> = {
  getSubscriptionProduct: `api $B${products}`,
  updateSubscriptionProduct: `api -X PUT $B${products}${body({
    id: subscriptionProduct,
    type: 'subscription_product',
    attributes: { price: { USD: { amount: 2500 } } },
  })}`,
  getHierarchyProducts: `api "$B${latestRelease}/hierarchies/${hierarchy}/products?filter=eq(tags,washed)&page[limit]=2"`,
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
  changeSubscriptionState: `api -i $B${subscriptions}/${subscription}/states${body({
    type: 'subscription_state',
    attributes: { action: 'pause' },
  })}`,
}

/** The lines that the examples need before them; they define `$B`, `$TOKEN` and `api`. `token` is inserted unescaped. */
export function shellSetup(address: string, token: string): string {
  return [
    `B=${address}`,
    `TOKEN=${token}`,
    `api() { curl -sg -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }`,
  ].join('\n')
}
