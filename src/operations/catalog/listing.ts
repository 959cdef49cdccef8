/**
 * Listings: the products of a scope that match a query, in its order. Both edges list through here. A listing takes all
 * prices at one instant (list.by-the-price-of-the-instant). Results are cached until the next price change in the
 * scope. Positions, ranks and leaders: domain/catalog/listing-scope.ts.
 */
import { type ListingColumns, needsOf } from '../../domain/catalog/listing-columns.ts'
import { candidatesOf, conditionsOf, type ListingMatch, matchOf } from '../../domain/catalog/listing-match.ts'
import { documentsAt, orderOf } from '../../domain/catalog/listing-order.ts'
import { isWholeScope, keyOf } from '../../domain/catalog/listing-query.ts'
import { type ListRequest, type ScopedRequest, scopeOf } from '../../domain/catalog/listing-scope.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { DAY_MS } from '../../domain/input/instant.ts'
import { assertActive } from '../../lib/deadline.ts'
import type { Effort } from '../../lib/effort.ts'
import { readColumns } from '../../persistence/catalog/listing-columns.ts'
import type { Searcher } from '../../persistence/catalog/product-search.ts'
import type { Context } from '../../request/context.ts'
import { query as defineQuery } from '../operation.ts'

/** Milliseconds for which a walk keeps the instant of its first page. */
export const WALK_MS = DAY_MS

/** A list of products of a release, by document number. */
export interface ProductList {
  readonly release: Release
  readonly documents: ArrayLike<number>
}

/** A list and what its facets are counted from. */
export interface Listing extends ProductList, ScopedRequest {
  readonly documents: Int32Array
  /** What matches; found only when the list, or a facet of it, is not cached. */
  readonly matched: () => Promise<{ readonly columns: ListingColumns; readonly match: ListingMatch }>
}

/**
 * The products that match. The response expires when one of the prices of the request's instant changes. At most three
 * statements at once, and three more to correct a search; none when everything is cached.
 */
export const listProducts = defineQuery({ right: 'anyone', reads: 'releases', run: listingOf })

/** As `listProducts`, for other operations. Each step takes what the steps before it found. */
export async function listingOf(ctx: Context, { release, query, instant, among }: ListRequest): Promise<Listing> {
  const effort = effortOf(ctx)
  const { listings } = ctx.releases
  const scope = among ? scopeOf(release, query, among) : listings.scope(release, query)
  const wanted = { release, query, instant, scope }
  const findMatch = async () => {
    const columns = await readColumns(ctx, wanted, needsOf(query), effort)
    const candidates = candidatesOf(scope, columns)
    const match = await matchOf(candidates, conditionsOf(query, scope, columns), effort)
    return { columns, match }
  }
  let finding: ReturnType<typeof findMatch> | undefined
  const matched = () => (finding ??= findMatch())
  const whole = scope.order.documents
  if (isWholeScope(query) || whole.length === 0) return { release, query, instant, scope, matched, documents: whole }
  const { documents, until } = await listings.lists.findOr(listKey(wanted), instant, async () => {
    const { columns, match } = await matched()
    const positions = await orderOf(wanted, match.matching(), columns, effort)
    await ctx.work.yieldPoint()
    return { documents: documentsAt(wanted, positions, columns), ...validityOf(columns) }
  })
  expireWithWalk(ctx, instant, until)
  return { release, query, instant, scope, matched, documents }
}

/**
 * The key of a list in the cache.
 */
export function listKey({ release, query }: Pick<ListRequest, 'release' | 'query'>): string {
  return `${release.id} ${keyOf(query)}`
}

/** The span around the instant in which all prices that were read stay the same. */
export function validityOf({ prices }: ListingColumns): { from: number; until: number } {
  const spans = [...prices.values()]
  return { from: Math.max(...spans.map(({ from }) => from)), until: Math.min(...spans.map(({ until }) => until)) }
}

/**
 * Reports when a response expires that depends on prices: when one of them changes or, for a later page of a walk, when
 * the walk is too old.
 */
export function expireWithWalk(ctx: Context, instant: number, until: number): void {
  const isWalk = instant < ctx.now
  if (isWalk || Number.isFinite(until)) ctx.cachePolicy.expireAt(isWalk ? instant + WALK_MS + 1 : until)
}

/**
 * The work of the request for a list. A computation continues when its request is aborted, since other requests may
 * wait for the result. A search that has not begun stops.
 */
export function effortOf({ slices, work, deadline, viewer }: Context): Effort & Searcher {
  const waiter = { isHeavy: true, order: work.order }
  return {
    owner: viewer.subject,
    pause: () => slices?.turn(waiter),
    spend: (points) => work.spend(points),
    assertActive: () => {
      if (deadline) assertActive(deadline)
      work.spend(0)
    },
  }
}
