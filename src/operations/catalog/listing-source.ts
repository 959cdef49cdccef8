/** Listing sources: the data by which a listing's conditions select and its orders sort. */
import { isWithin } from '../../domain/catalog/facet.ts'
import type { ReleaseFacets } from '../../domain/catalog/facet-column.ts'
import type { Condition } from '../../domain/catalog/listing-match.ts'
import { facetField, type ListingQuery } from '../../domain/catalog/listing-query.ts'
import type { ListingScope } from '../../domain/catalog/listing-scope.ts'
import type { PriceColumn } from '../../domain/catalog/price-column.ts'
import type { PriceSnapshot } from '../../domain/catalog/price-snapshot.ts'
import type { Release } from '../../domain/catalog/release.ts'
import type { SearchScores } from '../../domain/catalog/search-scores.ts'
import { badRequest } from '../../domain/input/errors.ts'
import type { FilterClause } from '../../domain/input/filter.ts'
import { isUuid } from '../../domain/input/formats.ts'
import { comparesValues } from '../../domain/input/record-filter.ts'
import { assertActive } from '../../lib/deadline.ts'
import type { Effort } from '../../persistence/catalog/listing-cache.ts'
import type { Searcher } from '../../persistence/catalog/product-search.ts'
import { isColumn, looksAtAll, type OptionChild } from '../../persistence/catalog/release-search.ts'
import type { Context } from '../../request/context.ts'

/** Points of one search as it is spelt: five milliseconds of the database, beside what it finds. So a request has at most 100. */
const SEARCH_POINTS = 1_000
/** Products whose texts are looked at per point of work, when a filter names only parts of texts: two microseconds each. */
const TEXTS_PER_POINT = 2

/** A list that is wanted. */
export interface WantedListing {
  readonly release: Release
  readonly query: ListingQuery
  /** Epoch milliseconds: of the request, or of the first page of a walk. */
  readonly instant: number
}

/** A list that is being computed. */
export interface ListingRequest extends WantedListing {
  readonly ctx: Context
  readonly scope: ListingScope
}

/** Time slicing of a computation. It continues when its request is aborted, since other requests may wait for the result. */
export function effortOf({ slices, work }: Context): Effort {
  const waiter = { isHeavy: true, order: work.order }
  return { pause: () => slices?.turn(waiter), spend: (points) => work.spend(points) }
}

/** The facets of the release. One statement when they are not cached. */
export function facetsOf({ ctx, release }: Pick<ListingRequest, 'ctx' | 'release'>): Promise<ReleaseFacets> {
  return ctx.releases.facets.find(release)
}

/** The prices of the release in a currency over time. One statement when they are not cached. */
export function columnOf({ ctx, release }: Pick<ListingRequest, 'ctx' | 'release'>, currency: string): Promise<PriceColumn> {
  return ctx.releases.priceColumn(release, currency, effortOf(ctx).spend)
}

/** The prices of the scope at the instant. One statement when the release's prices in the currency are not cached. */
export async function pricesOf(request: ListingRequest, currency: string, isOrdered = false): Promise<PriceSnapshot> {
  const { ctx, release, query, scope, instant } = request
  const column = await columnOf(request, currency)
  const key = `${release.id} ${query.scope} ${query.descendants} ${currency}`
  return ctx.releases.listings.pricesOf({ key, scope, column, instant, isOrdered }, effortOf(ctx))
}

function searcherOf({ deadline, viewer, work }: Context): Searcher {
  const spend = (points: number): void => work.spend(points)
  const assertGoesOn = (): void => {
    if (deadline) assertActive(deadline)
    spend(0)
  }
  return { owner: viewer.subject, spend, assertActive: assertGoesOn }
}

/** The documents that the search finds, with scores; null without a search. */
async function scoresOf({ ctx, release, query }: ListingRequest): Promise<SearchScores | null> {
  return query.search === null ? null : ctx.releases.search.find(release, query.search, query.acceptLanguage, searcherOf(ctx))
}

/**
 * The sort key of each position of the scope, for an order by last update, name or relevance: the negative of its rank (the release is in
 * the order of last updates, latest first), the place of its name, or the negative of its score. At most two statements when it is not
 * cached.
 */
export async function sortKeyOf(request: ListingRequest): Promise<(position: number) => number> {
  const { ctx, release, query, scope } = request
  const rankOf = (position: number) => scope.ranks[position] as number
  if (query.order.field === 'NAME') {
    const places = await ctx.releases.nameOrder.ranks(release, query.acceptLanguage)
    return (position) => places[rankOf(position)] as number
  }
  if (query.order.field === 'RELEVANCE') {
    const scores = await scoresOf(request)
    return (position) => -(scores?.scoreOf(scope.order.documents[position] as number) ?? Number.NEGATIVE_INFINITY)
  }
  return (position) => -rankOf(position)
}

/**
 * The documents that meet those conditions that are sets of documents; null when all of the scope may match. One statement for all columns,
 * and at most two for a search; it may have documents of other releases.
 */
export async function documentSet(request: ListingRequest): Promise<Iterable<number> | null> {
  if (request.query.search !== null) request.ctx.work.spend(SEARCH_POINTS)
  const [found, scores] = await Promise.all([columnMatches(request), scoresOf(request)])
  if (!scores || !found) return scores?.documents ?? found
  return scores.documents.filter((document) => found.has(document))
}

async function columnMatches({ ctx, release, query }: ListingRequest): Promise<ReadonlySet<number> | null> {
  const clauses = query.clauses
    .filter(({ field }) => isColumn(field))
    .map((clause) => (clause.field === 'id' && comparesValues(clause) ? { ...clause, values: clause.values.filter(isUuid) } : clause))
  if (clauses.length === 0) return null
  if (looksAtAll(clauses)) ctx.work.spend(release.allProducts.documents.length / TEXTS_PER_POINT)
  return ctx.loaders.matchesByReleaseAndClauses({ release, clauses }).load(release.id)
}

/** The other conditions. At most one statement for facets, one for options, and one for each currency. */
export async function conditionsOf(request: ListingRequest): Promise<Condition[]> {
  return (await Promise.all([facetConditions(request), optionConditions(request), priceConditions(request)])).flat()
}

async function facetConditions(request: ListingRequest): Promise<Condition[]> {
  const clauses = request.query.clauses.filter(comparesValues).filter(({ field }) => !isColumn(field))
  if (clauses.length === 0) return []
  const facets = await facetsOf(request)
  return clauses.map((clause) => facetCondition(facets, request.scope, clause))
}

function facetCondition(facets: ReleaseFacets, { ranks }: ListingScope, { field, values }: FilterClause): Condition {
  if (facets.tooManyValues.has(field)) {
    const [kind = '', ...names] = JSON.parse(field) as string[]
    const message = `${names.join('.')} has too many values, or too few products, to filter by`
    throw badRequest('INVALID_VALUE', ['filter', kind === 'extension' ? kind : 'variations'], message)
  }
  const wanted = field === 'tags' ? values.map((value) => value.toLowerCase()) : values
  const hasOne = facets.columns.get(field)?.hasOneOf(wanted) ?? (() => false)
  return { key: field, holds: (position) => hasOne(ranks[position] as number) }
}

/** The children of the release that have each of the query's options. At most one statement. */
export async function optionChildrenOf({ ctx, release, query }: ListingRequest): Promise<OptionChild[][]> {
  const found = await Promise.all(query.options.map((id) => ctx.loaders.optionChildrenByOptionId.load(id)))
  return found.map((children) => children.filter(({ document }) => release.allProducts.positionOf(document) >= 0))
}

/** Options of one variation are alternatives; those that no child of the release has count as of one more variation. */
async function optionConditions(request: ListingRequest): Promise<Condition[]> {
  const { query, scope } = request
  if (query.options.length === 0) return []
  const byVariation = new Map<string | null, Set<number>>()
  for (const listed of await optionChildrenOf(request)) {
    if (listed.length === 0 && !byVariation.has(null)) byVariation.set(null, new Set())
    for (const { variation, document } of listed) {
      const documents = byVariation.get(variation) ?? new Set<number>()
      byVariation.set(variation, documents.add(document))
    }
  }
  return [...byVariation].map(([variation, documents]) => ({
    key: variation === null ? null : facetField(['variation', variation]),
    holds: (position) => documents.has(scope.order.documents[position] as number),
  }))
}

async function priceConditions(request: ListingRequest): Promise<Condition[]> {
  const { price, onSale } = request.query
  const [priced, sold] = await Promise.all([price && pricesOf(request, price.currency), onSale && pricesOf(request, onSale.currency)])
  const conditions: Condition[] = []
  if (price && priced) conditions.push({ key: 'price', holds: (position) => isWithin(price, priced.amounts[position] as number) })
  if (onSale && sold) conditions.push({ key: 'onSale', holds: (position) => (sold.onSale[position] === 1) === onSale.is })
  return conditions
}
