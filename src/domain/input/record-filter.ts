/** Filters of lists of records: REST's clauses, and for GraphQL also parts of texts, ranges of instants and flags. */
import type { FilterClause } from './filter.ts'

/** A condition on the beginning or any part of a text. An empty `text` matches every text that is present. */
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
   * Whether an instant has `passed` at `at` (epoch milliseconds), which includes an equal one, or is still `ahead`. An
   * absent instant is always ahead.
   */
  | { readonly op: 'passed'; readonly field: string; readonly at: number }
  | { readonly op: 'ahead'; readonly field: string; readonly at: number }
  | { readonly op: 'is'; readonly field: string; readonly value: boolean }
  /**
   * Whether the member of the span of time that holds `at` (epoch milliseconds) has one of the values: of subscriptions
   * (subscription.listed-by-status).
   */
  | { readonly op: 'span'; readonly field: 'phase' | 'planId'; readonly at: number; readonly values: readonly string[] }
  | {
      readonly op: 'span'
      readonly field: 'paused' | 'canceled'
      readonly at: number
      readonly values: readonly boolean[]
    }

/** Whether the clause compares with whole values. */
export function comparesValues(clause: RecordClause): clause is FilterClause {
  return clause.op === 'eq' || clause.op === 'in'
}
