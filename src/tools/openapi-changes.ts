/** Changes of the OpenAPI document that can break a client, or surprise one. */
import type { ClientChange } from './graph-changes.ts'
import { type JsonSchema, SchemaComparison } from './json-schema-changes.ts'

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>
}
interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: JsonSchema
}
interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
  readonly security?: readonly unknown[]
}
/** The parts of an OpenAPI document that are compared. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** The changes from one document to another. Failure statuses may come and go. */
export function openApiChanges(before: OpenApi, after: OpenApi): ClientChange[] {
  const schemas = [before.components.schemas, after.components.schemas] as const
  const request = new SchemaComparison('request', ...schemas)
  const response = new SchemaComparison('response', ...schemas)
  const changes = Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, from]) => {
      const place = `${method.toUpperCase()} ${path}`
      const to = after.paths[path]?.[method]
      if (!to) return [breaking(place, 'The operation was removed.')]
      return [
        ...(isOpen(from) && !isOpen(to) ? [breaking(place, 'A token is needed now.')] : []),
        ...parameterChanges(place, from, to, request),
        ...bodyChanges(place, from, to, request),
        ...responseChanges(place, from, to, response),
      ]
    }),
  )
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()]
}

const breaking = (place: string, what: string): ClientChange => ({ level: 'breaking', place, what })
const isOpen = ({ security }: Operation): boolean => security?.length === 0

function parameterChanges(
  place: string,
  before: Operation,
  after: Operation,
  comparison: SchemaComparison,
): ClientChange[] {
  const nameOf = (parameter: Parameter): string => `${place} ${parameter.in} ${parameter.name}`
  const [from, to] = [before, after].map(
    ({ parameters = [] }) => new Map(parameters.map((one) => [nameOf(one), one])),
  ) as [Map<string, Parameter>, Map<string, Parameter>]
  const changed = [...from].flatMap(([name, parameter]) => {
    const now = to.get(name)
    return now ? comparison.compare(name, parameter.schema, now.schema) : [breaking(name, 'The parameter was removed.')]
  })
  const required = [...to].filter(([name, parameter]) => parameter.required && !from.get(name)?.required)
  return [...changed, ...required.map(([name]) => breaking(name, 'The parameter is required now.'))]
}

function bodyChanges(place: string, before: Operation, after: Operation, comparison: SchemaComparison): ClientChange[] {
  const inner = `${place} request`
  const required = after.requestBody?.required && !before.requestBody?.required
  return [
    ...(required ? [breaking(inner, 'A body is required now.')] : []),
    ...contentChanges(inner, before.requestBody ?? {}, after.requestBody ?? {}, comparison),
  ]
}

function responseChanges(
  place: string,
  before: Operation,
  after: Operation,
  comparison: SchemaComparison,
): ClientChange[] {
  const success = (status: string): boolean => status.startsWith('2')
  const changed = Object.entries(before.responses).flatMap(([status, from]) => {
    const inner = `${place} ${status}`
    const to = after.responses[status]
    if (to) return contentChanges(inner, from, to, comparison)
    return success(status) ? [breaking(inner, 'The status was removed.')] : []
  })
  const added = Object.keys(after.responses).filter((status) => success(status) && !before.responses[status])
  return [
    ...changed,
    ...added.map(
      (status): ClientChange => ({ level: 'dangerous', place: `${place} ${status}`, what: 'The status is new.' }),
    ),
  ]
}

function contentChanges(place: string, before: Content, after: Content, comparison: SchemaComparison): ClientChange[] {
  return Object.entries(before.content ?? {}).flatMap(([type, { schema }]) => {
    const now = after.content?.[type]
    return now ? comparison.compare(place, schema, now.schema) : [breaking(place, `${type} was removed.`)]
  })
}
