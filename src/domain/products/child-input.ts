/** Child input: what a client chooses of the children that a build makes (product.children-from-build-rules). */
import { slug } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { CHILDREN_MAX, FREE_NAME_MAX, SKU_MAX, VARIATIONS_MAX } from '../input/limits.ts'
import { readInput } from '../input/read-input.ts'
import type { ReadResult } from '../input/reading.ts'
import { newRecord } from '../input/record.ts'
import { readOptionId } from './build-rules.ts'

/** The SKU and slug of the child with these options; an absent one is made from the options. */
export interface ChildChoice {
  readonly optionIds: readonly string[]
  readonly sku?: string | undefined
  readonly slug?: string | undefined
}

/** Reads `{ children?: [{ option_ids, sku?, slug? }] }`. */
export function readChildChoices(data: unknown): ReadResult<ChildChoice[]> {
  const rule = { nullable: true, max: CHILDREN_MAX }
  return readInput(data, (reader) => reader.list('children', readChoice, rule) ?? [], newRecord)
}

function readChoice(children: InputReader, index: number): ChildChoice {
  const child = children.object(index, { required: true })
  return {
    optionIds: child?.list('option_ids', readOptionId, { required: true, max: VARIATIONS_MAX }) ?? [],
    sku: child?.text('sku', { min: 1, max: SKU_MAX, isName: true }) ?? undefined,
    slug: child?.text('slug', { min: 1, max: FREE_NAME_MAX, format: slug }) ?? undefined,
  }
}
