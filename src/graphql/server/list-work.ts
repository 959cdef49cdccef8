/**
 * Work of lists, counted while an operation runs: the real number of items, at the cost per item that the analysis
 * found (cost.ts). An operation that exceeds the limit is aborted. Time slicing happens here, since all long work goes
 * through lists and prices.
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

/** Estimated length of a list without paging until the first such list has been read. */
export const PLAIN_LIST = 10
/** Lists in a moving average; from then on, each new list counts for 1/AVERAGED. */
const AVERAGED = 10_000

class AverageLength {
  value = PLAIN_LIST
  private lists = 0

  add(length: number): void {
    this.lists = Math.min(this.lists + 1, AVERAGED)
    this.value += (length - this.value) / this.lists
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a field of any schema.
type Field = GraphQLField<any, any>

const averages = new WeakMap<Field, AverageLength>()

/** The moving average of a field's list lengths, by which the likely work of operations is estimated. */
export function averageLength(field: Field): AverageLength {
  const average = averages.get(field) ?? new AverageLength()
  averages.set(field, average)
  return average
}

/** Types that take long to compute. Their fields yield first; their work is counted where it is done. */
const computedTypes: ReadonlySet<string> = new Set(['CatalogPrice', 'PriceSpan'])

/** Wraps the resolvers of lists of objects, to count their items and yield, and those of prices, to yield. */
export function countLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue
    for (const field of Object.values(type.getFields()) as GraphQLField<unknown, Context>[]) {
      const named = getNamedType(field.type)
      if (computedTypes.has(named.name) && field.resolve) field.resolve = inTurn(field.resolve)
      const isList = isListType(getNullableType(field.type)) && isCompositeType(named)
      if (isList) field.resolve = counted(field.resolve ?? defaultFieldResolver, averageLength(field))
    }
  }
  return schema
}

function inTurn(resolve: GraphQLFieldResolver<unknown, Context>): GraphQLFieldResolver<unknown, Context> {
  return (parent, args, ctx, info) => ctx.work.inTurn(() => resolve(parent, args, ctx, info))
}

function counted(
  resolve: GraphQLFieldResolver<unknown, Context>,
  lengths: AverageLength,
): GraphQLFieldResolver<unknown, Context> {
  return (parent, args, ctx, info) => {
    const count = (items: unknown): unknown => {
      const [node] = info.fieldNodes
      if (!Array.isArray(items) || !node) return items
      lengths.add(items.length)
      ctx.work.spend(items.length * itemPoints(node))
      return ctx.work.inTurn(() => items)
    }
    const found: unknown = resolve(parent, args, ctx, info)
    return found instanceof Promise ? found.then(count) : count(found)
  }
}
