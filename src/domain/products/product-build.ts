/** Child build: the children of a parent, from its variations and build rules (product.children-from-build-rules). */
import type { Violation } from '../input/errors.ts'
import { CHILDREN_MAX, COMBINATIONS_MAX, FREE_NAME_MAX, SKU_MAX } from '../input/limits.ts'
import { slugOf } from '../input/slug.ts'
import { limitParams } from '../input/violation-params.ts'
import { chosenCombinations, combinationCount } from './build-rules.ts'
import type { Product } from './product.ts'
import { type Child, hasSameOptions } from './product-family.ts'
import type { VariationOption } from './variation.ts'

/**
 * New children for the chosen combinations that `parent` lacks, or the violation that prevents the build. Existing children stay
 * unchanged, also when the rules no longer choose them, since a child may be on sale. `now` is in epoch milliseconds.
 */
export function buildChildren(
  parent: Product,
  children: readonly Child[],
  now: number,
  newId: () => string,
): { value: Product[]; violations: Violation[] } {
  const refuse = (violation: Violation) => ({ value: [], violations: [violation] })
  const tooMany = (message: string, max: number) => refuse({ code: 'TOO_MANY', path: ['id'], message, params: limitParams(null, max) })
  const variations = parent.variations ?? []
  if (parent.parentId !== null) return refuse({ code: 'INVALID_STRUCTURE', path: ['id'], message: 'must not be a child product' })
  if (variations.length === 0) return refuse({ code: 'INVALID_STRUCTURE', path: ['id'], message: 'must be a product with variations' })
  if (combinationCount(variations) > COMBINATIONS_MAX) {
    return tooMany(`must have at most ${COMBINATIONS_MAX} combinations of options`, COMBINATIONS_MAX)
  }
  const chosen = chosenCombinations(variations, parent.buildRules)
  if (chosen.length > CHILDREN_MAX) {
    return tooMany(`must choose at most ${CHILDREN_MAX} combinations of options`, CHILDREN_MAX)
  }
  const ids = (combination: readonly VariationOption[]): string[] => combination.map(({ id }) => id)
  const missing = chosen.filter((combination) => !children.some(({ optionIds }) => hasSameOptions(optionIds, ids(combination))))
  if (children.length + missing.length > CHILDREN_MAX) {
    return tooMany(`must have at most ${CHILDREN_MAX} children`, CHILDREN_MAX)
  }
  return { value: missing.map((combination) => childOf(parent, combination, newId(), now)), violations: [] }
}

/**
 * A child's name and SKU are those of the parent followed by the options' names. Its other fields are copies, except codes, components,
 * files and localized texts, which it lacks.
 */
function childOf(parent: Product, options: readonly VariationOption[], id: string, now: number): Product {
  const name = cut([parent.name, ...options.map((option) => option.name)].join(' '), FREE_NAME_MAX)
  return {
    ...parent,
    id,
    externalRef: null,
    name,
    slug: slugOf(name),
    sku: parent.sku === null ? null : cut([parent.sku, ...options.map((option) => slugOf(option.name))].join('-'), SKU_MAX),
    upcEan: null,
    manufacturerPartNum: null,
    components: null,
    locales: null,
    variations: null,
    buildRules: null,
    parentId: parent.id,
    optionIds: options.map((option) => option.id),
    files: null,
    mainImageId: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Cuts by code points, so that no surrogate pair is split. */
function cut(text: string, max: number): string {
  return [...text].slice(0, max).join('')
}
