/** The graph as a shopper's browser asks it: documents typed by schema.graphql, sent with a shopper's token. */
import { initGraphQLTada, type TadaDocumentNode } from 'gql.tada'
import { print } from 'graphql'
import type { introspection } from './graphql-env.d.ts'

/** Types a document. */
export const graphql = initGraphQLTada<{
  introspection: introspection
  scalars: { Long: number; DateTime: string; CurrencyCode: string }
}>()

const server = document.body.dataset.server ?? ''
let token: Promise<string> | undefined

/** A token that anyone gets. */
async function newToken(): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'implicit', client_id: 'demo' })
  const response = await fetch(`${server}/oauth/access_token`, { method: 'POST', body })
  const { access_token: issued } = (await response.json()) as { access_token: string }
  return issued
}

/** The data of a query; throws the messages of its errors. */
export async function ask<Result, Variables>(query: TadaDocumentNode<Result, Variables>, variables: Variables): Promise<Result> {
  token ??= newToken()
  const response = await fetch(`${server}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await token}` },
    body: JSON.stringify({ query: print(query), variables }),
  })
  const { data, errors } = (await response.json()) as { data: Result; errors?: readonly { message: string }[] }
  if (errors) throw new Error(errors.map(({ message }) => message).join(' '))
  return data
}
