/** Lists of named records: their arguments, and the root field of all records of a type. */
import type { ObjectRef } from '@pothos/core'
import type { Right } from '../../operations/operation.ts'
import { builder } from './builder.ts'
import { type Page, pageArgs } from './connection.ts'
import { filterArgs } from './filter-args.ts'
import type { Types } from './graph-types.ts'
import { orderArgs, recordConnection } from './record-connection.ts'
import { namedClauses, RecordFilter } from './record-filter.ts'

/** The arguments of a connection of named records. */
export const namedListArgs = {
  ...pageArgs,
  ...orderArgs,
  ...filterArgs(RecordFilter, 'Which to list, such as `{ externalRef: { startsWith: "shop-" } }`.', namedClauses),
}

type Reads<Item extends { readonly id: string }> = Parameters<typeof recordConnection<Item>>[3]

/** Adds the root field that lists all named records of a type. */
export function defineNamedList<Item extends { readonly id: string }>(
  name: string,
  type: ObjectRef<Types, Page<Item>>,
  { right, description, reads }: { readonly right: Right; readonly description: string; readonly reads: Reads<Item> },
): void {
  builder.queryField(name, (t) =>
    t.field({
      type,
      right,
      description,
      args: namedListArgs,
      resolve: (_, { filter, ...args }, ctx) => recordConnection(ctx, args, namedClauses(filter), reads) as never,
    }),
  )
}
