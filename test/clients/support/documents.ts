/** Documents: what tests of caches send beside the category, and the types of the results. */

/** A query of some fields of the price of a product. */
export const priceQuery = (name: string, selection: string): string =>
  `query ${name}($id: ID!, $currency: CurrencyCode!) { node(id: $id) { id ... on CatalogProduct { price(currency: $currency) { ${selection} } } } }`

/** Its result. */
export interface PriceData {
  readonly node: { readonly price: object }
}

/** The subscription product that tests of mutations change; each of them its own. */
export const club = (number: 1 | 2 | 3): string => `c0ffee00-000b-4000-8000-00000000000${number}`

/** A subscription product and its price in dollars. */
export const clubQuery =
  'query Club($id: ID!) { subscriptionProduct(id: $id) { id name price(currency: "USD") { amount { amount } } } }'

/** Its result. */
export interface ClubData {
  readonly subscriptionProduct: {
    readonly id: string
    readonly name: string
    readonly price: { readonly amount: { readonly amount: number } }
  }
}

/** Changes the price of a subscription product. */
export const raiseMutation = `
  mutation Raise($input: UpdateSubscriptionProductInput!) {
    updateSubscriptionProduct(input: $input) {
      subscriptionProduct { id price(currency: "USD") { amount { amount } } }
      userErrors { code path message }
    }
  }
`

/** Its result. */
export interface RaiseData {
  readonly updateSubscriptionProduct: { readonly userErrors: readonly { readonly path: readonly string[] }[] }
}

/** The input that sets the price in dollars, in cents. */
export const raiseInput = (id: string, amount: number) => ({
  input: { id, prices: [{ currency: 'USD', price: { amount } }] },
})
