/** Lists that grow: the first items of a connection, read page by page, and read again when something has changed. */
import { type CombinedError, createRequest, type DocumentInput } from '@urql/core'
import { useClient } from '@urql/preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { Changes, type Result } from './graph.ts'

/** The most items that the graph lists at once. */
const PAGE_MAX = 100

interface Connection<Node> {
  readonly nodes: readonly Node[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

interface PageVariables {
  readonly first: number
  readonly after: string | null
}

/** How a list is read. */
interface ListQuery<Data, Node, Variables> {
  readonly query: DocumentInput<Data, Variables & PageVariables>
  readonly variables: Variables
  /** Variables that differ from the second page on. */
  readonly later?: Partial<Variables>
  readonly connectionOf: (data: Data) => Connection<Node> | null | undefined
  /** The number of items to read, if there are so many. */
  readonly count: number
}

/** The data of the first page, and the items of all. */
interface List<Data, Node> extends Result<Data> {
  readonly nodes: readonly Node[]
}

/** A complete list. While more of it or other variables load, it is the previous list. */
export function useList<Data, Node, Variables extends Record<string, unknown>>(
  list: ListQuery<Data, Node, Variables>,
): List<Data, Node> {
  const { query, variables, later, connectionOf, count } = list
  const graph = useClient()
  const changes = useContext(Changes)
  const [repeats, setRepeats] = useState(0)
  const [fetching, setFetching] = useState(true)
  const [found, setFound] = useState<{ data?: Data; nodes: readonly Node[]; error?: CombinedError }>({ nodes: [] })
  useEffect(() => {
    const pages: Data[] = []
    const open: { readonly unsubscribe: () => void }[] = []
    const close = (index: number): void => {
      for (const { unsubscribe } of open.splice(index)) unsubscribe()
    }
    // When the client reads a page again, as after a mutation, the pages after it follow.
    const read = (index: number, after: string | null, missing: number): void => {
      close(index)
      const page = { ...variables, ...(index > 0 && later), first: Math.min(missing, PAGE_MAX), after }
      const requestPolicy = changes + repeats > 0 ? 'network-only' : 'cache-first'
      open[index] = graph.executeQuery(createRequest(query, page), { requestPolicy }).subscribe(({ data, error }) => {
        if (error || !data) {
          setFound((before) => ({ ...before, ...(error && { error }) }))
          return setFetching(false)
        }
        pages.splice(index, pages.length, data)
        const { nodes = [], pageInfo } = connectionOf(data) ?? {}
        if (pageInfo?.hasNextPage && missing > nodes.length)
          return read(index + 1, pageInfo.endCursor, missing - nodes.length)
        setFound({ data: pages[0] as Data, nodes: pages.flatMap((one) => connectionOf(one)?.nodes ?? []) })
        setFetching(false)
      })
    }
    setFetching(true)
    read(0, null, count)
    return () => close(0)
  }, [graph, query, JSON.stringify(variables), count, changes, repeats])
  return { ...found, fetching, repeat: () => setRepeats((before) => before + 1) }
}
