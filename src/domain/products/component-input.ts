/** Component input: the components of a bundle as clients write them. */

import { freeName as nameSchema } from '../input/document.ts'
import type { PathSegment } from '../input/errors.ts'
import { uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import * as schema from '../input/json-schema.ts'
import { BUNDLE_COMPONENTS_MAX, BUNDLE_OPTIONS_MAX, FREE_NAME_MAX, INT4_MAX } from '../input/limits.ts'
import { countNested } from '../input/nested-count.ts'
import { readSortOrder, sortOrderSchema } from '../input/sort-order.ts'
import { limitParams } from '../input/violation-params.ts'
import { wholeJson } from '../input/whole-member.ts'
import type { BundleComponent, BundleComponents, BundleOption } from '../pricing/price-record.ts'
import { freeName } from '../pricing/tiered-price-input.ts'
import { componentViolations } from './component.ts'

const { boolean, closed, integer, list, map, nullable } = schema

const option = closed({
  id: schema.uuid,
  'type?': nullable(schema.word('product')),
  'quantity?': nullable(integer(1)),
  'sort_order?': sortOrderSchema,
  'default?': nullable(boolean),
})

const component = closed({
  name: nameSchema,
  'min?': nullable(integer(0)),
  'max?': nullable(integer(0, INT4_MAX)),
  'sort_order?': sortOrderSchema,
  options: list(option),
})

/** The components of a bundle; null for any other product. */
export const components = wholeJson<BundleComponents | null>(null, {
  max: BUNDLE_COMPONENTS_MAX,
  schema: nullable(map(component, { keys: nameSchema, max: BUNDLE_COMPONENTS_MAX })),
  read: readComponents,
})

/**
 * Reads `{ key: { name, min?, max?, sort_order?, options: [{ id, type?, quantity?, sort_order?, default? }] } }`; null
 * or an empty map is null, which is no bundle.
 *
 * Absent members get their default, so that equal components are equal values. Rules over a component come after those
 * of its members. An option need not exist, because a release may lack it too (bundle.live-options-only).
 */
function readComponents(attributes: InputReader): BundleComponents | null | undefined {
  if (countNested(attributes.raw('components', { nullable: true }), 'options') > BUNDLE_OPTIONS_MAX) {
    return attributes.addViolation(
      'components',
      'TOO_MANY',
      `must have at most ${BUNDLE_OPTIONS_MAX} options in all`,
      limitParams(null, BUNDLE_OPTIONS_MAX),
    )
  }
  const given = attributes.map('components', (entries, name) => entries.ifValid(() => readComponent(entries, name)), {
    nullable: true,
    max: BUNDLE_COMPONENTS_MAX,
    key: freeName,
  })
  if (given == null) return given
  const valid = [...given].filter((entry): entry is [string, BundleComponent] => entry[1] !== undefined)
  const read = Object.fromEntries(valid)
  attributes.addViolations('components', componentViolations(read))
  return given.size > 0 ? read : null
}

/** The ids of all option products, each once. */
export function optionProductIds(bundle: BundleComponents | null): string[] {
  return [...new Set(Object.values(bundle ?? {}).flatMap(({ options }) => options.map(({ id }) => id)))]
}

function readComponent(entries: InputReader, key: PathSegment): BundleComponent | undefined {
  const component = entries.object(key)
  if (!component) return undefined
  const name = component.text('name', { required: true, min: 1, max: FREE_NAME_MAX, isName: true }) ?? ''
  const min = component.integer('min', { nullable: true }) ?? null
  const max = component.integer('max', { nullable: true, max: INT4_MAX }) ?? null
  const sort_order = readSortOrder(component) ?? null
  return { name, min, max, sort_order, options: component.list('options', readOption, { required: true }) ?? [] }
}

function readOption(options: InputReader, index: number): BundleOption {
  const option = options.object(index)
  return {
    id: option?.text('id', { required: true, format: uuid })?.toLowerCase() ?? '',
    type: option?.oneOf('type', ['product'], { nullable: true }) ?? 'product',
    quantity: option?.integer('quantity', { nullable: true }) ?? 1,
    sort_order: readSortOrder(option) ?? null,
    default: option?.boolean('default', { nullable: true }) ?? null,
  }
}
