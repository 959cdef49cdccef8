import type { Violation } from '../domain/input/errors.ts'

/** What became of one object. */
export type Outcome =
  | { readonly kind: 'created' | 'updated' | 'unchanged' }
  | { readonly kind: 'refused'; readonly violations: readonly Violation[] }

export type OutcomeKind = Outcome['kind']

export const outcomeKinds: readonly OutcomeKind[] = ['created', 'updated', 'unchanged', 'refused']
