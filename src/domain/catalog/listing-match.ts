/**
 * Listing match: which products of a scope meet the conditions of a filter. It also finds those that fail one key alone, since a facet is
 * counted without the conditions of its own key. What a position is: listing-scope.ts.
 */

/** A condition of a filter, by position in the scope. */
export interface Condition {
  /** The key of the facet that it belongs to; null for a condition that no facet leaves out. */
  readonly key: string | null
  readonly holds: (position: number) => boolean
}

const MATCHES = 0
/**
 * The mark of a product that fails several keys, or a condition without a key. Marks from 1 on name the one key that it fails: a filter has
 * fewer than a hundred.
 */
const FAILS = 255

/** The products of a scope that may match, and how each meets the conditions. */
export class ListingMatch {
  private readonly states: Uint8Array
  private readonly keys: readonly (string | null)[]

  /** `candidates` are rising positions in the scope. */
  constructor(
    readonly candidates: Int32Array,
    private readonly conditions: readonly Condition[],
  ) {
    this.states = new Uint8Array(candidates.length)
    this.keys = [...new Set(conditions.flatMap(({ key }) => key ?? []))]
  }

  /** Checks the candidates from the index `start` to before `end`. */
  check(start: number, end: number): void {
    const numbers = this.conditions.map(({ key }) => (key === null ? FAILS : this.keys.indexOf(key) + 1))
    for (const [at, { holds }] of this.conditions.entries()) {
      const failure = numbers[at] as number
      for (let index = start; index < end; index++) {
        const state = this.states[index] as number
        if (state === FAILS || state === failure || holds(this.candidates[index] as number)) continue
        this.states[index] = state === MATCHES ? failure : FAILS
      }
    }
  }

  /** The positions that match, without the conditions of `key` if it is given. */
  matching(key?: string): Int32Array {
    if (this.conditions.length === 0) return this.candidates
    const ignored = key === undefined ? MATCHES : this.keys.indexOf(key) + 1
    return this.candidates.filter((_, index) => this.states[index] === MATCHES || this.states[index] === ignored)
  }
}
