/** Whose account it is: the names of its subscribers, since its id tells nobody. */
import type { JSX } from 'preact'
import { graphql, useGraph } from './graph.ts'

const Subscribers = graphql(`
  query SubscribersOf($account: ID!) {
    account(id: $account) { id subscriptions(first: 25) { nodes { id subscriber { name } } } }
  }
`)

/** The names once each, the first three of many. */
export function firstNames(all: readonly string[]): string {
  const names = new Set(all)
  return [...names].slice(0, 3).join(', ') + (names.size > 3 ? ' …' : '')
}

/** The names; null where none is known. */
export function useAccountNames(account: string | undefined): string | null {
  const { data } = useGraph(Subscribers, { account: account ?? '' }, !account)
  if (!account) return null
  return firstNames((data?.account?.subscriptions.nodes ?? []).map(({ subscriber }) => subscriber.name)) || null
}

/** Stands beside the box of an account. */
export function AccountNames({ of }: { readonly of: string | undefined }): JSX.Element | null {
  const names = useAccountNames(of)
  return names ? (
    <span class="account-names soft">
      Account of <bdi>{names}</bdi>
    </span>
  ) : null
}
