/** What lists of named records can be filtered by. */
import type { FilterClause } from '../../domain/input/filter.ts'
import { builder } from './builder.ts'
import type { InputBuilder } from './define-mutation.ts'
import { orderArgs } from './record-connection.ts'
import { TextFilter, textClauses } from './text-filter.ts'

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

/** The arguments of a list of named records, beside those of its pages. */
export const namedArgs = {
  ...orderArgs,
  ...builder.args((t) => ({ filter: t.field({ type: RecordFilter, description: 'Which to list.' }) })),
}

export function namedClauses(filter: typeof RecordFilter.$inferInput | null | undefined): FilterClause[] {
  return [...textClauses('name', filter?.name), ...textClauses('externalRef', filter?.externalRef)]
}
