/**
 * Change streams: subscriptions to changes. Their rights are checked when they begin. They end with the viewer's
 * token, and those of a catalog once it does not exist for the viewer any more.
 */
import type { SaleTurn } from '../../domain/catalog/sale-turn.ts'
import { type Change, type ChangeCursor, NO_SCOPE, type Subject, type Topic } from '../../domain/changes/change.ts'
import { badRequest, notFound, Unavailable } from '../../domain/input/errors.ts'
import { isUuid } from '../../domain/input/formats.ts'
import type { Context } from '../../request/context.ts'
import { catalog } from '../catalog/published-catalog.ts'
import { query } from '../operation.ts'
import { priceBook } from '../pricing/price-book.ts'
import { ownsAccount } from '../subscriptions/held-subscription.ts'
import { catalogNotFound, streamWhileVisible } from './stream-while-visible.ts'

/** A stream of changes; it throws StreamEnded when it ends for another reason than that the client left. */
export type Changes = AsyncIterableIterator<Change, void>

interface Watch {
  /** The raw id of the catalog, price book or account. */
  readonly id: string
  /** The last cursor that the client received; null: the stream begins now. */
  readonly after: ChangeCursor | null
}

/** The releases of a catalog as they are published, for viewers who may see the catalog. */
export const watchReleases = query({
  right: 'anyone',
  run: async (ctx, { id, after }: Watch): Promise<Changes> => {
    if (!(await catalog(ctx, { id }))) throw catalogNotFound()
    return streamWhileVisible(ctx, id.toLowerCase(), await listen(ctx, 'release', id, after))
  },
})

/** The prices of a price book, with their sales, as they are added, changed and deleted. */
export const watchProductPrices = query({
  right: 'admin',
  run: async (ctx, { id, after }: Watch): Promise<Changes> => {
    if (!(await priceBook(ctx, { id }))) throw notFound(['priceBookId'], 'No such price book')
    return listen(ctx, 'product_price', id, after)
  },
})

/** All products as administrators edit them. */
export const watchProducts = query({
  right: 'admin',
  run: (ctx, { after }: Pick<Watch, 'after'>): Promise<Changes> => listen(ctx, 'product', NO_SCOPE, after),
})

/** The settings of all catalogs. */
export const watchCatalogs = query({
  right: 'admin',
  run: (ctx, { after }: Pick<Watch, 'after'>): Promise<Changes> => listen(ctx, 'catalog', NO_SCOPE, after),
})

/**
 * The sales of a catalog's latest release as they begin and end (live.turns-at-their-instant), for viewers who may see
 * the catalog.
 */
export const watchSaleTurns = query({
  right: 'anyone',
  run: async (ctx, { id }: Pick<Watch, 'id'>): Promise<AsyncIterableIterator<SaleTurn, void>> => {
    if (!(await catalog(ctx, { id }))) throw catalogNotFound()
    if (!ctx.saleClock) throw new Unavailable('turns of sales are not available here')
    const catalogId = id.toLowerCase()
    return streamWhileVisible(ctx, catalogId, ctx.saleClock.listen(catalogId, tokenEndsIn(ctx)))
  },
})

/**
 * The subscriptions of an account as they begin and change; shoppers see their own account, which may have none yet
 * (subscription.account-from-outside).
 */
export const watchSubscriptions = query({
  right: 'account',
  run: async (ctx, { id, after }: Watch): Promise<Changes> => {
    if (!isUuid(id) || !ownsAccount(ctx.viewer, id)) throw notFound(['accountId'], 'No such account')
    return listen(ctx, 'subscription', id, after)
  },
})

/**
 * Milliseconds until the viewer's token expires: by the present, which is not `now` where @inContext sets another
 * instant.
 */
export function tokenEndsIn({ viewer, now, changes }: Context): number {
  return viewer.expiresAt - (changes?.now() ?? now)
}

async function listen(ctx: Context, topic: Topic, id: string, after: ChangeCursor | null): Promise<Changes> {
  const subject: Subject = { topic, scope: id.toLowerCase() }
  const { changes } = ctx
  if (!changes) throw new Unavailable('changes are not available here')
  const stream = await changes.listen(subject, tokenEndsIn(ctx), after ?? undefined)
  if (stream) return stream
  const message =
    'must be a cursor of this stream, not older than the history that is kept; without one the stream begins now'
  throw badRequest('INVALID_VALUE', ['after'], message)
}
