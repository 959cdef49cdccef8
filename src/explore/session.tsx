/** Session: who asks the graph, and how requests get the token. */
import { Provider } from '@urql/preact'
import { type ComponentChildren, createContext, type JSX } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { createGraph } from './graph.ts'
import type { Role, Settings } from './settings.ts'

/** Sends a request to this server with the token. */
export type Send = typeof fetch

/** Something that a person can do, and the label of its button. */
export interface Step {
  readonly label: string
  readonly act: () => void
}

/** Where the token comes from. */
export interface Holder {
  /** Differs between tokens that may see other things. */
  readonly key: string
  readonly send: Send
  /** Gives the token up; null where there is another choice. */
  readonly leave: Step | null
  /** For when the token is no longer valid. */
  readonly renew: Step
}

export interface Session extends Holder {
  readonly settings: Settings
  readonly role: Role
  /** The account whose subscriptions are shown first. */
  readonly account: string | null
}

const none: Session = {
  settings: { tokens: null, account: null, timeZone: 'UTC', decimals: {}, signIn: null },
  key: '',
  send: fetch,
  leave: null,
  renew: { label: '', act: () => {} },
  role: 'shopper',
  account: null,
}
const Context = createContext(none)
/** The session of the page. */
export const useSession = (): Session => useContext(Context)
/** The role of the session's token. */
export const useRole = (): Role => useSession().role

interface OpenProps {
  readonly session: Session
  readonly children: ComponentChildren
}

/** Gives a session, and the graph with its token, to what stands below. */
export function Open({ session, children }: OpenProps): JSX.Element {
  const graph = useMemo(() => createGraph(session.send), [session.key])
  return (
    <Context.Provider value={session}>
      <Provider value={graph}>{children}</Provider>
    </Context.Provider>
  )
}

/** Sends with a token that stays. */
export const sendWith =
  (token: string): Send =>
  (target, init) => {
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${token}`)
    return fetch(target, { ...init, headers })
  }
