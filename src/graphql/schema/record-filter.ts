/** Filters of records: by the instants that all of them have, and of named ones by name and external reference. */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { withReader } from './argument-reader.ts'
import { builder } from './builder.ts'
import type { InputBuilder } from './define-mutation.ts'
import { orderArgs } from './record-connection.ts'
import { DateTimeFilter, instantClauses, RecordTextFilter } from './record-text-filter.ts'
import { textClauses } from './text-filter.ts'

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

/** The arguments of a connection of named records, besides those for its pages. */
export const namedArgs = {
  ...orderArgs,
  ...builder.args((t) => ({
    filter: t.field({
      type: RecordFilter,
      description: 'Which to list, such as `{ externalRef: { startsWith: "shop-" } }`.',
      ...withReader(({ filter }: { filter?: Given | null }) => namedClauses(filter)),
    }),
  })),
}

type Given = typeof RecordFilter.$inferInput

/** The clauses of datedFilterFields. */
export function datedClauses(filter: Pick<Given, 'createdAt' | 'updatedAt'> | null | undefined): RecordClause[] {
  return [...instantClauses('createdAt', filter?.createdAt), ...instantClauses('updatedAt', filter?.updatedAt)]
}

/** The clauses of namedFilterFields. */
export function namedClauses(filter: Given | null | undefined): RecordClause[] {
  return [...textClauses('name', filter?.name), ...textClauses('externalRef', filter?.externalRef), ...datedClauses(filter)]
}
