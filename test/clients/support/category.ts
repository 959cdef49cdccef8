/** Category: a page of the demo store, as clients ask for it, and its products asked without any client. */
import { send } from './server.ts'

/** The category that clients walk: 13 products. */
export const path = ['Equipment', 'Brewers']

/** A page of a category, cheapest first. */
export const categoryQuery = `
  query Category($path: [String!], $currency: CurrencyCode!, $after: String) {
    storefront {
      id
      latestRelease {
        id
        node(by: { path: $path }) {
          id
          products(first: 5, after: $after, orderBy: { field: PRICE, currency: $currency }) {
            totalCount
            edges { node { id name price(currency: $currency) { amount { amount } } } }
            pageInfo { hasNextPage endCursor }
          }
        }
      }
    }
  }
`

/** Its variables. */
export interface CategoryVariables {
  readonly path: string[]
  readonly currency: string
  readonly after?: string | null
}

interface Product {
  readonly name: string
  readonly id: string
  readonly price: { readonly amount: { readonly amount: number } } | null
}

interface Products {
  readonly totalCount: number
  readonly edges: readonly { readonly node: Product }[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** Its result. */
export interface CategoryData {
  readonly storefront: { readonly latestRelease: { readonly node: { readonly products: Products } } }
}

/** What a page shows: ids and amounts of the products, and the rest of the connection. */
export function shownOf({ storefront }: CategoryData) {
  const { edges, ...rest } = storefront.latestRelease.node.products
  return { ...rest, products: edges.map(({ node }) => summaryOf(node)) }
}

const summaryOf = ({ id, name, price }: Product) => ({ id, name, amount: price?.amount.amount })

/** Ids and amounts of all products of the category, cheapest first, in a currency. */
export async function categoryProducts(currency: string): Promise<ReturnType<typeof summaryOf>[]> {
  const { storefront } = await send<{ storefront: { latestRelease: { node: { products: { nodes: Product[] } } } } }>(
    `query ($path: [String!], $currency: CurrencyCode!) { storefront { latestRelease { node(by: { path: $path }) {
        products(first: 100, orderBy: { field: PRICE, currency: $currency }) { nodes { id name price(currency: $currency) { amount { amount } } } } } } } }`,
    { path, currency },
  )
  return storefront.latestRelease.node.products.nodes.map(summaryOf)
}
