/** What is seen of signing in: the form before it, and the page /sign-in after it (token.pages-sign-in). */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Step } from './session.tsx'
import type { Settings, SignInSettings } from './settings.ts'
import type { SignIn } from './sign-in.ts'

/** The script that signs in; undefined until it is there, null when it can't be loaded. */
export function useSignIn(settings: SignInSettings | null): SignIn | null | undefined {
  const [signIn, setSignIn] = useState<SignIn | null>()
  useEffect(() => {
    if (!settings) return
    const load = async (): Promise<SignIn> => {
      const { createSignIn } = (await import(settings.module)) as typeof import('./sign-in.ts')
      return createSignIn(settings)
    }
    load().then(setSignIn, () => setSignIn(null))
  }, [settings])
  return signIn
}

/** Until the script that signs in is there, or when it is not. */
export const NoSignIn = ({ signIn }: { readonly signIn: null | undefined }): JSX.Element =>
  signIn === undefined ? (
    <p class="soft loading">Loading…</p>
  ) : (
    <main class="ask-token">
      <h1>Explore</h1>
      <p role="alert">What signs you in could not be loaded. Reload this page to try again.</p>
    </main>
  )

interface SignInButtonProps {
  readonly signIn: SignIn
  /** Where to go on; absent: here. */
  readonly back?: string | undefined
  readonly children: string
}

/** Goes to the provider, or says why that is not possible. */
export function SignInButton({ signIn, back, children }: SignInButtonProps): JSX.Element {
  const [problem, setProblem] = useState('')
  const begin = (): void => void signIn.begin(back).catch(({ message }: Error) => setProblem(message))
  return (
    <>
      <button type="button" class="primary" onClick={begin}>
        {children}
      </button>
      {problem && <p role="alert">{problem}</p>}
    </>
  )
}

/** Asks to sign in. */
export function SignInForm({ signIn }: { readonly signIn: SignIn }): JSX.Element {
  return (
    <main class="ask-token">
      <h1>Explore</h1>
      <p>This page shows the store through its graph. Sign in to see what you may see of it.</p>
      <SignInButton signIn={signIn}>Sign in</SignInButton>
    </main>
  )
}

interface NotAcceptedProps {
  readonly response: Response | undefined
  readonly renew: Step
  readonly leave: Step | null
}

/** For who is signed in with a token that this server refuses: it has expired, or gives no role. */
export function NotAccepted({ response, renew, leave }: NotAcceptedProps): JSX.Element {
  const [, reason = ''] = /error_description="([^"]*)"/.exec(response?.headers.get('www-authenticate') ?? '') ?? []
  const isExpired = reason === 'The token has expired'
  return (
    <main class="ask-token">
      <h1>Explore</h1>
      <p role="alert">
        {isExpired
          ? 'Your sign-in has expired.'
          : `You are signed in, but have no rights here. ${reason}: ask who manages accounts at the identity provider.`}
      </p>
      <div class="steps">
        {[renew, leave].map(
          (step) =>
            step && (
              <button type="button" key={step.label} onClick={step.act}>
                {step.label}
              </button>
            ),
        )}
      </div>
    </main>
  )
}

interface Outcome {
  readonly title: string
  readonly content: ComponentChildren
}

/** The page to which the provider leads back. The address holds a code, and is replaced at once. */
export function Arrival({ settings }: { readonly settings: Settings }): JSX.Element {
  const [address] = useState(() => new URL(location.href))
  const [outcome, setOutcome] = useState<Outcome>()
  const signIn = useSignIn(settings.signIn)
  useEffect(() => {
    history.replaceState(null, '', address.pathname)
    document.title = 'Sign in · commerce-graph'
  }, [address])
  useEffect(() => {
    if (!signIn) return
    const arrive = async (): Promise<void> => {
      const completed = await signIn.complete(address)
      if (completed?.problem === null) return location.replace(completed.back)
      setOutcome(completed ? failed(signIn, completed.back, completed.problem) : stateOf(signIn))
    }
    void arrive()
  }, [signIn, address])
  if (!signIn) return <NoSignIn signIn={signIn} />
  return (
    <main class="ask-token">
      <h1>{outcome?.title ?? 'Signing in…'}</h1>
      {outcome?.content}
    </main>
  )
}

const failed = (signIn: SignIn, back: string, problem: string | null): Outcome => ({
  title: 'Not signed in',
  content: (
    <>
      <p role="alert">{problem}</p>
      <SignInButton signIn={signIn} back={back}>
        Sign in again
      </SignInButton>
    </>
  ),
})

/** For who comes by another way, such as after a sign-out. */
const stateOf = (signIn: SignIn): Outcome => {
  const isIn = signIn.isSignedIn()
  const content = (
    <>
      {isIn && (
        <p>
          Go on to <a href="/explore">the console</a> or <a href="/graphql">GraphiQL</a>.
        </p>
      )}
      <SignInButton signIn={signIn} back="/explore">
        {isIn ? 'Sign in again' : 'Sign in'}
      </SignInButton>
    </>
  )
  return { title: isIn ? 'Signed in' : 'Signed out', content }
}
