/**
 * The columns of a list, read at once. What is not in memory takes at most three statements, since reads of one turn of
 * the event loop are joined (joined-reads.ts), and three more to correct a search.
 */
import type { ListingColumns, ListingNeeds } from '../../domain/catalog/listing-columns.ts'
import type { ScopedRequest } from '../../domain/catalog/listing-scope.ts'
import type { Effort } from '../../lib/effort.ts'
import type { Loaders } from '../loaders.ts'
import type { Searcher } from './product-search.ts'
import type { ReleaseCache } from './release-cache.ts'
import { looksAtAll } from './release-search.ts'

/**
 * Points of one search as it is spelt, which takes the database five milliseconds; what it finds costs more points. A
 * request can have at most 100 searches.
 */
const SEARCH_POINTS = 1_000
/**
 * Products whose texts are scanned per point of work when a filter names only parts of texts: two microseconds each.
 */
const TEXTS_PER_POINT = 2

/** Where columns are cached and read: the release cache of the process and the loaders of the request. */
interface Sources {
  readonly releases: ReleaseCache
  readonly loaders: Pick<Loaders, 'matchesByReleaseAndClauses' | 'optionUsesByReleaseAndOptionId'>
}

/** The columns that `needs` names; each column of a release is cached separately. */
export async function readColumns(
  { releases, loaders }: Sources,
  { release, query, scope, instant }: ScopedRequest,
  { clauses, search, options, facets, placesBy, currencies }: ListingNeeds,
  effort: Effort & Searcher,
): Promise<ListingColumns> {
  const { acceptLanguage } = query
  const all = release.allProducts
  const pricesIn = async (currency: string, isOrdered = false) => {
    const column = await releases.priceColumn(release, currency, effort.spend)
    const key = `${release.id} ${query.scope ?? ''} ${query.descendants} ${currency}`
    return releases.listings.pricesOf({ key, scope, column, instant, isOrdered }, effort)
  }
  const placesIn = (order: NonNullable<typeof placesBy>): Promise<Int32Array> =>
    order === 'NAME' ? releases.nameOrder.ranks(release, acceptLanguage) : releases.instantOrder.places(release, order)
  if (search !== null) effort.spend(SEARCH_POINTS)
  if (clauses.length > 0 && looksAtAll(clauses)) effort.spend(all.documents.length / TEXTS_PER_POINT)
  const [documents, scores, uses, facetsOfRelease, places, prices] = await Promise.all([
    clauses.length === 0 ? null : loaders.matchesByReleaseAndClauses({ release, clauses }).load(release.id),
    search === null ? null : releases.search.find(release, search, acceptLanguage, effort),
    Promise.all(options.map((id) => loaders.optionUsesByReleaseAndOptionId(release).load(id))),
    facets ? releases.facets.find(release) : null,
    placesBy === null ? null : placesIn(placesBy),
    Promise.all(currencies.map(async (currency) => [currency, await pricesIn(currency)] as const)),
  ])
  return {
    documents,
    scores,
    options: uses,
    facets: facetsOfRelease,
    places,
    prices: new Map(prices),
    byPrice: async (currency) => (await pricesIn(currency, true)).ascending ?? new Int32Array(),
  }
}
