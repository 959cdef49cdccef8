/** Filters of lists of records: those of REST, and for GraphQL parts of texts, ranges of instants and flags as well. */
import type { FilterClause } from './filter.ts'

/** A condition on the beginning of a text, or on any part of it; an empty one holds for every text that there is. */
export interface TextPartClause {
  readonly op: 'startsWith' | 'contains'
  readonly field: string
  readonly text: string
}

/** A condition on a text. */
export type TextClause = FilterClause | TextPartClause

/** A condition on a member of a record. */
export type RecordClause =
  | TextClause
  /** From the instant on, or before it (epoch milliseconds). */
  | { readonly op: 'from' | 'before'; readonly field: string; readonly at: number }
  /**
   * Whether an instant has `passed` at `at` (epoch milliseconds), an equal one included, or is `ahead` of it; an absent instant is always
   * ahead.
   */
  | { readonly op: 'passed'; readonly field: string; readonly at: number }
  | { readonly op: 'ahead'; readonly field: string; readonly at: number }
  | { readonly op: 'is'; readonly field: string; readonly value: boolean }

/** Whether the clause compares with whole values. */
export function comparesValues(clause: RecordClause): clause is FilterClause {
  return clause.op === 'eq' || clause.op === 'in'
}
