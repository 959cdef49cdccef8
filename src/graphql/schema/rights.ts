/**
 * Rights of types and fields (right.shoppers-see-published-and-own), enforced in the built schema: whatever way leads to an admin's type (a
 * root field, an edge, a payload, an interface, a union), the field that would resultType it refuses a shopper before anything is read.
 */
import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type PothosTypeConfig, type SchemaTypes } from '@pothos/core'
import {
  defaultFieldResolver,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLTypeResolver,
  getNamedType,
  isAbstractType,
  isObjectType,
} from 'graphql'
import { DomainError } from '../../domain/input/errors.ts'
import { hasRight, type Right } from '../../operations/operation.ts'
import type { Context } from '../../request/context.ts'

type Resolve = GraphQLFieldResolver<unknown, Context>

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      rights: RightsPlugin<Types>
    }
    interface ObjectTypeOptions<Types extends SchemaTypes, Shape> {
      /** Who may reach objects of the type, however. */
      right: Right
    }
    interface FieldOptions<Types extends SchemaTypes, ParentShape, Type, Nullable, Args, ResolveShape, ResolveReturnShape> {
      /** Who may select the field, when that is narrower than what the types on both ends say. Every root field says it. */
      right?: Right
    }
    interface QueryFieldOptions<Types extends SchemaTypes, Type, Nullable, Args, ResolveReturnShape> {
      right: Right
    }
    interface MutationFieldOptions<Types extends SchemaTypes, Type, Nullable, Args, ResolveReturnShape> {
      right: Right
    }
    interface SubscriptionFieldOptions<Types extends SchemaTypes, Type, Nullable, Args, ResolveShape, ResolveReturnShape> {
      right: Right
    }
  }
}

export class RightsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onTypeConfig(config: PothosTypeConfig): PothosTypeConfig {
    return config.kind === 'Object' ? { ...config, extensions: { ...config.extensions, right: config.pothosOptions.right } } : config
  }

  override onOutputFieldConfig(config: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    const { right } = config.pothosOptions
    return right ? { ...config, extensions: { ...config.extensions, right } } : config
  }

  override afterBuild(schema: GraphQLSchema): GraphQLSchema {
    return guard(schema)
  }
}

/** The right that a type or field declares; undefined when it declares none. */
export function rightOf(declared: { readonly extensions: object }): Right | undefined {
  return (declared.extensions as { right?: Right }).right
}

function guard(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type) && type.resolveType) type.resolveType = contained(type.resolveType)
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields())) guardField(schema, type, field)
  }
  return schema
}

function guardField(schema: GraphQLSchema, type: GraphQLObjectType, field: GraphQLField<unknown, Context>): void {
  // A field that only reads a property has no resolver of its own: compiled queries then read it in line.
  if (field.resolve === defaultFieldResolver) delete field.resolve
  // Whoever stands on an admin's type is an admin.
  if (isAdminType(type)) return
  const resultType = getNamedType(field.type)
  const right = rightOfField(field)
  const name = `${type.name}.${field.name}`
  if (right !== 'anyone') {
    field.resolve = onlyFor(right, name, field.resolve ?? defaultFieldResolver)
    if (field.subscribe) field.subscribe = onlyFor(right, name, field.subscribe)
  } else if (isAbstractType(resultType) && schema.getPossibleTypes(resultType).some(isAdminType)) {
    field.resolve = forTypes(schema, resultType, name, field.resolve ?? defaultFieldResolver)
  }
}

/** Compiled queries have no place where a type resolver may throw: the value then has no type, which is an error like any other. */
function contained(resolve: GraphQLTypeResolver<unknown, Context>): GraphQLTypeResolver<unknown, Context> {
  return (value, ctx, info, type) => {
    try {
      return resolve(value, ctx, info, type)
    } catch (error) {
      ctx.log.error({ err: error, requestId: ctx.requestId, type: type.name }, 'a type resolver failed')
      return undefined
    }
  }
}

export function isAdminType(type: GraphQLNamedType): boolean {
  return isObjectType(type) && rightOf(type) === 'admin'
}

/** Who may select the field wherever it stands: by its own right, or that of what it answers. */
export function rightOfField(field: GraphQLField<unknown, Context>): Right {
  return isAdminType(getNamedType(field.type)) ? 'admin' : (rightOf(field) ?? 'anyone')
}

/** `what`, a field or a type as the schema names it, is not for the viewer: it says who it is for. */
export function forbidden(what: string, right: Exclude<Right, 'anyone'> = 'admin'): DomainError {
  return new DomainError('forbidden', `${what} is for administrators${right === 'account' ? ' and shoppers with an account' : ''}`)
}

/** Whether the viewer has the right. One that depends on the viewer's account makes the response that account's alone. */
export function mayReach(right: Right, { viewer, cachePolicy }: Context): boolean {
  if (right === 'account') cachePolicy.doNotStore()
  return hasRight(right, viewer)
}

function onlyFor(right: Exclude<Right, 'anyone'>, name: string, resolve: Resolve): Resolve {
  return (parent, args, ctx, info) => {
    if (!mayReach(right, ctx)) throw forbidden(name, right)
    return resolve(parent, args, ctx, info)
  }
}

/** What an interface or union turns out to be decides; a shopper gets the whole field or none of it. */
function forTypes(schema: GraphQLSchema, type: GraphQLAbstractType, name: string, resolve: Resolve): Resolve {
  return async (parent, args, ctx, info) => {
    const resultType: unknown = await resolve(parent, args, ctx, info)
    if (ctx.viewer.role === 'admin') return resultType
    const items: unknown[] = Array.isArray(resultType) ? await Promise.all(resultType) : [resultType]
    for (const item of items) {
      if (item == null || item instanceof Error) continue
      const found = schema.getType(String(await type.resolveType?.(item, ctx, info, type)))
      if (!found || isAdminType(found)) throw forbidden(`${name} of ${found ? `a ${found.name}` : 'an unknown type'}`)
    }
    return resultType
  }
}

SchemaBuilder.registerPlugin('rights', RightsPlugin)
