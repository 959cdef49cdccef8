/** Custom inputs: texts that a shopper enters for a product. */
import { freeName as nameSchema } from '../input/document.ts'
import type { InputReader } from '../input/input-reader.ts'
import * as schema from '../input/json-schema.ts'
import { CUSTOM_INPUT_MAX_LENGTH, CUSTOM_INPUTS_MAX, FREE_NAME_MAX, VALIDATION_RULES_MAX } from '../input/limits.ts'
import { wholeJson } from '../input/whole-member.ts'
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

const { closed, list, map, nullable } = schema

const ruleSchema = closed({
  'type?': nullable(schema.word('string')),
  'options?': nullable(closed({ 'max_length?': nullable(schema.integer(1, CUSTOM_INPUT_MAX_LENGTH)) })),
})

const inputSchema = closed({
  name: nameSchema,
  'validation_rules?': nullable(list(ruleSchema, VALIDATION_RULES_MAX)),
  'required?': nullable(schema.boolean),
})

/** The texts that a shopper enters for a product. */
export const customInputs = wholeJson<CustomInputs | null>(null, {
  max: CUSTOM_INPUTS_MAX,
  schema: nullable(map(inputSchema, { keys: nameSchema, max: CUSTOM_INPUTS_MAX })),
  read: readCustomInputs,
})

/**
 * Reads `{ key: { name, validation_rules?: [{ type?, options?: { max_length? } }], required? } }`; null or an empty map
 * is null.
 */
function readCustomInputs(attributes: InputReader): CustomInputs | null | undefined {
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
    validation_rules:
      input?.list('validation_rules', (rules, index) => readRule(rules.object(index)), validationRules) ?? [],
    required: input?.boolean('required', { nullable: true }) ?? null,
  }
}

function readRule(rule: InputReader | null | undefined): ValidationRule {
  const type = rule?.oneOf('type', ['string'], { nullable: true }) ?? 'string'
  const options = rule?.object('options', { nullable: true })
  const max_length = options?.integer('max_length', { nullable: true, min: 1, max: CUSTOM_INPUT_MAX_LENGTH })
  return { type, ...(options && { options: { ...(max_length != null && { max_length }) } }) }
}
