/**
 * The session of the page, with a demo token where the server issues them, with that of who signed in where the server
 * says how (token.pages-sign-in), and otherwise with a token that the user pastes.
 */
import type { ComponentChildren, JSX, TargetedEvent } from 'preact'
import { useState } from 'preact/hooks'
import { useAddress } from './address.tsx'
import { Expired, Failure, isExpired } from './ask.tsx'
import { graphql, useGraph } from './graph.ts'
import { type Holder, Open, type Session, sendWith } from './session.tsx'
import { pastedToken, type Role, type Settings } from './settings.ts'
import { NoSignIn, NotAccepted, SignInForm, useSignIn } from './sign-in-view.tsx'

interface SessionProps {
  readonly settings: Settings
  readonly children: ComponentChildren
}

/** Without a token it asks for one. */
export function SessionProvider(props: SessionProps): JSX.Element {
  const { tokens, signIn } = props.settings
  if (tokens) return <WithDemo {...props} tokens={tokens} />
  return signIn ? <WithSignIn {...props} /> : <WithPasted {...props} />
}

interface DemoProps extends SessionProps {
  readonly tokens: Readonly<Record<Role, string>>
}

function WithDemo({ settings, children, tokens }: DemoProps): JSX.Element {
  const role = useAddress().address.role === 'shopper' ? 'shopper' : 'admin'
  const session: Session = {
    settings,
    role,
    account: settings.account,
    key: tokens[role],
    send: sendWith(tokens[role]),
    leave: null,
    renew: { label: 'Reload with a new one', act: () => location.reload() },
  }
  return <Open session={session}>{children}</Open>
}

function WithPasted({ settings, children }: SessionProps): JSX.Element {
  const [token, setToken] = useState(pastedToken.read)
  if (!token) return <TokenForm use={setToken} />
  const renew = (): void => {
    pastedToken.remove()
    setToken(null)
  }
  // Who comes next reads nothing of what was typed; who goes on with a new token goes on typing.
  const leave = (): void => {
    sessionStorage.clear()
    setToken(null)
  }
  const steps = { leave: { label: 'Other token', act: leave }, renew: { label: 'Use another token', act: renew } }
  return (
    <Known key={token} holder={{ key: token, send: sendWith(token), ...steps }} settings={settings}>
      {children}
    </Known>
  )
}

function WithSignIn({ settings, children }: SessionProps): JSX.Element {
  const signIn = useSignIn(settings.signIn)
  if (!signIn) return <NoSignIn signIn={signIn} />
  if (!signIn.isSignedIn()) return <SignInForm signIn={signIn} />
  const steps = {
    leave: { label: 'Sign out', act: signIn.leave },
    renew: { label: 'Sign in again', act: () => void signIn.begin().catch(() => location.assign('/sign-in')) },
  }
  return (
    <Known holder={{ key: 'signed in', send: signIn.send, ...steps }} settings={settings}>
      {children}
    </Known>
  )
}

const Viewing = graphql(`
  query Viewing {
    viewer { role accountId }
  }
`)

interface KnownProps extends SessionProps {
  readonly holder: Holder
}

/** Asks the server whose token it is, since only the server knows which claims say that. */
function Known({ holder, settings, children }: KnownProps): JSX.Element {
  return (
    <Open session={{ ...holder, settings, role: 'shopper', account: null }}>
      <Asked holder={holder} settings={settings}>
        {children}
      </Asked>
    </Open>
  )
}

function Asked({ holder, settings, children }: KnownProps): JSX.Element {
  const { data, error, repeat } = useGraph(Viewing, {})
  if (data) {
    const { role, accountId: account } = data.viewer
    return (
      <Open session={{ ...holder, settings, role: role === 'ADMIN' ? 'admin' : 'shopper', account }}>{children}</Open>
    )
  }
  if (!error) return <p class="soft loading">Loading…</p>
  if (settings.signIn && isExpired(error)) return <NotAccepted response={error.response} {...holder} />
  return <main>{isExpired(error) ? <Expired /> : <Failure error={error} repeat={repeat} />}</main>
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
