/** Custom inputs: texts that a shopper enters for a product. */
import type { InputReader } from '../input/input-reader.ts'
import { CUSTOM_INPUT_MAX_LENGTH, CUSTOM_INPUTS_MAX, FREE_NAME_MAX, VALIDATION_RULES_MAX } from '../input/limits.ts'
import { freeName } from '../pricing/tiered-price-input.ts'

/** A rule for the text; `max_length` is in characters (product.custom-input-length). */
export interface ValidationRule {
  readonly type: 'string'
  readonly options?: { readonly max_length?: number }
}

/** One text to enter. */
export interface CustomInput {
  /** The label in the storefront. */
  readonly name: string
  readonly validation_rules: readonly ValidationRule[]
  readonly required: boolean | null
}

/** Custom inputs by their keys. */
export type CustomInputs = Readonly<Record<string, CustomInput>>

/** Reads `{ key: { name, validation_rules?: [{ type?, options?: { max_length? } }], required? } }`; null or an empty map is null. */
export function readCustomInputs(attributes: InputReader): CustomInputs | null | undefined {
  const given = attributes.map('custom_inputs', (entries, name) => readCustomInput(entries.object(name)), {
    nullable: true,
    max: CUSTOM_INPUTS_MAX,
    key: freeName,
  })
  if (given == null) return given
  return given.size > 0 ? Object.fromEntries(given) : null
}

const validationRules = { nullable: true, max: VALIDATION_RULES_MAX }

function readCustomInput(input: InputReader | null | undefined): CustomInput {
  return {
    name: input?.text('name', { required: true, min: 1, max: FREE_NAME_MAX, isName: true }) ?? '',
    validation_rules: input?.list('validation_rules', (rules, index) => readRule(rules.object(index)), validationRules) ?? [],
    required: input?.boolean('required', { nullable: true }) ?? null,
  }
}

function readRule(rule: InputReader | null | undefined): ValidationRule {
  const type = rule?.oneOf('type', ['string'], { nullable: true }) ?? 'string'
  const options = rule?.object('options', { nullable: true })
  const max_length = options?.integer('max_length', { nullable: true, min: 1, max: CUSTOM_INPUT_MAX_LENGTH })
  return { type, ...(options && { options: { ...(max_length != null && { max_length }) } }) }
}
