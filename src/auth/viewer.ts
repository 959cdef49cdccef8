/**
 * Viewer: the authenticated subject of a request (token.one-pinned-algorithm, right.shoppers-see-published-and-own).
 * `accountId` is a shopper's own account.
 */
import type { Shopper, ShopperContext } from '../domain/catalog/rule-choice.ts'

export interface Viewer {
  readonly subject: string
  readonly role: 'admin' | 'shopper'
  readonly accountId: string | null
  /** The channel and the tags of the token (token.context-from-claims). */
  readonly channel: string | null
  readonly tags: readonly string[]
  /** Epoch milliseconds at which the token expires, clock skew included. */
  readonly expiresAt: number
}

/** The parts of a viewer on which storefronts and confidential catalogs depend. */
export type Bearing = Pick<Viewer, 'role' | 'accountId' | 'channel' | 'tags'>

/**
 * What the token proves to the rules of confidential catalogs (catalog.confidential-by-proof); null for administrators,
 * for whom all catalogs exist.
 */
export function proofOf({ role, accountId, channel, tags }: Bearing): ShopperContext | null {
  return role === 'admin' ? null : { accountId, channel, tags }
}

/** The viewer with a channel and tags, for whom rules choose a catalog. Of an administrator all counts as proved. */
export function shopperOf(viewer: Bearing, { channel, tags }: Pick<ShopperContext, 'channel' | 'tags'>): Shopper {
  const context = { accountId: viewer.accountId, channel, tags }
  return { context, proved: proofOf(viewer) ?? context }
}
