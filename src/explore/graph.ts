/**
 * Graph client of the page: one client with a token, documents typed by schema.graphql, and the variables that queries
 * share.
 */
import {
  type Client,
  type CombinedError,
  cacheExchange,
  createClient,
  type DocumentInput,
  fetchExchange,
  gql,
} from '@urql/core'
import { useQuery } from '@urql/preact'
import type { initGraphQLTada } from 'gql.tada'
import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import type { introspection } from '../generated/graphql-env.d.ts'
import { useAddress } from './address.tsx'
import { ofCatalog } from './of-catalog.ts'

interface Setup {
  introspection: introspection
  disableMasking: true
  scalars: { Long: number; DateTime: string; CurrencyCode: string }
}

/** Types a document by its text. At run time it is urql's `gql`. */
export const graphql = ((text: string, fragments: readonly DocumentInput[] = []) =>
  gql([text, ...fragments.map(() => '')] as unknown as TemplateStringsArray, ...fragments)) as unknown as ReturnType<
  typeof initGraphQLTada<Setup>
>

/** A client that sends its requests so, with a token. Subscriptions are server-sent events, which fetch reads too. */
export const createGraph = (send: typeof fetch): Client =>
  createClient({
    url: '/graphql',
    preferGetMethod: false,
    fetchSubscriptions: true,
    fetch: send,
    exchanges: [cacheExchange, fetchExchange],
  })

/** Counts the changes that the server has reported. Every query on the page is sent again with each change. */
export const Changes = createContext(0)

/** A query's result, and how to send it again. */
export interface Result<Data> {
  readonly data?: Data | undefined
  readonly error?: CombinedError | undefined
  readonly fetching: boolean
  readonly repeat: () => void
}

/** A query's result, of the catalog that is looked at. While another page or filter loads, it is the previous one. */
export function useGraph<Data, Variables extends Record<string, unknown>>(
  query: DocumentInput<Data, Variables>,
  variables: Variables,
  pause = false,
): Result<Data> {
  const changes = useContext(Changes)
  const document = ofCatalog(query, useAddress().address.seen)
  // What the client has cached may be older than the last change. Another context makes it send the query again.
  const context = useMemo(
    () => ({ requestPolicy: changes > 0 ? ('network-only' as const) : ('cache-first' as const) }),
    [changes],
  )
  const [result, execute] = useQuery<Data, Variables>({ query: document, variables, pause, context } as Parameters<
    typeof useQuery<Data, Variables>
  >[0])
  return { ...result, repeat: () => execute({ requestPolicy: 'network-only' }) }
}

/** The settings of the toolbar, as variables of `@inContext`. Null leaves a setting to the server. */
export function useShopper() {
  const { currency = null, language: locale = null, channel = null, tag, at = null } = useAddress().address
  return { currency, locale, channel, tags: tag ? tag.split(',') : null, at }
}

/** The quantity for which prices are shown. */
export function useQuantity(): number {
  return Number(useAddress().address.quantity ?? 1)
}
