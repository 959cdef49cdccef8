/** Filters of lists of records: what REST's filters say, and beyond it parts of texts, ranges of instants and flags, which GraphQL offers. */
import type { FilterClause } from './filter.ts'

/** A condition on a member of a record. */
export type RecordClause =
  | FilterClause
  | { readonly op: 'startsWith' | 'contains'; readonly field: string; readonly text: string }
  /** `from` begins with the instant (epoch milliseconds), `before` ends with it. */
  | { readonly op: 'from' | 'before'; readonly field: string; readonly at: number }
  /** At `at` (epoch milliseconds) the instant has `passed`, which it has at itself too, or is `ahead`, where an absent one always is. */
  | { readonly op: 'passed'; readonly field: string; readonly at: number }
  | { readonly op: 'ahead'; readonly field: string; readonly at: number }
  | { readonly op: 'is'; readonly field: string; readonly value: boolean }

/** Whether the clause compares with whole values. */
export function comparesValues(clause: RecordClause): clause is FilterClause {
  return clause.op === 'eq' || clause.op === 'in'
}
