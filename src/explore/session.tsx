/**
 * Session: the token that the page sends. It is a demo token where the server issues them, otherwise a token that the
 * user pastes.
 */
import { Provider } from '@urql/preact'
import { type ComponentChildren, createContext, type JSX, type TargetedEvent } from 'preact'
import { useContext, useMemo, useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { createGraph } from './graph.ts'
import { claimsOf, pastedToken, type Role, type Settings } from './settings.ts'

interface Session {
  readonly settings: Settings
  readonly token: string
  readonly role: Role
  /** The account whose subscriptions are shown first. */
  readonly account: string | null
  /** Forgets the pasted token. */
  readonly leave: () => void
}

const none: Session = {
  settings: { tokens: null, account: null, timeZone: 'UTC' },
  token: '',
  role: 'shopper',
  account: null,
  leave: () => {},
}
const Context = createContext(none)
/** The session of the page. */
export const useSession = (): Session => useContext(Context)
/** The role of the session's token. */
export const useRole = (): Role => useSession().role

interface SessionProps {
  readonly settings: Settings
  readonly children: ComponentChildren
}

/** Without a token it shows a form for one. */
export function SessionProvider({ settings, children }: SessionProps): JSX.Element {
  const { address } = useAddress()
  const [pasted, setPasted] = useState(pastedToken.read)
  const token = settings.tokens ? settings.tokens[address.role === 'shopper' ? 'shopper' : 'admin'] : pasted
  const graph = useMemo(() => createGraph(token ?? ''), [token])
  if (!token) return <TokenForm use={setPasted} />
  const leave = (): void => {
    pastedToken.remove()
    setPasted(null)
  }
  const { role, account } = claimsOf(token)
  return (
    <Context.Provider value={{ settings, token, role, account: account ?? settings.account, leave }}>
      <Provider value={graph}>{children}</Provider>
    </Context.Provider>
  )
}

function TokenForm({ use }: { readonly use: (token: string) => void }): JSX.Element {
  const submit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault()
    // A header is often copied whole.
    const token = String(new FormData(event.currentTarget).get('token'))
      .trim()
      .replace(/^bearer\s+/i, '')
    pastedToken.store(token)
    use(token)
  }
  return (
    <main class="ask-token">
      <h1>Explore</h1>
      <p>
        This page shows the store through its graph. Paste a token of an administrator or a shopper; it stays in this
        tab.
      </p>
      <form onSubmit={submit}>
        <label class="field">
          Token
          <input type="password" name="token" autocomplete="off" required />
        </label>
        <button type="submit">Open</button>
      </form>
    </main>
  )
}
