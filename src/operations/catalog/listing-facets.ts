/** Facets and price range of a listing, counted over all that it lists, each without the filter of its own key. */
import {
  type CountedFacet,
  conditionKey,
  type FacetKey,
  facetName,
  keyOfField,
  priceRangeText,
  stepOf,
  stepRanges,
} from '../../domain/catalog/facet.ts'
import type { ReleaseFacets } from '../../domain/catalog/facet-column.ts'
import { countValues, type FacetValues, shownValues } from '../../domain/catalog/facet-count.ts'
import { pricedIn } from '../../domain/catalog/listing-query.ts'
import { byGroup } from '../../domain/catalog/variant-groups.ts'
import { DomainError } from '../../domain/input/errors.ts'
import { query as defineQuery } from '../operation.ts'
import { expireWithWalk, type Listing, listingKey, validityOf } from './listing.ts'
import { facetsOf, type ListingRequest, pricesOf } from './listing-source.ts'

/** Positions and facets per point of work. */
const COUNTS_PER_POINT = 25

/** The facets of a listing; null for those that its products occur in: tags, types, variations and extension fields. */
export const listingFacets = defineQuery({
  name: 'listingFacets',
  right: 'anyone',
  reads: 'releases',
  run: async (ctx, { listing, keys }: { listing: Listing; keys: readonly FacetKey[] | null }): Promise<readonly CountedFacet[]> => {
    const { request } = listing
    const cacheKey = `${listingKey(request)} ${JSON.stringify(keys)}`
    const cached = ctx.releases.listings.facets.find(cacheKey, request.instant)
    const found = cached ?? (await countFacets(listing, keys))
    if (!cached) ctx.releases.listings.facets.add(cacheKey, found)
    expireWithWalk(request, found.until)
    return found.facets
  },
})

/** The lowest and the highest amount of a listing, without its filter by price; null when nothing has a price. */
export const listingPriceRange = defineQuery({
  name: 'listingPriceRange',
  right: 'anyone',
  reads: 'releases',
  run: async (_, { listing, currency }: { listing: Listing; currency: string }): Promise<{ min: number; max: number } | null> => {
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

async function countFacets(listing: Listing, keys: readonly FacetKey[] | null) {
  const { request } = listing
  const [facets, match] = await Promise.all([facetsOf(request), listing.match()])
  for (const [index, key] of (keys ?? []).entries()) assertFacet(facets, key, index)
  const leaders = request.query.groupVariants ? request.scope.ranks.map((rank) => facets.leaders[rank] as number) : null
  const counted: CountedFacet[] = []
  for (const key of keys ?? occurring(facets)) {
    const positions = match.matching(conditionKey(key))
    request.ctx.work.spend(positions.length / COUNTS_PER_POINT)
    const values = await valuesOf(request, facets, key)
    const counts = countValues(leaders ? byGroup(positions, leaders) : positions, values, leaders)
    const shown = shownValues(values.values, counts, await selectedValues(request, key), key.kind === 'price')
    if (keys !== null || shown.length > 0) counted.push({ ...facetName(key), values: shown })
    await request.ctx.work.yieldPoint()
  }
  const currencies = (keys ?? []).flatMap((key) => (key.kind === 'price' || key.kind === 'onSale' ? [key.currency] : []))
  return { facets: counted, ...(await validityOf(request, [...pricedIn(request.query), ...currencies])) }
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
async function selectedValues({ ctx, query }: ListingRequest, key: FacetKey): Promise<ReadonlySet<string>> {
  if (key.kind === 'price') {
    const { price } = query
    return new Set(price && price.currency === key.currency ? [priceRangeText(price.min, price.max)] : [])
  }
  if (key.kind === 'onSale') return new Set(query.onSale === null ? [] : [String(query.onSale.is)])
  const values = query.clauses.filter(({ field }) => field === conditionKey(key)).flatMap((clause) => clause.values)
  if (key.kind === 'tags') return new Set(values.map((value) => value.toLowerCase()))
  if (key.kind !== 'variation') return new Set(values)
  const options = await Promise.all(query.options.map((id) => ctx.loaders.optionChildrenByOptionId.load(id)))
  return new Set([...values, ...options.flat().flatMap(({ variation, name }) => (variation === key.name ? [name] : []))])
}

/** Throws badRequest for a field that the release has, but not as a facet. */
function assertFacet(facets: ReleaseFacets, key: FacetKey, index: number): void {
  if ((key.kind !== 'variation' && key.kind !== 'extension') || !facets.tooManyValues.has(conditionKey(key))) return
  const message = 'has too many values, or too few products, to be a facet'
  throw new DomainError('badRequest', [{ code: 'INVALID_VALUE', path: ['keys', index, key.kind], message }])
}
