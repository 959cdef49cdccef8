/**
 * Authorization of types and fields, as a Pothos plugin that wraps the resolvers of the built schema. Any field that
 * returns a type for administrators (a root field, an edge, a payload, an interface, a union) throws for a shopper
 * before it reads anything (right.shoppers-see-published-and-own).
 */
import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type PothosTypeConfig,
  type SchemaTypes,
} from '@pothos/core'
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
  isInterfaceType,
  isObjectType,
} from 'graphql'
import { DomainError } from '../../domain/input/errors.ts'
import { hasRight, type Right } from '../../operations/operation.ts'
import type { Context } from '../../request/context.ts'
import { withArticle } from './ids.ts'
import { shopperWays } from './shopper-ways.ts'

type Resolve = GraphQLFieldResolver<unknown, Context>

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      rights: RightsPlugin<Types>
    }
    interface ObjectTypeOptions<Types extends SchemaTypes, Shape> {
      /** Who may reach objects of the type, by any field. */
      right: Right
    }
    interface FieldOptions<
      Types extends SchemaTypes,
      ParentShape,
      Type,
      Nullable,
      Args,
      ResolveShape,
      ResolveReturnShape,
    > {
      /**
       * Who may select the field, when that is narrower than the rights of its parent type and of its own type. Root
       * fields require it.
       */
      right?: Right
    }
    interface QueryFieldOptions<Types extends SchemaTypes, Type, Nullable, Args, ResolveReturnShape> {
      right: Right
    }
    interface MutationFieldOptions<Types extends SchemaTypes, Type, Nullable, Args, ResolveReturnShape> {
      right: Right
    }
    interface SubscriptionFieldOptions<
      Types extends SchemaTypes,
      Type,
      Nullable,
      Args,
      ResolveShape,
      ResolveReturnShape,
    > {
      right: Right
    }
  }
}

/** Stores the rights as extensions of types and fields, and wraps the resolvers after the build. */
export class RightsPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onTypeConfig(config: PothosTypeConfig): PothosTypeConfig {
    return config.kind === 'Object'
      ? { ...config, extensions: { ...config.extensions, right: config.pothosOptions.right } }
      : config
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
    if (type.name.startsWith('__') || !(isObjectType(type) || isInterfaceType(type))) continue
    type.description = withRight(type.description, rightOf(type) ?? 'anyone')
    // A type for administrators states its right once; its fields don't repeat it.
    if (!isAdminType(type))
      for (const field of Object.values(type.getFields()))
        field.description = withRight(field.description, rightOfField(field))
    if (!isObjectType(type)) continue
    for (const field of Object.values(type.getFields())) guardField(schema, type, field)
  }
  return schema
}

function guardField(schema: GraphQLSchema, type: GraphQLObjectType, field: GraphQLField<unknown, Context>): void {
  // Without a resolver of its own, graphql-jit reads the property inline, which is faster.
  if (field.resolve === defaultFieldResolver) delete field.resolve
  // Only administrators reach the fields of a type for administrators.
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

/**
 * graphql-jit can't handle a type resolver that throws. So the error is logged and no type returned, which fails the
 * field.
 */
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

/** Whether only administrators may reach objects of the type. */
export function isAdminType(type: GraphQLNamedType): boolean {
  return isObjectType(type) && rightOf(type) === 'admin'
}

/** Who may select the field: by its own right, and by that of its type. */
export function rightOfField(field: GraphQLField<unknown, Context>): Right {
  return isAdminType(getNamedType(field.type)) ? 'admin' : (rightOf(field) ?? 'anyone')
}

const holders: Readonly<Record<Exclude<Right, 'anyone'>, string>> = {
  admin: 'administrators',
  account: 'administrators and shoppers with an account',
}

/** The description, with a line that says who may use the type or field. */
function withRight(description: string | null | undefined, right: Right): string | null | undefined {
  return right === 'anyone' ? description : `${description}\nFor ${holders[right]}.`
}

/** What a viewer without the right can do instead. */
function nextStep(what: string, right: Exclude<Right, 'anyone'>): string {
  if (right === 'account') return '; this token has no account_id'
  const way = shopperWays[what] ?? shopperWays[/ of an? (\w+)$/.exec(what)?.[1] ?? '']
  return way === undefined ? '' : `; shoppers read ${way}`
}

/** The error of a viewer without the right. `what` names a field, or the field and the type of its value. */
export function forbidden(what: string, right: Exclude<Right, 'anyone'> = 'admin'): DomainError {
  return new DomainError('forbidden', `${what} is for ${holders[right]}${nextStep(what, right)}`)
}

/**
 * Whether the viewer has the right. The right `account` makes the response uncacheable, since it depends on the
 * viewer's account.
 */
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

/**
 * Checks the types of an abstract field's result. One item of a type for administrators fails the whole field for a
 * shopper.
 */
function forTypes(schema: GraphQLSchema, type: GraphQLAbstractType, name: string, resolve: Resolve): Resolve {
  return async (parent, args, ctx, info) => {
    const result: unknown = await resolve(parent, args, ctx, info)
    if (ctx.viewer.role === 'admin') return result
    const items: unknown[] = Array.isArray(result) ? await Promise.all(result) : [result]
    for (const item of items) {
      if (item == null || item instanceof Error) continue
      const found = schema.getType(String(await type.resolveType?.(item, ctx, info, type)))
      if (!found || isAdminType(found))
        throw forbidden(`${name} of ${found ? withArticle(found.name) : 'an unknown type'}`)
    }
    return result
  }
}

SchemaBuilder.registerPlugin('rights', RightsPlugin)
