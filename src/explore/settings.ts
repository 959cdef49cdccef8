/** Page settings from the server: demo tokens where it issues them, and the account of the demo's shopper. */
export interface Settings {
  readonly tokens: Readonly<Record<Role, string>> | null
  readonly account: string | null
  /** The time zone of the store, such as `Europe/Berlin`. */
  readonly timeZone: string
  /** The decimals of currencies, by code, where they are not 2. */
  readonly decimals: Readonly<Record<string, number>>
  /** How a person signs in at the identity provider; null where tokens are pasted, or are those of the demo. */
  readonly signIn: SignInSettings | null
}

/** The client that pages are at an identity provider. */
export interface SignInSettings {
  /** The path of the script that signs in. */
  readonly module: string
  /** The provider, by the names of its metadata (RFC 8414); null when the server can't reach it. */
  readonly provider: {
    readonly issuer: string
    readonly authorization_endpoint: string
    readonly token_endpoint: string
    readonly end_session_endpoint?: string
  } | null
  readonly clientId: string
  readonly scope: string
  readonly audience: string | null
}

/** The role of a token. */
export type Role = 'admin' | 'shopper'

/** The settings that the server wrote into the page's root element. */
export function readSettings(root: HTMLElement): Settings {
  return JSON.parse(root.dataset.settings ?? '{}')
}

/** The pasted token, stored only for this tab, and never in the address. */
export const pastedToken = {
  read: (): string | null => sessionStorage.getItem('token'),
  store: (token: string): void => sessionStorage.setItem('token', token),
  remove: (): void => sessionStorage.removeItem('token'),
}
