/** Order by options: of the children of a parent (variation.children-by-options), and of a facet's values. */
import { compareSortOrder } from '../input/sort-order.ts'
import { collationOf, collatorOf } from '../language/collation.ts'
import { acceptedOf, type RequestLanguages } from '../language/language.ts'
import type { CountedFacet } from './facet.ts'
import { type NamedFacet, valueLabel } from './facet-label.ts'
import type { ReleaseProduct } from './released-product.ts'
import { sortVariations } from './variation-matrix.ts'

type Child = NonNullable<ReleaseProduct['children']>[number]

/** How the children of a parent are ordered: OLDEST_FIRST is the default order of earlier versions. */
export type ChildListOrder = 'OPTIONS' | 'OLDEST_FIRST'

/**
 * The children of a parent by its variations, and within one by its options, both by descending sort order. A child
 * without an option of a variation comes after those with one; equal ones come oldest first. Cached per product.
 */
export function childrenByOptions(parent: Pick<ReleaseProduct, 'variations' | 'children'>): readonly Child[] {
  const cached = cache.get(parent)
  if (cached !== undefined) return cached
  const sorted = sortVariations(parent.variations ?? [])
  const places = new Map(
    sorted.flatMap(({ options }, variation) => options.map(({ id }, place) => [id, { variation, place }] as const)),
  )
  const placesOf = ({ option_ids }: Child): number[] => {
    const key = sorted.map(({ options }) => options.length)
    for (const id of option_ids) {
      const found = places.get(id)
      if (found) key[found.variation] = Math.min(key[found.variation] as number, found.place)
    }
    return key
  }
  const ordered = (parent.children ?? [])
    .map((child) => ({ child, places: placesOf(child) }))
    .sort((left, right) => comparePlaces(left.places, right.places))
    .map(({ child }) => child)
  cache.set(parent, ordered)
  return ordered
}

const cache = new WeakMap<object, readonly Child[]>()

function comparePlaces(left: readonly number[], right: readonly number[]): number {
  const differing = left.findIndex((place, at) => place !== right[at])
  return differing === -1 ? 0 : (left[differing] as number) - (right[differing] as number)
}

/**
 * The values of a variation's facet by the sort order that most parents give the option, highest first, those without
 * one last (facet.options-in-order). Names decide between equals, as the language of the request orders them. The
 * values of other facets stay as they are.
 */
export function inOptionOrder<T extends CountedFacet & NamedFacet>(
  facet: T,
  sortOrders: ReadonlyMap<string, number> | undefined,
  languages: RequestLanguages,
): T {
  if (facet.of.kind !== 'variation') return facet
  const tags = new Set([...(facet.names?.options.values() ?? [])].flatMap((locales) => Object.keys(locales)))
  const [best = languages.storeLanguage] = acceptedOf([...tags], languages.acceptLanguage)
  const names = collatorOf(collationOf(best))
  const values = facet.values.map((counted) => ({
    counted,
    sort_order: sortOrders?.get(counted.value) ?? null,
    label: valueLabel(facet, counted.value, languages),
  }))
  values.sort((left, right) => compareSortOrder(left, right) || names.compare(left.label, right.label))
  return { ...facet, values: values.map(({ counted }) => counted) }
}
