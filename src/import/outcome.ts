/** Outcomes of imported objects. */
import type { Violation } from '../domain/input/errors.ts'
import type { ParsedObject } from './parsed-object.ts'
import type { Place } from './place.ts'

/** The outcome of one object. */
export type Outcome =
  | {
      readonly kind: 'created' | 'updated' | 'unchanged'
      /** Refused products that a node was taken without. */
      readonly lacking?: readonly Violation[]
    }
  | { readonly kind: 'refused'; readonly violations: readonly Violation[] }

/** The kinds that the summary counts. */
export type OutcomeKind = Outcome['kind']

/** All kinds, in the order of the summary's columns. */
export const outcomeKinds: readonly OutcomeKind[] = ['created', 'updated', 'unchanged', 'refused']

/** An object of the stream with its outcome. */
export interface HandledObject {
  readonly found: ParsedObject
  readonly place: Place
  /** Its type; UNREADABLE for an object without a known one. */
  readonly type: string
  readonly kind: OutcomeKind
  /** Names of its unknown members that were left out (unknown.ts). */
  readonly ignored: readonly string[]
  /** A sentence for each violation; null when the object was taken. */
  readonly problems: readonly string[] | null
  /** A sentence for each refused product that a node was taken without. */
  readonly lacking?: readonly string[]
}

/** The type under which objects without a known type are counted. */
export const UNREADABLE = '(unreadable)'

/** The number of objects by outcome. */
export type OutcomeCounts = Readonly<Record<OutcomeKind, number>>
/** The number of objects by type and outcome. */
export type Counts = ReadonlyMap<string, OutcomeCounts>

/** The number of objects with one of the outcomes, of all types together. */
export function countObjects(counts: Counts, kinds: readonly OutcomeKind[] = outcomeKinds): number {
  let all = 0
  for (const of of counts.values()) for (const kind of kinds) all += of[kind]
  return all
}

/** The counts with further objects. */
export function countMore(counts: Counts, handled: readonly HandledObject[]): Counts {
  const more = new Map([...counts].map(([type, of]) => [type, { ...of }]))
  for (const { type, kind } of handled) {
    const of = more.get(type) ?? { created: 0, updated: 0, unchanged: 0, refused: 0 }
    of[kind]++
    more.set(type, of)
  }
  return more
}
