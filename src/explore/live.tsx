/**
 * Live updates: events of the server make the page send its queries again. Streams are open only while the page is
 * visible, since browsers allow few at once.
 */
import { type CombinedError, createRequest } from '@urql/core'
import { useClient, useSubscription } from '@urql/preact'
import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { Expired, isExpired } from './ask.tsx'
import { Changes, graphql, useGraph } from './graph.ts'

export const Shown = graphql(`
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
const Imported = graphql(`
  subscription Imported($id: ID!) {
    importJobChanged(id: $id) { importJobId }
  }
`)

/** Milliseconds after which a stream that has not ended counts as open. */
const OPEN_AFTER = 1_000
/** Milliseconds until a broken stream is opened again: doubled with each failure, between these bounds. */
const [RETRY_MIN, RETRY_MAX] = [1_000, 30_000]
const LastWrite = graphql(`
  query LastWrite {
    history(first: 1) {
      nodes { key }
    }
  }
`)
/**
 * Milliseconds between two looks for writes that no event reports to the page. Writes of nodes or schedules, for
 * example, change a draft.
 */
const LOOK_AGAIN = 10_000

interface Streams {
  readonly repeat: () => void
  /** Counts a stream as broken, or as open again. */
  readonly count: (trouble: Trouble, change: 1 | -1) => void
}

/** Why a stream is broken. */
type Trouble = 'lost' | 'expired'

const Context = createContext<Streams>({ repeat: () => {}, count: () => {} })

interface LiveProps {
  /** Whose streams they are: those of another token are opened anew. */
  readonly of: string
  readonly children: ComponentChildren
}

/**
 * Sends every query below it again when a release is published, or a sale starts or ends. Shows a notice while a stream
 * is broken.
 */
export function Live({ of, children }: LiveProps): JSX.Element {
  const [changes, setChanges] = useState(0)
  const [lost, setLost] = useState(0)
  const [expired, setExpired] = useState(0)
  const repeat = useCallback(() => setChanges((count) => count + 1), [])
  const count = useCallback(
    (trouble: Trouble, change: number) => (trouble === 'lost' ? setLost : setExpired)((before) => before + change),
    [],
  )
  return (
    <Context.Provider value={{ repeat, count }}>
      <CatalogEvents key={of} />
      <Changes.Provider value={changes}>{children}</Changes.Provider>
      <output class="notice">
        {expired > 0 ? <Expired /> : lost > 0 && 'Not live: the connection is lost, and is tried again.'}
      </output>
    </Context.Provider>
  )
}

function CatalogEvents(): JSX.Element | null {
  const { channel = null, tag, catalog: chosen, seen, view } = useAddress().address
  const { repeat, count } = useContext(Context)
  const { data, error, repeat: readAgain } = useGraph(Shown, { channel, tags: tag ? tag.split(',') : null })
  const hasFailed = useRef(false)
  useEffect(() => {
    // Changes before the catalog was read were not reported.
    if (!error && hasFailed.current) repeat()
    hasFailed.current = error !== undefined && !isRefused(error)
    if (!hasFailed.current) return
    const trouble = isExpired(error) ? 'expired' : 'lost'
    count(trouble, 1)
    const timer = setTimeout(readAgain, LOOK_AGAIN)
    return () => {
      clearTimeout(timer)
      count(trouble, -1)
    }
  }, [error, channel, tag])
  const catalog = (view ? chosen : undefined) ?? seen ?? data?.storefront?.id ?? ''
  useEvents(Published, { catalog }, !catalog || view === 'subscriptions')
  useEvents(Turned, { catalog }, !catalog || view === 'subscriptions')
  return null
}

/** Sends every query of the page again: for after a write of its own. */
export const useRepeat = (): (() => void) => useContext(Context).repeat

/** Sends every query again when the account's subscriptions change. */
export const useAccountEvents = (account: string): void => useEvents(Subscribed, { account }, !account)

/** Sends every query again as an import goes on, until it has ended or `pause`. */
export const useImportEvents = (id: string, pause: boolean): void => useEvents(Imported, { id }, pause, true)

/**
 * Repeats every query when something was written after `shown`, the key of the last write when the page was read. It is
 * empty before the first write, and absent while it is not known, as while the page is read again.
 */
export function useWrites(shown: string | undefined): void {
  const { repeat } = useContext(Context)
  const graph = useClient()
  useEffect(() => {
    if (shown === undefined) return
    const look = async (): Promise<void> => {
      if (document.hidden) return
      const { data } = await graph
        .executeQuery(createRequest(LastWrite, {}), { requestPolicy: 'network-only' })
        .toPromise()
      if (data && (data.history.nodes[0]?.key ?? '') !== shown) repeat()
    }
    const timer = setInterval(() => void look(), LOOK_AGAIN)
    return () => clearInterval(timer)
  }, [graph, repeat, shown])
}

/** Whether the graph refused the stream as wrong, so that the connection is not to blame. */
const isRefused = (error: CombinedError | undefined): boolean =>
  error?.graphQLErrors.some(({ extensions }) => extensions.code === 'BAD_USER_INPUT') ?? false

type Events = typeof Published | typeof Turned | typeof Subscribed | typeof Imported

/** `hasEnd` says that the stream may end without being broken. */
function useEvents(query: Events, variables: Record<string, string>, pause: boolean, hasEnd = false): void {
  const { repeat, count } = useContext(Context)
  const isPaused = !useVisible(repeat) || pause
  const [{ fetching, error }, open] = useSubscription(
    { query: query as typeof Published, variables: variables as { catalog: string }, pause: isPaused },
    (_, event) => {
      repeat()
      return event
    },
  )
  // A response that is no stream leaves the client waiting. The error of an earlier attempt stays until the first
  // event.
  const [past, setPast] = useState<CombinedError>()
  const isOpen = fetching && (!error || error === past)
  const failures = useRef(0)
  const hasBegun = useRef(false)
  const [trouble, setTrouble] = useState<Trouble | null>(null)
  useEffect(() => {
    if (!trouble) return
    count(trouble, 1)
    return () => count(trouble, -1)
  }, [trouble, count])
  useEffect(() => {
    hasBegun.current = !isPaused && (hasBegun.current || fetching)
    // A stream that another view does not need is not missed there.
    if (isPaused) setTrouble(null)
    // A stream is opened only after the first rendering without a pause.
    if (!hasBegun.current) return
    const openAgain = (): void => {
      setPast(error)
      open()
    }
    const resume = (): void => {
      if (failures.current === 0) return
      failures.current = 0
      setTrouble(null)
      // Changes meanwhile were not reported.
      repeat()
    }
    // A stream that the graph refuses, as for an account that can't exist, is refused like the query that is shown.
    const isFine = isRefused(error) || (hasEnd && !error)
    if (!isOpen) setTrouble(isExpired(error) ? 'expired' : isFine ? null : 'lost')
    const timer = isOpen
      ? setTimeout(resume, OPEN_AFTER)
      : setTimeout(openAgain, Math.min(RETRY_MAX, RETRY_MIN * 2 ** failures.current++))
    return () => clearTimeout(timer)
  }, [isOpen, error, isPaused, open, repeat])
}

/** Whether the page is visible. When it becomes visible again, it reads what changed meanwhile. */
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
