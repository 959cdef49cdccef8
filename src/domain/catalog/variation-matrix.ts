/** Variation matrix: which child a shopper gets for which options (variation.matrix-by-option). */
import { compareSortOrder } from '../input/sort-order.ts'
import { type BuildRules, chosenCombinations } from '../products/build-rules.ts'
import type { ReleaseProduct, ReleaseVariation } from './released-product.ts'

/**
 * Nested by option id, one level per variation in descending sort_order, with product ids as leaves; {} without
 * variations.
 */
export type VariationMatrix = { readonly [optionId: string]: VariationMatrix | string }

/** Variations and their options by descending sort_order, those without one last, ties in their order. */
export function sortVariations(variations: readonly ReleaseVariation[]): ReleaseVariation[] {
  return [...variations]
    .sort(compareSortOrder)
    .map((variation) => ({ ...variation, options: [...variation.options].sort(compareSortOrder) }))
}

/** The matrix of a parent's children. A child without an option of some variation is left out. */
export function variationMatrix({
  variations,
  children,
}: Pick<ReleaseProduct, 'variations' | 'children'>): VariationMatrix {
  const sorted = sortVariations(variations ?? [])
  const matrix = new Map<string, unknown>()
  if (sorted.length === 0) return {}
  for (const child of children ?? []) {
    const path = sorted.map(({ options }) => options.find(({ id }) => child.option_ids.includes(id))?.id)
    if (path.includes(undefined)) continue
    let level = matrix
    for (const option of path.slice(0, -1) as string[]) {
      const next = (level.get(option) as Map<string, unknown> | undefined) ?? new Map<string, unknown>()
      level.set(option, next)
      level = next
    }
    level.set(path.at(-1) as string, child.id)
  }
  return plain(matrix)
}

/**
 * The variations that a listing shows; null without any. With build rules, only options of combinations that the rules
 * build are shown, and only variations with such options. Cached per product.
 */
export function visibleVariations(
  product: Pick<ReleaseProduct, 'variations' | 'build_rules'>,
): ReleaseVariation[] | null {
  const { variations, build_rules: rules } = product
  if (variations === null || variations.length === 0) return null
  const cached = cache.get(product)
  if (cached !== undefined) return cached
  const sorted = sortVariations(variations)
  const chosen = rules === null ? sorted : chosenFor(sorted, rules)
  cache.set(product, chosen)
  return chosen
}

const cache = new WeakMap<object, ReleaseVariation[]>()

function chosenFor(variations: readonly ReleaseVariation[], rules: BuildRules): ReleaseVariation[] {
  const built = new Set(chosenCombinations(variations, rules).flatMap((combination) => combination.map(({ id }) => id)))
  return variations
    .map((variation) => ({ ...variation, options: variation.options.filter(({ id }) => built.has(id)) }))
    .filter(({ options }) => options.length > 0)
}

function plain(level: Map<string, unknown>): VariationMatrix {
  return Object.fromEntries(
    [...level].map(([option, next]) => [option, next instanceof Map ? plain(next) : (next as string)]),
  )
}
