/** Who asks (token.one-pinned-algorithm, right.shoppers-see-published-and-own). `accountId` is a shopper's own account. */
export interface Viewer {
  readonly subject: string
  readonly role: 'admin' | 'shopper'
  readonly accountId: string | null
  /** Epoch milliseconds from which on the token is no longer good, the clock skew included. */
  readonly expiresAt: number
}
