/** Filters of named records: by name and external reference. */
import type { FilterClause } from '../../domain/input/filter.ts'
import { builder } from './builder.ts'
import type { InputBuilder } from './define-mutation.ts'
import { orderArgs } from './record-connection.ts'
import { TextFilter, textClauses } from './text-filter.ts'

/** The fields that all these filters share. */
export function namedFilterFields(t: InputBuilder) {
  return {
    name: t.field({ type: TextFilter, description: 'By name.' }),
    externalRef: t.field({ type: TextFilter, description: 'By external reference.' }),
  }
}

const RecordFilter = builder.inputType('RecordFilter', {
  description: 'Which records to list; all that is given holds.',
  fields: namedFilterFields,
})

/** The arguments of a connection of named records, besides those for its pages. */
export const namedArgs = {
  ...orderArgs,
  ...builder.args((t) => ({ filter: t.field({ type: RecordFilter, description: 'Which to list.' }) })),
}

/** The filter as clauses (domain/input/filter.ts). */
export function namedClauses(filter: typeof RecordFilter.$inferInput | null | undefined): FilterClause[] {
  return [...textClauses('name', filter?.name), ...textClauses('externalRef', filter?.externalRef)]
}
