/** Text filters: the input type, and its translation to filter clauses (filter.clauses-all-hold). */
import type { FilterClause } from '../../domain/input/filter.ts'
import { builder } from './builder.ts'

export const TextFilter = builder.inputType('TextFilter', {
  description: 'What a text must be, compared exactly; all that is given holds.',
  fields: (t) => ({
    eq: t.string({ description: 'Exactly this.' }),
    in: t.stringList({ description: 'One of these.' }),
  }),
})

/** The clauses of a text filter. Null means absent; an empty list matches nothing. */
export function textClauses(field: string, filter: typeof TextFilter.$inferInput | null | undefined): FilterClause[] {
  return [
    ...(filter?.eq == null ? [] : [{ op: 'eq' as const, field, values: [filter.eq] }]),
    ...(filter?.in == null ? [] : [{ op: 'in' as const, field, values: filter.in }]),
  ]
}
