/** Connections of all records of a type: the argument for their order, and their pages. */
import type { EnumRef } from '@pothos/core'
import type { ConnectionArguments, KeysetWindow } from '../../domain/input/page.ts'
import { comparesValues, type RecordClause } from '../../domain/input/record-filter.ts'
import { type RecordOrder as Order, orderKinds, sortKey } from '../../domain/input/record-order.ts'
import type { recordReads } from '../../operations/record-reads.ts'
import type { Context } from '../../request/context.ts'
import { builder } from './builder.ts'
import { type ConnectionSource, connection, type Page } from './connection.ts'
import type { Types } from './graph-types.ts'
import { wordEnum } from './word-enum.ts'

export const OrderDirection = wordEnum('OrderDirection', 'Which end of an order comes first.', {
  ASC: 'The oldest, or the first in the alphabet.',
  DESC: 'The newest, or the last in the alphabet.',
})

/** What every list of records can be ordered by. */
export const datedOrders = {
  CREATED_AT: { value: 'createdAt', description: 'By the time of creation.' },
  UPDATED_AT: { value: 'updatedAt', description: 'By the time of the last change.' },
} as const

/** What every list of named records can be ordered by. */
export const recordOrders = {
  ...datedOrders,
  NAME: { value: 'name', description: 'By name, in the order of code points: capitals come before small letters.' },
} as const

const RecordOrderField = builder.enumType('RecordOrderField', {
  description: 'What a list of records is ordered by; equal ones by their id.',
  values: recordOrders,
} as const)

const DatedOrderField = builder.enumType('DatedOrderField', {
  description: 'What a list of records without names is ordered by; equal ones by their id.',
  values: datedOrders,
} as const)

/** Options of the field `direction`. It is nullable, and null is the default too. */
export const directionField = {
  type: OrderDirection,
  defaultValue: 'ASC',
  description: 'Which end comes first.',
} as const

/** Adds the input type of an order by one of the fields. */
export function orderInput<Field>(name: string, description: string, fields: EnumRef<Types, Field>) {
  return builder.inputType(name, {
    description,
    fields: (t) => ({
      field: t.field({ type: fields, required: true, description: 'What it is ordered by.' }),
      direction: t.field(directionField),
    }),
  })
}

const DatedOrderInput = orderInput('DatedOrderInput', 'The order of a list of records without names.', DatedOrderField)
const RecordOrderInput = orderInput('RecordOrderInput', 'The order of a list of records.', RecordOrderField)

export const orderArgs = builder.args((t) => ({
  orderBy: t.field({ type: RecordOrderInput, description: 'The order of the list, such as `{ field: NAME }`.' }),
}))

export const datedOrderArgs = builder.args((t) => ({
  orderBy: t.field({
    type: DatedOrderInput,
    description: 'The order of the list, such as `{ field: UPDATED_AT, direction: DESC }`.',
  }),
}))

interface OrderedArguments extends ConnectionArguments {
  readonly orderBy?:
    | { readonly field: Order['field']; readonly direction?: 'ASC' | 'DESC' | null | undefined }
    | null
    | undefined
}

interface Record {
  readonly id: string | number
}

type SourceOrder<Item> = Pick<ConnectionSource<Item>, 'order' | 'key'>

/** Values of a filter, which become parameters of a statement, per point of work. */
const VALUES_PER_POINT = 2

/** The page of the records that match all clauses: oldest first, unless `orderBy` says otherwise. */
export function recordConnection<Item extends Record>(
  ctx: Context,
  { orderBy, ...args }: OrderedArguments,
  clauses: readonly RecordClause[],
  reads: Pick<ReturnType<typeof recordReads<object, Item>>, 'page' | 'total'>,
): Page<Item> {
  const order = orderOf(orderBy)
  // Aliases can repeat a filter with thousands of values from one variable.
  ctx.work.spend(
    clauses.reduce((sum, clause) => sum + (comparesValues(clause) ? clause.values.length : 0), 0) / VALUES_PER_POINT,
  )
  return connection(args, {
    ...keyOf(order),
    fetch: (window) => reads.page(ctx, { ...window, clauses, order }),
    count: () => reads.total(ctx, { clauses }),
  })
}

/** The loaders of a parent's records: a window of those that match all clauses, and how many match. */
interface ChildRecordLoaders<Item> {
  readonly pages: (window: KeysetWindow & { readonly clauses: readonly RecordClause[]; readonly order?: Order }) => {
    load(parentId: string): Promise<readonly Item[]>
  }
  readonly totals: (clauses: readonly RecordClause[]) => { load(parentId: string): Promise<number> }
}

/**
 * As `recordConnection`, for the records of a parent. `ownOrder` is the order of the list without `orderBy`, by default
 * that of creation. Parents whose lists have the same window, filter and order share one statement.
 */
export function childRecordConnection<Item extends Record>(
  { orderBy, ...args }: OrderedArguments,
  parentId: string,
  clauses: readonly RecordClause[],
  { pages, totals }: ChildRecordLoaders<Item>,
  ownOrder: SourceOrder<Item> = keyOf(orderOf(null)),
): Page<Item> {
  const order = orderBy && orderOf(orderBy)
  return connection(args, {
    ...(order ? keyOf(order) : ownOrder),
    fetch: (window) => pages({ ...window, clauses, ...(order && { order }) }).load(parentId),
    count: () => totals(clauses).load(parentId),
  })
}

function orderOf(orderBy: OrderedArguments['orderBy']): Order {
  return { field: orderBy?.field ?? 'createdAt', descending: orderBy?.direction === 'DESC' }
}

function keyOf<Item extends Record>(order: Order): SourceOrder<Item> {
  return { order: [orderKinds[order.field], 'uuid'], key: (item) => sortKey(order, item) }
}
