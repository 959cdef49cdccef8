/** What the readers of one input share: the violations that were found, and what a member's rule depends on beside its value. */
import type { Violation } from './errors.ts'

/** What an input is for. */
export interface ReadingRule {
  /** A new record, in which null for an optional member is absence (input.null-is-absence). */
  readonly isNew?: boolean
  /** The record that is changed: a name that it holds already may be given again (text.names-are-visible). */
  readonly stored?: unknown
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
