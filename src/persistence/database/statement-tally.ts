/**
 * Statement tally: the statements of one request and the time that it waited for them, for the log of slow operations.
 */
import { summaryOf } from './statement-name.ts'
import type { Statement } from './statement-observer.ts'

/** Statements that it sent, or shared with other requests, and the time that it waited for them. */
export class StatementTally {
  /** Milliseconds that it waited: the sum of all waits, though some may overlap. */
  ms = 0
  private readonly statements: Statement[] = []

  get count(): number {
    return this.statements.length
  }

  /** Counts a statement. If only Prisma knows it, it has no text, and its name is that of the method. */
  add(name: string | undefined, text = ''): void {
    this.statements.push({ name, text })
  }

  /** The `count` statements that were sent most, by their names in traces; of equals those that were sent first. */
  most(count: number): Record<string, number> {
    const counts = new Map<string, number>()
    for (const statement of this.statements) {
      const name = summaryOf(statement)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a).slice(0, count))
  }

  /** Runs `work` and adds the time that it waited. */
  async measure<T>(work: () => PromiseLike<T>): Promise<T> {
    const start = performance.now()
    try {
      return await work()
    } finally {
      this.ms += performance.now() - start
    }
  }
}
