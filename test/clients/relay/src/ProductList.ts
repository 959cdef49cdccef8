import { graphql } from 'relay-runtime'

/** A page of a category. */
export const page = graphql`
  query ProductListQuery($path: [String!], $currency: CurrencyCode!) {
    storefront {
      latestRelease {
        node(by: { path: $path }) {
          ...ProductList_node @alias(as: "category")
        }
      }
    }
  }
`

/** Its list, which usePaginationFragment makes longer. */
export const list = graphql`
  fragment ProductList_node on CatalogNode
  @refetchable(queryName: "ProductListPaginationQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 5 }, after: { type: "String" }) {
    products(first: $first, after: $after, orderBy: { field: PRICE, currency: $currency }) @connection(key: "ProductList_products") {
      totalCount
      edges {
        node {
          name
          price(currency: $currency) {
            amount {
              amount
            }
          }
        }
      }
    }
  }
`
