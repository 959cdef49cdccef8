/** urql: what a frontend sees through the cache of urql/cache.ts. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, fetchExchange, gql, type TypedDocumentNode } from '@urql/core'
import type { IntrospectionQuery } from 'graphql'
import { expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
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
import { server } from './support/server.ts'
import { createCache } from './urql/cache.ts'
import { writeSchema } from './urql/schema.ts'

expectNoWarnings()

const category: TypedDocumentNode<CategoryData, CategoryVariables> = gql(categoryQuery)
const amount: TypedDocumentNode<PriceData> = gql(priceQuery('Amount', 'includesTax amount { amount currency }'))
const texts: TypedDocumentNode<PriceData> = gql(priceQuery('Texts', 'tier amount { formatted(locale: "en") }'))
const clubOf: TypedDocumentNode<ClubData, { id: string }> = gql(clubQuery)
const raise: TypedDocumentNode<RaiseData> = gql(raiseMutation)

/** The schema as a frontend imports it. */
function writtenSchema(): IntrospectionQuery {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-urql-'))
  const file = join(folder, 'schema.json')
  writeSchema(join(projectRoot, 'schema.graphql'), file)
  const text = readFileSync(file, 'utf8')
  rmSync(folder, { recursive: true })
  return JSON.parse(text)
}

const schema = writtenSchema()

/** A client, and the names of the operations that it sends. */
function open(token: string) {
  const requests: string[] = []
  const client = new Client({
    url: `${server.url}/graphql`,
    exchanges: [createCache(schema), fetchExchange],
    fetchOptions: { headers: { Authorization: `Bearer ${token}` } },
    fetch: (input, init) => {
      const body = init?.body ? JSON.parse(String(init.body)) : Object.fromEntries(new URL(String(input)).searchParams)
      requests.push(`${init?.method} ${body.operationName}`)
      return fetch(input, init)
    },
  })
  return { client, requests }
}

test('each page of urql joins those before it without a product twice or missing, and other arguments make another list', async () => {
  const { client, requests } = open(server.shopper)
  const euros = await categoryProducts('EUR')
  const page = async (currency: string, after: string | null = null) => {
    const { data, error } = await client.query(category, { path, currency, after })
    expect(error).toBeUndefined()
    return shownOf(data as CategoryData)
  }
  const first = await page('EUR')
  expect(first).toMatchObject({ totalCount: 13, products: euros.slice(0, 5), pageInfo: { hasNextPage: true } })
  const second = await page('EUR', first.pageInfo.endCursor)
  expect(second).toMatchObject({ totalCount: 13, products: euros.slice(0, 10), pageInfo: { hasNextPage: true } })
  const third = await page('EUR', second.pageInfo.endCursor)
  expect(third).toMatchObject({ totalCount: 13, products: euros, pageInfo: { hasNextPage: false } })
  expect((await page('USD')).products).toEqual((await categoryProducts('USD')).slice(0, 5))
  expect(await page('EUR')).toEqual(third)
  expect(requests).toHaveLength(4)
})

test('urql keeps prices in two currencies apart, and what two queries select of one price together', async () => {
  const { client, requests } = open(server.shopper)
  const [{ id } = { id: '' }] = await categoryProducts('EUR')
  const priceOf = async (query: typeof amount, currency: string) =>
    (await client.query(query, { id, currency })).data?.node.price
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
})

test('a mutation changes what other queries of urql show by the id in its payload, without a request', async () => {
  const { client, requests } = open(server.admin)
  const amounts: (number | undefined)[] = []
  const { unsubscribe } = client
    .query(clubOf, { id: club(2) })
    .subscribe(({ data }) => amounts.push(data?.subscriptionProduct.price.amount.amount))
  await expect.poll(() => amounts.at(-1)).toBeDefined()
  const done = await client.mutation(raise, raiseInput(club(2), 4500))
  expect(done.data?.updateSubscriptionProduct.userErrors).toEqual([])
  await expect.poll(() => amounts.at(-1)).toBe(4500)
  const refused = await client.mutation(raise, raiseInput(club(2), -1))
  expect(refused.data?.updateSubscriptionProduct.userErrors).toMatchObject([
    { path: ['prices', '0', 'price', 'amount'] },
  ])
  expect(amounts.at(-1)).toBe(4500)
  expect(requests).toEqual(['GET Club', 'POST Raise', 'POST Raise'])
  unsubscribe()
})
