import type { Client, Sink } from 'graphql-sse'

interface Change {
  readonly cursor: string
  readonly productPrice: { readonly id: string; readonly sku: string } | null
}

const query = `
  subscription Prices($priceBookId: ID!, $after: String) {
    productPriceChanged(priceBookId: $priceBookId, after: $after) {
      cursor
      productPrice {
        id
        sku
      }
    }
  }
`

/**
 * Reports every change of a book's prices, from the cursor `after` on, until the function that it returns is called.
 */
export function watchPrices(client: Client, priceBookId: string, sink: Sink<Change>, after?: string): () => void {
  const variables = { priceBookId, after }
  return client.subscribe<{ productPriceChanged: Change }>(
    { query, variables },
    {
      ...sink,
      next({ data, errors }) {
        if (!data) return sink.error(errors)
        // A lost connection is opened anew with the variables as they are then, so it goes on after this change.
        variables.after = data.productPriceChanged.cursor
        sink.next(data.productPriceChanged)
      },
    },
  )
}
