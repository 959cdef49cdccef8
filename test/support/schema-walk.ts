/** Schema walk: queries generated from the schema, so that new types and fields are tested automatically. */
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { rightOf } from '../../src/graphql/schema/rights.ts'

type Field = GraphQLField<unknown, unknown>

/** Whether the field, or its type, is for admins. */
export function isForAdmins(field: Field): boolean {
  const type = getNamedType(field.type)
  return rightOf(field) === 'admin' || (isObjectType(type) && rightOf(type) === 'admin')
}

/** A literal for an input of the type, with `id` for ids: an id, or a variable as `$id`. */
export function literal(type: GraphQLInputType, id: string, list = true): string {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return list ? `[${literal(nullable.ofType, id)}]` : '[]'
  const named = getNamedType(nullable)
  if (isEnumType(named)) return named.getValues()[0]?.name ?? ''
  if (isInputObjectType(named)) {
    const fields = Object.values(named.getFields())
    const required = named.isOneOf
      ? fields.slice(0, 1)
      : fields.filter((field) => isNonNullType(field.type) && field.defaultValue === undefined)
    return `{${required.map((field) => `${field.name}: ${literal(field.type, id)}`).join(', ')}}`
  }
  const literals: Record<string, string> = {
    ID: id.startsWith('$') ? id : JSON.stringify(id),
    Int: '1',
    Long: '1',
    Float: '1',
    Boolean: 'true',
    DateTime: '"2026-01-01T00:00:00Z"',
  }
  return literals[named.name] ?? '"x"'
}

/** `name(required arguments)`; ids are `id`, further arguments are given as they are. */
export function call(field: Field, id: string, given: Readonly<Record<string, string>> = {}): string {
  const required = field.args
    .filter((arg) => isNonNullType(arg.type) && arg.defaultValue === undefined && !(arg.name in given))
    .map((arg) => `${arg.name}: ${literal(arg.type, id)}`)
  const all = [...required, ...Object.entries(given).map(([name, value]) => `${name}: ${value}`)]
  return all.length > 0 ? `${field.name}(${all.join(', ')})` : field.name
}

/**
 * A selection of all fields of a type that shoppers may read, `depth` levels deep; inner connections have few items.
 */
export function selection(schema: GraphQLSchema, type: GraphQLNamedType, id: string, depth: number): string {
  if (isInterfaceType(type) || isAbstractType(type)) {
    const open = schema.getPossibleTypes(type).filter((one) => rightOf(one) !== 'admin')
    return ['__typename', ...open.map((one) => `... on ${one.name} { ${fields(schema, one, id, depth)} }`)].join(' ')
  }
  return fields(schema, type, id, depth)
}

function fields(schema: GraphQLSchema, type: GraphQLNamedType, id: string, depth: number): string {
  if (!isObjectType(type)) return '__typename'
  const parts = Object.values(type.getFields()).flatMap((field) => {
    if (isForAdmins(field)) return []
    const answer = getNamedType(field.type)
    // Fields of one name in different types must not clash where an interface brings them together.
    const alias = `${type.name}_${field.name}: `
    if (isLeafType(answer)) return [alias + call(field, id)]
    if (depth === 0) return []
    const page = field.args.some(({ name }) => name === 'first') ? { first: depth > 2 ? '20' : '2' } : {}
    return [`${alias}${call(field, id, page)} { ${selection(schema, answer, id, depth - 1)} }`]
  })
  return ['__typename', ...parts].join(' ')
}

/** For every field of every type that is for admins while its type is open: a type and the field. */
export function adminFields(schema: GraphQLSchema): { type: string; field: Field }[] {
  return Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || type.name.startsWith('__') || rightOf(type) === 'admin') return []
    return Object.values(type.getFields())
      .filter((field) => isForAdmins(field))
      .map((field) => ({ type: type.name, field }))
  })
}

/**
 * Every path of fields from the query root to the type, the shortest; the call of each field with `id`. Null when only
 * payloads lead there.
 */
export function pathTo(schema: GraphQLSchema, target: string, id: (field: string) => string): string[] | null {
  const root = schema.getQueryType()
  const seen = new Set<string>()
  let level: { type: GraphQLNamedType; path: string[] }[] = root ? [{ type: root, path: [] }] : []
  while (level.length > 0) {
    const next: typeof level = []
    for (const { type, path } of level) {
      if (type.name === target) return path
      if (!isObjectType(type) || seen.has(type.name)) continue
      seen.add(type.name)
      for (const field of Object.values(type.getFields())) {
        // What wants more than its required arguments leads nowhere without them.
        if (isForAdmins(field) || /^(_.*|configureBundle|product)$/.test(field.name)) continue
        next.push({ type: getNamedType(field.type), path: [...path, call(field, id(field.name))] })
      }
    }
    level = next
  }
  return null
}
