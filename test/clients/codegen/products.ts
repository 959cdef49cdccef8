import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { print } from 'graphql'
import { ProductsDocument, type ProductsQuery, type ProductsQueryVariables } from './graph.ts'

/** Sends an operation; variables and result have the types of the document. */
export async function send<Data, Variables>(
  url: string,
  token: string,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: print(document), variables }),
  })
  return ((await response.json()) as { data: Data }).data
}

const variables: ProductsQueryVariables = { currency: 'EUR', filter: { tags: { all: ['washed'] } } }

/** The amounts in minor units. */
export function amounts({ storefront }: ProductsQuery): number[] {
  const nodes = storefront?.latestRelease?.products.nodes ?? []
  return nodes.flatMap(({ status, price }) => (status === 'LIVE' && price ? [price.amount.amount] : []))
}

export const page = async (url: string, token: string): Promise<number[]> =>
  amounts(await send(url, token, ProductsDocument, variables))
