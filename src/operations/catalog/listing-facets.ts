/**
 * Facets and price range of a listing, counted over all that it lists, each without the filter of its own key
 * (facet.counted-without-own-key).
 */
import {
  type CountedFacet,
  conditionKey,
  type FacetKey,
  keyOfField,
  priceRangeText,
  stepOf,
  stepRanges,
} from '../../domain/catalog/facet.ts'
import type { ReleaseFacets } from '../../domain/catalog/facet-column.ts'
import { countValues, type FacetValues, shownValues } from '../../domain/catalog/facet-count.ts'
import type { NamedFacet } from '../../domain/catalog/facet-label.ts'
import { type ListingColumns, type ListingNeeds, needed, noNeeds } from '../../domain/catalog/listing-columns.ts'
import { byLeader, leadersOf } from '../../domain/catalog/listing-order.ts'
import { defaultOrder, type ListingQuery, pricedIn } from '../../domain/catalog/listing-query.ts'
import type { ListRequest } from '../../domain/catalog/listing-scope.ts'
import { inOptionOrder } from '../../domain/catalog/option-order.ts'
import { badRequest } from '../../domain/input/errors.ts'
import { comparesValues } from '../../domain/input/record-filter.ts'
import { shownLanguages } from '../../domain/language/accept-language.ts'
import { readColumns } from '../../persistence/catalog/listing-columns.ts'
import type { Valid } from '../../persistence/catalog/validity-cache.ts'
import type { Context } from '../../request/context.ts'
import { query as defineQuery } from '../operation.ts'
import { effortOf, expireWithWalk, type Listing, listKey, validityOf } from './listing.ts'

/** Positions that are counted per point of work. */
const COUNTS_PER_POINT = 100

/** A listing that is being found. One statement reads what the list needs together with what its facets need. */
interface CountedListing extends ListRequest {
  readonly listing: Promise<Listing>
}

/** The facets of a listing; without keys all that occur: tags, types, variations and extension fields. */
export const listingFacets = defineQuery({
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { keys, ...wanted }: CountedListing & { keys: readonly FacetKey[] | null }) => {
    const { release, instant } = wanted
    const { facets: cache } = ctx.releases.listings
    const { spend } = effortOf(ctx)
    const uncounted = (keys ?? []).filter((key) => !cache.has(cacheKeyOf(wanted, key), instant))
    const [listing, facets] = await Promise.all([
      wanted.listing,
      ctx.releases.facets.find(release),
      ...currenciesOf(...uncounted).map((currency) => ctx.releases.priceColumn(release, currency, spend)),
    ])
    for (const [index, key] of (keys ?? []).entries()) assertFacet(facets, key, index)
    const count = counterOf(ctx, listing)
    const { storeLanguage } = ctx.config
    const languages = {
      acceptLanguage: shownLanguages(ctx.shopperHeaders.acceptLanguage, storeLanguage),
      storeLanguage,
    }
    const counted: (CountedFacet & NamedFacet)[] = []
    for (const key of keys ?? occurring(facets)) {
      const facet = await cache.findOr(cacheKeyOf(listing, key), instant, () => count(key))
      expireWithWalk(ctx, instant, facet.until)
      const names = key.kind === 'variation' ? (facets.variationNames.get(key.name) ?? null) : null
      if (keys === null && facet.values.length === 0) continue
      const sortOrders = key.kind === 'variation' ? facets.sortOrders.get(key.name) : undefined
      const { labels } = release
      const named = { of: key, values: facet.values, options: facet.options, names, labels }
      counted.push(inOptionOrder(named, sortOrders, languages))
    }
    return counted
  },
})

/** The lowest and the highest amount of a listing, without its filter by price; null when nothing has a price. */
export const listingPriceRange = defineQuery({
  right: 'anyone',
  reads: 'releases',
  run: async (
    ctx,
    { currency, ...wanted }: CountedListing & { currency: string },
  ): Promise<{ min: number; max: number } | null> => {
    const { spend } = effortOf(ctx)
    const [listing] = await Promise.all([wanted.listing, ctx.releases.priceColumn(wanted.release, currency, spend)])
    const needs = { ...noNeeds, currencies: [currency] }
    const [{ match }, { prices }] = await Promise.all([listing.matched(), columnsOf(ctx, listing, needs)])
    const { amounts, until } = needed(prices.get(currency))
    let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const position of match.matching('price')) {
      const amount = amounts[position] as number
      if (amount === Number.POSITIVE_INFINITY) continue
      min = Math.min(min, amount)
      max = Math.max(max, amount)
    }
    expireWithWalk(ctx, wanted.instant, until)
    return min === Number.POSITIVE_INFINITY ? null : { min, max }
  },
})

/** The columns of a listing that `needs` name. */
function columnsOf(ctx: Context, listing: Listing, needs: ListingNeeds): Promise<ListingColumns> {
  return readColumns(ctx, listing, needs, effortOf(ctx))
}

/** Counts each facet of a listing separately, since most do not depend on prices, and none on the order. */
function counterOf(ctx: Context, listing: Listing): (key: FacetKey) => Promise<CountedFacet & Valid> {
  const { query } = listing
  let grouped: { readonly leaders: Int32Array; readonly positions: Int32Array } | undefined
  const countsOf = (positions: Int32Array, values: FacetValues, columns: ListingColumns): Int32Array => {
    if (!query.groupVariants) return countValues(positions, values, null)
    if (!grouped) {
      const leaders = leadersOf(listing.scope, columns)
      grouped = { leaders, positions: byLeader(leaders) }
    }
    const isCounted = new Uint8Array(grouped.leaders.length)
    for (const position of positions) isCounted[position] = 1
    const counted = grouped.positions.filter((position) => isCounted[position] === 1)
    return countValues(counted, values, grouped.leaders)
  }
  return async (key) => {
    const { match, columns: filtered } = await listing.matched()
    const currencies = [...pricedIn(unordered(query)), ...currenciesOf(key)]
    const columns = await columnsOf(ctx, listing, { ...noNeeds, facets: true, currencies })
    const positions = match.matching(conditionKey(key))
    ctx.work.spend(positions.length / COUNTS_PER_POINT)
    const values = valuesOf(key, listing, columns)
    const counts = countsOf(positions, values, columns)
    const shown = shownValues(values.values, counts, selectedValues(key, query, filtered), key.kind === 'price')
    await ctx.work.yieldPoint()
    return { of: key, values: shown, options: optionsOf(key, query, filtered), ...validityOf(columns) }
  }
}

function currenciesOf(...keys: readonly FacetKey[]): string[] {
  return keys.flatMap((key) => ('currency' in key ? [key.currency] : []))
}

function unordered(query: ListingQuery): ListingQuery {
  return { ...query, order: defaultOrder }
}

/** The cache key of a facet of a listing, whatever the listing's order. */
function cacheKeyOf({ release, query }: Pick<ListRequest, 'release' | 'query'>, key: FacetKey): string {
  return `${listKey({ release, query: unordered(query) })} ${JSON.stringify(key)}`
}

function occurring({ columns }: ReleaseFacets): FacetKey[] {
  const keys = [...columns.keys()].flatMap((field) => keyOfField(field) ?? [])
  const kinds = ['tags', 'productTypes', 'variation', 'extension']
  return keys.sort((left, right) => kinds.indexOf(left.kind) - kinds.indexOf(right.kind))
}

/** The values of a key by position in the scope. */
function valuesOf(key: FacetKey, { scope }: Listing, { facets, prices }: ListingColumns): FacetValues {
  if (key.kind === 'price') {
    const { amounts } = needed(prices.get(key.currency))
    const visitStep = (position: number, visit: (code: number) => void): void => {
      const step = stepOf(key.steps, amounts[position] as number)
      if (step >= 0) visit(step)
    }
    return { values: stepRanges(key.steps), forEach: visitStep }
  }
  if (key.kind === 'onSale') {
    const { onSale } = needed(prices.get(key.currency))
    return { values: ['false', 'true'], forEach: (position, visit) => visit(onSale[position] as number) }
  }
  const column = needed(facets).columns.get(conditionKey(key))
  if (!column) return { values: [], forEach: () => undefined }
  return {
    values: column.values,
    forEach: (position, visit) => column.forEach(scope.ranks[position] as number, visit),
  }
}

/** The values of a key that the filter names. Those of a variation include the ones named by ids of options. */
function selectedValues(key: FacetKey, query: ListingQuery, { options }: ListingColumns): ReadonlySet<string> {
  if (key.kind === 'price') {
    const { price } = query
    return new Set(price && price.currency === key.currency ? [priceRangeText(price.min, price.max)] : [])
  }
  if (key.kind === 'onSale') return new Set(query.onSale === null ? [] : [String(query.onSale.is)])
  const clauses = query.clauses.filter(({ field }) => field === conditionKey(key))
  const values = clauses.filter(comparesValues).flatMap((clause) => clause.values)
  if (key.kind === 'tags') return new Set(values.map((value) => value.toLowerCase()))
  if (key.kind !== 'variation') return new Set(values)
  const chosen = options.flat().flatMap(({ variation, name }) => (variation === key.name ? [name] : []))
  return new Set([...values, ...chosen])
}

/** The ids of the filter's options that are of the variation of a key. */
function optionsOf(key: FacetKey, query: ListingQuery, { options }: ListingColumns): readonly string[] {
  if (key.kind !== 'variation') return []
  return query.options.filter((_, index) => options[index]?.some(({ variation }) => variation === key.name))
}

/**
 * Throws badRequest for a field that no product of the release has, or that is no facet of it
 * (facet.unknown-key-refused).
 */
function assertFacet({ columns, tooManyValues, variationNames }: ReleaseFacets, key: FacetKey, index: number): void {
  if ((key.kind !== 'variation' && key.kind !== 'extension') || columns.has(conditionKey(key))) return
  if (key.kind === 'variation' && variationNames.has(key.name)) return
  const message = tooManyValues.has(conditionKey(key))
    ? 'has too many values, or too few products, to be a facet'
    : 'is the name of no facet: no product of the release has it, or none as a short text, a number or a boolean'
  throw badRequest('INVALID_VALUE', ['keys', index, key.kind], message)
}
