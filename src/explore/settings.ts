/** Page settings from the server: demo tokens where it issues them, and the account of the demo's shopper. */
export interface Settings {
  readonly tokens: Readonly<Record<Role, string>> | null
  readonly account: string | null
  /** The time zone of the store, such as `Europe/Berlin`. */
  readonly timeZone: string
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

/** The role and account in a token. The server checks them; the page only hides what a shopper may not do. */
export function claimsOf(token: string): { readonly role: Role; readonly account: string | null } {
  try {
    const [, payload = ''] = token.split('.')
    const { role, account_id: account } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return { role: role === 'admin' ? 'admin' : 'shopper', account: account ?? null }
  } catch {
    return { role: 'shopper', account: null }
  }
}
