/** The prices in force of products in the storefront, which a sale of a campaign would take the place of. */
import { graphql, useGraph } from './graph.ts'

const Now = graphql(`
  query PricesNow($skus: [String!]!) {
    storefront {
      latestRelease {
        products(first: 100, filter: { sku: { in: $skus } }) {
          nodes { sku prices { amount { amount currency formatted } sale { label } } }
        }
      }
    }
  }
`)

/** A price in force, and the name of the sale that gives it. */
export interface PriceNow {
  readonly amount: number
  readonly formatted: string
  readonly sale: string | null
}

/** The prices in force by SKU and currency, as `SUM-MANDH EUR`. */
export type PricesNow = ReadonlyMap<string, PriceNow>

/** Those of the first hundred products, by one query, and whether it is under way. */
export function usePricesNow(skus: readonly string[]): { readonly now: PricesNow; readonly fetching: boolean } {
  const { data, fetching } = useGraph(Now, { skus: skus.slice(0, 100) }, skus.length === 0)
  const now = new Map(
    (data?.storefront?.latestRelease?.products.nodes ?? []).flatMap(({ sku, prices }) =>
      prices.map(
        ({ amount, sale }) =>
          [
            `${sku} ${amount.currency}`,
            { amount: amount.amount, formatted: amount.formatted, sale: sale?.label ?? null },
          ] as const,
      ),
    ),
  )
  return { now, fetching }
}
