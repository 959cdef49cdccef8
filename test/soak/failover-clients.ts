/** Clients of the failover soak: they write, read pages and listen without an end, and take note of what they got. */
import { listen } from '../support/live.ts'
import { pause } from './patroni.ts'
import type { Running } from './program.ts'
import { hierarchyIdOf, PRODUCTS_PER_HIERARCHY, storeId } from './store.ts'

/** An acknowledged write. */
export interface Write {
  readonly sku: string
  readonly acknowledgedAt: number
}

/** Reads of pages while nodes are lost. */
export interface Reads {
  count: number
  /** Milliseconds of the slowest. */
  slowest: number
  readonly failed: string[]
}

/** Reads one page after the other; each must be there. */
export async function readOn({ client, admin }: Running, reads: Reads, ending: AbortSignal): Promise<void> {
  for (let number = 0; !ending.aborted; number++) {
    const begun = Date.now()
    const path = `/pcm/catalogs/${storeId}/releases/latest/hierarchies/${hierarchyIdOf(number % 4)}/products?page[limit]=5&page[offset]=${number % (PRODUCTS_PER_HIERARCHY - 5)}`
    const { status, text } = await client.send({ method: 'GET', path, headers: { authorization: `Bearer ${admin}` } })
    reads.count++
    reads.slowest = Math.max(reads.slowest, Date.now() - begun)
    if (status !== 200 || JSON.parse(text).data.length !== 5) reads.failed.push(`${status} ${text.slice(0, 200)}`)
    await pause(10)
  }
}

/** Adds one price after the other; a failure may be stored or not, and is tried no more. */
export async function writeOn(
  server: Running,
  book: string,
  name: string,
  writes: Write[],
  ending: AbortSignal,
): Promise<void> {
  const mutation =
    'mutation ($input: AddProductPriceInput!) { addProductPrice(input: $input) { productPrice { sku } userErrors { message } } }'
  for (let number = 0; !ending.aborted; number++) {
    const sku = `${name}-${number}`
    const input = { priceBookId: book, sku, prices: [{ currency: 'USD', price: { amount: number } }] }
    const { data } = await server.gql(mutation, { input })
    const { productPrice, userErrors } = data?.addProductPrice ?? {}
    if (userErrors?.length > 0) throw new Error(userErrors[0].message)
    if (productPrice) writes.push({ sku, acknowledgedAt: Date.now() })
    await pause(productPrice ? 10 : 100)
  }
}

/**
 * Listens to the book, and after each end of the stream again from where it was; calls `onListening` when a stream is
 * open.
 */
export async function listenOn(
  { base, admin }: Running,
  book: string,
  heard: Set<string>,
  onListening: () => void,
  ending: AbortSignal,
): Promise<void> {
  const query =
    'subscription ($book: ID!, $after: String) { productPriceChanged(priceBookId: $book, after: $after) { cursor productPrice { sku } } }'
  let after: string | null = null
  while (!ending.aborted) {
    const abort = new AbortController()
    try {
      const listener = await listen({ url: base, admin }, query, { variables: { book, after }, abort })
      onListening()
      for (let result = await listener.next(); result && !ending.aborted; result = await listener.next()) {
        const { cursor, productPrice } = result.data.productPriceChanged
        after = cursor
        if (productPrice) heard.add(productPrice.sku)
      }
    } catch {
      await pause(100)
    } finally {
      abort.abort()
    }
  }
}

/** The SKUs of all prices of the book. */
export async function storedSkus(server: Running, book: string): Promise<Set<string>> {
  const query = `query ($book: ID!, $after: String) { priceBook(id: $book) { prices(first: 100, after: $after) {
    nodes { sku } pageInfo { hasNextPage endCursor } } } }`
  const skus = new Set<string>()
  for (let after: string | null = null, isMore = true; isMore; ) {
    const { data } = await server.gql(query, { book, after })
    const { nodes, pageInfo } = data.priceBook.prices
    for (const { sku } of nodes) skus.add(sku)
    after = pageInfo.endCursor
    isMore = pageInfo.hasNextPage
  }
  return skus
}
