/** Streams of changes. Rights are asked when a stream begins; it ends with the viewer's token. */

import type { Change, ChangeCursor, Subject, Topic } from '../../domain/changes/change.ts'
import { DomainError, notFound, Unavailable } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import type { Context } from '../../request/context.ts'
import { catalog } from '../catalog/published-catalog.ts'
import { query } from '../operation.ts'
import { priceBook } from '../pricing/price-book.ts'
import { ownsAccount } from '../subscriptions/subscription.ts'

export type Changes = AsyncIterableIterator<Change, void>

interface Watch {
  /** Raw. */
  readonly id: string
  /** Where the client left off. */
  readonly after: ChangeCursor | null
}

/** Releases of a catalog as they are published, for whoever may see the catalog. */
export const watchReleases = query({
  name: 'watchReleases',
  right: 'anyone',
  run: async (ctx, { id, after }: Watch): Promise<Changes> => {
    if (!(await catalog(ctx, { id }))) throw notFound(['catalogId'], 'No such catalog')
    return listen(ctx, 'release', id, after)
  },
})

/** Prices of a price book as they are added, changed and deleted, with their sales. */
export const watchProductPrices = query({
  name: 'watchProductPrices',
  right: 'admin',
  run: async (ctx, { id, after }: Watch): Promise<Changes> => {
    if (!(await priceBook(ctx, { id }))) throw notFound(['priceBookId'], 'No such price book')
    return listen(ctx, 'product_price', id, after)
  },
})

/**
 * Subscriptions of an account as they begin and change, the account's own for shoppers; it may have none yet
 * (subscription.account-from-outside).
 */
export const watchSubscriptions = query({
  name: 'watchSubscriptions',
  right: 'anyone',
  run: async (ctx, { id, after }: Watch): Promise<Changes> => {
    if (!isUuid(id) || !ownsAccount(ctx.viewer, id)) throw notFound(['accountId'], 'No such account')
    return listen(ctx, 'subscription', id, after)
  },
})

async function listen({ changes, viewer, now }: Context, topic: Topic, id: string, after: ChangeCursor | null): Promise<Changes> {
  const subject: Subject = { topic, scope: id.toLowerCase() }
  if (!changes) throw new Unavailable('changes are not handed on here')
  const stream = await changes.listen(subject, viewer.expiresAt - now, after ?? undefined)
  if (stream) return stream
  const message = 'must be a cursor of this stream, not older than a day; without one the stream begins now'
  throw new DomainError('badRequest', [{ code: 'INVALID_VALUE', path: ['after'], message }])
}
