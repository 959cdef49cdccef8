/** Facets: the keys by which a list can be narrowed, with the number of its products for each value. */
import type { CountedValue } from './facet-count.ts'
import { facetField, type PriceBounds } from './listing-query.ts'

/** The product field or price by which a facet counts. */
export type FacetKey =
  | { readonly kind: 'tags' | 'productTypes' }
  | { readonly kind: 'variation'; readonly name: string }
  | { readonly kind: 'extension'; readonly template: string; readonly field: string }
  | { readonly kind: 'price'; readonly steps: readonly number[]; readonly currency: string }
  | { readonly kind: 'onSale'; readonly currency: string }

/** A facet of a list. */
export interface CountedFacet {
  readonly of: FacetKey
  readonly values: readonly CountedValue[]
  /** Of a variation: which of the ids of options in the filter are options of it. */
  readonly options: readonly string[]
}

/** The maximum number of price steps of one facet. */
export const PRICE_STEPS_MAX = 20

/** The key of the filter conditions that are ignored when the facet is counted. */
export function conditionKey(key: FacetKey): string {
  switch (key.kind) {
    case 'productTypes':
      return 'product_types'
    case 'variation':
      return facetField(['variation', key.name])
    case 'extension':
      return facetField(['extension', key.template, key.field])
    default:
      return key.kind
  }
}

/** The machine-readable name of the facet. */
export function facetName(key: FacetKey): string {
  if (key.kind === 'variation') return `variation:${key.name}`
  return key.kind === 'extension' ? `extension:${key.template}:${key.field}` : key.kind
}

/** The facet key of a field of release_facet. */
export function keyOfField(field: string): FacetKey | null {
  if (field === 'tags') return { kind: 'tags' }
  if (field === 'product_types') return { kind: 'productTypes' }
  if (!field.startsWith('[')) return null
  const [kind, first, second] = JSON.parse(field) as string[]
  if (kind === 'variation') return { kind, name: first ?? '' }
  return kind === 'extension' ? { kind, template: first ?? '', field: second ?? '' } : null
}

/**
 * The ranges that the price steps bound, as texts: below the first step, from each step to just below the next, and
 * from the last step on.
 */
export function stepRanges(steps: readonly number[]): string[] {
  const bounds = [null, ...steps, null]
  return bounds.slice(1).map((end, at) => priceRangeText(bounds[at] ?? null, end === null ? null : end - 1))
}

/** A price range in words: `1000..1999`, `..999`, `2000..`. */
export function priceRangeText(min: number | null, max: number | null): string {
  return `${min ?? ''}..${max ?? ''}`
}

/** The index of the step that an amount belongs to; -1 for an infinite one, which stands for no price. */
export function stepOf(steps: readonly number[], amount: number): number {
  if (amount === Number.POSITIVE_INFINITY) return -1
  const next = steps.findIndex((step) => amount < step)
  return next === -1 ? steps.length : next
}

/**
 * Whether an amount is within the bounds. An infinite amount, which stands for no price, never is. Nothing is within
 * bounds that exclude each other (filter.empty-range-finds-nothing).
 */
export function isWithin({ min, max }: PriceBounds, amount: number): boolean {
  return amount !== Number.POSITIVE_INFINITY && (min === null || amount >= min) && (max === null || amount <= max)
}
