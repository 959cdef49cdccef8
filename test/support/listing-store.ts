/** Small random releases in memory, with what listings read, for tests of the engine without a database. */

import { SearchScores } from '../../src/domain/catalog/listing-columns.ts'
import type { InstantField } from '../../src/domain/catalog/listing-query.ts'
import type { PriceColumn } from '../../src/domain/catalog/price-snapshot.ts'
import { ProductOrder } from '../../src/domain/catalog/product-order.ts'
import { Release, type ReleaseNode } from '../../src/domain/catalog/release.ts'
import { comparesValues, type TextClause } from '../../src/domain/input/record-filter.ts'
import { ListingCache } from '../../src/persistence/catalog/listing-cache.ts'
import { readFacets } from '../../src/persistence/catalog/release-facets.ts'
import { type Context, noShopperHeaders } from '../../src/request/context.ts'
import { RequestWork } from '../../src/request/request-work.ts'
import { CachePolicy } from '../../src/response-cache/cache-policy.ts'
import { idOf } from './products.ts'
import type { Random } from './random-store.ts'

/** A price from an instant on; null amounts are no price. */
export interface Span {
  readonly from: number
  readonly amount: number | null
  readonly isOnSale: boolean
}

/** A product; `number` is its document. */
export interface ListedItem {
  readonly number: number
  readonly id: string
  readonly name: string
  /** As a place: few, so that many are equal. */
  readonly updatedAt: number
  readonly createdAt: number
  readonly tags: readonly string[]
  readonly types: readonly string[]
  readonly parent: ListedItem | null
  /** Option names by variation name, and the ids of the options. */
  readonly options: Readonly<Record<string, string>>
  readonly optionIds: readonly string[]
  readonly pages: string | null
  /** How well it matches each text of a search that finds it. */
  readonly scores: Readonly<Record<string, number>>
  readonly prices: Readonly<Record<string, readonly Span[]>>
}

/** A release in memory: products in the order of the release, and the products of each node in its order. */
export interface ListingStore {
  readonly release: Release
  readonly items: readonly ListedItem[]
  readonly byNode: ReadonlyMap<string, readonly ListedItem[]>
  readonly curated: ReadonlyMap<string, number>
  readonly cache: ListingCache
}

export const currencies = ['EUR', 'USD', 'GBP']
export const names = ['one', 'two', 'three']
/** Texts of searches. */
export const searches = ['many', 'few']
export const tags = ['red', 'green', 'blue']
export const variations: Readonly<Record<string, readonly string[]>> = { Size: ['S', 'M'], Colour: ['black', 'white'] }
/** The last instant at which a price changes is before this one. */
export const LAST_CHANGE = 12

/** The tree: a hierarchy with two inner nodes and three leaves. */
export const nodeIds = {
  root: idOf(0x900),
  inner: idOf(0x901),
  leaf: idOf(0x902),
  second: idOf(0x903),
  deep: idOf(0x904),
  other: idOf(0x905),
}
const parents: Readonly<Record<string, string | null>> = {
  [nodeIds.root]: null,
  [nodeIds.inner]: nodeIds.root,
  [nodeIds.leaf]: nodeIds.inner,
  [nodeIds.second]: nodeIds.inner,
  [nodeIds.deep]: nodeIds.second,
  [nodeIds.other]: nodeIds.root,
}

/** Ids of the nodes below a node, with itself. */
export function below(id: string): string[] {
  return [
    id,
    ...Object.keys(parents)
      .filter((child) => parents[child] === id)
      .flatMap(below),
  ]
}

/** The id of an option of the parent that is the product with a number; options of other parents have other ids. */
export function optionId(parent: number, variation: string, option: string): string {
  const at = Object.keys(variations).indexOf(variation) * 8 + (variations[variation]?.indexOf(option) ?? 0)
  return idOf(0xa000 + parent * 16 + at)
}

/** Every option of the parents among products, whether a child has it or not. */
export function optionsOf(items: readonly ListedItem[]): { id: string; variation: string; name: string }[] {
  return items
    .filter(({ types }) => types.includes('parent'))
    .flatMap(({ number }) =>
      Object.entries(variations).flatMap(([variation, all]) =>
        all.map((name) => ({ id: optionId(number, variation, name), variation, name })),
      ),
    )
}

/** Whether a value meets a clause. */
export function holds(clause: TextClause, value: string): boolean {
  if (comparesValues(clause)) return clause.values.includes(value)
  const at = value.indexOf(clause.text)
  return clause.op === 'startsWith' ? at === 0 : at >= 0
}

/** A random store. */
export function randomListingStore(random: Random): ListingStore {
  const { below: less, chance, pick, some } = random
  const items: ListedItem[] = []
  // Document numbers rise with nothing that lists are ordered by.
  const numbers = Array.from({ length: 1 + less(14) }, (_, at) => 5 + at * 3)
  for (const number of some(numbers, 1_000)
    .concat(numbers.slice(0, 1))
    .filter((one, at, all) => all.indexOf(one) === at)) {
    const fathers = items.filter(({ types }) => types.includes('parent'))
    const parent = fathers.length > 0 && chance(50) ? pick(fathers) : null
    const chosen = parent
      ? Object.entries(variations)
          .filter(() => chance(85))
          .map(([name, all]) => [name, pick(all)] as const)
      : []
    items.push({
      number,
      id: idOf(number),
      name: pick(names),
      updatedAt: less(4),
      createdAt: less(4),
      tags: tags.filter(() => chance(40)),
      types: parent ? ['child'] : chance(50) ? ['parent'] : ['standard'],
      parent,
      options: Object.fromEntries(chosen),
      optionIds: chosen.map(([name, option]) => optionId(parent?.number ?? 0, name, option)),
      pages: chance(50) ? pick(['7', '8']) : null,
      scores: Object.fromEntries(
        searches.filter((text) => chance(text === 'many' ? 75 : 25)).map((text) => [text, pick([0.5, 1, 2.25])]),
      ),
      prices: Object.fromEntries(
        currencies.filter(() => chance(80)).map((currency) => [currency, randomSpans(random)]),
      ),
    })
  }
  const shuffled = some(items, 1_000)
  const order = [...shuffled, ...items.filter((one) => !shuffled.includes(one))].sort(
    (left, right) => right.updatedAt - left.updatedAt,
  )
  const byNode = new Map<string, ListedItem[]>()
  const curated = new Map<string, number>()
  for (const id of Object.keys(parents).filter((one) => parents[one] !== null)) {
    const here = order.filter(() => chance(45))
    const first = some(here, 2)
    byNode.set(id, [...first, ...here.filter((one) => !first.includes(one))])
    curated.set(id, first.length)
  }
  return { release: listingRelease(order, byNode, curated), items: order, byNode, curated, cache: new ListingCache() }
}

function randomSpans({ below: less, chance }: Random): Span[] {
  const starts = [
    Number.NEGATIVE_INFINITY,
    ...Array.from({ length: LAST_CHANGE }, (_, at) => at).filter(() => chance(20)),
  ]
  return starts.map((from) => ({ from, amount: chance(20) ? null : less(4) * 100, isOnSale: chance(40) }))
}

/** The release that lists `order`, and the products of each node in its order, the first of them curated. */
export function listingRelease(
  order: readonly ListedItem[],
  byNode: ReadonlyMap<string, readonly ListedItem[]>,
  curated: ReadonlyMap<string, number>,
): Release {
  const numbersOf = (list: readonly ListedItem[]) => Int32Array.from(list, ({ number }) => number)
  const [id, catalogId] = [idOf(1), idOf(2)]
  const nodes = Object.entries(parents).map(
    ([node, parentId]) =>
      ({
        id: node,
        parentId,
        hierarchyId: nodeIds.root,
        name: '',
        slug: '',
        description: null,
        label: null,
        sortOrder: null,
        locales: null,
      }) as unknown as ReleaseNode,
  )
  const attached = new Set([...byNode.values()].flat())
  const listings = new Map(
    [...byNode].map(([node, list]) => [node, new ProductOrder(numbersOf(list), curated.get(node) ?? 0)]),
  )
  listings.set(nodeIds.root, new ProductOrder(numbersOf(order.filter((one) => attached.has(one))), 0))
  listings.set(id, new ProductOrder(numbersOf(order), 0))
  const catalog = { name: '', description: null, locales: null }
  return new Release(id, catalogId, 1, 0, catalog, [nodeIds.root], nodes, listings)
}

/** A context of a request at `now` that reads the store. */
export function listingContext(store: ListingStore, now: number): Context {
  const { release, items, cache } = store
  const rows = facetRows(store)
  const byNumber = new Map(items.map((item) => [item.number, item]))
  const sortedNames = items.map(({ name }) => name).sort()
  const matches = async (clauses: readonly TextClause[]) =>
    new Set(
      items
        .filter((item) => clauses.every((clause) => holds(clause, clause.field === 'id' ? item.id : item.name)))
        .map(({ number }) => number),
    )
  const uses = (id: string) => {
    const children = items
      .filter(({ optionIds }) => optionIds.includes(id))
      .map((item) => {
        const at = item.optionIds.indexOf(id)
        const [variation, name] = Object.entries(item.options)[at] as [string, string]
        return { document: item.number, variation, name }
      })
    if (children.length > 0) return children
    return optionsOf(items).flatMap((one) => (one.id === id ? [{ document: null, ...one }] : []))
  }
  const context = {
    now,
    releases: {
      listings: cache,
      facets: { find: async () => readFacets(release, rows) },
      search: { find: async (_: Release, text: string) => scoresOf(items, text) },
      instantOrder: {
        places: async (_: Release, field: InstantField) =>
          release.allProducts.documents.map((number) => {
            const item = byNumber.get(number)
            return (field === 'CREATED_AT' ? item?.createdAt : item?.updatedAt) ?? 0
          }),
      },
      nameOrder: {
        ranks: async () =>
          release.allProducts.documents.map((number) => sortedNames.indexOf(byNumber.get(number)?.name ?? '')),
      },
      priceColumn: async (_: Release, currency: string) => columnOf(items, currency),
    },
    loaders: {
      matchesByReleaseAndClauses: ({ clauses }: { clauses: readonly TextClause[] }) => ({
        load: () => matches(clauses),
      }),
      optionUsesByReleaseAndOptionId: () => ({ load: async (id: string) => uses(id) }),
    },
    config: { storeLanguage: 'en' },
    shopperHeaders: noShopperHeaders,
    viewer: { role: 'shopper' },
    work: new RequestWork(undefined, undefined, true),
    cachePolicy: new CachePolicy(),
  }
  return context as unknown as Context
}

function scoresOf(items: readonly ListedItem[], text: string): SearchScores {
  const found = items.filter(({ scores }) => text in scores).sort((left, right) => left.number - right.number)
  const scores = found.map((item) => item.scores[text] as number)
  return new SearchScores(
    Int32Array.from(found, ({ number }) => number),
    Float32Array.from(scores),
  )
}

function facetRows({ items }: ListingStore) {
  const postings = new Map<string, number[]>()
  const add = (field: string, value: string, number: number): void => {
    const key = JSON.stringify([field, value])
    postings.set(key, [...(postings.get(key) ?? []), number])
  }
  for (const item of items) {
    for (const tag of item.tags) add('tags', tag, item.number)
    for (const type of item.types) add('product_types', type, item.number)
    for (const [variation, option] of Object.entries(item.options))
      add(`["variation", "${variation}"]`, option, item.number)
    if (item.pages !== null) add('["extension", "book", "pages"]', item.pages, item.number)
  }
  const families = items.filter(({ parent }) => parent !== null)
  const documents = [...families.map(({ number }) => number), ...families.map(({ parent }) => parent?.number ?? 0)]
  const rows = [...postings].map(([key, list]) => {
    const [field = '', value = ''] = JSON.parse(key) as string[]
    return { field, value, documents: list }
  })
  return [...rows, { field: 'families', value: '', documents }]
}

/** The span of a product at an instant; undefined without any. */
export function spanAt(item: ListedItem, currency: string, instant: number): Span | undefined {
  return item.prices[currency]?.findLast(({ from }) => from <= instant)
}

function columnOf(items: readonly ListedItem[], currency: string): PriceColumn {
  const byNumber = new Map(items.map((item) => [item.number, item]))
  const spansOf = (number: number) => byNumber.get(number)?.prices[currency] ?? []
  return {
    at(number, instant) {
      const span = spansOf(number).findLast(({ from }) => from <= instant)
      const next = spansOf(number).find(({ from }) => from > instant)
      const from = span && Number.isFinite(span.from) ? span.from : null
      return { amount: span?.amount ?? null, isOnSale: span?.isOnSale ?? false, from, until: next?.from ?? null }
    },
  }
}
