/** Subscriptions over server-sent events: graphql-sse alone, under Apollo Client, and urql's own. */
import { ApolloClient, type TypedDocumentNode as ApolloDocument, gql as apolloGql } from '@apollo/client'
import { Client, fetchExchange, type TypedDocumentNode, gql as urqlGql } from '@urql/core'
import { createClient } from 'graphql-sse'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createCache } from './apollo/cache.ts'
import { sseLink } from './sse/apollo-link.ts'
import { watchPrices } from './sse/watch-prices.ts'
import { expectNoWarnings } from './support/console.ts'
import { send, server } from './support/server.ts'

expectNoWarnings()

const url = `${server.url}/graphql`

// A book of this file alone, since tests of other clients add prices to the demo's book meanwhile.
let priceBookId: string
beforeAll(async () => {
  const { createPriceBook } = await send<{
    createPriceBook: { priceBook: { id: string } | null; userErrors: object[] }
  }>(
    'mutation ($input: CreatePriceBookInput!) { createPriceBook(input: $input) { priceBook { id } userErrors { message } } }',
    { input: { name: 'Watched by clients of server-sent events' } },
  )
  expect(createPriceBook.userErrors).toEqual([])
  priceBookId = createPriceBook.priceBook?.id ?? ''
})

/** Adds a price of its own SKU to the book. */
async function addPrice(sku: string): Promise<void> {
  const { addProductPrice } = await send<{ addProductPrice: { userErrors: object[] } }>(
    'mutation ($input: AddProductPriceInput!) { addProductPrice(input: $input) { userErrors { message } } }',
    { input: { priceBookId, sku, prices: [{ currency: 'USD', price: { amount: 100 } }] } },
  )
  expect(addProductPrice.userErrors).toEqual([])
}

/** Watches the book as the recipe does, on a connection that can be cut. */
function watch(token: string, after?: string) {
  const changes: { sku: string | undefined; cursor: string }[] = []
  const ends: unknown[] = []
  let [connections, cut] = [0, new AbortController()]
  const fetchFn: typeof fetch = async (input, init) => {
    cut = new AbortController()
    const signals = [cut.signal, ...(init?.signal ? [init.signal] : [])]
    const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) })
    connections++
    return response
  }
  const client = createClient({ url, headers: { Authorization: `Bearer ${token}` }, fetchFn })
  const sink: Parameters<typeof watchPrices>[2] = {
    next: ({ cursor, productPrice }) => changes.push({ sku: productPrice?.sku, cursor }),
    error: (error) => ends.push(error),
    complete: () => ends.push('complete'),
  }
  const stop = watchPrices(client, priceBookId, sink, after)
  onTestFinished(stop)
  const connected = (number: number) => expect.poll(() => connections).toBe(number)
  const received = (skus: readonly string[]) => expect.poll(() => changes.map(({ sku }) => sku)).toEqual(skus)
  return { changes, ends, connected, received, cut: () => cut.abort(), stop }
}

test('graphql-sse reports a change, goes on after a lost connection without one twice or missing, and begins after a cursor', async () => {
  const live = watch(server.admin)
  await live.connected(1)
  await addPrice('SSE-1')
  await live.received(['SSE-1'])
  live.cut()
  await addPrice('SSE-2')
  await live.received(['SSE-1', 'SSE-2'])
  await live.connected(2)
  expect(live.ends).toEqual([])

  const later = watch(server.admin, live.changes[0]?.cursor)
  await later.received(['SSE-2'])
  later.stop()
  await expect.poll(() => later.ends).toEqual(['complete'])
})

test('an expected failure of a subscription reaches the frontend as an error with its code', async () => {
  const { ends } = watch(server.shopper)
  await expect.poll(() => ends[0]).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
})

const document =
  'subscription Prices($priceBookId: ID!) { productPriceChanged(priceBookId: $priceBookId) { productPrice { id sku } } }'
interface Data {
  readonly productPriceChanged: { readonly productPrice: { readonly id: string; readonly sku: string } | null }
}

test('Apollo Client receives changes by a link of graphql-sse', async () => {
  const headers = { Authorization: `Bearer ${server.admin}` }
  let connected = false
  const sse = createClient({ url, headers, on: { connected: () => (connected = true) } })
  const client = new ApolloClient({ link: sseLink(sse), cache: createCache() })
  const query: ApolloDocument<Data> = apolloGql(document)
  const skus: (string | undefined)[] = []
  const subscription = client
    .subscribe({ query, variables: { priceBookId } })
    .subscribe(({ data }) => skus.push(data?.productPriceChanged.productPrice?.sku))
  await expect.poll(() => connected).toBe(true)
  await addPrice('SSE-3')
  await expect.poll(() => skus).toEqual(['SSE-3'])
  subscription.unsubscribe()
})

test('urql receives changes by itself, with fetchSubscriptions', async () => {
  let connected = false
  const client = new Client({
    url,
    exchanges: [fetchExchange],
    fetchSubscriptions: true,
    fetchOptions: { headers: { Authorization: `Bearer ${server.admin}` } },
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      connected = true
      return response
    },
  })
  const query: TypedDocumentNode<Data, { priceBookId: string }> = urqlGql(document)
  const results: unknown[] = []
  const { unsubscribe } = client
    .subscription(query, { priceBookId })
    .subscribe(({ data, error }) => results.push(error ?? data?.productPriceChanged.productPrice?.sku))
  await expect.poll(() => connected).toBe(true)
  await addPrice('SSE-4')
  await expect.poll(() => results).toEqual(['SSE-4'])
  unsubscribe()
})
