/** Filters of records: by texts and instants (filter.clauses-all-hold), and what the filters of all, and of all named ones, share. */
import type { ObjectRef } from '@pothos/core'
import type { RecordClause } from '../../domain/input/record-filter.ts'
import type { Right } from '../../operations/operation.ts'
import { withReader } from './argument-reader.ts'
import { builder } from './builder.ts'
import { type Page, pageArgs } from './connection.ts'
import type { InputBuilder } from './define-mutation.ts'
import type { Types } from './graph-types.ts'
import { orderArgs, recordConnection } from './record-connection.ts'
import { textClauses, textFilterFields } from './text-filter.ts'

export const RecordTextFilter = builder.inputType('RecordTextFilter', {
  description: 'What a text of a record must be, capitals and small letters apart; all that is given holds.',
  fields: textFilterFields,
})

export const DateTimeFilter = builder.inputType('DateTimeFilter', {
  description: 'Between which instants something must be; all that is given holds.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'At this instant or later.' }),
    before: t.field({ type: 'DateTime', description: 'Earlier than this instant.' }),
  }),
})

/** The clauses of a range of instants. Null means absent. */
export function instantClauses(field: string, range: typeof DateTimeFilter.$inferInput | null | undefined): RecordClause[] {
  return (['from', 'before'] as const).flatMap((op): RecordClause[] => {
    const at = range?.[op]
    return at == null ? [] : [{ op, field, at }]
  })
}

/** The fields that the filters of all records share. */
export function datedFilterFields(t: InputBuilder) {
  return {
    createdAt: t.field({ type: DateTimeFilter, description: 'By the time of creation.' }),
    updatedAt: t.field({ type: DateTimeFilter, description: 'By the time of the last change.' }),
  }
}

/** The fields that the filters of named records share. */
export function namedFilterFields(t: InputBuilder) {
  return {
    name: t.field({ type: RecordTextFilter, description: 'By name.' }),
    externalRef: t.field({ type: RecordTextFilter, description: 'By external reference.' }),
    ...datedFilterFields(t),
  }
}

const RecordFilter = builder.inputType('RecordFilter', {
  description: 'Which records to list; all that is given holds.',
  fields: namedFilterFields,
})

/** The arguments of a connection of named records. */
export const namedListArgs = {
  ...pageArgs,
  ...orderArgs,
  ...builder.args((t) => ({
    filter: t.field({
      type: RecordFilter,
      description: 'Which to list, such as `{ externalRef: { startsWith: "shop-" } }`.',
      ...withReader(({ filter }: { filter?: Given | null }) => namedClauses(filter)),
    }),
  })),
}

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

type Reads<Item extends { readonly id: string }> = Parameters<typeof recordConnection<Item>>[3]
type Given = typeof RecordFilter.$inferInput

/** The clauses of datedFilterFields. */
export function datedClauses(filter: Pick<Given, 'createdAt' | 'updatedAt'> | null | undefined): RecordClause[] {
  return [...instantClauses('createdAt', filter?.createdAt), ...instantClauses('updatedAt', filter?.updatedAt)]
}

/** The clauses of namedFilterFields. */
export function namedClauses(filter: Given | null | undefined): RecordClause[] {
  return [...textClauses('name', filter?.name), ...textClauses('externalRef', filter?.externalRef), ...datedClauses(filter)]
}
