/** Further attributes of a product by template. Their values are kept as given, whatever JSON they are. */

import { JSON_DEPTH_MAX } from '../../lib/json.ts'
import { key, type Path, type Violation, type ViolationCode } from '../input/errors.ts'
import { FORBIDDEN_KEY, type InputReader, isObject } from '../input/input-reader.ts'
import { EXTENSION_FIELDS_MAX, EXTENSIONS_MAX } from '../input/limits.ts'
import { isStorable } from '../input/text.ts'
import { freeName } from '../pricing/tiered-price-input.ts'

export type Extensions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

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
      // As it will be read back, so that equal values compare as equal: no -0, no objects without a prototype.
      return violations.length > 0 || value === undefined ? null : JSON.parse(JSON.stringify(value))
    },
    { max: EXTENSION_FIELDS_MAX, key: freeName },
  )
  return Object.fromEntries(read ?? [])
}

/** Why a JSON value can't be kept exactly as it is: texts that the database can't hold, keys that get lost, numbers that would be rounded, endless nesting. */
export function jsonViolations(value: unknown, path: Path = []): Violation[] {
  const refuse = (code: ViolationCode, message: string): Violation[] => [{ code, path, message }]
  if (path.length > JSON_DEPTH_MAX) return refuse('INVALID_STRUCTURE', `must not nest deeper than ${JSON_DEPTH_MAX} levels`)
  if (typeof value === 'string') return isStorable(value) ? [] : refuse('INVALID_TEXT', 'must not hold U+0000 or a lone surrogate')
  if (typeof value === 'number') {
    const exact = Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))
    return exact ? [] : refuse('OUT_OF_RANGE', 'must be a number that is kept exactly')
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => jsonViolations(item, [...path, index]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, item]) => {
    if (!isStorable(name)) return refuse('INVALID_TEXT', 'must not have a key that holds U+0000 or a lone surrogate')
    if (name === FORBIDDEN_KEY)
      return [{ code: 'INVALID_VALUE', path: [...path, key(name)], message: `its key must not be ${FORBIDDEN_KEY}` }]
    return jsonViolations(item, [...path, key(name)])
  })
}
