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
import { wholeScope } from '../../domain/catalog/listing-query.ts'
import { byGroup } from '../../domain/catalog/variant-groups.ts'
import { badRequest } from '../../domain/input/errors.ts'
import { comparesValues } from '../../domain/input/record-filter.ts'
import type { Valid } from '../../persistence/catalog/validity-cache.ts'
import { query as defineQuery } from '../operation.ts'
import { expireWithWalk, type Listing, listingKey, validityOf } from './listing.ts'
import { columnOf, facetsOf, type ListingRequest, optionChildrenOf, pricesOf, type WantedListing } from './listing-source.ts'

/** Positions that are counted per point of work. */
const COUNTS_PER_POINT = 100

/** A listing that is being found. What it is counted by is read together with what the list needs, by one statement. */
interface CountedListing extends WantedListing {
  readonly listing: Promise<Listing>
}

/** The facets of a listing; null for those that its products occur in: tags, types, variations and extension fields. */
export const listingFacets = defineQuery({
  name: 'listingFacets',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { keys, ...wanted }: CountedListing & { keys: readonly FacetKey[] | null }) => {
    const { release } = wanted
    const uncounted = (keys ?? []).filter((key) => !ctx.releases.listings.facets.has(cacheKeyOf(wanted, key), wanted.instant))
    const prices = uncounted.flatMap((key) => ('currency' in key ? [columnOf({ ctx, release }, key.currency)] : []))
    const [listing, facets] = await Promise.all([wanted.listing, facetsOf({ ctx, release }), ...prices])
    const { request } = listing
    for (const [index, key] of (keys ?? []).entries()) assertFacet(facets, key, index)
    const counter = new FacetCounter(listing, facets)
    const counted: (CountedFacet & NamedFacet)[] = []
    for (const key of keys ?? occurring(facets)) {
      const facet = await counter.facetOf(key)
      expireWithWalk(request, facet.until)
      const names = key.kind === 'variation' ? (facets.variationNames.get(key.name) ?? null) : null
      if (keys !== null || facet.values.length > 0) counted.push({ of: key, values: facet.values, names })
    }
    return counted
  },
})

/** The lowest and the highest amount of a listing, without its filter by price; null when nothing has a price. */
export const listingPriceRange = defineQuery({
  name: 'listingPriceRange',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { currency, ...wanted }: CountedListing & { currency: string }): Promise<{ min: number; max: number } | null> => {
    const [listing] = await Promise.all([wanted.listing, columnOf({ ctx, release: wanted.release }, currency)])
    const { request } = listing
    const [match, prices] = await Promise.all([listing.match(), pricesOf(request, currency)])
    let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
    for (const position of match.matching('price')) {
      const amount = prices.amounts[position] as number
      if (amount === Number.POSITIVE_INFINITY) continue
      min = Math.min(min, amount)
      max = Math.max(max, amount)
    }
    expireWithWalk(request, prices.until)
    return min === Number.POSITIVE_INFINITY ? null : { min, max }
  },
})

/** Counts the facets of one listing, each cached by itself: most do not depend on prices, and none on the order. */
class FacetCounter {
  private grouped: { readonly leaders: Int32Array; readonly positions: Int32Array } | undefined

  constructor(
    private readonly listing: Listing,
    private readonly facets: ReleaseFacets,
  ) {}

  /** The facet of a key, of the cache if it is there. */
  async facetOf(key: FacetKey): Promise<CountedFacet & Valid> {
    const { ctx, instant, ...wanted } = this.listing.request
    const cacheKey = cacheKeyOf(wanted, key)
    const cached = ctx.releases.listings.facets.find(cacheKey, instant)
    if (cached) return cached
    const facet = await this.count(key)
    ctx.releases.listings.facets.add(cacheKey, facet)
    await ctx.work.yieldPoint()
    return facet
  }

  private async count(key: FacetKey): Promise<CountedFacet & Valid> {
    const { request } = this.listing
    const { price, onSale } = request.query
    const match = await this.listing.match()
    const positions = match.matching(conditionKey(key))
    request.ctx.work.spend(positions.length / COUNTS_PER_POINT)
    const values = await valuesOf(request, this.facets, key)
    const counts = request.query.groupVariants ? this.countGroups(positions, values) : countValues(positions, values, null)
    const shown = shownValues(values.values, counts, await selectedValues(request, key), key.kind === 'price')
    const own = key.kind === 'price' || key.kind === 'onSale' ? key.currency : undefined
    const currencies = [price?.currency, onSale?.currency, own].filter((currency) => currency !== undefined)
    return { of: key, values: shown, ...(await validityOf(request, currencies)) }
  }

  private countGroups(positions: Int32Array, values: FacetValues): Int32Array {
    const { ranks } = this.listing.request.scope
    if (!this.grouped) {
      const leaders = ranks.map((rank) => this.facets.leaders[rank] as number)
      this.grouped = { leaders, positions: byGroup(leaders) }
    }
    const isCounted = new Uint8Array(ranks.length)
    for (const position of positions) isCounted[position] = 1
    const { leaders, positions: all } = this.grouped
    const counted = all.filter((position) => isCounted[position] === 1)
    return countValues(counted, values, leaders)
  }
}

/** The key of a facet among those of all listings, whatever their order. */
function cacheKeyOf({ release, query }: Pick<WantedListing, 'release' | 'query'>, key: FacetKey): string {
  return `${listingKey({ release, query: { ...query, order: wholeScope('').order } })} ${JSON.stringify(key)}`
}

function occurring({ columns }: ReleaseFacets): FacetKey[] {
  const keys = [...columns.keys()].flatMap((field) => keyOfField(field) ?? [])
  const kinds = ['tags', 'productTypes', 'variation', 'extension']
  return keys.sort((left, right) => kinds.indexOf(left.kind) - kinds.indexOf(right.kind))
}

/** The values of a key by position in the scope. */
async function valuesOf(request: ListingRequest, facets: ReleaseFacets, key: FacetKey): Promise<FacetValues> {
  if (key.kind === 'price') {
    const { amounts } = await pricesOf(request, key.currency)
    const visitStep = (position: number, visit: (code: number) => void): void => {
      const step = stepOf(key.steps, amounts[position] as number)
      if (step >= 0) visit(step)
    }
    return { values: stepRanges(key.steps), forEach: visitStep }
  }
  if (key.kind === 'onSale') {
    const { onSale } = await pricesOf(request, key.currency)
    return { values: ['false', 'true'], forEach: (position, visit) => visit(onSale[position] as number) }
  }
  const column = facets.columns.get(conditionKey(key))
  if (!column) return { values: [], forEach: () => undefined }
  return { values: column.values, forEach: (position, visit) => column.forEach(request.scope.ranks[position] as number, visit) }
}

/** The values of a key that the filter names; of a variation also those that it names by the ids of options. */
async function selectedValues(request: ListingRequest, key: FacetKey): Promise<ReadonlySet<string>> {
  const { query } = request
  if (key.kind === 'price') {
    const { price } = query
    return new Set(price && price.currency === key.currency ? [priceRangeText(price.min, price.max)] : [])
  }
  if (key.kind === 'onSale') return new Set(query.onSale === null ? [] : [String(query.onSale.is)])
  const clauses = query.clauses.filter(({ field }) => field === conditionKey(key))
  const values = clauses.filter(comparesValues).flatMap((clause) => clause.values)
  if (key.kind === 'tags') return new Set(values.map((value) => value.toLowerCase()))
  if (key.kind !== 'variation') return new Set(values)
  const options = await optionChildrenOf(request)
  return new Set([...values, ...options.flat().flatMap(({ variation, name }) => (variation === key.name ? [name] : []))])
}

/** Throws badRequest for a field that no product of the release has, or that is no facet of it (facet.unknown-key-refused). */
function assertFacet({ columns, tooManyValues, variationNames }: ReleaseFacets, key: FacetKey, index: number): void {
  if ((key.kind !== 'variation' && key.kind !== 'extension') || columns.has(conditionKey(key))) return
  if (key.kind === 'variation' && variationNames.has(key.name)) return
  const message = tooManyValues.has(conditionKey(key))
    ? 'has too many values, or too few products, to be a facet'
    : 'is the name of no facet: no product of the release has it, or none as a short text, a number or a boolean'
  throw badRequest('INVALID_VALUE', ['keys', index, key.kind], message)
}
