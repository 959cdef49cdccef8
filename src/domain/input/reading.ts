/**
 * The state that the readers of one input share: the violations found so far, and what a member's rule depends on
 * besides its value.
 */
import type { Violation } from './errors.ts'

/** What an input is for. */
export interface ReadingRule {
  /** A new record, in which null for an optional member is absence (input.null-is-absence). */
  readonly isNew?: boolean
  /** The record that is changed: a name that it already has may be given again (text.names-are-visible). */
  readonly stored?: unknown
}

/** The result of reading an input: a typed value, or else every violation. */
export type ReadResult<T> =
  | { readonly value: T; readonly violations: readonly [] }
  | { readonly value: undefined; readonly violations: readonly Violation[] }

/**
 * The readable part of an input, for rules that find more violations. The value lacks members that have a violation.
 */
export interface PartialResult<T> {
  readonly value: T | undefined
  readonly violations: readonly Violation[]
}

/** The value that was read, if it is without violations. */
export function wholeResult<T>({ value, violations }: PartialResult<T>): ReadResult<T> {
  return violations.length === 0 ? { value: value as T, violations: [] } : { value: undefined, violations }
}

/** One reading of an input. */
export class Reading {
  readonly violations: Violation[] = []
  readonly isNew: boolean
  private readonly stored: unknown
  private texts: ReadonlySet<string> | undefined

  constructor({ isNew = false, stored }: ReadingRule = {}) {
    this.isNew = isNew
    this.stored = stored
  }

  /** Whether the stored record holds the text, as a value or as a key; tags are stored in lower case. */
  holds(text: string): boolean {
    this.texts ??= new Set(textsIn(this.stored))
    return this.texts.has(text) || this.texts.has(text.toLowerCase())
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => [name, ...textsIn(item)])
}
