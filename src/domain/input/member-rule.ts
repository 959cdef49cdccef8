/** Member rules: what a reader accepts of one member. */
import type { Sentence } from './sentence.ts'

/**
 * Whether a member may be absent or null. By default it may be absent, and null only in a new record
 * (input.null-is-absence).
 */
export interface MemberRule {
  /** Absent is a violation, and so is null. */
  readonly required?: boolean
  /** Null is a valid value: it clears (patch.absent-keeps-null-clears). */
  readonly nullable?: boolean
}

/** Bounds and format of a text member. */
export interface TextRule extends MemberRule {
  /** Bounds of the length in Unicode code points, both inclusive (value.lengths-in-code-points). */
  readonly min?: number
  readonly max?: number
  /** A further check: undefined for valid text, else the sentence of the violation. */
  readonly format?: (text: string) => string | undefined
  /** Whether it is a name for people, which must be visible (text.names-are-visible). Empty texts are left to `min`. */
  readonly isName?: boolean | 'or blank'
}

/** Bounds of an integer member, both inclusive. */
export interface IntegerRule extends MemberRule {
  readonly min?: number
  readonly max?: number
}

/** The maximum number of entries of a list member. */
export interface ListRule extends MemberRule {
  readonly max?: number
}

/**
 * The maximum number of keys of a map member, and a check of each key: undefined for a valid one, else the sentence of
 * the violation.
 */
export interface MapRule extends ListRule {
  readonly key?: (text: string) => string | Sentence | undefined
  /** Whether each key is a name, as in a TextRule. */
  readonly isName?: boolean
}
