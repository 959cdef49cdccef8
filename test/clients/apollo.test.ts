/** Apollo Client: what a frontend sees through the cache of apollo/cache.ts. */
import { ApolloClient, gql, HttpLink, type TypedDocumentNode } from '@apollo/client'
import { loadDevMessages, loadErrorMessages } from '@apollo/client/dev'
import { expect, test } from 'vitest'
import { createCache } from './apollo/cache.ts'
import {
  type CategoryData,
  type CategoryVariables,
  categoryProducts,
  categoryQuery,
  path,
  shownOf,
} from './support/category.ts'
import { expectNoWarnings } from './support/console.ts'
import {
  type ClubData,
  club,
  clubQuery,
  type PriceData,
  priceQuery,
  type RaiseData,
  raiseInput,
  raiseMutation,
} from './support/documents.ts'
import { send, server } from './support/server.ts'

loadDevMessages()
loadErrorMessages()
expectNoWarnings()

const category: TypedDocumentNode<CategoryData, CategoryVariables> = gql(categoryQuery)
const amount: TypedDocumentNode<PriceData> = gql(priceQuery('Amount', 'includesTax amount { amount currency }'))
const texts: TypedDocumentNode<PriceData> = gql(priceQuery('Texts', 'tier amount { formatted(locale: "en") }'))
const clubOf: TypedDocumentNode<ClubData, { id: string }> = gql(clubQuery)
const raise: TypedDocumentNode<RaiseData> = gql(raiseMutation)

/** A client, and the names of the operations that it sends. */
function open(token: string) {
  const requests: string[] = []
  const link = new HttpLink({
    uri: `${server.url}/graphql`,
    headers: { Authorization: `Bearer ${token}` },
    fetch: (input, init) => {
      requests.push(JSON.parse(String(init?.body)).operationName)
      return fetch(input, init)
    },
  })
  return { client: new ApolloClient({ link, cache: createCache() }), requests }
}

test('fetchMore of Apollo Client joins the pages of a category without a product twice or missing, and other arguments make another list', async () => {
  const { client, requests } = open(server.shopper)
  const euros = await categoryProducts('EUR')
  expect(euros).toHaveLength(13)
  const watched = client.watchQuery({ query: category, variables: { path, currency: 'EUR' } })
  const subscription = watched.subscribe(() => {})
  const shown = () => shownOf(watched.getCurrentResult().data as CategoryData)
  await expect.poll(() => watched.getCurrentResult().loading).toBe(false)
  expect(shown().products).toEqual(euros.slice(0, 5))
  for (const length of [10, 13]) {
    expect(shown().pageInfo.hasNextPage).toBe(true)
    await watched.fetchMore({ variables: { after: shown().pageInfo.endCursor } })
    await expect.poll(() => shown().products).toEqual(euros.slice(0, length))
  }
  expect(shown()).toMatchObject({ totalCount: 13, pageInfo: { hasNextPage: false } })

  const dollars = await client.query({ query: category, variables: { path, currency: 'USD' } })
  expect(shownOf(dollars.data as CategoryData).products).toEqual((await categoryProducts('USD')).slice(0, 5))
  expect(shown().products).toEqual(euros)
  expect(requests).toHaveLength(4)
  subscription.unsubscribe()
})

test('Apollo Client keeps prices in two currencies apart and what two queries select of one price together, and values have no entry of their own', async () => {
  const { client, requests } = open(server.shopper)
  const [{ id } = { id: '' }] = await categoryProducts('EUR')
  const priceOf = async (query: typeof amount, currency: string) =>
    (await client.query({ query, variables: { id, currency } })).data?.node.price
  const all = async () => [await priceOf(amount, 'EUR'), await priceOf(amount, 'USD'), await priceOf(texts, 'EUR')]
  const first = await all()
  expect(first).toMatchObject([
    { amount: { currency: 'EUR' } },
    { amount: { currency: 'USD' } },
    { amount: { formatted: expect.stringMatching(/^€/) } },
  ])
  expect(requests).toHaveLength(3)
  expect(await all()).toEqual(first)
  expect(requests).toHaveLength(3)
  expect(Object.keys(client.extract() as object).filter((key) => /^(CatalogPrice|Money)/.test(key))).toEqual([])
})

test('a mutation changes what other queries of Apollo Client show by the id in its payload, without a request', async () => {
  const { client, requests } = open(server.admin)
  const watched = client.watchQuery({ query: clubOf, variables: { id: club(1) } })
  const amounts: (number | undefined)[] = []
  const subscription = watched.subscribe(({ data }) => amounts.push(data?.subscriptionProduct?.price?.amount?.amount))
  await expect.poll(() => amounts.at(-1)).toBeDefined()
  const done = await client.mutate({ mutation: raise, variables: raiseInput(club(1), 2700) })
  expect(done.data?.updateSubscriptionProduct.userErrors).toEqual([])
  await expect.poll(() => amounts.at(-1)).toBe(2700)
  const refused = await client.mutate({ mutation: raise, variables: raiseInput(club(1), -1) })
  expect(refused.data?.updateSubscriptionProduct.userErrors).toMatchObject([
    { path: ['prices', '0', 'price', 'amount'] },
  ])
  expect(amounts.at(-1)).toBe(2700)
  expect(requests).toEqual(['Club', 'Raise', 'Raise'])
  subscription.unsubscribe()
})

interface Named {
  readonly storefront: {
    readonly id: string
    readonly latestRelease: {
      readonly product: { readonly id: string; readonly name: string; readonly product: { readonly id: string } }
    }
  }
}
const namedQuery = `query Named { storefront { id latestRelease { id product(by: { sku: "ETH-YIRG" }) { id name product { id } } } } }`
const namedOf: TypedDocumentNode<Named> = gql(namedQuery)

test("after a publish a refetched product replaces itself in Apollo Client's cache, by the id that it had", async () => {
  const { client } = open(server.admin)
  const before = (await client.query({ query: namedOf })).data as Named
  const { id, product } = before.storefront.latestRelease.product
  const entries = () => Object.keys(client.extract() as object).sort()
  const known = entries()
  await send(
    'mutation ($id: ID!, $catalogId: ID!) { updateProduct(input: { id: $id, name: "Yirgacheffe" }) { userErrors { code } } publishRelease(input: { catalogId: $catalogId }) { userErrors { code } } }',
    {
      id: product.id,
      catalogId: before.storefront.id,
    },
  )
  await expect
    .poll(async () => (await send<Named>(namedQuery)).storefront.latestRelease.product.name)
    .toBe('Yirgacheffe')
  const after = (await client.query({ query: namedOf, fetchPolicy: 'network-only' })).data as Named
  expect(after.storefront.latestRelease.product).toMatchObject({ id, name: 'Yirgacheffe' })
  expect(entries()).toEqual(known)
})
