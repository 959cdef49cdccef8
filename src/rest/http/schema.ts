/** JSON Schema (2020-12) builders for the OpenAPI document. A schema with a `title` becomes a component of that name. */

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

export const uuid: Schema = { type: 'string', format: 'uuid' }
export const instant: Schema = { type: 'string', format: 'date-time' }
export const boolean: Schema = { type: 'boolean' }

/** A string; lengths in Unicode code points. */
export function text(limits: { min?: number; max?: number; format?: string; description?: string } = {}): Schema {
  const { min, max, ...rest } = limits
  return { type: 'string', ...(min !== undefined && { minLength: min }), ...(max !== undefined && { maxLength: max }), ...rest }
}

/** An integer, by default any that is exact in JavaScript (value.numbers-never-rounded). */
export function integer(minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER): Schema {
  return { type: 'integer', format: 'int64', minimum, maximum }
}

/** One of the given strings. */
export function word(...words: string[]): Schema {
  return words.length === 1 ? { type: 'string', const: words[0] } : { type: 'string', enum: words }
}

/** An object; members whose name ends in `?` may be absent. */
export function object(members: Readonly<Record<string, Schema>>, title?: string): Schema {
  const entries = Object.entries(members)
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith('?'))
  return {
    ...(title !== undefined && { title }),
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    ...(required.length > 0 && { required }),
  }
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

export const currencyCode: Schema = { type: 'string', pattern: '^[A-Z]{3}$' }
export const timestamps: Schema = object({ updated_at: instant, created_at: instant }, 'Timestamps')
export const owner: Schema = word('store', 'organization')

const formattedPrice = object({ amount: integer(0), currency: currencyCode, formatted: text() }, 'FormattedPrice')
export const displayPrice: Schema = object({ with_tax: formattedPrice, without_tax: formattedPrice }, 'DisplayPrice')

export const errors: Schema = object(
  { errors: list(object({ title: text(), status: text(), detail: text(), code: text() }, 'Error')) },
  'Errors',
)

const link = text({ format: 'uri-reference' })
const pageLinks = object({ self: link, first: link, last: nullable(link), prev: nullable(link), next: nullable(link) }, 'PageLinks')
const pageMeta = object(
  {
    results: object({ total: integer(0) }),
    page: object({ limit: integer(1, 100), offset: integer(0, 10_000), current: integer(1), total: integer(0) }),
  },
  'PageMeta',
)

/** A page of a list, as links.ts writes it. */
export function listOf(item: Schema): Schema {
  return object({ meta: pageMeta, data: list(item), links: pageLinks })
}
