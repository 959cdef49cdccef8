import { ApolloLink, Observable } from '@apollo/client'
import { print } from 'graphql'
import type { Client, Sink } from 'graphql-sse'

/**
 * Apollo Client's link for subscriptions: `ApolloLink.split(({ operationType }) => operationType === 'subscription',
 * sseLink(client), httpLink)`.
 */
export const sseLink = (client: Client) =>
  new ApolloLink(
    ({ query, variables }) =>
      new Observable((sink) =>
        client.subscribe({ query: print(query), variables }, sink as Sink<Omit<ApolloLink.Result, 'errors'>>),
      ),
  )
