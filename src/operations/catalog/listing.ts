/**
 * Listings: the products of a scope that match a query, in its order. Both edges list through here. All that depends on prices is of one
 * instant (list.by-the-price-of-the-instant), and results are cached until the next price change in the scope.
 * Positions, ranks and leaders: domain/catalog/listing-scope.ts.
 */
import { ListingMatch } from '../../domain/catalog/listing-match.ts'
import { falling, orderByKey, sortByKey } from '../../domain/catalog/listing-order.ts'
import { isWholeScope, type ListingQuery, pricedIn, queryKey } from '../../domain/catalog/listing-query.ts'
import { scopeOf } from '../../domain/catalog/listing-scope.ts'
import { ProductOrder } from '../../domain/catalog/product-order.ts'
import type { Release } from '../../domain/catalog/release.ts'
import { groupedLeaders } from '../../domain/catalog/variant-groups.ts'
import { DAY_MS } from '../../domain/input/instant.ts'
import type { Context } from '../../request/context.ts'
import { query as defineQuery } from '../operation.ts'
import {
  conditionsOf,
  documentSet,
  effortOf,
  facetsOf,
  type ListingRequest,
  pricesOf,
  sortKeyOf,
  type WantedListing,
} from './listing-source.ts'

/** Milliseconds for which a walk keeps the instant of its first page. */
export const WALK_MS = DAY_MS

/** A list of products of a release, by document number. */
export interface ProductList {
  readonly release: Release
  readonly documents: ArrayLike<number>
}

/** A list and the data that its facets are counted from. */
export interface Listing extends ProductList {
  readonly documents: Int32Array
  readonly request: ListingRequest
  /** Which products of the scope match; computed only when the list, or a facet of it, is not cached. */
  readonly match: () => Promise<ListingMatch>
}

/** Positions per point of work: a condition takes about 25 nanoseconds. */
const CHECKS_PER_POINT = 200
/** Positions that are checked without a pause, in a few milliseconds. */
const CHUNK = 20_000

/**
 * The products that match. At the next change of a price of the request's instant the response expires. At most three statements at once,
 * and one more to correct a search; none when all is cached.
 */
export const findListing = defineQuery({
  name: 'findListing',
  right: 'anyone',
  reads: 'releases',
  run: (ctx, { release, query, instant }: WantedListing) => listingOf(ctx, release, query, instant),
})

/** As `findListing`, for other operations; by default of the request's instant. */
export function listingOf(ctx: Context, release: Release, query: ListingQuery, instant = ctx.now): Promise<Listing> {
  const scope = ctx.releases.listings.scope(release, query.scope, query.descendants)
  return listingIn({ ctx, release, query, scope, instant })
}

/** As `findListing`, among given products of the release, in their order; the scope of the query is a name of its own for them. */
export function listingAmong(documents: Int32Array, { ctx, release, query, instant }: Omit<ListingRequest, 'scope'>): Promise<Listing> {
  return listingIn({ ctx, release, query, scope: scopeOf(release, new ProductOrder(documents, 0)), instant })
}

async function listingIn(request: ListingRequest): Promise<Listing> {
  const { ctx, release, query, scope, instant } = request
  const { listings } = ctx.releases
  let matching: Promise<ListingMatch> | undefined
  const match = (): Promise<ListingMatch> => {
    matching ??= matchOf(request)
    return matching
  }
  const { documents } = scope.order
  if (isWholeScope(query) || documents.length === 0) return { release, documents, request, match }
  const key = listingKey(request)
  const cached = listings.lists.find(key, instant)
  const found = cached ?? (await listed(request, match()))
  if (!cached) listings.lists.add(key, found)
  expireWithWalk(request, found.until)
  return { release, documents: found.documents, request, match }
}

/** The list among all lists of all releases. A draft has another sequence once it is published, and then words of its own. */
export function listingKey({ release, query }: Pick<WantedListing, 'release' | 'query'>): string {
  return `${release.id} ${release.sequence} ${queryKey(query, release.id)}`
}

/** Reports when a response changes that depends on the prices of a walk's instant: at their next change, or when the walk is too old. */
export function expireWithWalk({ ctx, instant }: ListingRequest, until: number): void {
  const isWalk = instant < ctx.now
  if (isWalk || Number.isFinite(until)) ctx.cachePolicy.expireAt(isWalk ? instant + WALK_MS + 1 : until)
}

/** The span in which all prices of the scope in `currencies` stay as they are at the instant. */
export async function validityOf(request: ListingRequest, currencies: readonly string[]): Promise<{ from: number; until: number }> {
  const prices = await Promise.all(currencies.map((currency) => pricesOf(request, currency)))
  return { from: Math.max(...prices.map(({ from }) => from)), until: Math.min(...prices.map(({ until }) => until)) }
}

async function matchOf(request: ListingRequest): Promise<ListingMatch> {
  const { ctx, scope } = request
  const [set, conditions] = await Promise.all([documentSet(request), conditionsOf(request)])
  const candidates = set ? positionsOf(request, set) : scope.order.documents.map((_, position) => position)
  const match = new ListingMatch(candidates, conditions)
  ctx.work.spend((candidates.length * (1 + conditions.length)) / CHECKS_PER_POINT)
  const { pause } = effortOf(ctx)
  for (let start = 0; start < candidates.length; start += CHUNK) {
    match.check(start, Math.min(start + CHUNK, candidates.length))
    if (start + CHUNK < candidates.length) await pause()
  }
  return match
}

function positionsOf({ scope }: ListingRequest, documents: Iterable<number>): Int32Array {
  const positions = Array.from(documents, (document) => scope.order.positionOf(document))
  return Int32Array.from(positions.filter((position) => position >= 0)).sort()
}

/** What orders, groups and dates the list is wanted together with what the conditions need, so that one statement reads it all. */
async function listed(request: ListingRequest, matching: Promise<ListingMatch>) {
  const { ctx, release, query, scope } = request
  const [match, validity, keyOf, facets] = await Promise.all([
    matching,
    validityOf(request, pricedIn(query)),
    sortKeyOf(request),
    query.groupVariants ? facetsOf(request) : null,
  ])
  const positions = await ordered(request, match.matching(), keyOf)
  await ctx.work.yieldPoint()
  if (!facets) return { documents: positions.map((position) => scope.order.documents[position] as number), ...validity }
  const { leaders } = facets
  const all = release.allProducts.documents
  const ofScope = scope.ranks.map((rank) => leaders[rank] as number)
  return { documents: groupedLeaders(positions, ofScope, all.length).map((rank) => all[rank] as number), ...validity }
}

/** Matching positions in the order of the query. */
async function ordered(request: ListingRequest, matching: Int32Array, keyOf: (position: number) => number): Promise<Int32Array> {
  const { ctx, query, scope } = request
  const { field, direction, currency } = query.order
  if (field === 'DEFAULT') return direction === 'ASC' ? matching : matching.slice().reverse()
  if (field === 'PRICE') {
    // Sorting few is faster than picking them from the order of all.
    const isMost = matching.length > scope.order.documents.length / 8
    const { amounts, ascending } = await pricesOf(request, currency, isMost)
    const rising = isMost && ascending ? picked(ascending, matching) : sortByKey(matching, amounts)
    return direction === 'ASC' ? rising : falling(rising, amounts)
  }
  const keys = new Float64Array(scope.order.documents.length)
  for (const position of matching) keys[position] = keyOf(position)
  ctx.work.spend(matching.length / CHECKS_PER_POINT)
  const rising = await orderByKey(matching, keys, effortOf(ctx).pause)
  return direction === 'ASC' ? rising : falling(rising, keys)
}

/** An order of all positions without those that are not among `wanted`. */
function picked(order: Int32Array, wanted: Int32Array): Int32Array {
  if (wanted.length === order.length) return order
  const isWanted = new Uint8Array(order.length)
  for (const position of wanted) isWanted[position] = 1
  return order.filter((position) => isWanted[position] === 1)
}
