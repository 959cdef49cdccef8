/**
 * Filters of lists of records by a text or an instant: their input types, and the clauses that they stand for (filter.clauses-all-hold).
 */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { builder } from './builder.ts'
import { textClauses } from './text-filter.ts'

export const RecordTextFilter = builder.inputType('RecordTextFilter', {
  description: 'What a text of a record must be, capitals and small letters apart; all that is given holds.',
  fields: (t) => ({
    eq: t.string({ description: 'Exactly this.' }),
    in: t.stringList({ description: 'One of these.' }),
    startsWith: t.string({ description: 'Begins with this.' }),
    contains: t.string({ description: 'Has this anywhere; no index helps, so it takes longest on long lists.' }),
  }),
})

export const DateTimeFilter = builder.inputType('DateTimeFilter', {
  description: 'Between which instants something must be; all that is given holds.',
  fields: (t) => ({
    from: t.field({ type: 'DateTime', description: 'At this instant or later.' }),
    before: t.field({ type: 'DateTime', description: 'Earlier than this instant.' }),
  }),
})

/** The clauses of a text filter. Null means absent; an empty list matches nothing. */
export function recordTextClauses(field: string, filter: typeof RecordTextFilter.$inferInput | null | undefined): RecordClause[] {
  const parts = (['startsWith', 'contains'] as const).flatMap((op): RecordClause[] => {
    const text = filter?.[op]
    return text == null ? [] : [{ op, field, text }]
  })
  return [...textClauses(field, filter), ...parts]
}

/** The clauses of a range of instants. Null means absent. */
export function instantClauses(field: string, range: typeof DateTimeFilter.$inferInput | null | undefined): RecordClause[] {
  return (['from', 'before'] as const).flatMap((op): RecordClause[] => {
    const at = range?.[op]
    return at == null ? [] : [{ op, field, at }]
  })
}
