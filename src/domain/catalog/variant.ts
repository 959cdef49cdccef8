/** Variants: the options that a child of a parent stands for, and the child of a combination of options. */
import type { ReleaseProduct, ReleaseVariation, ReleaseVariationOption } from './released-product.ts'
import { sortVariations } from './variation-matrix.ts'

/** An option that a child stands for, with its variation. */
export interface SelectedVariationOption {
  readonly variation: ReleaseVariation
  readonly option: ReleaseVariationOption
}

/** The options of a child, in the order of its parent's variations (variation.highest-sort-order-first). */
export function selectedOptions(
  parent: Pick<ReleaseProduct, 'variations'>,
  { option_ids }: Pick<ReleaseProduct, 'option_ids'>,
): SelectedVariationOption[] {
  const chosen = new Set(option_ids)
  return sortVariations(parent.variations ?? []).flatMap((variation) =>
    variation.options.filter(({ id }) => chosen.has(id)).map((option) => ({ variation, option })),
  )
}

/** The index of the first id that is no option of the parent's variations; -1 when all are. */
export function unknownOption(
  { variations }: Pick<ReleaseProduct, 'variations'>,
  optionIds: readonly string[],
): number {
  const known = new Set((variations ?? []).flatMap(({ options }) => options.map(({ id }) => id)))
  return optionIds.findIndex((id) => !known.has(id))
}

/**
 * The id of the child that stands for exactly these options, in any order; null when it is not built
 * (variation.exact-combination).
 */
export function variantId({ children }: Pick<ReleaseProduct, 'children'>, optionIds: readonly string[]): string | null {
  const wanted = new Set(optionIds)
  const isExact = (ids: readonly string[]) => ids.length === wanted.size && ids.every((id) => wanted.has(id))
  return children?.find(({ option_ids }) => isExact(option_ids))?.id ?? null
}
