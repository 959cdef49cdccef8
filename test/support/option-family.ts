/** Parents with variations and children: stores of them, and random ones with the order of their children. */
import type { ReleaseVariation } from '../../src/domain/catalog/released-product.ts'
import { idOf } from './products.ts'
import type { Random } from './random-store.ts'
import { emptyStore, type Store, type StoreProduct } from './store.ts'

/** The instant at which everything was made. */
export const NOW = Date.UTC(2026, 5, 1, 12)
export const [catalog, root] = [idOf(0xca), idOf(0x11)] as const
const [leaf, book] = [idOf(0x12), idOf(0xb1)] as const

export interface OptionFamily {
  readonly variations: readonly ReleaseVariation[]
  /** Oldest first. */
  readonly children: readonly { readonly id: string; readonly option_ids: readonly string[] }[]
  /** The ids of the children by their options. */
  readonly sorted: readonly string[]
}

/** A parent with ids from `first` on: few sort orders, so that many are equal, and children that lack options. */
export function randomFamily({ below, chance, pick }: Random, first = 0x100): OptionFamily {
  const sortOrder = () => (chance(25) ? {} : { sort_order: chance(20) ? null : below(3) - 1 })
  const variations = Array.from({ length: below(4) }, (_, variation) => ({
    id: idOf(first + 0x1000 + variation),
    name: `Variation ${variation}`,
    ...sortOrder(),
    options: Array.from({ length: 1 + below(4) }, (_, option) => ({
      id: idOf(first + 0x2000 + variation * 16 + option),
      name: `Option ${option}`,
      ...sortOrder(),
    })),
  }))
  const children = Array.from({ length: below(14) }, (_, at) => ({
    id: idOf(first + at),
    option_ids: variations.filter(() => chance(85)).map(({ options }) => pick(options).id),
  }))
  return { variations, children, sorted: sortedIds(variations, children) }
}

type Child = OptionFamily['children'][number]

/** Inserts each child before the first that comes after it. */
function sortedIds(variations: OptionFamily['variations'], children: readonly Child[]): string[] {
  const ranked = rankedBy(variations).map(({ options }) => rankedBy(options).map(({ id }) => id))
  const placesOf = ({ option_ids }: Child) =>
    ranked.map((options) => {
      const at = options.findIndex((id) => option_ids.includes(id))
      return at === -1 ? 99 : at
    })
  const comesBefore = (left: Child, right: Child): boolean => {
    const [ours, theirs] = [placesOf(left), placesOf(right)]
    const at = ours.findIndex((place, variation) => place !== theirs[variation])
    return at !== -1 && (ours[at] as number) < (theirs[at] as number)
  }
  const sorted: Child[] = []
  for (const child of children) {
    const next = sorted.findIndex((one) => comesBefore(child, one))
    sorted.splice(next === -1 ? sorted.length : next, 0, child)
  }
  return sorted.map(({ id }) => id)
}

/** Takes the highest sort order again and again, the first of equal ones; those without one are left for last. */
function rankedBy<T extends { readonly sort_order?: number | null }>(items: readonly T[]): T[] {
  const left = [...items]
  const ranked: T[] = []
  while (left.length > 0) {
    const highest = Math.max(...left.map(({ sort_order }) => sort_order ?? Number.NEGATIVE_INFINITY))
    const at = left.findIndex(({ sort_order }) => (sort_order ?? Number.NEGATIVE_INFINITY) === highest)
    ranked.push(...left.splice(at, 1))
  }
  return ranked
}

/** A live product, whose name is the end of its id. */
export function product(id: string, given: Partial<StoreProduct> = {}): StoreProduct {
  const slug = id.slice(-6)
  return { id, name: slug, slug, sku: slug, status: 'live', created_at: NOW, updated_at: NOW, ...given }
}

/** A store with one catalog, and one node with these products. */
export function storeOf(products: StoreProduct[]): Store {
  const given = emptyStore()
  const node = { hierarchy_id: root, created_at: NOW, updated_at: NOW }
  given.products = products
  given.nodes = [
    { id: root, parent_id: null, name: 'Root', slug: 'root', ...node },
    { id: leaf, parent_id: root, name: 'Leaf', slug: 'leaf', ...node },
  ]
  given.attachments = products.map(({ id }) => ({ node_id: leaf, product_id: id }))
  given.books = [{ id: book, name: 'Book' }]
  given.catalogs = [{ id: catalog, name: 'Catalog', hierarchy_ids: [root], books: [{ id: book, priority: 1 }] }]
  return given
}

/** A parent with its children, the first of them the oldest. */
export function familyProducts(
  parent: string,
  { variations, children }: Pick<OptionFamily, 'variations' | 'children'>,
) {
  return [
    product(parent, { variations: [...variations] }),
    ...children.map(({ id, option_ids }, at) =>
      product(id, {
        parent_id: parent,
        option_ids: [...option_ids],
        created_at: NOW - 1_000 + at,
        updated_at: NOW - at,
      }),
    ),
  ]
}

/** A variation Size; options by name, with their sort orders. */
export const size = (options: Readonly<Record<string, number | null>>, first: number): ReleaseVariation => ({
  id: idOf(first + 0x1000),
  name: 'Size',
  options: Object.entries(options).map(([name, sort_order], at) => ({
    id: idOf(first + 0x2000 + at),
    name,
    sort_order,
  })),
})

/** A parent of sizes with a child of each, in the order in which they are given. */
export function sized(first: number, options: Readonly<Record<string, number | null>>): StoreProduct[] {
  const variation = size(options, first)
  const children = variation.options.map(({ id }, at) => ({ id: idOf(first + 1 + at), option_ids: [id] }))
  return familyProducts(idOf(first), { variations: [variation], children })
}
