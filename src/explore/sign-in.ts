/**
 * Signing in at the identity provider, by authorization code with PKCE, for every page of this server
 * (token.pages-sign-in). Pages import it by its path. It keeps what it needs in the session storage of the tab.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  None,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import type { SignInSettings } from './settings.ts'
import { AWAY, NOT_BEGUN, NOT_SECURE, sentenceOf } from './sign-in-problems.ts'

/** How a page signs in. */
export interface SignIn {
  /** Whether this tab has a token, valid or not. */
  readonly isSignedIn: () => boolean
  /**
   * As `fetch`, with the token where this server is asked; when it is refused, once more with a new one if the provider
   * gives one.
   */
  readonly send: typeof fetch
  /**
   * Goes to the provider, which leads back to /sign-in, and that to `back`, by default here. Rejects with an Error that
   * is for the reader.
   */
  readonly begin: (back?: string) => Promise<void>
  /** Ends what `begin` began, by the address to which the provider led back; null when that says nothing. */
  readonly complete: (address: URL) => Promise<Completed | null>
  /** Forgets the tokens and what was typed, and goes to the provider to sign out there too. */
  readonly leave: () => void
}

/** How a sign-in ended. */
export interface Completed {
  /** The address to go on at, on this server. */
  readonly back: string
  /** What went wrong, for the reader; null when the tab has a token now. */
  readonly problem: string | null
}

/** What is kept while a person is at the provider. */
interface Begun {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly back: string
}

interface Tokens {
  readonly access: string
  /** Null when the provider gives none. */
  readonly refresh: string | null
}

const PATH = '/sign-in'
/** Where a person goes on who began elsewhere. */
const CONSOLE = '/explore'
/** Tolerated difference of clocks in seconds, as the server tolerates it. */
const CLOCK_SKEW = 60

const begunStore = storeOf<Begun>('sign-in')
const tokenStore = storeOf<Tokens>('signed-in')

/** Makes it for a page. */
export function createSignIn({ provider, clientId, scope, audience }: SignInSettings): SignIn {
  // GraphiQL's page replaces the global one by its own.
  const plain = globalThis.fetch.bind(globalThis)
  const client = { client_id: clientId, [clockTolerance]: CLOCK_SKEW }
  const options = {
    [customFetch]: plain as never,
    // The server has decided that the provider may be called so.
    [allowInsecureRequests]: provider?.token_endpoint.startsWith('http:') ?? false,
  }
  const redirectUri = `${location.origin}${PATH}`

  async function begin(back = location.href): Promise<void> {
    if (!provider) throw new Error(AWAY)
    if (!isSecureContext) throw new Error(NOT_SECURE)
    const [state, nonce, verifier] = [generateRandomState(), generateRandomNonce(), generateRandomCodeVerifier()]
    const challenge = await calculatePKCECodeChallenge(verifier)
    begunStore.write({ state, nonce, verifier, back })
    goTo(provider.authorization_endpoint, {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope,
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(audience !== null && { audience }),
    })
  }

  async function complete({ searchParams }: URL): Promise<Completed | null> {
    if (!searchParams.has('code') && !searchParams.has('error')) return null
    const begun = begunStore.read()
    // A code is used once, whatever comes of it.
    begunStore.remove()
    const back = ownAddress(begun?.back ?? CONSOLE)
    if (!begun) return { back, problem: NOT_BEGUN }
    if (!provider) return { back, problem: AWAY }
    try {
      const answer = validateAuthResponse(provider, client, searchParams, begun.state)
      const { nonce: expectedNonce, verifier } = begun
      const given = await authorizationCodeGrantRequest(
        ...([provider, client, None(), answer, redirectUri, verifier, options] as const),
      )
      const checks = { expectedNonce, requireIdToken: true }
      const tokens = await processAuthorizationCodeResponse(provider, client, given, checks)
      tokenStore.write({ access: tokens.access_token, refresh: tokens.refresh_token ?? null })
      return { back, problem: null }
    } catch (error) {
      return { back, problem: sentenceOf(error) }
    }
  }

  let renewing: Promise<string | null> | undefined

  /** Another access token than `refused`; null when there is none. Requests at once share one. */
  async function renewed(refused: string): Promise<string | null> {
    const { access, refresh } = tokenStore.read() ?? {}
    if (access && access !== refused) return access
    if (!provider || !access || !refresh) return null
    renewing ??= renew(provider, refresh).finally(() => {
      renewing = undefined
    })
    return renewing
  }

  async function renew(at: NonNullable<typeof provider>, refresh: string): Promise<string | null> {
    try {
      const given = await refreshTokenGrantRequest(at, client, None(), refresh, options)
      const tokens = await processRefreshTokenResponse(at, client, given)
      tokenStore.write({ access: tokens.access_token, refresh: tokens.refresh_token ?? refresh })
      return tokens.access_token
    } catch {
      // The page says what the server refuses, and offers to sign in again.
      return null
    }
  }

  async function send(target: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(target instanceof Request ? target.url : target, location.href)
    if (origin !== location.origin) return plain(target, init)
    const access = tokenStore.read()?.access ?? ''
    const response = await plain(target, withToken(init, access))
    const other = response.status === 401 ? await renewed(access) : null
    return other === null ? response : plain(target, withToken(init, other))
  }

  function leave(): void {
    sessionStorage.clear()
    const end = provider?.end_session_endpoint
    // No token is in the address, so the provider may ask whether the person means it.
    if (end) goTo(end, { client_id: clientId, post_logout_redirect_uri: redirectUri })
    else location.assign(PATH)
  }

  return { isSignedIn: () => tokenStore.read() !== null, send, begin, complete, leave }
}

/** A request with a token. */
function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${token}`)
  return { ...init, headers }
}

function goTo(address: string, parameters: Readonly<Record<string, string>>): void {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  location.assign(url)
}

/** An address on this server; that of the console in place of another one, and of that of the sign-in itself. */
function ownAddress(address: string): string {
  const url = URL.canParse(address, location.origin) ? new URL(address, location.origin) : null
  return url?.origin === location.origin && url.pathname !== PATH ? url.href : `${location.origin}${CONSOLE}`
}

/** One value in the session storage of the tab; it reads as null when it is absent or was damaged. */
function storeOf<Value>(name: string) {
  return {
    read: (): Value | null => {
      try {
        return JSON.parse(sessionStorage.getItem(name) ?? 'null')
      } catch {
        return null
      }
    },
    write: (value: Value): void => sessionStorage.setItem(name, JSON.stringify(value)),
    remove: (): void => sessionStorage.removeItem(name),
  }
}
