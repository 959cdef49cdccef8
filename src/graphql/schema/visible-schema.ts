/**
 * Visible schema: the part of the schema that a viewer may use, for introspection (right.introspection-by-role), so
 * that tools offer only what works. Types that nothing visible leads to are left out, with the fields that led to them.
 */
import {
  type GraphQLFieldConfigMap,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  type GraphQLType,
  GraphQLUnionType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'
import type { Viewer } from '../../auth/viewer.ts'
import { hasRight, type Right } from '../../operations/operation.ts'
import type { Context } from '../../request/context.ts'
import { rightOf, rightOfField } from './rights.ts'

const parts = new WeakMap<GraphQLSchema, Map<Right, GraphQLSchema>>()

/** The part of the schema that the viewer may use, made once per schema and right. */
export function visibleSchema(schema: GraphQLSchema, viewer: Viewer): GraphQLSchema {
  const right = (['admin', 'account', 'anyone'] as const).find((one) => hasRight(one, viewer)) ?? 'anyone'
  if (right === 'admin') return schema
  const made = parts.get(schema) ?? new Map<Right, GraphQLSchema>()
  parts.set(schema, made)
  const part = made.get(right) ?? new Part(schema, (declared) => hasRight(declared, viewer)).schema()
  made.set(right, part)
  return part
}

/**
 * Copies of the types without what the viewer does not see. Scalars, enums and inputs have no rights and stay the same
 * objects.
 */
class Part {
  private readonly copies = new Map<string, GraphQLNamedType>()

  constructor(
    private readonly whole: GraphQLSchema,
    private readonly sees: (right: Right) => boolean,
  ) {}

  schema(): GraphQLSchema {
    const { query, mutation, subscription, ...config } = this.whole.toConfig()
    // A root type without a field would be invalid.
    const root = (type: GraphQLObjectType | null | undefined) =>
      type && Object.values(type.getFields()).some((field) => this.sees(rightOfField(field)))
        ? (this.copy(type) as GraphQLObjectType)
        : null
    return new GraphQLSchema({
      ...config,
      query: root(query),
      mutation: root(mutation),
      subscription: root(subscription),
      // Objects that only an interface leads to. The roots lead to all others.
      types: config.types
        .filter((type) => this.isVisible(type) && isObjectType(type) && type.getInterfaces().length > 0)
        .map(this.copy),
    })
  }

  private isVisible(type: GraphQLNamedType): boolean {
    return this.sees(rightOf(type) ?? 'anyone')
  }

  private readonly copy = (type: GraphQLNamedType): GraphQLNamedType => {
    const found = this.copies.get(type.name)
    if (found) return found
    const made = this.make(type)
    this.copies.set(type.name, made)
    return made
  }

  private make(type: GraphQLNamedType): GraphQLNamedType {
    if (isObjectType(type) || isInterfaceType(type)) {
      const fields = () => this.fieldsOf(type)
      const interfaces = () => type.getInterfaces().map((one) => this.copy(one) as GraphQLInterfaceType)
      if (isInterfaceType(type)) return new GraphQLInterfaceType({ ...type.toConfig(), fields, interfaces })
      return new GraphQLObjectType<unknown, Context>({ ...type.toConfig(), fields, interfaces })
    }
    if (!isUnionType(type)) return type
    const members = type.getTypes().filter((member) => this.isVisible(member))
    return new GraphQLUnionType({
      ...type.toConfig(),
      types: () => members.map((member) => this.copy(member) as GraphQLObjectType),
    })
  }

  private fieldsOf(type: GraphQLObjectType | GraphQLInterfaceType): GraphQLFieldConfigMap<unknown, Context> {
    const fields = type.getFields()
    const seen = Object.entries(type.toConfig().fields).filter(([name]) => {
      const field = fields[name]
      return field !== undefined && this.sees(rightOfField(field))
    })
    return Object.fromEntries(
      seen.map(([name, config]) => [name, { ...config, type: this.wrapped(config.type) as never }]),
    )
  }

  private wrapped(type: GraphQLType): GraphQLType {
    if (isNonNullType(type)) return new GraphQLNonNull(this.wrapped(type.ofType) as never)
    if (isListType(type)) return new GraphQLList(this.wrapped(type.ofType))
    return this.copy(type)
  }
}
