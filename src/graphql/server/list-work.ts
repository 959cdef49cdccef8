/**
 * Work of lists, counted while an operation runs: the real number of items, at the cost per item that the analysis found (cost.ts). An
 * operation that exceeds the limit is aborted. Time slicing happens here, since all long work goes through lists.
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
import { itemPoints } from './cost-tree.ts'
import { averageLength } from './list-lengths.ts'

/** Wraps the resolver of every list of objects, so that it counts its items and yields. */
export function countLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields()) as GraphQLField<unknown, Context>[]) {
      const isList = isListType(getNullableType(field.type)) && isCompositeType(getNamedType(field.type))
      if (isList) field.resolve = counted(field.resolve ?? defaultFieldResolver, averageLength(field))
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
      const wait = ctx.work.isHeavy ? ctx.work.yieldPoint() : undefined
      return wait ? wait.then(() => items) : items
    }
    const found: unknown = resolve(parent, args, ctx, info)
    return found instanceof Promise ? found.then(count) : count(found)
  }
}
