/**
 * Live updates: events of the server send the queries of the page again. Streams are open only while the page is visible, since browsers
 * open few at once.
 */
import { useSubscription } from '@urql/preact'
import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useCallback, useContext, useEffect, useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { Changes, graphql, useGraph } from './graph.ts'

const Shown = graphql(`
  query Shown($channel: String) {
    storefront(channel: $channel) { id }
  }
`)
const Published = graphql(`
  subscription Published($catalog: ID!) {
    releasePublished(catalogId: $catalog) { releaseId }
  }
`)
const Turned = graphql(`
  subscription Turned($catalog: ID!) {
    saleTurned(catalogId: $catalog) { at productCount }
  }
`)
const Subscribed = graphql(`
  subscription Subscribed($account: ID!) {
    subscriptionChanged(accountId: $account) { subscriptionId }
  }
`)

const Repeat = createContext<() => void>(() => {})

/** Sends every query below again when a release is published, or a sale starts or ends. */
export function Live({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const [changes, setChanges] = useState(0)
  const repeat = useCallback(() => setChanges((count) => count + 1), [])
  return (
    <Repeat.Provider value={repeat}>
      <CatalogEvents />
      <Changes.Provider value={changes}>{children}</Changes.Provider>
    </Repeat.Provider>
  )
}

function CatalogEvents(): JSX.Element | null {
  const { channel = null, catalog: chosen, view } = useAddress().address
  const { data } = useGraph(Shown, { channel })
  const catalog = chosen ?? data?.storefront?.id ?? ''
  useEvents(Published, { catalog }, !catalog || view === 'subscriptions')
  useEvents(Turned, { catalog }, !catalog || Boolean(view))
  return null
}

/** Sends every query again when the account's subscriptions change. */
export const useAccountEvents = (account: string): void => useEvents(Subscribed, { account }, !account)

type Events = typeof Published | typeof Turned | typeof Subscribed

function useEvents(query: Events, variables: Record<string, string>, pause: boolean): void {
  const repeat = useContext(Repeat)
  const isVisible = useVisible(repeat)
  useSubscription(
    { query: query as typeof Published, variables: variables as { catalog: string }, pause: pause || !isVisible },
    (_, event) => {
      repeat()
      return event
    },
  )
}

/** Whether the page is visible. When it becomes visible again, what changed meanwhile is read. */
function useVisible(again: () => void): boolean {
  const [isVisible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const follow = (): void => {
      setVisible(!document.hidden)
      if (!document.hidden) again()
    }
    document.addEventListener('visibilitychange', follow)
    return () => document.removeEventListener('visibilitychange', follow)
  }, [again])
  return isVisible
}
