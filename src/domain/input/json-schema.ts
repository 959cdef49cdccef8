/**
 * JSON Schema (2020-12) of documents. The schema of a request also lists the members that it may have
 * (unknown-members.ts). A schema with a `title` becomes the component of that name in the OpenAPI document.
 */

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

/** Schemas by the name of their member; one whose name ends in `?` may be absent. */
export type Members = Readonly<Record<string, Schema>>

export const uuid: Schema = { type: 'string', format: 'uuid' }
export const instant: Schema = { type: 'string', format: 'date-time' }
export const boolean: Schema = { type: 'boolean' }
export const currencyCode: Schema = { type: 'string', pattern: '^[A-Z]{3}$' }

/** A string; lengths in Unicode code points. */
export function text(limits: { min?: number; max?: number; format?: string; description?: string } = {}): Schema {
  const { min, max, ...rest } = limits
  return {
    type: 'string',
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
    ...rest,
  }
}

/** An integer, by default any that is exact in JavaScript (value.numbers-never-rounded). */
export function integer(minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER): Schema {
  return { type: 'integer', format: 'int64', minimum, maximum }
}

/** One of the given strings. */
export function word(...words: readonly string[]): Schema {
  return words.length === 1 ? { type: 'string', const: words[0] } : { type: 'string', enum: words }
}

/** An object in a response, which may get further members in later versions. */
export function object(members: Members, title?: string): Schema {
  const entries = Object.entries(members)
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith('?'))
  return {
    ...(title !== undefined && { title }),
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    ...(required.length > 0 && { required }),
  }
}

/** An object in a request: any other member is refused (input.unknown-members-refused). */
export function closed(members: Members, title?: string): Schema {
  return { ...object(members, title), additionalProperties: false }
}

/** A map with arbitrary keys; `max` limits their number. */
export function map(values: Schema, limits: { keys?: Schema; max?: number } = {}): Schema {
  const { keys, max } = limits
  return {
    type: 'object',
    ...(keys && { propertyNames: keys }),
    ...(max !== undefined && { maxProperties: max }),
    additionalProperties: values,
  }
}

/** An array of at most `max` items. */
export function list(items: Schema, max?: number): Schema {
  return { type: 'array', items, ...(max !== undefined && { maxItems: max }) }
}

/** The schema or null. */
export function nullable(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] }
}
