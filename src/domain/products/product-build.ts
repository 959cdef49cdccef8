/** Child build: the children of a parent, from its variations and build rules (product.children-from-build-rules). */
import type { Path, Violation } from '../input/errors.ts'
import { CHILDREN_MAX, COMBINATIONS_MAX, FREE_NAME_MAX, SKU_MAX } from '../input/limits.ts'
import { distinctParts } from '../input/slug.ts'
import { keyParams, limitParams } from '../input/violation-params.ts'
import { chosenCombinations, combinationCount, optionViolations } from './build-rules.ts'
import type { ChildChoice } from './child-input.ts'
import type { Product } from './product.ts'
import { type Child, hasSameOptions } from './product-family.ts'
import { type Variation, type VariationOption, variationsByOption } from './variation.ts'

/** A new child, with the names of its options, and where in the input its SKU is given or could be. */
export interface BuiltChild {
  /** Its slug is `slug`, or is made of the name. */
  readonly product: Omit<Product, 'slug'>
  readonly slug: string | undefined
  readonly optionNames: readonly string[]
  readonly place: Path
}

/** A product that has a SKU, or the new child that will have it. */
export interface SkuOwner {
  readonly sku: string | null
  readonly name: string
  readonly id: string
}

/**
 * New children for the chosen combinations that `parent` lacks, or the violations that prevent the build. `choices`
 * name some of them by their options. Existing children stay unchanged, also when the rules no longer choose them,
 * since a child may be on sale. `now` is in epoch milliseconds.
 */
export function buildChildren(
  parent: Product,
  children: readonly Child[],
  choices: readonly ChildChoice[],
  now: number,
  newId: () => string,
): { value: BuiltChild[]; violations: Violation[] } {
  const refuse = (...violations: Violation[]) => ({ value: [], violations })
  const tooMany = (message: string, max: number) =>
    refuse({ code: 'TOO_MANY', path: ['id'], message, params: limitParams(null, max) })
  const variations = parent.variations ?? []
  if (parent.parentId !== null)
    return refuse({ code: 'INVALID_STRUCTURE', path: ['id'], message: 'must not be a child product' })
  if (variations.length === 0)
    return refuse({ code: 'INVALID_STRUCTURE', path: ['id'], message: 'must be a product with variations' })
  if (combinationCount(variations) > COMBINATIONS_MAX) {
    return tooMany(`must have at most ${COMBINATIONS_MAX} combinations of options`, COMBINATIONS_MAX)
  }
  const chosen = chosenCombinations(variations, parent.buildRules)
  if (chosen.length > CHILDREN_MAX) {
    return tooMany(`must choose at most ${CHILDREN_MAX} combinations of options`, CHILDREN_MAX)
  }
  const built = new Set(children.map(({ optionIds }) => keyOf(optionIds)))
  const missing = chosen.filter((combination) => !built.has(keyOf(idsOf(combination))))
  if (children.length + missing.length > CHILDREN_MAX) {
    return tooMany(`must have at most ${CHILDREN_MAX} children`, CHILDREN_MAX)
  }
  const broken = choiceViolations(choices, variations, missing, children)
  if (broken.length > 0) return refuse(...broken)
  const places = new Map(choices.map(({ optionIds }, index) => [keyOf(optionIds), index]))
  const parts = optionParts(variations)
  const value = missing.map((options): BuiltChild => {
    const index = places.get(keyOf(idsOf(options)))
    const choice = index === undefined ? undefined : choices[index]
    const product = childOf(parent, options, parts, choice, newId(), now)
    const place = index === undefined ? ['children'] : ['children', index, 'sku']
    return { product, slug: choice?.slug, optionNames: options.map(({ name }) => name), place }
  })
  return { value, violations: [] }
}

/** The new children whose SKU an earlier one has, or one of the products `others` (SKU_TAKEN). */
export function takenSkuViolations(built: readonly BuiltChild[], others: readonly SkuOwner[]): Violation[] {
  const owners = new Map(others.map(({ sku, name, id }) => [sku, `the product "${name}" (${id})`]))
  return built.flatMap(({ product: { sku }, optionNames, place }): Violation[] => {
    if (sku === null) return []
    const owner = owners.get(sku)
    const options = optionNames.map((name) => `"${name}"`).join(', ')
    if (owner === undefined) owners.set(sku, `the new child with the options ${options}`)
    if (owner === undefined) return []
    const message = `the SKU "${sku}" of the child with the options ${options} is that of ${owner}`
    return [{ code: 'SKU_TAKEN', path: place, message, params: keyParams(sku, ...optionNames) }]
  })
}

/** Violations of choices that name no new child, or the child of another choice; paths start at the input. */
function choiceViolations(
  choices: readonly ChildChoice[],
  variations: readonly Variation[],
  missing: readonly (readonly VariationOption[])[],
  children: readonly Child[],
): Violation[] {
  const byOption = variationsByOption(variations)
  const wanted = new Set(missing.map((combination) => keyOf(idsOf(combination))))
  const seen = new Set<string>()
  return choices.flatMap(({ optionIds }, index): Violation[] => {
    const path = ['children', index, 'option_ids']
    const wrong = optionViolations(optionIds, byOption)
    if (wrong.length > 0) return wrong.map((violation) => ({ ...violation, path: [...path, ...violation.path] }))
    const refuse = (code: 'DUPLICATE' | 'INVALID_STRUCTURE', message: string): Violation[] => [{ code, path, message }]
    const isRepeated = seen.size === seen.add(keyOf(optionIds)).size
    if (isRepeated) return refuse('DUPLICATE', 'are given twice')
    if (wanted.has(keyOf(optionIds))) return []
    const twin = children.find((child) => hasSameOptions(child.optionIds, optionIds))
    if (twin) return refuse('DUPLICATE', `are the options of a child already, "${twin.name}" (${twin.id})`)
    return refuse('INVALID_STRUCTURE', 'must be one option of each variation that the build rules choose together')
  })
}

/**
 * The part for each option in SKUs, by its id. Options of a variation with different names have different parts.
 */
function optionParts(variations: readonly Variation[]): ReadonlyMap<string, string> {
  return new Map(
    variations.flatMap(({ options }) => {
      const names = distinctParts(options.map(({ name }) => name))
      return options.map(({ id }, index) => [id, names[index] as string] as const)
    }),
  )
}

/**
 * A child's name and SKU are those of the parent followed by the options' names. Its other fields are copies, except
 * codes, components, files, localized texts and those for search engines, which it lacks.
 */
function childOf(
  parent: Product,
  options: readonly VariationOption[],
  parts: ReadonlyMap<string, string>,
  choice: ChildChoice | undefined,
  id: string,
  now: number,
): Omit<Product, 'slug'> {
  const name = cut([parent.name, ...options.map((option) => option.name)].join(' '), FREE_NAME_MAX).trimEnd()
  const suffix = options.map((option) => parts.get(option.id)).join('-')
  const { slug: _, ...copied } = parent
  return {
    ...copied,
    id,
    externalRef: null,
    name,
    sku: choice?.sku ?? (parent.sku === null ? null : cut(`${parent.sku}-${suffix}`, SKU_MAX)),
    upcEan: null,
    manufacturerPartNum: null,
    components: null,
    seoTitle: null,
    seoDescription: null,
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

function idsOf(combination: readonly VariationOption[]): string[] {
  return combination.map(({ id }) => id)
}

/** A key that is equal for the same options in any order. */
function keyOf(optionIds: readonly string[]): string {
  return [...optionIds].sort().join(' ')
}

/** Cuts by code points, so that no surrogate pair is split. */
function cut(text: string, max: number): string {
  return [...text].slice(0, max).join('')
}
