/** The queries of the page in one menu, each a link that opens it in GraphiQL. */
import { type DocumentInput, stringifyDocument } from '@urql/core'
import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { ofCatalog } from './of-catalog.ts'
import { useSession } from './session.tsx'

/** A query that is shown; `of` is the part of the page that sends it. */
interface Listed {
  readonly of: object
  readonly name: string
  readonly href: string
}
type List = readonly Listed[]

const Shown = createContext<List>([])
const Change = createContext<(change: (list: List) => List) => void>(() => {})

/** Holds the list for the menu and for the parts of the page that are in it. */
export function Queries({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const [list, setList] = useState<List>([])
  return (
    <Change.Provider value={setList}>
      <Shown.Provider value={list}>{children}</Shown.Provider>
    </Change.Provider>
  )
}

/**
 * Lists a query under a name, such as `products`, with the variables and the role that it is sent with, while the part
 * of the page is there; without a name none.
 */
export function useListed(name: string | undefined, query: DocumentInput, variables: object): void {
  const change = useContext(Change)
  const { role } = useSession()
  const { seen } = useAddress().address
  const of = useRef({}).current
  const text = new URLSearchParams({
    query: stringifyDocument(ofCatalog(query, seen)),
    variables: JSON.stringify(variables, null, 2),
    role,
  })
  const href = `/graphql?${text}`
  useEffect(() => {
    if (!name) return
    const listed = { of, name, href }
    // Other variables leave it at its place.
    change((list) =>
      list.some((one) => one.of === of) ? list.map((one) => (one.of === of ? listed : one)) : [...list, listed],
    )
  }, [name, href, of, change])
  useEffect(() => () => change((list) => list.filter((one) => one.of !== of)), [of, change])
}

/** The menu; nothing while the page has no query. */
export function GraphiqlMenu(): JSX.Element | null {
  const list = useContext(Shown)
  if (list.length === 0) return null
  return (
    <details class="queries">
      <summary>
        <span>Open in </span>GraphiQL
      </summary>
      <ul>
        {list.map(({ name, href }) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noreferrer">
              {name}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
