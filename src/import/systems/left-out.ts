/** What an import from another system does not take as it stands there (import.systems-count-what-is-left). */
import { toStorable } from '../../domain/input/text.ts'

/** Kinds with a count of their own. Further kinds share one count, so that the memory of an import is bounded. */
const KINDS_MAX = 1000
const OTHERS = '(others)'

/** The counts of one import. */
export class LeftOut {
  private readonly counts = new Map<string, number>()

  /** Counts one more of a kind, such as `product relationships.templates`. */
  add(kind: string): void {
    const name = toStorable(kind)
    const counted = this.counts.has(name) || this.counts.size < KINDS_MAX ? name : OTHERS
    this.counts.set(counted, (this.counts.get(counted) ?? 0) + 1)
  }

  /** A line for each kind, in the order in which they were found; undefined when nothing was left out. */
  describe(): string | undefined {
    if (this.counts.size === 0) return undefined
    return [
      'Not taken as it stands there:',
      ...[...this.counts].map(([kind, count]) => `  ${kind}: ${count} times`),
    ].join('\n')
  }
}
