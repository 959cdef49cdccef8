/**
 * Product family: rules between a parent and its children (product.one-level-of-children). Paths are relative to a
 * product's `data`.
 */
import { type Path, prefixPaths, type Violation } from '../input/errors.ts'
import { CHILDREN_MAX } from '../input/limits.ts'
import { keyParams, limitParams } from '../input/violation-params.ts'
import { optionViolations } from './build-rules.ts'
import type { Product } from './product.ts'
import { type Variation, variationsByOption } from './variation.ts'

/** The part of a child product that the rules depend on. */
export interface Child {
  readonly id: string
  readonly name: string
  readonly optionIds: readonly string[]
}

const PARENT: Path = ['relationships', 'parent', 'data']
const OPTIONS: Path = ['attributes', 'option_ids']

/** The maximum number of records in a message. */
const NAMED_MAX = 5

/**
 * Violations of a child below `parent`. `siblings` are the parent's other children; `hasChildren` says whether the
 * child has children itself.
 */
export function childViolations(
  { id, optionIds }: Pick<Product, 'id' | 'optionIds'>,
  parent: Pick<Product, 'id' | 'parentId' | 'variations'>,
  siblings: readonly Child[],
  hasChildren: boolean,
): Violation[] {
  if (parent.id === id) return [{ code: 'CYCLE', path: PARENT, message: 'must not be the product itself' }]
  if (hasChildren)
    return [
      { code: 'INVALID_STRUCTURE', path: PARENT, message: 'must not be given, since the product has children itself' },
    ]
  if (parent.parentId !== null) {
    return [
      { code: 'INVALID_STRUCTURE', path: PARENT, message: 'must not be a child; one level of inheritance is allowed' },
    ]
  }
  if (parent.variations === null)
    return [{ code: 'INVALID_STRUCTURE', path: PARENT, message: 'must be a product with variations' }]
  const others = siblings.filter((sibling) => sibling.id !== id)
  if (others.length >= CHILDREN_MAX) {
    const message = `must be a product that has fewer than ${CHILDREN_MAX} children`
    return [{ code: 'TOO_MANY', path: PARENT, message, params: limitParams(null, CHILDREN_MAX) }]
  }
  const violations = choiceViolations(optionIds, parent.variations)
  const twin = others.find((sibling) => hasSameOptions(sibling.optionIds, optionIds))
  if (violations.length > 0 || twin === undefined) return violations
  return [{ code: 'DUPLICATE', path: OPTIONS, message: `are the options of another child already, ${named([twin])}` }]
}

/**
 * Violations of new `variations` (null for none) of a parent with `children`, each of which must still have one option
 * of each variation.
 */
export function parentViolations(variations: readonly Variation[] | null, children: readonly Child[]): Violation[] {
  const lost = children.filter(
    ({ optionIds }) => choiceViolations(optionIds, variations ?? []).length > 0 || variations === null,
  )
  if (lost.length === 0) return []
  const message = `must keep one option of each variation for every child, which it would not for ${named(lost)}`
  return [{ code: 'IN_USE', path: ['attributes', 'variations'], message }]
}

/** Whether two children have the same options, in any order. */
export function hasSameOptions(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && new Set([...left, ...right]).size === left.length
}

/** The first few records, for a message. */
function named(records: readonly { readonly id: string; readonly name: string }[]): string {
  const shown = records.slice(0, NAMED_MAX).map(({ id, name }) => `"${name}" (${id})`)
  const more = records.length - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}

function choiceViolations(optionIds: readonly string[], variations: readonly Variation[]): Violation[] {
  const byOption = variationsByOption(variations)
  const wrong = prefixPaths(OPTIONS, optionViolations(optionIds, byOption))
  const chosen = new Set(optionIds.map((id) => byOption.get(id)))
  const missing = variations.filter((variation) => !chosen.has(variation))
  return [
    ...wrong,
    ...missing.map(({ name }): Violation => {
      const message = `must have an option of the variation "${name}"`
      return { code: 'INVALID_STRUCTURE', path: OPTIONS, message, params: keyParams(name) }
    }),
  ]
}
