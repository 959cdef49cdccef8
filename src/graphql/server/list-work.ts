/**
 * Counts what lists really hold while an operation runs: each item at what the operation's cost says of one (cost.ts). Past the limit of a
 * request its operation ends. Work gives way to the event loop here, since whatever takes long goes through a list.
 */
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
} from 'graphql'
import type { Context } from '../../request/context.ts'
import { PLAIN_LIST } from './cost.ts'
import { itemPoints } from './cost-tree.ts'
import { averageLength } from './list-lengths.ts'

/** Has every list of objects in the schema count its items. */
export function countLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields()) as GraphQLField<unknown, Context>[]) {
      const isList = isListType(getNullableType(field.type)) && isCompositeType(getNamedType(field.type))
      if (isList) field.resolve = counted(field.resolve ?? defaultFieldResolver, averageLength(field, PLAIN_LIST))
    }
  }
  return schema
}

function counted(
  resolve: GraphQLFieldResolver<unknown, Context>,
  lengths: ReturnType<typeof averageLength>,
): GraphQLFieldResolver<unknown, Context> {
  return (parent, args, ctx, info) => {
    const count = (items: unknown): unknown => {
      const [node] = info.fieldNodes
      if (!Array.isArray(items) || !node) return items
      lengths.add(items.length)
      ctx.work.spend(items.length * itemPoints(node))
      const wait = ctx.work.yieldPoint()
      return wait ? wait.then(() => items) : items
    }
    const found: unknown = resolve(parent, args, ctx, info)
    return found instanceof Promise ? found.then(count) : count(found)
  }
}
