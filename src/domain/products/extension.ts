/** Extensions: further attributes of a product by template. Values are stored as given, whatever JSON they are. */
import { JSON_DEPTH_MAX } from '../../lib/json.ts'
import { isObject } from '../../lib/json-object.ts'
import { freeName as nameSchema } from '../input/document.ts'
import { key, type Path, type Violation, type ViolationCode } from '../input/errors.ts'
import type { InputReader } from '../input/input-reader.ts'
import { map, nullable } from '../input/json-schema.ts'
import { EXTENSION_FIELDS_MAX, EXTENSIONS_MAX } from '../input/limits.ts'
import { FORBIDDEN_KEY } from '../input/map-keys.ts'
import { itsKey } from '../input/sentence.ts'
import { isStorable } from '../input/text.ts'
import { limitParams } from '../input/violation-params.ts'
import { wholeJson } from '../input/whole-member.ts'
import { freeName } from '../pricing/tiered-price-input.ts'

/** Attribute values by template and attribute name. */
export type Extensions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The further attributes of a product. */
export const extensions = wholeJson<Extensions | null>(null, {
  max: EXTENSIONS_MAX,
  schema: nullable(map({ type: 'object' }, { keys: nameSchema, max: EXTENSIONS_MAX })),
  read: readExtensions,
})

/** Reads `{ template: { attribute: any JSON } }`; null or an empty map is null. */
export function readExtensions(attributes: InputReader): Extensions | null | undefined {
  const given = attributes.map('extensions', readTemplate, { nullable: true, max: EXTENSIONS_MAX, key: freeName })
  if (given == null) return given
  return given.size > 0 ? Object.fromEntries(given) : null
}

function readTemplate(templates: InputReader, name: { readonly key: string }): Readonly<Record<string, unknown>> {
  const read = templates.map(
    name,
    (values, attribute) => {
      const value = values.raw(attribute, { nullable: true })
      const violations = jsonViolations(value)
      values.addViolations(attribute, violations)
      // The value as it reads back, without -0 and objects without a prototype, so that equal values compare as equal.
      return violations.length > 0 || value === undefined ? null : JSON.parse(JSON.stringify(value))
    },
    { max: EXTENSION_FIELDS_MAX, key: freeName },
  )
  return Object.fromEntries(read ?? [])
}

/**
 * The reasons why a JSON value can't be stored exactly: texts that the database rejects, keys that Prisma loses,
 * numbers that would be rounded, nesting deeper than JSON_DEPTH_MAX.
 */
export function jsonViolations(value: unknown, path: Path = []): Violation[] {
  const refuse = (code: ViolationCode, message: string): Violation[] => [{ code, path, message }]
  if (path.length > JSON_DEPTH_MAX) {
    const message = `must not nest deeper than ${JSON_DEPTH_MAX} levels`
    return [{ code: 'INVALID_STRUCTURE', path, message, params: limitParams(null, JSON_DEPTH_MAX) }]
  }
  if (typeof value === 'string')
    return isStorable(value) ? [] : refuse('INVALID_TEXT', 'must not hold U+0000 or a lone surrogate')
  if (typeof value === 'number') {
    const exact = Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))
    return exact ? [] : refuse('OUT_OF_RANGE', 'must be a number that is kept exactly')
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => jsonViolations(item, [...path, index]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) => {
    if (!isStorable(name)) return refuse('INVALID_TEXT', 'must not have a key that holds U+0000 or a lone surrogate')
    if (name === FORBIDDEN_KEY)
      return [{ code: 'INVALID_VALUE', path: [...path, key(name)], ...itsKey(`must not be ${FORBIDDEN_KEY}`) }]
    return jsonViolations(item, [...path, key(name)])
  })
}
