/** The engine of listings, compared with a brute-force oracle over small random releases in memory. */
import { describe, expect, it, vi } from 'vitest'
import type { FacetKey } from '../../../src/domain/catalog/facet.ts'
import { facetField, type ListingQuery, wholeScope } from '../../../src/domain/catalog/listing-query.ts'
import type { FilterClause } from '../../../src/domain/input/filter.ts'
import { listProducts } from '../../../src/operations/catalog/listing.ts'
import { listingFacets, listingPriceRange } from '../../../src/operations/catalog/listing-facets.ts'
import { times } from '../../support/effort.ts'
import { expectedChange, expectedCounts, expectedList, expectedRange } from '../../support/listing-oracle.ts'
import {
  currencies,
  LAST_CHANGE,
  type ListingStore,
  listingContext,
  names,
  nodeIds,
  optionsOf,
  randomListingStore,
  searches,
  tags,
  variations,
} from '../../support/listing-store.ts'
import { idOf } from '../../support/products.ts'
import { type Random, randomFrom } from '../../support/random-store.ts'

function randomQuery({ items }: ListingStore, { below, chance, pick, some }: Random): ListingQuery {
  const clause = (field: string, values: readonly string[]): FilterClause => ({ op: 'in', field, values })
  const bound = () => (chance(50) ? null : below(4) * 100 + below(2))
  const known = optionsOf(items).map(({ id }) => id)
  const clauses = [
    ...(chance(25) ? [clause('tags', some(tags, 2))] : []),
    ...(chance(10) ? [clause('tags', [pick(tags)])] : []),
    ...(chance(15) ? [clause('product_types', some(['parent', 'child', 'standard'], 2))] : []),
    ...(chance(10) ? [clause('name', [pick([...names, 'four'])])] : []),
    ...(chance(15)
      ? [
          {
            op: pick(['startsWith', 'contains'] as const),
            field: 'name',
            text: pick(['t', 'tw', 'o', 'e', 'T', '', 'x']),
          },
        ]
      : []),
    ...(chance(5)
      ? [
          clause(
            'id',
            some(items, 3).map(({ id }) => id),
          ),
        ]
      : []),
    ...(chance(15) ? [clause(facetField(['variation', 'Size']), some(['S', 'M', 'L'], 2))] : []),
    ...(chance(15) ? [clause(facetField(['extension', 'book', 'pages']), [pick(['7', '8', '9'])])] : []),
  ]
  const search = chance(30) ? pick(searches) : null
  const fields = ['DEFAULT', 'NAME', 'PRICE', 'PRICE', 'UPDATED_AT', 'CREATED_AT'] as const
  const field = search !== null && chance(50) ? 'RELEVANCE' : pick(fields)
  return {
    scope: pick([null, ...Object.values(nodeIds)]),
    descendants: chance(60),
    clauses,
    options: chance(15) ? [...some(known, 3), ...(chance(5) ? [idOf(0xffff)] : [])] : [],
    search,
    acceptLanguage: null,
    price: chance(25) ? { min: bound(), max: bound(), currency: pick(currencies) } : null,
    onSale: chance(20) ? { is: chance(60), currency: pick(currencies) } : null,
    order: { field, direction: pick(['ASC', 'DESC']), currency: pick(currencies) },
    groupVariants: chance(30),
  }
}

const facetKeys: readonly FacetKey[] = [
  { kind: 'tags' },
  { kind: 'productTypes' },
  ...Object.keys(variations).map((name) => ({ kind: 'variation', name }) as const),
  { kind: 'extension', template: 'book', field: 'pages' },
  { kind: 'price', steps: [100, 200, 201], currency: 'EUR' },
  { kind: 'price', steps: [200], currency: 'GBP' },
  { kind: 'onSale', currency: 'USD' },
]

/** Whether a product of the store has a value of the facet; a facet that none has is refused. */
function isKnown({ items }: ListingStore, key: FacetKey): boolean {
  if (key.kind === 'variation') return items.some(({ options }) => key.name in options)
  return key.kind !== 'extension' || items.some(({ pages }) => pages !== null)
}

/** Asks the engine and the oracle the same of one instant. */
async function compare(
  store: ListingStore,
  query: ListingQuery,
  instant: number,
  keys: readonly FacetKey[],
): Promise<void> {
  const ctx = listingContext(store, instant)
  const wanted = { release: store.release, query, instant }
  const listing = listProducts(ctx, wanted)
  const expected = expectedList(store, query, instant)
  expect([...(await listing).documents], JSON.stringify({ query, instant })).toEqual(expected)
  const facets = await listingFacets(ctx, { ...wanted, listing, keys })
  for (const [at, key] of keys.entries()) {
    const counted = facets[at]?.values
      .filter(({ count }) => count > 0 || key.kind === 'price')
      .map(({ value, count }) => [value, count])
    expect(Object.fromEntries(counted ?? []), JSON.stringify({ query, instant, key })).toEqual(
      expectedCounts(store, query, key, instant),
    )
  }
  expect(await listingPriceRange(ctx, { ...wanted, listing, currency: 'EUR' })).toEqual(
    expectedRange(store, query, 'EUR', instant),
  )
}

describe('listings, compared with a brute-force oracle', () => {
  it('list.by-the-price-of-the-instant, search.names-in-order, facet.counted-without-own-key, list.parent-for-children, list.group-by-its-lowest-price, list.descendants-once, list.equal-instants-by-default, filter.options-as-by-name: order, filters, counts and range of random listings are those of the oracle', async () => {
    let cases = 0
    for (let seed = 0; cases < times(4_000); seed++) {
      const random = randomFrom(seed)
      const store = randomListingStore(random)
      const queries = Array.from({ length: 8 }, () => randomQuery(store, random))
      // Instants mostly rise, so that what was cached is brought forward; every change lies on one of them.
      for (let instant = -1; instant <= LAST_CHANGE; instant += random.pick([1, 1, 1, 0, -3, 4])) {
        const query = random.pick(queries)
        const known = facetKeys.filter((key) => isKnown(store, key))
        await compare(store, query, instant, random.some(known, 3))
        cases++
      }
    }
  })

  it('filter.options-as-by-name: all options of a name, by their ids, find what the filter by that name finds', async () => {
    let found = 0
    for (let seed = 0; seed < times(500); seed++) {
      const random = randomFrom(seed)
      const store = randomListingStore(random)
      const query = { ...randomQuery(store, random), clauses: [], options: [] }
      const wanted = { Size: random.some(['S', 'M'], 2), Colour: random.some(['black', 'white'], 2) }
      const given = Object.entries(wanted).filter(([, values]) => values.length > 0)
      const clauses = given.map(([name, values]): FilterClause => {
        return { op: 'in', field: facetField(['variation', name]), values }
      })
      const ids = optionsOf(store.items).filter(({ variation, name }) =>
        given.some(([key, values]) => key === variation && values.includes(name)),
      )
      if (ids.length === 0) continue
      const ctx = listingContext(store, 0)
      const listedBy = async (conditions: Pick<ListingQuery, 'clauses' | 'options'>) => {
        const listing = await listProducts(ctx, {
          release: store.release,
          query: { ...query, ...conditions },
          instant: 0,
        })
        return [...listing.documents]
      }
      const expected = await listedBy({ clauses, options: [] })
      expect(await listedBy({ clauses: [], options: ids.map(({ id }) => id) }), `seed ${seed}`).toEqual(expected)
      if (expected.length > 0) found++
    }
    expect(found).toBeGreaterThan(times(500) / 10)
  })

  it('list.by-the-price-of-the-instant: a response expires at the very next change of a price in its scope', async () => {
    for (let seed = 0; seed < times(100); seed++) {
      const random = randomFrom(seed)
      const store = randomListingStore(random)
      const order = { field: 'PRICE', direction: 'ASC', currency: 'EUR' } as const
      const query: ListingQuery = { ...randomQuery(store, random), price: null, onSale: null, order }
      const instant = random.below(LAST_CHANGE)
      const ctx = listingContext(store, instant)
      const { scope } = await listProducts(ctx, { release: store.release, query, instant })
      const expected =
        scope.order.documents.length === 0 ? Number.POSITIVE_INFINITY : expectedChange(store, query, 'EUR', instant)
      expect(ctx.cachePolicy.expiresAt).toBe(expected)
    }
  })

  it('facets by price that are counted already need no prices, in whatever order of the list', async () => {
    const store = randomListingStore(randomFrom(1))
    const ctx = listingContext(store, 0)
    const prices = vi.spyOn(ctx.releases, 'priceColumn')
    const count = (query: ListingQuery) => {
      const wanted = { release: store.release, query, instant: 0 }
      return listingFacets(ctx, {
        ...wanted,
        listing: listProducts(ctx, wanted),
        keys: [{ kind: 'price', steps: [100], currency: 'EUR' }],
      })
    }
    const whole = wholeScope(nodeIds.root)
    const counted = await count(whole)
    expect(prices).toHaveBeenCalled()
    prices.mockClear()
    expect(await count({ ...whole, order: { field: 'UPDATED_AT', direction: 'ASC', currency: '' } })).toEqual(counted)
    expect(prices).not.toHaveBeenCalled()
  })
})
