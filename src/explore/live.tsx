/**
 * Live updates: events of the server send the queries of the page again. Streams are open only while the page is visible, since browsers
 * open few at once.
 */
import { createRequest } from '@urql/core'
import { useClient, useSubscription } from '@urql/preact'
import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { Changes, graphql, useGraph } from './graph.ts'

const Shown = graphql(`
  query Shown($channel: String, $tags: [String!]) {
    storefront(channel: $channel, tags: $tags) { id }
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

/** Milliseconds after which a stream that has not ended counts as open. */
const OPEN_AFTER = 1_000
/** Milliseconds until a broken stream is opened again: doubled with each failure, within these. */
const [RETRY_MIN, RETRY_MAX] = [1_000, 30_000]
const LastWrite = graphql(`
  query LastWrite {
    history(first: 1) {
      nodes { key }
    }
  }
`)
/** Milliseconds between two looks for writes that no event reports to the page, of nodes or schedules, say, which change a draft. */
const LOOK_AGAIN = 10_000

interface Streams {
  readonly repeat: () => void
  /** Counts a stream as broken, or as open again. */
  readonly count: (change: 1 | -1) => void
}

const Context = createContext<Streams>({ repeat: () => {}, count: () => {} })

/** Sends every query below again when a release is published, or a sale starts or ends, and shows a notice while a stream is broken. */
export function Live({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const [changes, setChanges] = useState(0)
  const [broken, setBroken] = useState(0)
  const repeat = useCallback(() => setChanges((count) => count + 1), [])
  const count = useCallback((change: number) => setBroken((before) => before + change), [])
  return (
    <Context.Provider value={{ repeat, count }}>
      <CatalogEvents />
      <Changes.Provider value={changes}>{children}</Changes.Provider>
      <output class="notice">{broken > 0 && 'Not live: the connection is lost, and is tried again.'}</output>
    </Context.Provider>
  )
}

function CatalogEvents(): JSX.Element | null {
  const { channel = null, tag, catalog: chosen, view } = useAddress().address
  const { data } = useGraph(Shown, { channel, tags: tag ? tag.split(',') : null })
  const catalog = chosen ?? data?.storefront?.id ?? ''
  useEvents(Published, { catalog }, !catalog || view === 'subscriptions')
  useEvents(Turned, { catalog }, !catalog || view === 'subscriptions')
  return null
}

/** Sends every query again when the account's subscriptions change. */
export const useAccountEvents = (account: string): void => useEvents(Subscribed, { account }, !account)

/**
 * Repeats every query when something was written after `shown`, the key of the last write when what is shown was read; empty before the
 * first write, absent where it is not known, as while that is read again.
 */
export function useWrites(shown: string | undefined): void {
  const { repeat } = useContext(Context)
  const graph = useClient()
  useEffect(() => {
    if (shown === undefined) return
    const look = async (): Promise<void> => {
      if (document.hidden) return
      const { data } = await graph.executeQuery(createRequest(LastWrite, {}), { requestPolicy: 'network-only' }).toPromise()
      if (data && (data.history.nodes[0]?.key ?? '') !== shown) repeat()
    }
    const timer = setInterval(() => void look(), LOOK_AGAIN)
    return () => clearInterval(timer)
  }, [graph, repeat, shown])
}

type Events = typeof Published | typeof Turned | typeof Subscribed

function useEvents(query: Events, variables: Record<string, string>, pause: boolean): void {
  const { repeat, count } = useContext(Context)
  const isPaused = !useVisible(repeat) || pause
  const [{ fetching }, open] = useSubscription(
    { query: query as typeof Published, variables: variables as { catalog: string }, pause: isPaused },
    (_, event) => {
      repeat()
      return event
    },
  )
  const failures = useRef(0)
  const hasBegun = useRef(false)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    if (!isBroken) return
    count(1)
    return () => count(-1)
  }, [isBroken, count])
  useEffect(() => {
    hasBegun.current = !isPaused && (hasBegun.current || fetching)
    // A stream is only opened after the first rendering without a pause.
    if (!hasBegun.current) return
    const openAgain = (): void => open()
    const resume = (): void => {
      if (failures.current === 0) return
      failures.current = 0
      setBroken(false)
      // What changed meanwhile was not reported.
      repeat()
    }
    if (!fetching) setBroken(true)
    const timer = fetching
      ? setTimeout(resume, OPEN_AFTER)
      : setTimeout(openAgain, Math.min(RETRY_MAX, RETRY_MIN * 2 ** failures.current++))
    return () => clearTimeout(timer)
  }, [fetching, isPaused, open, repeat])
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
