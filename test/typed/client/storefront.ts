/**
 * A frontend's first typed query: the types of variables and result come from schema.graphql, and an unknown field does
 * not compile. `npx gql.tada generate-output` writes graphql-env.d.ts from it.
 */
import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada'
import { print } from 'graphql'
import type { introspection } from './graphql-env.d.ts'

const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: { Long: number; DateTime: string; CurrencyCode: string }
}>()

export const Storefront = graphql(`
  query Storefront($currency: CurrencyCode!, $first: Int = 10) {
    storefront {
      latestRelease {
        products(first: $first) {
          nodes {
            id
            name
            price(currency: $currency) {
              amount {
                amount
                formatted
              }
              includesTax
              changesAt
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
`)

export async function storefront(
  url: string,
  token: string,
  variables: VariablesOf<typeof Storefront>,
): Promise<ResultOf<typeof Storefront>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: print(Storefront), variables }),
  })
  const { data } = (await response.json()) as { data: ResultOf<typeof Storefront> }
  return data
}

export interface Line {
  readonly name: string
  /** In the currency's smallest unit. */
  readonly amount: number | null
  readonly includesTax: boolean | null
}

/** What a page shows. */
export function lines({ storefront }: ResultOf<typeof Storefront>): Line[] {
  const products = storefront?.latestRelease?.products.nodes ?? []
  return products.map(({ name, price }) => ({
    name,
    amount: price?.amount.amount ?? null,
    includesTax: price?.includesTax ?? null,
  }))
}
