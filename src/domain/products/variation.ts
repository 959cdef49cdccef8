/**
 * Variations of a parent product, such as size, and their options. They have the shape of the wire, since they are
 * stored and sent whole.
 */

import { locales as localesSchema, freeName as nameSchema } from '../input/document.ts'
import type { Path, Violation } from '../input/errors.ts'
import { uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import * as schema from '../input/json-schema.ts'
import {
  FREE_NAME_MAX,
  OPTION_MODIFIERS_MAX,
  PRODUCT_DESCRIPTION_MAX,
  VARIATION_OPTIONS_MAX,
  VARIATIONS_MAX,
} from '../input/limits.ts'
import { countNested } from '../input/nested-count.ts'
import { readSortOrder, sortOrderSchema } from '../input/sort-order.ts'
import { limitParams } from '../input/violation-params.ts'
import { wholeJson } from '../input/whole-member.ts'
import { type Locales, readLocales } from '../language/locale.ts'

/** One value of a variation, such as a size. */
export interface VariationOption {
  /** Unique among all options of the product. */
  readonly id: string
  readonly name: string
  readonly sort_order: number | null
  /** Absent when there is none, as in responses. */
  readonly description?: string
  /**
   * Names of price modifiers, in the order in which they apply. A price book that lacks one skips it
   * (modifier.from-supplying-book).
   */
  readonly price_modifiers: readonly string[]
  /** Name and description in other languages. Absent when there are none. */
  readonly locales?: Locales
}

/** A variation with its options. */
export interface Variation {
  readonly id: string
  readonly name: string
  readonly sort_order: number | null
  readonly options: readonly VariationOption[]
  /** The name in other languages. Absent when there are none. */
  readonly locales?: Locales
}

type Unnamed<T> = Omit<T, 'id'> & { readonly id: string | undefined }

/** A variation of the input, in which ids are optional. */
export type VariationInput = Unnamed<Omit<Variation, 'options'>> & {
  readonly options: readonly Unnamed<VariationOption>[]
}

const { closed, list, nullable } = schema
const head = { 'id?': schema.uuid, name: nameSchema, 'sort_order?': sortOrderSchema, 'locales?': localesSchema }

const optionSchema = closed({
  ...head,
  'description?': nullable(schema.text({ max: PRODUCT_DESCRIPTION_MAX })),
  'price_modifiers?': nullable(list(nameSchema)),
})

/** The variations of a parent; null for any other product. */
export const variations = wholeJson<readonly Variation[] | null, readonly VariationInput[]>(null, {
  max: VARIATIONS_MAX,
  schema: nullable(list(closed({ ...head, options: list(optionSchema) }), VARIATIONS_MAX)),
  read: readVariations,
})

/**
 * Reads `[{ id?, name, sort_order?, locales?, options: [{ id?, name, sort_order?, description?, price_modifiers?,
 * locales? }] }]`; null for none.
 */
function readVariations(attributes: InputReader): VariationInput[] | null | undefined {
  if (countNested(attributes.raw('variations', { nullable: true }), 'options') > VARIATION_OPTIONS_MAX) {
    return attributes.addViolation(
      'variations',
      'TOO_MANY',
      `must have at most ${VARIATION_OPTIONS_MAX} options in all`,
      limitParams(null, VARIATION_OPTIONS_MAX),
    )
  }
  const given = attributes.list('variations', readVariation, { nullable: true, max: VARIATIONS_MAX })
  if (given) attributes.addViolations('variations', duplicateIds(given))
  return given?.length === 0 ? null : given
}

/**
 * Gives every variation and option an id. One without an id gets that of the stored one with its name, or else a new
 * id. So a repeated input changes nothing.
 */
export function identifyVariations(
  given: readonly VariationInput[],
  stored: readonly Variation[],
  newId: () => string,
): Variation[] {
  const taken = new Set(given.flatMap((variation) => [variation, ...variation.options].flatMap(({ id }) => id ?? [])))
  return identify(given, stored, taken, newId).map(({ options, ...variation }) => {
    const before = stored.find(({ id }) => id === variation.id)
    return { ...variation, options: identify(options, before?.options ?? [], taken, newId) }
  })
}

/** The variation of each option, by option id. */
export function variationsByOption(given: readonly Variation[]): ReadonlyMap<string, Variation> {
  return new Map(given.flatMap((variation) => variation.options.map(({ id }) => [id, variation] as const)))
}

function readVariation(given: InputReader, index: number): VariationInput {
  const variation = given.object(index)
  return {
    ...readHead(variation),
    options: variation?.list('options', readOption, { required: true }) ?? [],
  }
}

function readOption(options: InputReader, index: number): Unnamed<VariationOption> {
  const option = options.object(index)
  const description = option?.text('description', { nullable: true, max: PRODUCT_DESCRIPTION_MAX })
  return {
    ...readHead(option),
    ...(description != null && { description }),
    price_modifiers:
      option?.list('price_modifiers', readModifierName, { nullable: true, max: OPTION_MODIFIERS_MAX }) ?? [],
  }
}

function readHead(reader: InputReader | null | undefined) {
  const read = {
    id: reader?.text('id', { format: uuid })?.toLowerCase(),
    name: reader?.text('name', { required: true, min: 1, max: FREE_NAME_MAX, isName: true }) ?? '',
    sort_order: readSortOrder(reader) ?? null,
  }
  const locales = reader && readLocales(reader)
  return locales ? { ...read, locales } : read
}

function readModifierName(names: InputReader, index: number): string {
  return names.text(index, { required: true, min: 1, max: FREE_NAME_MAX }) ?? ''
}

function duplicateIds(given: readonly VariationInput[]): Violation[] {
  const seen = new Set<string>()
  const check = (id: string | undefined, path: Path): Violation[] => {
    if (id === undefined || !seen.has(id)) {
      if (id !== undefined) seen.add(id)
      return []
    }
    return [
      { code: 'DUPLICATE', path: [...path, 'id'], message: 'is given to another variation or option of the product' },
    ]
  }
  return given.flatMap(({ id, options }, index) => [
    ...check(id, [index]),
    ...options.flatMap((option, optionIndex) => check(option.id, [index, 'options', optionIndex])),
  ])
}

/** A stored id is used once, and not at all when the input gives it elsewhere. */
function identify<T extends Unnamed<{ id: string; name: string }>>(
  given: readonly T[],
  stored: readonly { readonly id: string; readonly name: string }[],
  taken: Set<string>,
  newId: () => string,
): (T & { readonly id: string })[] {
  return given.map((item) => {
    const id =
      item.id ?? stored.find((candidate) => candidate.name === item.name && !taken.has(candidate.id))?.id ?? newId()
    taken.add(id)
    return { ...item, id }
  })
}
