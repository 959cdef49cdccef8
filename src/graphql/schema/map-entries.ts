import { compareCodePoints } from '../../lib/code-point.ts'

/** The entries of a map whose keys clients chose, in code point order of the keys (graph.maps-become-lists). */
export function entriesOf<T>(map: { readonly [key: string]: T } | object | null): [string, T][] {
  return Object.entries((map ?? {}) as Record<string, T>).sort(([left], [right]) => compareCodePoints(left, right))
}
