/**
 * Viewer: the authenticated subject of a request (token.one-pinned-algorithm, right.shoppers-see-published-and-own). `accountId` is a
 * shopper's own account.
 */
export interface Viewer {
  readonly subject: string
  readonly role: 'admin' | 'shopper'
  readonly accountId: string | null
  /** Epoch milliseconds at which the token expires, clock skew included. */
  readonly expiresAt: number
}
