/** Filters of lists of records by a text or an instant: their input types, and the clauses of a range (filter.clauses-all-hold). */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { builder } from './builder.ts'
import { textFilterFields } from './text-filter.ts'

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
