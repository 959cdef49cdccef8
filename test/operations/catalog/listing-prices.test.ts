/**
 * How often listings read prices: once for all that a page shows of them, counted at the price column of the release.
 */
import { expect, test } from 'vitest'
import type { FacetKey } from '../../../src/domain/catalog/facet.ts'
import { type ListingQuery, wholeScope } from '../../../src/domain/catalog/listing-query.ts'
import { listProducts } from '../../../src/operations/catalog/listing.ts'
import { listingFacets, listingPriceRange } from '../../../src/operations/catalog/listing-facets.ts'
import { ListingCache } from '../../../src/persistence/catalog/listing-cache.ts'
import {
  type ListedItem,
  type ListingStore,
  listingContext,
  listingRelease,
  nodeIds,
  type Span,
} from '../../support/listing-store.ts'
import { idOf } from '../../support/products.ts'

const PRODUCTS = 1_000
/** Instants at which a sale begins, that of product 0 and of 1, and at which both and one more end. */
const [FIRST, SECOND, END] = [10, 20, 30]
const ever = Number.NEGATIVE_INFINITY

/** The price of a product falls with its number; three have a sale in euros, none has one in dollars. */
function spansOf(number: number): Record<string, Span[]> {
  const list = (from: number): Span => ({ from, amount: 2 * PRODUCTS - number, isOnSale: false })
  const sale = { amount: number, isOnSale: true }
  const begins = [FIRST, SECOND, ever][number]
  if (begins === undefined) return { EUR: [list(ever)], USD: [list(ever)] }
  return { EUR: [...(begins === ever ? [] : [list(ever)]), { from: begins, ...sale }, list(END)], USD: [list(ever)] }
}

/** A release in whose hierarchy all products are, and of these every tenth in a node. */
function storeOf(): ListingStore {
  const items = Array.from({ length: PRODUCTS }, (_, number): ListedItem => {
    const texts = {
      id: idOf(number),
      updatedAt: 0,
      name: 'one',
      tags: [],
      types: ['standard'],
      parent: null,
      createdAt: 0,
      options: {},
      optionIds: [],
      pages: null,
    }
    return { number, ...texts, scores: {}, prices: spansOf(number) }
  })
  const byNode = new Map([
    [nodeIds.other, items],
    [nodeIds.leaf, items.filter(({ number }) => number % 10 === 0)],
  ])
  return {
    release: listingRelease(items, byNode, new Map()),
    items,
    byNode,
    curated: new Map(),
    cache: new ListingCache(),
  }
}

const byPrice = (changes: Partial<ListingQuery> = {}, currency = 'EUR'): ListingQuery => ({
  ...wholeScope(nodeIds.root),
  order: { field: 'PRICE', direction: 'ASC', currency },
  ...changes,
})

/** Requests of the store, each with a context of its own, and how many prices each reads. */
function reader() {
  const store = storeOf()
  let reads = 0
  const contextAt = (now: number) => {
    const ctx = listingContext(store, now)
    const load = ctx.releases.priceColumn
    ctx.releases.priceColumn = async (...wanted) => {
      const column = await load(...wanted)
      const at = (document: number, instant: number) => {
        reads++
        return column.at(document, instant)
      }
      return { at }
    }
    return ctx
  }
  const list = async (now: number, query = byPrice(), instant = now) => {
    reads = 0
    const { documents } = await listProducts(contextAt(now), { release: store.release, query, instant })
    return { first: [...documents.subarray(0, 3)], reads }
  }
  /** Facets and range of a list, which it reads as well. */
  const count = async (now: number, keys: readonly FacetKey[], query = byPrice()) => {
    reads = 0
    const ctx = contextAt(now)
    const wanted = { release: store.release, query, instant: now }
    const counted = { ...wanted, listing: listProducts(ctx, wanted) }
    const range = await listingPriceRange(ctx, { ...counted, currency: 'EUR' })
    const facets = await listingFacets(ctx, { ...counted, keys })
    return { range, counts: facets.map(({ values }) => values.map((one) => one.count)), reads }
  }
  return { list, count }
}

test('a list by price reads each price once, and at the turn of a sale those that changed', async () => {
  const { list } = reader()
  expect(await list(0)).toEqual({ first: [2, 999, 998], reads: PRODUCTS })
  expect(await list(0)).toEqual({ first: [2, 999, 998], reads: 0 })
  expect(await list(FIRST - 1)).toEqual({ first: [2, 999, 998], reads: 0 })
  expect(await list(FIRST)).toEqual({ first: [0, 2, 999], reads: 1 })
  expect(await list(SECOND - 1)).toEqual({ first: [0, 2, 999], reads: 0 })
  expect(await list(SECOND)).toEqual({ first: [0, 1, 2], reads: 1 })
  expect(await list(END)).toEqual({ first: [999, 998, 997], reads: 3 })
  // A walk that goes on at the instant of its first page.
  expect(await list(END, byPrice(), SECOND)).toEqual({ first: [0, 1, 2], reads: 0 })
})

test('turns of sales that nobody saw are read once together', async () => {
  const { list } = reader()
  expect((await list(0)).reads).toBe(PRODUCTS)
  expect(await list(END)).toEqual({ first: [999, 998, 997], reads: 3 })
  expect(await list(END - 1)).toEqual({ first: [0, 1, 2], reads: 2 })
})

test('filters, facets and range by price, and the other direction, use what the order by price has read', async () => {
  const { list, count } = reader()
  const steps: FacetKey = { kind: 'price', steps: [100, 1_500], currency: 'EUR' }
  const onSale: FacetKey = { kind: 'onSale', currency: 'EUR' }
  expect((await list(0)).reads).toBe(PRODUCTS)
  const falling = byPrice({ order: { field: 'PRICE', direction: 'DESC', currency: 'EUR' } })
  expect(await list(0, falling)).toEqual({ first: [0, 1, 3], reads: 0 })
  expect(await list(0, byPrice({ price: { min: 1_001, max: 1_002, currency: 'EUR' } }))).toEqual({
    first: [999, 998],
    reads: 0,
  })
  expect(await list(0, byPrice({ onSale: { is: true, currency: 'EUR' } }))).toEqual({ first: [2], reads: 0 })
  const before = {
    range: { min: 2, max: 2_000 },
    counts: [
      [1, 499, 500],
      [999, 1],
    ],
    reads: 0,
  }
  expect(await count(0, [steps, onSale])).toEqual(before)
  const after = {
    range: { min: 0, max: 1_999 },
    counts: [
      [2, 499, 499],
      [998, 2],
    ],
    reads: 1,
  }
  expect(await count(FIRST, [steps, onSale])).toEqual(after)
})

test('lists by price in another currency, and of another scope, read prices of their own', async () => {
  const { list } = reader()
  expect((await list(0)).reads).toBe(PRODUCTS)
  expect(await list(0, byPrice({}, 'USD'))).toEqual({ first: [999, 998, 997], reads: PRODUCTS })
  const leaf = byPrice({ scope: nodeIds.leaf })
  expect(await list(0, leaf)).toEqual({ first: [990, 980, 970], reads: PRODUCTS / 10 })
  expect([(await list(0, byPrice({}, 'USD'))).reads, (await list(0, leaf)).reads, (await list(0)).reads]).toEqual([
    0, 0, 0,
  ])
  // The turn at SECOND is of a product that is not in the node, and nothing turns in dollars.
  expect(await list(FIRST, leaf)).toEqual({ first: [0, 990, 980], reads: 1 })
  expect([(await list(SECOND, leaf)).reads, (await list(SECOND, byPrice({}, 'USD'))).reads]).toEqual([0, 0])
  expect((await list(SECOND)).reads).toBe(2)
})
