import type { ProductList_node$data } from './__generated__/ProductList_node.graphql.ts'

/** What a list shows: names, and amounts in minor units. */
export function productsOf({ products }: ProductList_node$data): { name: string; amount: number | undefined }[] {
  return products.edges.map(({ node: { name, price } }) => ({ name, amount: price?.amount.amount }))
}
