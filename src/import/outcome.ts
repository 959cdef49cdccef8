/** Outcomes of imported objects. */
import type { Violation } from '../domain/input/errors.ts'

/** The outcome of one object. */
export type Outcome =
  | { readonly kind: 'created' | 'updated' | 'unchanged' }
  | { readonly kind: 'refused'; readonly violations: readonly Violation[] }

/** The kinds that the summary counts. */
export type OutcomeKind = Outcome['kind']

/** All kinds, in the order of the summary's columns. */
export const outcomeKinds: readonly OutcomeKind[] = ['created', 'updated', 'unchanged', 'refused']
