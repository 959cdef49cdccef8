/**
 * Listing oracle: what a listing has, worked out product by product from the store; it shares no code with the engine.
 */
import type { FacetKey } from '../../src/domain/catalog/facet.ts'
import type { ListingQuery } from '../../src/domain/catalog/listing-query.ts'
import { groupBy } from '../../src/lib/group-by.ts'
import {
  below,
  holds,
  type ListedItem,
  type ListingStore,
  names,
  nodeIds,
  optionId,
  spanAt,
  variations,
} from './listing-store.ts'

/** The document numbers of a listing, in order. */
export function expectedList(store: ListingStore, query: ListingQuery, instant: number): number[] {
  const found = membersOf(store, query, instant)
  const { field, direction, currency } = query.order
  if (query.groupVariants && field === 'PRICE') return expectedGroups(store, query, instant)
  const keyOf = (item: ListedItem): number | null => {
    if (field === 'PRICE') return spanAt(item, currency, instant)?.amount ?? null
    if (field === 'NAME') return [...names].sort().indexOf(item.name)
    if (field === 'RELEVANCE') return -(item.scores[query.search ?? ''] as number)
    if (field === 'UPDATED_AT') return item.updatedAt
    if (field === 'CREATED_AT') return item.createdAt
    return found.indexOf(item)
  }
  const sign = direction === 'ASC' ? 1 : -1
  const sorted = found.toSorted((left, right) => {
    const [a, b] = [keyOf(left), keyOf(right)]
    if (a === null || b === null)
      return (a === null ? 1 : 0) - (b === null ? 1 : 0) || found.indexOf(left) - found.indexOf(right)
    return sign * (a - b) || found.indexOf(left) - found.indexOf(right)
  })
  const shown = query.groupVariants ? sorted.map((item) => item.parent ?? item) : sorted
  return [...new Set(shown)].map(({ number }) => number)
}

/** The groups by their lowest price, those without any last; equal ones as in the grouped list in the default order. */
function expectedGroups(store: ListingStore, query: ListingQuery, instant: number): number[] {
  const { direction, currency } = query.order
  const byDefault = expectedList(
    store,
    { ...query, order: { ...query.order, field: 'DEFAULT', direction: 'ASC' } },
    instant,
  )
  const found = membersOf(store, query, instant)
  const lowestOf = (entry: number): number | null => {
    const group = found.filter((item) => (item.parent ?? item).number === entry)
    const amounts = group.flatMap((item) => spanAt(item, currency, instant)?.amount ?? [])
    return amounts.length === 0 ? null : Math.min(...amounts)
  }
  const priced = byDefault.filter((entry) => lowestOf(entry) !== null)
  const sign = direction === 'ASC' ? 1 : -1
  priced.sort((left, right) => sign * ((lowestOf(left) as number) - (lowestOf(right) as number)))
  return [...priced, ...byDefault.filter((entry) => lowestOf(entry) === null)]
}

/** The products that match, in the default order. */
function membersOf(store: ListingStore, query: ListingQuery, instant: number): ListedItem[] {
  return scopeOf(store, query).filter((item) => matches(item, query, instant))
}

function scopeOf({ items, byNode, curated }: ListingStore, { scope, descendants }: ListingQuery): ListedItem[] {
  if (scope === null) return [...items]
  const at = (id: string) => byNode.get(id) ?? []
  const own = at(scope)
  if (scope !== nodeIds.root && (!descendants || below(scope).length === 1)) return [...own]
  const first = own.slice(0, curated.get(scope) ?? 0)
  const all = new Set(below(scope).flatMap(at))
  return [...first, ...items.filter((item) => all.has(item) && !first.includes(item))]
}

function matches(item: ListedItem, query: ListingQuery, instant: number): boolean {
  const { clauses, options, price, onSale, search } = query
  if (search !== null && !(search in item.scores)) return false
  const amount = price && (spanAt(item, price.currency, instant)?.amount ?? null)
  if (price && (amount === null || amount < (price.min ?? amount) || amount > (price.max ?? amount))) return false
  if (onSale && (spanAt(item, onSale.currency, instant)?.isOnSale ?? false) !== onSale.is) return false
  return (
    clauses.every((clause) => valuesOf(item, clause.field).some((value) => holds(clause, value))) &&
    hasOptions(item, options)
  )
}

/** The values of a product in a field of a clause. */
function valuesOf(item: ListedItem, field: string): readonly string[] {
  if (field === 'tags') return item.tags
  if (field === 'product_types') return item.types
  if (field === 'id') return [item.id]
  if (field === 'name') return [item.name]
  const [kind, name = ''] = JSON.parse(field) as string[]
  if (kind === 'variation') return name in item.options ? [item.options[name] as string] : []
  return item.pages === null ? [] : [item.pages]
}

/** Options of one variation are alternatives, with children or without. */
function hasOptions({ optionIds }: ListedItem, wanted: readonly string[]): boolean {
  const byVariation = groupBy(wanted, variationOf)
  return [...byVariation.values()].every((ids) => ids.some((id) => optionIds.includes(id)))
}

function variationOf(id: string): string | undefined {
  return Object.keys(variations).find((name) =>
    Array.from({ length: 60 }, (_, number) => number).some((parent) =>
      variations[name]?.some((one) => optionId(parent, name, one) === id),
    ),
  )
}

/**
 * The counts of a facet by value: the length of the list with that value alone in the facet's filter. Values without
 * products are left out.
 */
export function expectedCounts(
  store: ListingStore,
  query: ListingQuery,
  key: FacetKey,
  instant: number,
): Record<string, number> {
  const count = (changed: Partial<ListingQuery>): number =>
    expectedList(store, { ...query, ...changed }, instant).length
  if (key.kind === 'onSale') {
    const { currency } = key
    return nonZero([true, false].map((is) => [String(is), count({ onSale: { is, currency } })]))
  }
  if (key.kind === 'price') {
    const { steps, currency } = key
    const bounds = [null, ...steps, null]
    return Object.fromEntries(
      bounds.slice(1).map((end, at) => {
        const [min, max] = [bounds[at] ?? null, end === null ? null : end - 1]
        return [`${min ?? ''}..${max ?? ''}`, count({ price: { min, max, currency } })]
      }),
    )
  }
  const field = fieldOf(key)
  const others = query.clauses.filter((clause) => clause.field !== field)
  const options = key.kind === 'variation' ? query.options.filter((id) => variationOf(id) !== key.name) : query.options
  const all = new Set(store.items.flatMap((item) => valuesOf(item, field)))
  return nonZero(
    [...all].map((value) => [value, count({ clauses: [...others, { op: 'eq', field, values: [value] }], options })]),
  )
}

function nonZero(counts: [string, number][]): Record<string, number> {
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

function fieldOf(key: FacetKey): string {
  if (key.kind === 'tags') return 'tags'
  if (key.kind === 'productTypes') return 'product_types'
  return JSON.stringify(key.kind === 'variation' ? [key.kind, key.name] : ['extension', 'book', 'pages'])
}

/** The range of the prices of what matches without the filter by price. */
export function expectedRange(store: ListingStore, query: ListingQuery, currency: string, instant: number) {
  const amounts = membersOf(store, { ...query, price: null }, instant).flatMap(
    (item) => spanAt(item, currency, instant)?.amount ?? [],
  )
  return amounts.length === 0 ? null : { min: Math.min(...amounts), max: Math.max(...amounts) }
}

/** The next instant at which anything of a scope in a currency changes; infinite for never. */
export function expectedChange(store: ListingStore, query: ListingQuery, currency: string, instant: number): number {
  const changes = scopeOf(store, query).flatMap((item) =>
    (item.prices[currency] ?? []).map(({ from }) => from).filter((from) => from > instant),
  )
  return Math.min(Number.POSITIVE_INFINITY, ...changes)
}
