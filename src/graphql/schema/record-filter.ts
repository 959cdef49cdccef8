/**
 * Filters of records: by texts and instants (filter.clauses-all-hold), and what the filters of all records, and of all
 * named records, share.
 */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { builder } from './builder.ts'
import type { InputBuilder } from './define-mutation.ts'
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
export function instantClauses(
  field: string,
  range: typeof DateTimeFilter.$inferInput | null | undefined,
): RecordClause[] {
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

export const RecordFilter = builder.inputType('RecordFilter', {
  description: 'Which records to list; all that is given holds.',
  fields: namedFilterFields,
})

type Given = typeof RecordFilter.$inferInput

/** The clauses of datedFilterFields. */
export function datedClauses(filter: Pick<Given, 'createdAt' | 'updatedAt'> | null | undefined): RecordClause[] {
  return [...instantClauses('createdAt', filter?.createdAt), ...instantClauses('updatedAt', filter?.updatedAt)]
}

/** The clauses of namedFilterFields. */
export function namedClauses(filter: Given | null | undefined): RecordClause[] {
  return [
    ...textClauses('name', filter?.name),
    ...textClauses('externalRef', filter?.externalRef),
    ...datedClauses(filter),
  ]
}
