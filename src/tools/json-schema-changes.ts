/**
 * Changes of a JSON Schema that clients notice: a request that was valid may be refused, or a response may hold what
 * the earlier schema did not allow.
 */
import { isDeepStrictEqual } from 'node:util'
import type { ClientChange } from './graph-changes.ts'

/** A JSON Schema as it stands in openapi.json. */
export type JsonSchema = Readonly<Record<string, unknown>>
/** Whether clients send what a schema describes, or receive it: it decides which changes break them. */
export type Direction = 'request' | 'response'
type Level = ClientChange['level']
type Components = Readonly<Record<string, JsonSchema>>

const lowerLimits = ['minimum', 'minLength', 'minItems', 'minProperties']
const upperLimits = ['maximum', 'maxLength', 'maxItems', 'maxProperties']
const parts = { items: '[]', additionalProperties: '.*', propertyNames: '.* (name)' }
const formats = ['pattern', 'format']
/** Keywords that are compared below, and those that only describe. A change of any other is reported as dangerous. */
const compared = [
  ...lowerLimits,
  ...upperLimits,
  ...formats,
  ...Object.keys(parts),
  'type',
  'enum',
  'const',
  'required',
  'properties',
]
const describing = ['title', 'description', 'example', 'examples', 'default', 'deprecated']

/** The comparison of what requests send, or of what responses hold, in two documents. */
export class SchemaComparison {
  private readonly direction: Direction
  private readonly before: Components
  private readonly after: Components
  /** The changes of components that have been compared; empty during a comparison, so that one may contain itself. */
  private readonly components = new Map<string, ClientChange[]>()

  constructor(direction: Direction, before: Components, after: Components) {
    this.direction = direction
    this.before = before
    this.after = after
  }

  /** The changes from one schema to another; those inside a component have its name as their place. */
  compare(place: string, before: JsonSchema, after: JsonSchema): ClientChange[] {
    const name = componentName(before)
    if (name === null) return this.compareResolved(place, before, resolve(after, this.after))
    const key = `${name} ${componentName(after) ?? place}`
    const found = this.components.get(key)
    if (found) return found
    this.components.set(key, [])
    const changes = this.compareResolved(
      `${this.direction} ${name}`,
      resolve(before, this.before),
      resolve(after, this.after),
    )
    this.components.set(key, changes)
    return changes
  }

  private compareResolved(place: string, before: JsonSchema, after: JsonSchema): ClientChange[] {
    const [from, to] = [alternatives(before), alternatives(after)]
    if (from.length === 1 && to.length === 1) return this.compareOne(place, before, after)
    // Each alternative that is sent must be one that the receiver knows.
    const [sent, known] = this.direction === 'request' ? [from, to] : [to, from]
    return sent.flatMap((alternative, index) => {
      const tries = known.map((one) =>
        this.direction === 'request' ? this.compare(place, alternative, one) : this.compare(place, one, alternative),
      )
      return tries.some((changes) => changes.length === 0) ? [] : (tries[index] ?? tries.at(-1) ?? [])
    })
  }

  private compareOne(place: string, before: JsonSchema, after: JsonSchema): ClientChange[] {
    const [sent, known] = this.direction === 'request' ? [before, after] : [after, before]
    const change = (what: string, level: Level): ClientChange => ({ level, place, what })
    if (known.type !== undefined && known.type !== sent.type && !(known.type === 'number' && sent.type === 'integer')) {
      return [change(`The type ${before.type ?? 'any'} became ${after.type ?? 'any'}.`, 'breaking')]
    }
    // A request beyond a narrower limit is refused; a response beyond a wider one is a surprise.
    const limited: Level = this.direction === 'request' ? 'breaking' : 'dangerous'
    const limits = [
      ...lowerLimits.filter(
        (limit) => number(known[limit], Number.NEGATIVE_INFINITY) > number(sent[limit], Number.NEGATIVE_INFINITY),
      ),
      ...upperLimits.filter(
        (limit) => number(known[limit], Number.POSITIVE_INFINITY) < number(sent[limit], Number.POSITIVE_INFINITY),
      ),
      ...formats.filter((format) => known[format] !== undefined && known[format] !== sent[format]),
    ]
    const others = Object.keys({ ...before, ...after }).filter(
      (key) => !compared.includes(key) && !describing.includes(key),
    )
    return [
      ...limits.map((limit) => change(`${limit} ${show(before[limit])} became ${show(after[limit])}.`, limited)),
      ...this.values(valuesOf(sent), valuesOf(known)).map((what) => change(what, limited)),
      ...others
        .filter((key) => !isDeepStrictEqual(before[key], after[key]))
        .map((key) => change(`${key} changed.`, 'dangerous')),
      ...this.properties(place, before, after),
      ...Object.entries(parts).flatMap(([key, suffix]) => this.part(place + suffix, before[key], after[key])),
    ]
  }

  private values(sent: readonly unknown[] | null, known: readonly unknown[] | null): string[] {
    const request = this.direction === 'request'
    if (known === null) return []
    if (sent === null)
      return [request ? `Only ${known.map(show).join(', ')} may be sent now.` : 'Any value may be in it now.']
    const news = sent.filter((value) => !known.includes(value))
    return news.map((value) =>
      request ? `${show(value)} may not be sent any more.` : `The value ${show(value)} was added.`,
    )
  }

  private properties(place: string, before: JsonSchema, after: JsonSchema): ClientChange[] {
    const [from, to] = [members(before), members(after)]
    const common = Object.entries(from).flatMap(([name, schema]): ClientChange[] => {
      const inner = `${place}.${name}`
      return to[name]
        ? this.compare(inner, schema, to[name])
        : [{ level: 'breaking', place: inner, what: 'The property was removed.' }]
    })
    const request = this.direction === 'request'
    const [sent, known] = request ? [before, after] : [after, before]
    const required = namesIn(known.required).filter(
      (name) => !namesIn(sent.required).includes(name) && (request || to[name]),
    )
    const what = request ? 'The property is required now.' : 'The property may be absent now.'
    return [
      ...common,
      ...required.map((name): ClientChange => ({ level: 'breaking', place: `${place}.${name}`, what })),
    ]
  }

  private part(place: string, before: unknown, after: unknown): ClientChange[] {
    if (isSchema(before) && isSchema(after)) return this.compare(place, before, after)
    const known = this.direction === 'request' ? after : before
    return known === undefined || isDeepStrictEqual(before, after)
      ? []
      : [{ level: 'breaking', place, what: 'What it may hold changed.' }]
  }
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const componentName = ({ $ref }: JsonSchema): string | null =>
  typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? null) : null
const number = (value: unknown, absent: number): number => (typeof value === 'number' ? value : absent)
const show = (value: unknown): string => (value === undefined ? '(none)' : JSON.stringify(value))
const members = ({ properties }: JsonSchema): Record<string, JsonSchema> =>
  (properties ?? {}) as Record<string, JsonSchema>
const namesIn = (required: unknown): readonly string[] => (Array.isArray(required) ? required : [])

function resolve(schema: JsonSchema, components: Components): JsonSchema {
  const name = componentName(schema)
  return name === null ? schema : (components[name] ?? {})
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const list = schema.anyOf ?? schema.oneOf
  return Array.isArray(list) ? list : [schema]
}

function valuesOf(schema: JsonSchema): readonly unknown[] | null {
  if (schema.const !== undefined) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : null
}
